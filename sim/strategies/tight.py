"""A tight player by simple hand rules: few hands, raised; goes on after the flop with a strong hand or a good price."""

from sim.actions import PREFLOP
from sim.evaluation import STRAIGHT, TRIPS, TWO_PAIR, category
from sim.jit import jit
from sim.strategies.starting_hands import points
from sim.strategies.view import FOLD, made_low, made_strength, pot_sized

GOOD_LOW = 40  # of 56: 7-6-3-2-A or so


@jit
def tight(view):
    """Raise the best tenth of hands, call with the next, fold the rest; later bet strong hands, call with fair ones."""
    if view.street == PREFLOP:
        return _before_the_flop(view)
    made = category(made_strength(view))
    low = made_low(view) if view.hi_lo else 0
    if made >= STRAIGHT or made == TRIPS and view.n_raises < 2:
        return pot_sized(view, 75)
    cheap = view.to_call * 4 <= view.pot
    if view.to_call == 0 or low >= GOOD_LOW or made >= TWO_PAIR and cheap:
        return view.call_to
    return FOLD


@jit
def _before_the_flop(view):
    score = points(view)
    if score >= 14 and view.n_raises < 3:
        return pot_sized(view, 100)
    if view.to_call == 0 or score >= 11 + 3 * (view.n_raises > 1):
        return view.call_to
    return FOLD
