"""Which two cards an opponent may hold beat the own hand now: exact counts over all pairs of unseen cards.

A pair plays with the board as Omaha hands do, two hole cards and three of the board, so each pair of an opponent's cards is one holding.
Pairs of ranks are counted at once, by how many cards of each rank are unseen; flushes card by card. Nuts: nothing beats the hand.
"""

from typing import NamedTuple

import numpy as np

from sim import evaluation
from sim.actions import PREFLOP
from sim.cards import N_RANKS
from sim.jit import jit
from sim.rules import N_CARDS
from sim.strategies.memory import tables_at
from sim.strategies.ranks import ALL_RANKS, N_LOW_RANKS, n_of_rank, of_suit, ranks_by_suit, unseen_by_low_rank, unseen_by_rank


class Rivals(NamedTuple):
    """Holdings against the own hand."""

    better: int
    equal: int


@jit
def n_holdings(view):
    """Pairs of unseen cards."""
    unseen = N_CARDS - view.n_hole - view.n_board
    return unseen * (unseen - 1) // 2


@jit
def n_better(view):
    """Holdings that beat the own high hand on the board so far; 0: it is the nuts. Before the flop -1."""
    if view.street == PREFLOP:
        return -1
    return high_rivals(view).better


@jit
def n_better_low(view):
    """Holdings that make a better low than the own on the board so far; 0: it is the nut low. Without a low, -1."""
    if view.street == PREFLOP:
        return -1
    rivals, made = low_rivals(view)
    return rivals.better if made > 0 else -1


@jit
def high_rivals(view):
    """Rivals of the own high hand. From the flop on."""
    tables = tables_at(view.tables)
    context = evaluation.board_context(tables, view.board, view.n_board)
    own = evaluation.strength(tables, context, view.hole, view.n_hole)
    better, equal = _count_ranks(tables, context.row, own, unseen_by_rank(view))
    if context.flush_row != np.uint64(0):
        flush_suit = np.int64(context.flush_suit)
        seen = of_suit(ranks_by_suit(view.hole, view.n_hole) | ranks_by_suit(view.board, view.n_board), flush_suit)
        more_better, more_equal = _count_flushes(tables, context, own, ALL_RANKS & ~seen)
        better, equal = better + more_better, equal + more_equal
    return Rivals(better, equal)


@jit
def _count_ranks(tables, row, own, unseen):
    """Holdings better and equal without a look at flushes. unseen : by `unseen_by_rank`."""
    better, equal = 0, 0
    pair = np.uint64(0)
    for high in range(N_RANKS):
        n_high = n_of_rank(unseen, high)
        if n_high == 0:
            pair += np.uint64(high + 1)
            continue
        inner_better, inner_equal = 0, 0
        for low in range(high):
            strength = np.int64(tables.ranks[row, pair])
            n_low = n_of_rank(unseen, low)
            inner_better += n_low * (strength > own)
            inner_equal += n_low * (strength == own)
            pair += np.uint64(1)
        strength = np.int64(tables.ranks[row, pair])
        pair += np.uint64(1)
        pairs = n_high * (n_high - 1) // 2
        better += n_high * inner_better + pairs * (strength > own)
        equal += n_high * inner_equal + pairs * (strength == own)
    return better, equal


@jit
def _count_flushes(tables, context, own, suited):
    """What pairs in the flush suit add to both counts, beyond what their ranks alone count. suited : mask of unseen ranks."""
    better, equal = 0, 0
    for high in range(1, N_RANKS):
        if not suited >> high & 1:
            continue
        base = high * (high + 1) // 2
        for low in range(high):
            if suited >> low & 1:
                pair = np.uint64(base + low)
                plain = np.int64(tables.ranks[context.row, pair])
                strength = max(plain, np.int64(tables.flush[context.flush_row, pair]))
                better += int(strength > own) - int(plain > own)
                equal += int(strength == own) - int(plain == own)
    return better, equal


@jit
def low_rivals(view):
    """(Rivals of the own low, own low). From the flop on; without an own low every low is better."""
    tables = tables_at(view.tables)
    context = evaluation.board_context(tables, view.board, view.n_board)
    own = evaluation.low(tables, context, view.hole, view.n_hole)
    unseen = unseen_by_low_rank(view)
    better, equal = 0, 0
    for high in range(1, N_LOW_RANKS):
        for other in range(high):
            made = np.int64(tables.low[context.low_mask, np.uint64(1 << high | 1 << other)])
            pairs = n_of_rank(unseen, high) * n_of_rank(unseen, other)
            better += pairs * int(made > own)
            equal += pairs * int(made > 0 and made == own)
    return Rivals(better, equal), own
