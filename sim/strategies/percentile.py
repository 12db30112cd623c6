"""How good a starting hand is among all of them: its place in the shipped rankings, and ranges of hands."""

import numba
import numpy as np

from sim.hand_classes import class_of
from sim.jit import jit
from sim.rankings import ALL_HANDS, RankingError, opponents_at, percentile_table
from sim.strategies.memory import uint8_at, uint16_at

PLAIN = numba.config.DISABLE_JIT


def _ranking(hole_cards: int, hi_lo: bool, n_seats: int) -> np.ndarray:
    """The ranking of this game, heads-up or six-handed; it stays in memory as long as the process."""
    return percentile_table(hole_cards, hi_lo, opponents_at(n_seats))


def ranking_at(hole_cards: int, hi_lo: bool, n_seats: int) -> int:
    """Address of the ranking of this game; 0 if the package has none, and in plain Python, where it is only read when it is asked."""
    if PLAIN:
        return 0
    try:
        return _ranking(hole_cards, hi_lo, n_seats).ctypes.data
    except RankingError:
        return 0


@jit
def hand_class(view):
    """Class of the own hole cards (sim.hand_classes), worked out once per hand."""
    if view.hand_class < 0:
        view.hand_class = class_of(view.hole, view.n_hole)
    return view.hand_class


if PLAIN:

    def rank_of(view, class_id):
        """Place of a class of hands in the ranking of the game: 0 the best, 65535 the worst."""
        return int(_ranking(view.n_hole, bool(view.hi_lo), view.n_seats)[class_id])

else:

    @jit
    def rank_of(view, class_id):
        """Place of a class of hands in the ranking of the game: 0 the best, 65535 the worst."""
        if view.ranking == np.uint64(0):
            raise RuntimeError("no ranking of starting hands for this game")
        return uint16_at(view.ranking, class_id)


@jit
def percentile(view):
    """Share of all starting hands that are better than the own one, 0 to 1; 0.1: the hand is just outside the best tenth."""
    return rank_of(view, hand_class(view)) / ALL_HANDS


@jit
def in_range(view, hands):
    """Whether the own hole cards are in a range, a parameter such as `p.open`."""
    return holds(view, hands, hand_class(view))


@jit
def holds(view, hands, class_id):
    """Whether a class of hands is in a range (RANGE of sim.strategies.parameters)."""
    if hands.members != np.uint64(0):
        return uint8_at(hands.members, class_id) != 0
    return rank_of(view, class_id) < hands.cut
