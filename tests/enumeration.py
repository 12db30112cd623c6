"""Counts of strengths and lows over all hole cards and boards, boards only once for each way to rename the suits."""

import numpy as np

from sim.evaluation import N_LOWS, N_STRENGTHS, board_context, low, strength
from sim.jit import jit


@jit
def next_combination(items, n):
    """Replace the ascending positions `items` below n by the next ones in order; false after the last."""
    place = len(items) - 1
    while place >= 0 and items[place] == n - len(items) + place:
        place -= 1
    if place < 0:
        return False
    items[place] += 1
    for later in range(place + 1, len(items)):
        items[later] = items[later - 1] + 1
    return True


@jit
def suit_weight(board):
    """How many boards differ from this one by names of suits only, if its suits' rank masks ascend; 0 for all others of them."""
    masks = np.zeros(4, np.int64)
    for card in board:
        masks[card % 4] |= 1 << (card // 4)
    weight, equal = 24, 1
    for suit in range(1, 4):
        if masks[suit] < masks[suit - 1]:
            return 0
        equal = equal + 1 if masks[suit] == masks[suit - 1] else 1
        weight //= equal
    return weight


@jit
def rest_of_deck(board):
    """The cards that are not on the board."""
    rest = np.zeros(52 - len(board), np.uint8)
    n = 0
    for card in range(52):
        if not np.any(board == card):
            rest[n] = card
            n += 1
    return rest


@jit
def count_all(tables, n_hole, n_board):
    """Counts by strength and by low over all boards and hole cards, each evaluated by the kernels."""
    strengths, lows = np.zeros(N_STRENGTHS + 1, np.int64), np.zeros(N_LOWS + 1, np.int64)
    board = np.arange(n_board).astype(np.uint8)
    hole = np.zeros(n_hole, np.uint8)
    more_boards = True
    while more_boards:
        weight = suit_weight(board)
        if weight:
            context = board_context(tables, board, n_board)
            rest = rest_of_deck(board)
            places = np.arange(n_hole)
            more_hands = True
            while more_hands:
                for i in range(n_hole):
                    hole[i] = rest[places[i]]
                strengths[strength(tables, context, hole, n_hole)] += weight
                lows[low(tables, context, hole, n_hole)] += weight
                more_hands = next_combination(places, len(rest))
        more_boards = next_combination(board, 52)
    return strengths, lows


@jit
def count_best_of_pairs(values, n_hole, counts, weight):
    """Add weight to counts[best], for every n_hole of n cards, where best is the largest of values (n, n) over the pairs of them."""
    n = len(values)
    chosen = np.zeros(n_hole, np.int64)
    best = np.zeros(n_hole + 1, np.int64)  # of the pairs of the first cards
    with_next = np.zeros((n_hole, n), np.int64)  # the best pair of one of the first cards and each later card
    level = 0
    chosen[0] = -1
    while level >= 0:
        chosen[level] += 1
        if chosen[level] > n - n_hole + level:
            level -= 1
            continue
        card = chosen[level]
        best[level + 1] = max(best[level], with_next[level, card])
        if level == n_hole - 2:
            for later in range(card + 1, n):
                counts[max(best[level + 1], with_next[level, later], values[card, later])] += weight
        else:
            for later in range(card + 1, n):
                with_next[level + 1, later] = max(with_next[level, later], values[card, later])
            level += 1
            chosen[level] = card


@jit
def count_by_pairs(tables, n_hole, n_board):
    """The same counts from every pair evaluated once a board; a hand is the best of its pairs. For the large cases."""
    strengths, lows = np.zeros(N_STRENGTHS + 1, np.int64), np.zeros(N_LOWS + 1, np.int64)
    board = np.arange(n_board).astype(np.uint8)
    pair = np.zeros(2, np.uint8)
    n_rest = 52 - n_board
    high_values, low_values = np.zeros((n_rest, n_rest), np.int64), np.zeros((n_rest, n_rest), np.int64)
    more_boards = True
    while more_boards:
        weight = suit_weight(board)
        if weight:
            context = board_context(tables, board, n_board)
            rest = rest_of_deck(board)
            for i in range(n_rest):
                for j in range(i + 1, n_rest):
                    pair[0], pair[1] = rest[i], rest[j]
                    high_values[i, j] = strength(tables, context, pair, 2)
                    low_values[i, j] = low(tables, context, pair, 2)
            count_best_of_pairs(high_values, n_hole, strengths, weight)
            count_best_of_pairs(low_values, n_hole, lows, weight)
        more_boards = next_combination(board, 52)
    return strengths, lows


@jit
def count_match(tables, first, second, share, outcomes):
    """Every board of two hands of n cards each.

    share : (2,) int64: quarters of an 8-or-better pot, then halves of a high-only pot, that the first hand takes
    outcomes : (2, 5) int64, per hand: high won, high tied, low won or tied, low made, whole hi/lo pot taken
    Returns the number of boards and of boards on which a low is made.
    """
    n_hole = len(first)
    rest = rest_of_deck(np.concatenate((first, second)))
    board = np.zeros(5, np.uint8)
    places = np.arange(5)
    boards, any_low = 0, 0
    more_boards = True
    while more_boards:
        for i in range(5):
            board[i] = rest[places[i]]
        context = board_context(tables, board, 5)
        highs = strength(tables, context, first, n_hole), strength(tables, context, second, n_hole)
        lows = low(tables, context, first, n_hole), low(tables, context, second, n_hole)
        high_part = 2 if highs[0] > highs[1] else 1 if highs[0] == highs[1] else 0
        low_part = 2 if lows[0] > lows[1] else 1 if lows[0] == lows[1] else 0
        has_low = max(lows[0], lows[1]) > 0
        quarters = high_part + low_part if has_low else 2 * high_part
        share[0] += quarters
        share[1] += high_part
        for hand in range(2):
            outcomes[hand, 0] += highs[hand] > highs[1 - hand]
            outcomes[hand, 1] += highs[0] == highs[1]
            outcomes[hand, 2] += lows[hand] > 0 and lows[hand] >= lows[1 - hand]
            outcomes[hand, 3] += lows[hand] > 0
            outcomes[hand, 4] += quarters == (4 if hand == 0 else 0)
        boards += 1
        any_low += has_low
        more_boards = next_combination(places, len(rest))
    return boards, any_low
