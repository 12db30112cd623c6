"""Estimated share of the pot at showdown, by dealing the unseen cards many times over.

The cards come from a stream of random numbers of this hand and seat alone, so that the same question in the same place has the same
answer on every machine; a second question in the same hand goes on in that stream. Nobody's real cards are used.
"""

import numpy as np

from sim import evaluation
from sim.hand_classes import class_of
from sim.jit import jit
from sim.rng import lemire, stream_block
from sim.rules import BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS, N_CARDS
from sim.strategies.memory import tables_at
from sim.strategies.percentile import holds

ROLLOUTS = 100  # purpose of the stream of seat s is this plus s: beyond the deck and the seats' own
MAX_TRIES = 5_000  # hands dealt to an opponent until one is in the range; then the last one stays


@jit
def equity(view, n_samples, n_opponents):
    """Average share of the pot, 0 to 1, against `n_opponents` random hands when all see the river; both halves in hi/lo."""
    return _rollout(view, n_samples, n_opponents, None)


@jit
def equity_against(view, n_samples, n_opponents, hands):
    """The same against opponents whose hands are in a range, a parameter such as `p.theirs`."""
    return _rollout(view, n_samples, n_opponents, hands)


@jit
def _rollout(view, n_samples, n_opponents, hands):
    tables = tables_at(view.tables)
    deck = np.zeros(N_CARDS, np.uint8)
    n_unseen = _unseen(view, deck)
    n_opponents = min(n_opponents, (n_unseen - BOARD_CARDS + view.n_board) // view.n_hole)
    board = np.zeros(BOARD_CARDS, np.uint8)
    hole = np.zeros((MAX_SEATS, MAX_HOLE_CARDS), np.uint8)
    words = np.zeros(5, np.uint64)  # four words of a block, and how many of them are left
    for card in range(view.n_board):
        board[card] = view.board[card]
    total = 0.0
    for _ in range(n_samples):
        dealt = 0
        for opponent in range(n_opponents):
            for _ in range(MAX_TRIES):
                for card in range(view.n_hole):
                    hole[opponent, card] = _draw(view, deck, n_unseen, dealt + card, words)
                if hands is None or holds(view, hands, class_of(hole[opponent], view.n_hole)):
                    break
            dealt += view.n_hole
        for card in range(view.n_board, BOARD_CARDS):
            board[card] = _draw(view, deck, n_unseen, dealt, words)
            dealt += 1
        total += _share(view, tables, board, hole, n_opponents)
    return total / max(n_samples, 1)


@jit
def _unseen(view, deck):
    """Fill `deck` with the unseen cards; returns their number."""
    seen = np.uint64(0)
    for card in range(view.n_hole):
        seen |= np.uint64(1) << np.uint64(view.hole[card])
    for card in range(view.n_board):
        seen |= np.uint64(1) << np.uint64(view.board[card])
    n_unseen = 0
    for card in range(N_CARDS):
        if not (seen >> np.uint64(card)) & np.uint64(1):
            deck[n_unseen] = card
            n_unseen += 1
    return n_unseen


@jit
def _draw(view, deck, n_unseen, place, words):
    """Put a random one of the cards from `place` on there, and return it (Durstenfeld's shuffle, as in cards.deal)."""
    value, accepted = np.uint64(0), False
    while not accepted:
        if words[4] == np.uint64(0):
            purpose = ROLLOUTS + view.seat
            words[0], words[1], words[2], words[3] = stream_block(view.rng_seed, view.rng_hand, purpose, view.rollouts)
            view.rollouts += 1
            words[4] = np.uint64(4)
        words[4] -= np.uint64(1)
        value, accepted = lemire(words[words[4]], np.uint64(n_unseen - place))
    other = place + np.int64(value)
    card = deck[other]
    deck[other], deck[place] = deck[place], card
    return card


@jit
def _share(view, tables, board, hole, n_opponents):
    """Share of the pot of the own hand at one showdown."""
    context = evaluation.board_context(tables, board, BOARD_CARDS)
    own = evaluation.strength(tables, context, view.hole, view.n_hole)
    own_low = evaluation.low(tables, context, view.hole, view.n_hole) if view.hi_lo else 0
    winners, low_winners, low_made = 1, 1, own_low > 0
    for opponent in range(n_opponents):
        strength = evaluation.strength(tables, context, hole[opponent], view.n_hole)
        if strength > own:
            winners = 0
            if not view.hi_lo:
                return 0.0
        elif strength == own and winners > 0:
            winners += 1
        if view.hi_lo:
            low = evaluation.low(tables, context, hole[opponent], view.n_hole)
            low_made |= low > 0
            if low > own_low:
                low_winners = 0
            elif low == own_low and low_winners > 0:
                low_winners += 1
    high_share = 1.0 / winners if winners > 0 else 0.0
    if not low_made:
        return high_share
    return 0.5 * high_share + (0.5 / low_winners if low_winners > 0 and own_low > 0 else 0.0)
