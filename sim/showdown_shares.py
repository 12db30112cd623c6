"""Shares of the pot when everybody goes to showdown, summed per class of starting hands, over random deals.

A deal is a board and as many hands as the rest of the deck holds (11 / 9 / 7 of 4 / 5 / 6 cards). Each hand is a sample of its class: its
share against `opponents` of the others, averaged exactly over all choices of these (a U-statistic: Hoeffding, A class of statistics with
asymptotically normal distribution, 1948). So a deal gives every number of opponents, high and hi/lo, several samples each.
All sums are integers: a share is counted in units of 1 / units(n_hole, opponents).
"""

from math import comb, lcm

import numpy as np

from sim.cards import BOARD_CARDS, N_CARDS, deal
from sim.evaluation import TABLES, board_context, low, strength
from sim.hand_classes import N_CLASSES, class_of
from sim.jit import jit

SUMS_PER_POT = 2  # a share and its square
POTS = ("high", "hilo")


def n_hands(n_hole: int) -> int:
    """Hands of one deal."""
    return (N_CARDS - BOARD_CARDS) // n_hole


def units(n_hole: int, opponents: int) -> int:
    """Units of one pot: halves, shared by one to all players, averaged over the choices of opponents."""
    return 2 * comb(n_hands(n_hole) - 1, opponents) * lcm(*range(1, opponents + 2))


def share_table(n_hole: int, opponents: int) -> np.ndarray:
    """(hands, hands) int64: share of half a pot by [number of worse hands, number of tied ones] among the others, in units.

    Sum over the opponents that tie, j of them: choices of these and of the rest from the worse, over j + 1 winners.
    """
    hands = n_hands(n_hole)
    half = lcm(*range(1, opponents + 2))
    table = np.zeros((hands, hands), np.int64)
    for worse in range(hands):
        for tied in range(hands - worse):
            table[worse, tied] = sum(comb(tied, j) * comb(worse, opponents - j) * half // (j + 1) for j in range(opponents + 1))
    return table


def n_sums(opponents: tuple[int, ...]) -> int:
    """Columns of the sums: the number of samples; for each number of opponents a share and its square, high, then the same for hi/lo."""
    return 1 + len(POTS) * SUMS_PER_POT * len(opponents)


@jit
def _add_share(sums, column, share):
    sums[column] += share
    sums[column + 1] += share * share


@jit
def _add_hand(hand, strengths, lows, tables, sums):
    """Add the shares of one hand of a deal to the sums of its class.

    In hi/lo a hand with a low plays for the best low; one without takes the other half with its high hand where no opponent has a low.
    """
    worse = tied = low_worse = low_tied = lowless_worse = lowless_tied = 0
    for other in range(strengths.size):
        if other == hand:
            continue
        beats, ties = strengths[other] < strengths[hand], strengths[other] == strengths[hand]
        lowless = lows[other] == 0
        worse += beats
        tied += ties
        low_worse += lows[other] < lows[hand]
        low_tied += lows[other] == lows[hand]
        lowless_worse += beats & lowless
        lowless_tied += ties & lowless
    has_low = lows[hand] > 0
    second_worse, second_tied = (low_worse, low_tied) if has_low else (lowless_worse, lowless_tied)
    sums[0] += 1
    for i in range(tables.shape[0]):
        half = tables[i, worse, tied]
        column = 1 + 4 * i
        _add_share(sums, column, 2 * half)
        _add_share(sums, column + 2, half + tables[i, second_worse, second_tied])


@jit
def _add_deals(evaluation, share_tables, seed, first_deal, n_deals, n_hole, sums):
    hands = share_tables.shape[1]
    n_cards = BOARD_CARDS + hands * n_hole
    deck = np.zeros(N_CARDS, np.uint8)
    holes = np.zeros((hands, n_hole), np.int64)
    strengths, lows = np.zeros(hands, np.int64), np.zeros(hands, np.int64)
    for number in range(first_deal, first_deal + n_deals):
        deal(seed, np.uint64(number), n_cards, deck)
        context = board_context(evaluation, deck, BOARD_CARDS)
        for hand in range(hands):
            hole = holes[hand]
            for i in range(n_hole):
                hole[i] = deck[BOARD_CARDS + hand * n_hole + i]
            strengths[hand] = strength(evaluation, context, hole, n_hole)
            lows[hand] = low(evaluation, context, hole, n_hole)
        for hand in range(hands):
            _add_hand(hand, strengths, lows, share_tables, sums[class_of(holes[hand], n_hole)])


def sum_shares(seed: int, first_deal: int, n_deals: int, n_hole: int, opponents: tuple[int, ...]) -> np.ndarray:
    """(n_classes, n_sums) int64 sums over a range of deals; deal i is the shuffled deck of (seed, hand_id i)."""
    sums = np.zeros((N_CLASSES[n_hole], n_sums(opponents)), np.int64)
    tables = np.stack([share_table(n_hole, number) for number in opponents])
    _add_deals(TABLES, tables, np.uint64(seed), first_deal, n_deals, n_hole, sums)
    return sums
