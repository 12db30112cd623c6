"""A loose player by simple hand rules: most hands, mostly called; likes to see the river."""

from sim.actions import PREFLOP
from sim.evaluation import PAIR, STRAIGHT, TRIPS, TWO_PAIR, category
from sim.jit import jit
from sim.strategies.starting_hands import points
from sim.strategies.view import FOLD, made_low, made_strength, pot_sized, random_below

OVERBET = 200  # percent of the pot; where pots limit bets, the pot


@jit
def loose(view):
    """Call with more than half of all hands, now and then raise; later call with a pair or a low, bet from two pair, sometimes bluff."""
    if view.street == PREFLOP:
        return _before_the_flop(view)
    made = category(made_strength(view))
    if made >= STRAIGHT:
        return pot_sized(view, OVERBET)
    if view.to_call == 0:
        bets = made >= TWO_PAIR or random_below(view, 6) == 0
        return pot_sized(view, 50) if bets else view.call_to
    cheap = view.to_call * 4 <= view.pot  # a bet of up to a third of the pot
    stays = made >= TRIPS or made >= TWO_PAIR and view.n_raises < 2 or made == PAIR and cheap or view.hi_lo and made_low(view) > 0
    return view.call_to if stays else FOLD


@jit
def _before_the_flop(view):
    score = points(view)
    if score >= 13 and view.n_raises < 2 and random_below(view, 2) == 0:
        return pot_sized(view, 100)
    enough = 6 + 2 * view.n_raises
    return view.call_to if score >= enough or view.to_call == 0 else FOLD
