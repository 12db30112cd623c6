"""What the next card may make of the own hand: flush, straight and low draws, in outs (unseen cards), and how many of these make the nuts.

Two hole cards play, so a draw is with two of them. Before the flop and on the river there are none. Nut straights are judged by ranks
alone, whatever flushes and full houses the board allows.
"""

from typing import NamedTuple

import numpy as np

from sim.actions import PREFLOP, RIVER
from sim.bits import count_bits, highest_bit
from sim.cards import N_RANKS
from sim.evaluation import LOW_RANKS
from sim.hand_classes import N_SUITS
from sim.jit import jit
from sim.strategies.memory import tables_at

N_LOW_RANKS = len(LOW_RANKS)
WINDOW = 31  # five ranks in a row
N_WINDOWS = 10  # straights, five-high to ace-high; ranks are then shifted by one, with the ace below the deuce too


class Outs(NamedTuple):
    """Unseen cards that make a hand on the next street."""

    outs: int
    nut_outs: int  # those that make the best hand of its kind


@jit
def flush_outs(view):
    """Outs to a flush: with two cards of a suit in hand and two on the board. Nut outs leave no higher card of the suit unseen."""
    outs, nut_outs = 0, 0
    if view.street == PREFLOP or view.street == RIVER:
        return Outs(0, 0)
    for suit in range(N_SUITS):
        own, n_own, board, n_board = 0, 0, 0, 0  # masks of ranks and their numbers
        for i in range(view.n_hole):
            if view.hole[i] & 3 == suit:
                own |= 1 << (view.hole[i] >> 2)
                n_own += 1
        for i in range(view.n_board):
            if view.board[i] & 3 == suit:
                board |= 1 << (view.board[i] >> 2)
                n_board += 1
        if n_own >= 2 and n_board == 2:
            outs += N_RANKS - n_own - n_board
            unseen = ((1 << N_RANKS) - 1) & ~own & ~board
            if own > unseen:  # the highest own rank is above the highest unseen one
                nut_outs += N_RANKS - n_own - n_board
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
    hole, board, unseen = _rank_masks(view)
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
                n_cards = unseen >> 4 * ((rank - 1) % N_RANKS) & 15
                outs += n_cards
                if not possible >> rank & 1:
                    nut_outs += n_cards
        decided |= _both_aces(own)
        possible |= _both_aces(missing) if on_board == 2 else -1
    return Outs(outs, nut_outs)


@jit
def _completing(straight, hole, board, on_board):
    """Ranks that, come next, complete this straight for the hand; -1: it is made already. on_board : how many of its ranks, 2 or more."""
    missing = straight & ~board
    in_hand = straight & hole
    if count_bits(in_hand) < 2:
        return 0
    if on_board >= 3 and missing & ~hole == 0:
        return -1
    completing = 0
    for rank in range(N_RANKS + 1):
        bit = 1 << rank
        if missing & bit and missing & ~bit & ~hole == 0:
            completing |= bit
    return completing


@jit
def low_outs(view):
    """Outs to a low where none is made yet; nut outs make the best low that the board then allows."""
    if view.street == PREFLOP or view.street == RIVER or not view.hi_lo:
        return Outs(0, 0)
    low = tables_at(view.tables).low
    hole, board, unseen = _low_masks(view)
    if low[board, hole] > 0:
        return Outs(0, 0)
    outs, nut_outs = 0, 0
    for rank in range(N_LOW_RANKS):
        after = board | np.uint64(1 << rank)
        made = low[after, hole]
        if after != board and made > 0:
            n_cards = unseen >> 4 * rank & 15
            outs += n_cards
            nut_outs += n_cards * (made == low[after, np.uint64(255)])
    return Outs(outs, nut_outs)


@jit
def counterfeit_outs(view):
    """Unseen cards after which the own nut low is no longer the nut low; 0 when it is not the nut low now."""
    if view.street == PREFLOP or view.street == RIVER or not view.hi_lo:
        return 0
    low = tables_at(view.tables).low
    hole, board, unseen = _low_masks(view)
    made = low[board, hole]
    if made == 0 or made != low[board, np.uint64(255)]:
        return 0
    count = 0
    for rank in range(N_LOW_RANKS):
        after = board | np.uint64(1 << rank)
        if after != board and low[after, hole] != low[after, np.uint64(255)]:
            count += unseen >> 4 * rank & 15
    return count


@jit
def _rank_masks(view):
    """Masks of the ranks in hand and on the board, one place up with the ace below the deuce too; and unseen cards of each rank.

    The last has four bits per rank, the deuce first.
    """
    hole, board, unseen = 0, 0, np.int64(0)
    for rank in range(N_RANKS):
        unseen += 4 << 4 * rank
    for i in range(view.n_hole):
        hole |= 2 << (view.hole[i] >> 2)
        unseen -= 1 << 4 * (view.hole[i] >> 2)
    for i in range(view.n_board):
        board |= 2 << (view.board[i] >> 2)
        unseen -= 1 << 4 * (view.board[i] >> 2)
    return hole | hole >> N_RANKS, board | board >> N_RANKS, unseen


@jit
def _both_aces(mask):
    """The mask with both places of the ace if it has one of them."""
    if mask & 1 or mask >> N_RANKS & 1:
        mask |= 1 | 1 << N_RANKS
    return mask


@jit
def _low_masks(view):
    """Masks of low ranks (ace first) in hand and on the board, uint64; and unseen cards of each, four bits per rank."""
    hole, board, unseen = 0, 0, 4 * 0x11111111
    for i in range(view.n_hole):
        rank = ((view.hole[i] >> 2) + 1) % N_RANKS
        if rank < N_LOW_RANKS:
            hole |= 1 << rank
            unseen -= 1 << 4 * rank
    for i in range(view.n_board):
        rank = ((view.board[i] >> 2) + 1) % N_RANKS
        if rank < N_LOW_RANKS:
            board |= 1 << rank
            unseen -= 1 << 4 * rank
    return np.uint64(hole), np.uint64(board), unseen
