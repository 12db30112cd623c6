"""Shares of the pot when everybody goes to showdown, summed per class of starting hands, over random deals.

A deal is a board and as many hands as the rest of the deck holds (11 / 9 / 7 of 4 / 5 / 6 cards). Each hand is a sample of its class: its
share against `opponents` of the others, averaged exactly over all choices of these (a U-statistic: Hoeffding, A class of statistics with
asymptotically normal distribution, 1948). So a deal gives every number of opponents, high and hi/lo, several samples each.
All sums are integers: a share is counted in units of 1 / units(n_hole, opponents).
"""

from math import comb, lcm

import numpy as np

from sim.cards import deal
from sim.evaluation import TABLES, board_context, low, strength
from sim.hand_classes import N_CLASSES, class_of
from sim.jit import jit
from sim.rules import BOARD_CARDS, N_CARDS

SUMS_PER_POT = 2  # a share and its square
BATCH_DEALS = 2**19  # 30 to 46 MB of samples
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
def _standing(hand, strengths, lows):
    """How one hand of a deal stands among the others: four numbers of four bits, worse and tied hands for each half of a hi/lo pot.

    A hand with a low plays the second half for the best low; one without takes it with its high hand where no opponent has a low, so
    the others that have one count neither as worse nor as tied.
    """
    worse = tied = low_worse = low_tied = lowless_worse = lowless_tied = 0
    for other in range(strengths.size):
        beats, ties = strengths[other] < strengths[hand], strengths[other] == strengths[hand]
        lowless = lows[other] == 0
        worse += beats
        tied += ties
        low_worse += lows[other] < lows[hand]
        low_tied += lows[other] == lows[hand]
        lowless_worse += beats & lowless
        lowless_tied += ties & lowless
    second_worse, second_tied = (low_worse, low_tied) if lows[hand] > 0 else (lowless_worse, lowless_tied)
    # The hand ties with itself.
    return worse << 12 | (tied - 1) << 8 | second_worse << 4 | (second_tied - 1)


@jit
def _sample(evaluation, seed, first_deal, n_deals, n_hole, samples):
    """Write (class id << 16 | standing) of every hand of the deals into samples (n_deals * hands,) uint64."""
    hands = samples.size // n_deals
    deck = np.zeros(N_CARDS, np.uint8)
    holes = np.zeros((hands, n_hole), np.int64)
    strengths, lows = np.zeros(hands, np.int64), np.zeros(hands, np.int64)
    for number in range(n_deals):
        deal(seed, first_deal + np.uint64(number), BOARD_CARDS + hands * n_hole, deck)
        context = board_context(evaluation, deck, BOARD_CARDS)
        for hand in range(hands):
            hole = holes[hand]
            for i in range(n_hole):
                hole[i] = deck[BOARD_CARDS + hand * n_hole + i]
            strengths[hand] = strength(evaluation, context, hole, n_hole)
            lows[hand] = low(evaluation, context, hole, n_hole)
        for hand in range(hands):
            samples[number * hands + hand] = class_of(holes[hand], n_hole) << 16 | _standing(hand, strengths, lows)


@jit
def _add(samples, share_tables, sums):
    """Add the shares that the samples stand for to the sums of their classes."""
    for i in range(samples.size):
        sample = np.int64(samples[i])
        row = sums[sample >> 16]
        worse, tied = (sample >> 12) & 15, (sample >> 8) & 15
        second_worse, second_tied = (sample >> 4) & 15, sample & 15
        row[0] += 1
        for j in range(share_tables.shape[0]):
            half = share_tables[j, worse, tied]
            high, hilo = 2 * half, half + share_tables[j, second_worse, second_tied]
            column = 1 + 4 * j
            row[column] += high
            row[column + 1] += high * high
            row[column + 2] += hilo
            row[column + 3] += hilo * hilo


def sum_shares(seed: int, first_deal: int, n_deals: int, n_hole: int, opponents: tuple[int, ...]) -> np.ndarray:
    """(n_classes, n_sums) int64 sums over a range of deals; deal i is the shuffled deck of (seed, hand_id i)."""
    sums = np.zeros((N_CLASSES[n_hole], n_sums(opponents)), np.int64)
    tables = np.stack([share_table(n_hole, number) for number in opponents])
    for first in range(first_deal, first_deal + n_deals, BATCH_DEALS):
        deals = min(BATCH_DEALS, first_deal + n_deals - first)
        samples = np.zeros(deals * n_hands(n_hole), np.uint64)
        _sample(TABLES, np.uint64(seed), np.uint64(first), deals, n_hole, samples)
        samples.sort()  # the sums of 962,988 classes are larger than a cache: adding them in any order took three times as long
        _add(samples, tables, sums)
    return sums
