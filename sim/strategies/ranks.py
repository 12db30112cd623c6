"""Ranks of cards: of a suit, as masks (bit 0 the deuce); of those a player does not see, counted; and low ranks, ace 0 to eight 7."""

import numpy as np

from sim.cards import N_RANKS, N_SUITS
from sim.evaluation import LOW_RANKS
from sim.jit import jit

ALL_RANKS = (1 << N_RANKS) - 1
N_LOW_RANKS = len(LOW_RANKS)
PER_SUIT = 16  # bits of one suit's mask of ranks
PER_RANK = 4  # bits of one rank's number of cards: a whole number holds those of all ranks
WHOLE_DECK = sum(N_SUITS << PER_RANK * rank for rank in range(N_RANKS))


@jit
def ranks_by_suit(cards, n_cards):
    """Masks of the ranks that cards[:n_cards] have in each suit, 16 bits apart, clubs first."""
    suits = 0
    for i in range(n_cards):
        suits |= 1 << PER_SUIT * (cards[i] & 3) + (cards[i] >> 2)
    return suits


@jit
def of_suit(suits, suit):
    """Mask of the ranks of one suit in what `ranks_by_suit` returns."""
    return suits >> PER_SUIT * suit & ALL_RANKS


@jit
def unseen_by_rank(view):
    """Unseen cards of each rank, four bits each, the deuce first."""
    unseen = np.int64(WHOLE_DECK)
    for i in range(view.n_hole):
        unseen -= 1 << PER_RANK * (view.hole[i] >> 2)
    for i in range(view.n_board):
        unseen -= 1 << PER_RANK * (view.board[i] >> 2)
    return unseen


@jit
def unseen_by_low_rank(view):
    """Unseen cards of each low rank, four bits each, the ace first."""
    unseen = unseen_by_rank(view)
    aces = unseen >> PER_RANK * (N_RANKS - 1)
    return (unseen << PER_RANK | aces) & ((1 << PER_RANK * N_LOW_RANKS) - 1)


@jit
def n_of_rank(unseen, rank):
    """Cards of one rank in what the functions above return."""
    return unseen >> PER_RANK * rank & 15


@jit
def low_rank(card):
    """Place of a card among the low ranks, N_LOW_RANKS or more if it has none."""
    return ((card >> 2) + 1) % N_RANKS
