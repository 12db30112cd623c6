"""A 64-bit digest of hands that does not depend on the order in which they are played.

Each hand's values are mixed into one word; the digest of many hands is the sum of their words modulo 2**64, so that the parts of any
division into shards add up to the same number. It tells runs apart; it is no cryptographic hash.
Only what a complete hand history holds goes in, so that a run, its export and a replay of what was written count the same.
"""

import numpy as np

from sim.actions import pack_action
from sim.jit import jit

MULTIPLIER_LOW, MULTIPLIER_HIGH = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)  # those of Philox, odd
START = np.uint64(0x9E3779B97F4A7C15)  # so that zeros count
WORD, WORD_BITS = np.uint64(0xFFFFFFFF), np.uint64(32)
CARD_BITS, CARDS_PER_WORD = np.uint64(6), 10
BOARD_PLACES = 5


@jit
def mix(digest, value):
    """The digest (uint64) with one more integer, at least 0, in it: both halves multiplied and swapped, as in a Philox round."""
    word = digest ^ np.uint64(value) ^ START
    low, high = (word & WORD) * MULTIPLIER_LOW, (word >> WORD_BITS) * MULTIPLIER_HIGH
    return high ^ (low << WORD_BITS | low >> WORD_BITS)


@jit
def mix_action(digest, street, kind, seat, bet):
    """The digest of a hand's actions with one more in it; `bet` : the seat's total bet of the street after it, chips."""
    return mix(digest, bet << 8 | pack_action(street, kind, seat))


@jit
def hand_digest(actions, hand_id, board, n_board, hole, hole_cards, state, rake):
    """Digest (uint64) of one hand that is over.

    actions : that of its actions, by `mix_action` from 0
    board   : card ids, of which n_board were dealt; hole : (seats, >= hole_cards) card ids, -1 where not known
    state   : STATE with the final stacks; rake : chips, fees included
    The cards are five places of the board, then the hole cards seat by seat: id + 1 in six bits each, 0 for no card, ten to a word.
    """
    digest = mix(actions, hand_id)
    cards = np.uint64(0)
    for place in range(n_board):
        cards = cards << CARD_BITS | np.uint64(board[place] + 1)
    cards <<= CARD_BITS * np.uint64(BOARD_PLACES - n_board)
    n_packed = BOARD_PLACES
    for seat in range(state.n_seats):
        for card in range(hole_cards):
            cards = cards << CARD_BITS | np.uint64(hole[seat, card] + 1)
            n_packed += 1
            if n_packed == CARDS_PER_WORD:
                digest = mix(digest, cards)
                cards = np.uint64(0)
                n_packed = 0
    if n_packed > 0:
        digest = mix(digest, cards)
    for seat in range(state.n_seats):
        digest = mix(digest, state.stack[seat])
    return mix(digest, rake)
