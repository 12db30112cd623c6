"""Points of a starting hand by simple rules of hand, enough to play few or many of them. Not a ranking: see the rankings for that."""

from sim.bits import count_bits, highest_bit
from sim.cards import N_RANKS, N_SUITS
from sim.jit import jit
from sim.strategies.ranks import of_suit, ranks_by_suit

ACE = N_RANKS - 1


@jit
def points(view):
    """Points of the own hole cards: a quarter of all hands has about 10 or more, a tenth 14, a twentieth 18, with any number of cards.

    A pair counts its rank, aces double; each suited pair counts by its top card; each two neighbouring ranks count 2; hi/lo: ace with a
    deuce or three counts 10. Three of a rank or of a suit waste a card and cost 3 each.
    """
    ranks, pairs, trips = 0, 0, 0  # masks
    for card in range(view.n_hole):
        rank = 1 << (view.hole[card] >> 2)
        trips |= pairs & rank
        pairs |= ranks & rank
        ranks |= rank
    total = -3 * count_bits(trips)
    pairs &= ~trips
    while pairs:
        rank = highest_bit(pairs)
        total += 2 * (rank // 2) + 12 * (rank == ACE)
        pairs ^= 1 << rank
    suits = ranks_by_suit(view.hole, view.n_hole)
    for suit in range(N_SUITS):
        suited = of_suit(suits, suit)
        total += (count_bits(suited) > 1) * (2 + highest_bit(suited | 1) // 3) - 3 * (count_bits(suited) > 2)
    neighbours = ranks & ranks >> 1
    total += 2 * count_bits(neighbours) + count_bits(neighbours >> 7)
    if view.hi_lo and ranks >> ACE:
        total += 10 * (ranks & 1) + 6 * (ranks >> 1 & 1)
    return total - 4 * (view.n_hole - 4) - view.hi_lo  # more cards, and the low, make more points
