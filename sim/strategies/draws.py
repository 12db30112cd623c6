"""What the next card may make of the own hand: flush, straight and low draws, in outs (unseen cards), and how many of these make the nuts.

Two hole cards play, so a draw is with two of them. Before the flop and on the river there are none. Nut straights are judged by ranks
alone, whatever flushes and full houses the board allows.
"""

from typing import NamedTuple

import numpy as np

from sim.actions import PREFLOP, RIVER
from sim.bits import count_bits, highest_bit
from sim.cards import N_RANKS, N_SUITS
from sim.jit import jit
from sim.strategies.memory import tables_at
from sim.strategies.ranks import ALL_RANKS, N_LOW_RANKS, low_rank, n_of_rank, of_suit, ranks_by_suit, unseen_by_low_rank, unseen_by_rank

ANY_LOW = (1 << N_LOW_RANKS) - 1
WINDOW = 31  # five ranks in a row
N_WINDOWS = 10  # straights, five-high to ace-high; ranks are then shifted by one, with the ace below the deuce too


class Outs(NamedTuple):
    """Unseen cards that make a hand on the next street."""

    outs: int
    nut_outs: int  # those that make the best hand of its kind


@jit
def flush_outs(view):
    """Outs to a flush: with two cards of a suit in hand and two on the board. Nut outs leave no higher card of the suit unseen."""
    if view.street == PREFLOP or view.street == RIVER:
        return Outs(0, 0)
    hole, seen = ranks_by_suit(view.hole, view.n_hole), ranks_by_suit(view.board, view.n_board)
    outs, nut_outs = 0, 0
    for suit in range(N_SUITS):
        own, board = of_suit(hole, suit), of_suit(seen, suit)
        if count_bits(board) == 2 and count_bits(own) >= 2:
            unseen = ALL_RANKS & ~own & ~board
            outs += count_bits(unseen)
            if own > unseen:  # the highest own rank is above the highest unseen one
                nut_outs += count_bits(unseen)
            elif own > unseen ^ 1 << highest_bit(unseen):  # a single higher card is unseen: it makes the nuts when it comes
                nut_outs += 1
    return Outs(outs, nut_outs)


@jit
def straight_outs(view):
    """Outs to a straight, or to a higher one than the hand has. Five ranks in a row need two in hand and three on the board.

    For each straight, from the highest down: which ranks, if they come next, make it for this hand (`own`), and which make it possible
    for somebody (`any`). A rank counts for the highest straight it makes, and is a nut out if no higher one becomes possible with it.
    """
    if view.street == PREFLOP or view.street == RIVER:
        return Outs(0, 0)
    (hole, board), unseen = _rank_masks(view), unseen_by_rank(view)
    outs, nut_outs = 0, 0
    decided, possible = 0, 0  # ranks that make a straight of the own hand, of any hand
    for window in range(N_WINDOWS - 1, -1, -1):
        straight = WINDOW << window
        on_board = count_bits(straight & board)
        missing = straight & ~board
        if on_board < 2:
            continue
        own = _completing(straight, hole, board, on_board)
        if own == -1:
            break  # made already: lower ones do not improve it
        new = own & ~decided
        for rank in range(window, window + 5):
            if new >> rank & 1:
                n_cards = n_of_rank(unseen, (rank - 1) % N_RANKS)
                outs += n_cards
                if not possible >> rank & 1:
                    nut_outs += n_cards
        decided |= _both_aces(own)
        possible |= _both_aces(missing) if on_board == 2 else -1
    return Outs(outs, nut_outs)


@jit
def _completing(straight, hole, board, on_board):
    """Ranks that, come next, complete this straight for the hand; -1: it is made already. on_board : how many of its ranks, 2 or more."""
    if count_bits(straight & hole) < 2:
        return 0
    missing = straight & ~board
    needed = missing & ~hole
    if needed == 0:
        return -1 if on_board >= 3 else missing
    return needed if needed & (needed - 1) == 0 else 0


@jit
def low_outs(view):
    """Outs to a low where none is made yet; nut outs make the best low that the board then allows."""
    if view.street == PREFLOP or view.street == RIVER or not view.hi_lo:
        return Outs(0, 0)
    low = tables_at(view.tables).low
    (hole, board), unseen = _low_masks(view), unseen_by_low_rank(view)
    if low[board, hole] > 0:
        return Outs(0, 0)
    outs, nut_outs = 0, 0
    for rank in range(N_LOW_RANKS):
        after = board | np.uint64(1 << rank)
        made = low[after, hole]
        if after != board and made > 0:
            n_cards = n_of_rank(unseen, rank)
            outs += n_cards
            nut_outs += n_cards * (made == low[after, np.uint64(ANY_LOW)])
    return Outs(outs, nut_outs)


@jit
def counterfeit_outs(view):
    """Unseen cards after which the own nut low is no longer the nut low; 0 when it is not the nut low now."""
    if view.street == PREFLOP or view.street == RIVER or not view.hi_lo:
        return 0
    low = tables_at(view.tables).low
    (hole, board), unseen = _low_masks(view), unseen_by_low_rank(view)
    made = low[board, hole]
    if made == 0 or made != low[board, np.uint64(ANY_LOW)]:
        return 0
    count = 0
    for rank in range(N_LOW_RANKS):
        after = board | np.uint64(1 << rank)
        if after != board and low[after, hole] != low[after, np.uint64(ANY_LOW)]:
            count += n_of_rank(unseen, rank)
    return count


@jit
def _rank_masks(view):
    """Masks of the ranks in hand and on the board, one place up with the ace below the deuce too."""
    hole, board = 0, 0
    for i in range(view.n_hole):
        hole |= 2 << (view.hole[i] >> 2)
    for i in range(view.n_board):
        board |= 2 << (view.board[i] >> 2)
    return hole | hole >> N_RANKS, board | board >> N_RANKS


@jit
def _both_aces(mask):
    """The mask with both places of the ace if it has one of them."""
    if mask & 1 or mask >> N_RANKS & 1:
        mask |= 1 | 1 << N_RANKS
    return mask


@jit
def _low_masks(view):
    """Masks of the low ranks (ace first) in hand and on the board, uint64."""
    hole, board = 0, 0
    for i in range(view.n_hole):
        hole |= 1 << low_rank(view.hole[i])
    for i in range(view.n_board):
        board |= 1 << low_rank(view.board[i])
    return np.uint64(hole & ANY_LOW), np.uint64(board & ANY_LOW)
