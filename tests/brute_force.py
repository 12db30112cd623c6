"""Compiled twins of evaluation without tables: every two hole cards with every three board cards, five cards ranked by counting.

Compiled so that hundreds of thousands of deals can be compared; test_evaluation compares them with naive.py. A code orders high hands as
their strengths do: base 16, the category first, then five ranks in the order in which they count.
"""

import numpy as np

from sim.jit import jit


@jit
def five_card_code(five):
    """Code of five cards, (5,) uint8."""
    counts, flush, top, bottom, distinct = np.zeros(13, np.int64), True, 0, 12, 0
    for card in five:
        rank = card // 4
        distinct += counts[rank] == 0
        counts[rank] += 1
        top, bottom = max(top, rank), min(bottom, rank)
        flush &= card % 4 == five[0] % 4
    code, most, pairs = 0, 0, 0
    for times in range(4, 0, -1):  # more equal cards count before fewer, then higher ranks before lower
        for rank in range(12, -1, -1):
            if counts[rank] == times:
                most = max(most, times)
                pairs += times == 2
                for _ in range(times):
                    code = code * 16 + rank
    wheel = distinct == 5 and top == 12 and counts[0] + counts[1] + counts[2] + counts[3] == 4
    straight = wheel or (distinct == 5 and top - bottom == 4)
    if wheel:
        code = 0x3210C  # the ace is the lowest card; no other straight has a five on top
    if straight and flush:
        category = 9 if top == 12 and not wheel else 8
    elif most == 4:
        category = 7
    elif most == 3 and pairs == 1:
        category = 6
    elif flush:
        category = 5
    elif straight:
        category = 4
    elif most == 3:
        category = 3
    else:
        category = pairs
    return category * 16**5 + code


@jit
def five_card_low(five):
    """Minus the low's ranks as a number in base 16 (ace 1 .. eight 8, highest first), so that higher is better; -2**62 without a low."""
    seen = np.zeros(14, np.int64)
    for card in five:
        seen[1 if card // 4 == 12 else card // 4 + 2] += 1
    code, ranks = 0, 0
    for value in range(8, 0, -1):
        if seen[value]:
            code, ranks = code * 16 + value, ranks + 1
    return -code if ranks == 5 else -(2**62)


@jit
def best_codes(hole, board):
    """The best five_card_code and the best five_card_low by trying all."""
    five = np.zeros(5, np.uint8)
    high, low = 0, -(2**62)
    for a in range(len(hole)):
        for b in range(a):
            for i in range(len(board)):
                for j in range(i):
                    for k in range(j):
                        five[0], five[1], five[2], five[3], five[4] = hole[a], hole[b], board[i], board[j], board[k]
                        high, low = max(high, five_card_code(five)), max(low, five_card_low(five))
    return high, low


@jit
def best_codes_many(holes, boards):
    """best_codes row by row."""
    highs, lows = np.zeros(len(holes), np.int64), np.zeros(len(holes), np.int64)
    for i in range(len(holes)):
        highs[i], lows[i] = best_codes(holes[i], boards[i])
    return highs, lows


@jit
def all_five_card_codes():
    """five_card_code of each of the 2,598,960 five-card hands."""
    codes = np.zeros(2_598_960, np.int64)
    five = np.zeros(5, np.uint8)
    n = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        five[0], five[1], five[2], five[3], five[4] = a, b, c, d, e
                        codes[n] = five_card_code(five)
                        n += 1
    return codes


@jit
def holdem_code(hole, board):
    """The best five of all cards, as no Omaha hand is played: the wrong rule for negative controls."""
    cards = np.concatenate((hole, board))
    five = np.zeros(5, np.uint8)
    best = 0
    n = len(cards)
    for a in range(n):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        five[0], five[1], five[2], five[3], five[4] = cards[a], cards[b], cards[c], cards[d], cards[e]
                        best = max(best, five_card_code(five))
    return best


@jit
def holdem_categories(holes, boards):
    """Counts (10,) of the category of holdem_code."""
    counts = np.zeros(10, np.int64)
    for i in range(len(holes)):
        counts[holdem_code(holes[i], boards[i]) // 16**5] += 1
    return counts
