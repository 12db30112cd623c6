"""A quick estimate of the share of the pot after the flop, from how many holdings beat the hand now and from its outs. No rollouts.

The best hand must stay the best against each opponent, a draw must come; in hi/lo both halves count, a low that is shared counts less.
Rounded averages, good for thresholds; `equity` is exact in the long run and costs more.
"""

from sim.actions import FLOP, PREFLOP, RIVER
from sim.bits import count_bits
from sim.jit import jit
from sim.strategies.draws import flush_outs, low_outs, straight_outs
from sim.strategies.holdings import high_rivals, low_rivals, n_holdings
from sim.strategies.ranks import N_LOW_RANKS, low_rank

WEAK_OUT = 0.5  # worth of an out that does not make the nuts
MOST_DRAW = 0.7  # chance to improve with any number of outs
LEAST_STAYS = 0.2
# By street, averages: chance that the best hand stays so against one opponent; of an out to come; of a low to become possible with two
# low ranks on the board.
STAYS = (1.0, 0.72, 0.83, 1.0)
PER_OUT = (0.0, 0.037, 0.0225, 0.0)
LOW_COMES = (0.0, 0.6, 0.36, 0.0)
BACKDOOR_LOW = 0.1  # the same with one low rank on the flop


@jit
def draw_chance(view):
    """Chance that a flush or straight comes that the hand has not yet, 0 to 0.7; outs that do not make the nuts count half."""
    if view.street == PREFLOP or view.street == RIVER:
        return 0.0
    flush, straight = flush_outs(view), straight_outs(view)
    outs, nut_outs = flush.outs + straight.outs, flush.nut_outs + straight.nut_outs
    return min(MOST_DRAW, (nut_outs + WEAK_OUT * (outs - nut_outs)) * PER_OUT[view.street])


@jit
def estimated_share(view, respect, outs_value):
    """Estimated share of the pot, 0 to 1, from the flop on.

    respect : how much more than random hands opponents hold, per bet of the street; outs_value : worth of draws, 1 as they are
    """
    n_opponents = view.n_live - 1
    pairs = view.n_hole * (view.n_hole - 1) // 2
    against = pairs * n_opponents * (1 + respect * view.n_raises)  # holdings that must not be better
    high = _best_share(high_rivals(view), n_holdings(view), against)
    high *= max(LEAST_STAYS, 1 - (1 - STAYS[view.street]) * n_opponents)
    high += (1 - high) * min(1.0, draw_chance(view) * outs_value)
    if not view.hi_lo:
        return high
    chance = _low_chance(view)
    if chance == 0:
        return high
    rivals, made = low_rivals(view)
    if made > 0:
        low = _best_share(rivals, n_holdings(view), against)
    else:
        outs = low_outs(view)
        low = min(1.0, (outs.nut_outs + WEAK_OUT * (outs.outs - outs.nut_outs)) * PER_OUT[view.street] * outs_value)
    return high * (1 - chance / 2) + low * chance / 2


@jit
def _best_share(rivals, holdings, against):
    """Chance that none of `against` holdings is better, shared with those that are as good."""
    better, equal = rivals.better / holdings, rivals.equal / holdings
    return (1 - better) ** against / (1 + equal * against)


@jit
def _low_chance(view):
    """Chance that a low is possible at the end: 1 with three low ranks on the board."""
    ranks = 0
    for card in range(view.n_board):
        rank = low_rank(view.board[card])
        if rank < N_LOW_RANKS:
            ranks |= 1 << rank
    count = count_bits(ranks)
    if count >= 3:
        return 1.0
    if count == 2:
        return LOW_COMES[view.street]
    return BACKDOOR_LOW if count == 1 and view.street == FLOP else 0.0
