"""Points of a starting hand by simple rules of hand, enough to play few or many of them. Not a ranking: see the rankings for that."""

from sim.jit import jit


@jit
def points(view):
    """Points of the own hole cards: a quarter of all hands has about 10 or more, a tenth 14, a twentieth 18, with any number of cards.

    A pair counts its rank, aces double; each suited pair counts by its top card; each two neighbouring ranks count 2; hi/lo: ace with a
    deuce or three counts 10. Three of a rank or of a suit waste a card and cost 3 each.
    """
    total = 0
    ranks = 0  # mask of ranks held
    for first in range(view.n_hole):
        rank, suit = view.hole[first] >> 2, view.hole[first] & 3
        ranks |= 1 << rank
        same_rank, same_suit, top = 0, 0, True
        for second in range(view.n_hole):
            if second != first:
                same_rank += view.hole[second] >> 2 == rank
                if view.hole[second] & 3 == suit:
                    same_suit += 1
                    top &= view.hole[second] >> 2 < rank
        if same_rank == 1:
            total += rank // 2 + (6 if rank == 12 else 0)  # counted from both cards of the pair
        elif same_rank > 1:
            total -= 1
        if same_suit > 0 and top:
            total += 2 + rank // 3 - 3 * (same_suit > 1)
    for rank in range(12):
        if ranks >> rank & 3 == 3:
            total += 2 + (rank >= 7)
    ace = ranks >> 12 & 1
    if view.hi_lo and ace:
        total += 10 * (ranks & 1) + 6 * (ranks >> 1 & 1)
    return total - 4 * (view.n_hole - 4) - view.hi_lo  # more cards, and the low, make more points
