"""How good a starting hand is among all of them: its place in the shipped rankings, and ranges of hands."""

import numpy as np

from sim.hand_classes import class_of
from sim.jit import jit
from sim.strategies.memory import uint8_at, uint16_at
from sim.strategies.parameters import MOST_RANKED

_tables: dict[tuple[int, bool, int], np.ndarray] = {}  # kept as long as the process: views hold their addresses


def ranking_at(hole_cards: int, hi_lo: bool, n_seats: int) -> int:
    """Address of the ranking of this game, heads-up or six-handed; 0 if the package has none."""
    from sim.rankings import RankingError, percentile_table  # late: it reads files

    opponents = 1 if n_seats == 2 else 5
    key = hole_cards, hi_lo, opponents
    if key not in _tables:
        try:
            _tables[key] = np.ascontiguousarray(percentile_table(*key), np.uint16)
        except RankingError:
            return 0
    return _tables[key].ctypes.data


@jit
def hand_class(view):
    """Class of the own hole cards (sim.hand_classes), worked out once per hand."""
    if view.hand_class < 0:
        view.hand_class = class_of(view.hole, view.n_hole)
    return view.hand_class


@jit
def _ranked(view):
    if view.ranking == np.uint64(0):
        raise RuntimeError("no ranking of starting hands for this game")
    return uint16_at(view.ranking, hand_class(view))


@jit
def percentile(view):
    """Share of all starting hands that are better than the own one, 0 to 1; 0.1: the hand is just outside the best tenth."""
    return _ranked(view) / MOST_RANKED


@jit
def in_range(view, hands):
    """Whether the own hole cards are in a range, a parameter such as `p.open`."""
    if hands.members != np.uint64(0):
        return uint8_at(hands.members, hand_class(view)) != 0
    return _ranked(view) < hands.cut
