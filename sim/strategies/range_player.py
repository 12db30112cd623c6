"""A player by ranges of hands before the flop and by his estimated share of the pot after it; its parameters make it tight or wild.

Before the flop every decision is one of the ranges below, by position. After it bets, raises and calls are thresholds on the estimated
share of the pot (sim.strategies.estimate), so that the same parameters play 4, 5 and 6 cards, high and hi/lo, and all structures.
"""

from functools import partial

from sim.actions import PREFLOP
from sim.jit import jit
from sim.strategies.estimate import draw_chance, estimated_share
from sim.strategies.parameters import PARTS, UTG, Parameter, declared_record
from sim.strategies.percentile import in_range
from sim.strategies.situation import has_initiative, n_callers, pot_odds, preflop_position, stack_to_pot
from sim.strategies.view import FOLD, may_raise, pot_sized, random_below

# fmt: off
PARAMETERS = {
    "open": Parameter("by_position", 0.2, "raised when nobody has put in more than the blinds"),
    "limp": Parameter("by_position", 0, "then called, if not raised"),
    "isolate": Parameter("by_position", 0.1, "raised over players who limped"),
    "overlimp": Parameter("by_position", 0.2, "then called, if not raised"),
    "three_bet": Parameter("by_position", 0.05, "raised after one raise"),
    "call": Parameter("by_position", 0.15, "called after one raise, if not raised"),
    "four_bet": Parameter("by_position", 0.02, "raised after two raises"),
    "call_three_bet": Parameter("by_position", 0.1,
                                "called after two raises; who has not raised himself takes the range of UTG"),
    "five_bet": Parameter("by_position", 0.01, "raised after three raises or more"),
    "call_four_bet": Parameter("by_position", 0.03, "called after three raises or more"),
    "open_sizes": Parameter("sizes", 1, "raises before the flop, in pots, with weights"),
    "bet_sizes": Parameter("sizes", {0.5: 1, 0.75: 1, 1: 1}, "bets and raises after the flop, in pots, with weights"),
    "value": Parameter("number", 0.6, "bets from this edge on: 0.5 is a fair share of the pot, 1 or more all of it", 0, 10),
    "raise_value": Parameter("number", 0.75, "raises a bet from this edge on", 0, 10),
    "reraise_step": Parameter("number", 0.1, "added to it for each raise before", 0, 10),
    "price": Parameter("number", 1.1, "calls when the estimated share is this many times the price; 1: even, below: loose", 0, 10),
    "respect": Parameter("number", 0.4, "how much better hands than random ones each bet on the street shows", 0, 10),
    "outs_value": Parameter("number", 1, "how much draws are worth: 1 as they are", 0, 3),
    "continuation": Parameter("share", 0.5, "how often the last raiser before bets on, whatever he has, against one opponent"),
    "semi_bluff": Parameter("share", 0.3, "how often a good draw is bet or raised"),
    "bluff": Parameter("share", 0.05, "how often nothing is bet when it was checked to the player"),
    "bluff_raise": Parameter("share", 0.01, "how often nothing is raised"),
    "slow_play": Parameter("share", 0.1, "how often the best hands are checked or called"),
    "commit_spr": Parameter("number", 1.5, "with fewer pots behind than this ...", 0, 1000),
    "commit_value": Parameter("number", 0.6, "... plays for all of it from this edge on", 0, 10),
}
# fmt: on
prepare = partial(declared_record, PARAMETERS)

CHEAP = 0.1  # nobody folds at this price before the flop
MONSTER = 0.9  # edge of hands that may be slow-played
GOOD_DRAW, NOTHING = 0.25, 0.35  # chance to improve; edge below which a bet is a bluff


@jit
def range_player(view, p):
    """Play ranges of hands before the flop and the estimated share of the pot after it."""
    if view.street == PREFLOP:
        return _before_the_flop(view, p)
    draw = draw_chance(view) * p.outs_value
    share = estimated_share(view, p.respect, p.outs_value)
    edge = share * view.n_live / 2  # as against one opponent
    if view.to_call == 0:
        return _unbet(view, p, edge, draw)
    return _facing_a_bet(view, p, share, edge, draw)


@jit
def _before_the_flop(view, p):
    position = preflop_position(view)
    if view.n_raises == 0:
        if n_callers(view) == 0:
            raises, calls = in_range(view, p.open[position]), in_range(view, p.limp[position])
        else:
            raises, calls = in_range(view, p.isolate[position]), in_range(view, p.overlimp[position])
    elif view.n_raises == 1:
        raises, calls = in_range(view, p.three_bet[position]), in_range(view, p.call[position])
    elif view.n_raises == 2:
        raises = in_range(view, p.four_bet[position])
        calls = in_range(view, p.call_three_bet[position if view.bet > view.big_blind else UTG])
    else:
        raises, calls = in_range(view, p.five_bet[position]), in_range(view, p.call_four_bet[position])
    if raises and may_raise(view):
        return _sized(view, p.open_sizes)
    if raises or calls or view.to_call == 0 or pot_odds(view) <= CHEAP:
        return view.call_to
    return FOLD


@jit
def _unbet(view, p, edge, draw):
    """Nobody has bet on this street."""
    if edge >= MONSTER and _happens(view, p.slow_play):
        return view.call_to
    if edge >= p.value:
        return _bet(view, p, edge)
    if draw >= GOOD_DRAW and _happens(view, p.semi_bluff):
        return _sized(view, p.bet_sizes)
    often = p.continuation / (view.n_live - 1) if has_initiative(view) else p.bluff
    if _happens(view, often):
        return _sized(view, p.bet_sizes)
    return view.call_to


@jit
def _facing_a_bet(view, p, share, edge, draw):
    wanted = p.raise_value + p.reraise_step * (view.n_raises - 1)
    committed = edge >= p.commit_value and stack_to_pot(view) < p.commit_spr
    if may_raise(view):
        if committed or edge >= wanted and not (edge >= MONSTER and _happens(view, p.slow_play)):
            return _bet(view, p, edge)
        if view.n_raises == 1 and draw >= GOOD_DRAW and _happens(view, p.semi_bluff / 2):
            return _sized(view, p.bet_sizes)
        if view.n_raises == 1 and edge < NOTHING and _happens(view, p.bluff_raise):
            return _sized(view, p.bet_sizes)
    if committed or edge >= wanted or share >= pot_odds(view) * p.price:
        return view.call_to
    return FOLD


@jit
def _bet(view, p, edge):
    """A bet or raise for value; for all of the stack when little of it would be left behind."""
    if edge >= p.commit_value and stack_to_pot(view) < p.commit_spr and may_raise(view):
        return view.max_raise_to
    return _sized(view, p.bet_sizes)


@jit
def _sized(view, sizes):
    """A bet or raise of one of the sizes, by their weights."""
    part = random_below(view, PARTS) if sizes.upto[0] < PARTS else 0
    place = 0
    while sizes.upto[place] <= part:
        place += 1
    return pot_sized(view, sizes.percent[place])


@jit
def _happens(view, often):
    """True in this share of all cases."""
    return often > 0 and random_below(view, PARTS) < often * PARTS
