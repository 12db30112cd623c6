"""Sums of pot shares: equal to settling every table of a deal one by one, the same for any division of the deals, no chip lost."""

from fractions import Fraction
from itertools import combinations

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cards import deal
from sim.hand_classes import class_of
from sim.showdown_shares import n_hands, n_sums, share_table, sum_shares, units

SIZES = (4, 5, 6)


def dealt(seed, number, n_hole):
    """Board and hands of a deal."""
    deck = np.zeros(52, np.uint8)
    deal(np.uint64(seed), np.uint64(number), 52, deck)
    holes = [deck[5 + hand * n_hole : 5 + (hand + 1) * n_hole] for hand in range(n_hands(n_hole))]
    return deck[:5], holes


def pot_shares(highs, lows):
    """What the first of these hands wins: of a high pot, and of a hi/lo pot."""
    high = Fraction(int(highs[0] == max(highs)), highs.count(max(highs)))
    if not any(lows):
        return high, high
    low = Fraction(int(lows[0] == max(lows)), lows.count(max(lows)))
    return high, (high + low) / 2


@pytest.mark.parametrize("n_hole", SIZES)
def test_sums_equal_settling_every_table_of_every_deal(n_hole):
    opponents, seed, n_deals = (1, 3, 5), 11, 12
    expected = {}
    for number in range(n_deals):
        board, holes = dealt(seed, number, n_hole)
        highs, lows = [naive.strength(hole, board) for hole in holes], [naive.low_strength(hole, board) for hole in holes]
        for hand, hole in enumerate(holes):
            sums = expected.setdefault(class_of(hole, n_hole), [Fraction(0)] * n_sums(opponents))
            sums[0] += 1
            others = [other for other in range(len(holes)) if other != hand]
            for i, n in enumerate(opponents):
                tables = [(hand, *chosen) for chosen in combinations(others, n)]
                pots = [pot_shares([highs[seat] for seat in seats], [lows[seat] for seat in seats]) for seats in tables]
                for j in (0, 1):
                    share = sum(pot[j] for pot in pots) / len(pots) * units(n_hole, n)
                    sums[1 + 4 * i + 2 * j] += share
                    sums[2 + 4 * i + 2 * j] += share**2
    got = sum_shares(seed, 0, n_deals, n_hole, opponents)
    assert set(np.flatnonzero(got[:, 0])) == set(expected)
    for class_id, sums in expected.items():
        assert got[class_id].tolist() == sums


@pytest.mark.parametrize("n_hole", SIZES)
def test_every_pot_is_given_away_whole(n_hole):
    opponents = tuple(range(1, n_hands(n_hole)))
    n_deals = 40
    sums = sum_shares(3, 0, n_deals, n_hole, opponents).sum(axis=0)
    for i, n in enumerate(opponents):
        hands = n_deals * n_hands(n_hole)  # each holds 1 / (n + 1) of a pot on average, exactly
        assert sums[1 + 4 * i] * (n + 1) == hands * units(n_hole, n) == sums[3 + 4 * i] * (n + 1)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**40), st.integers(1, 30))
def test_sums_do_not_depend_on_the_division_of_the_deals(seed, first, cut):
    whole = sum_shares(seed, first, 31, 4, (1, 5))
    parts = sum_shares(seed, first, cut, 4, (1, 5)) + sum_shares(seed, first + cut, 31 - cut, 4, (1, 5))
    assert (whole == parts).all()


def test_shares_of_half_a_pot_by_worse_and_tied_hands():
    one = share_table(4, 1)  # of ten others one plays: 10 choices of 2 units
    assert one[10, 0] == 20 and one[0, 0] == 0 and one[0, 10] == 10 and one[3, 2] == 8
    assert units(4, 1) == 40
    five = share_table(6, 5)  # of six others five play
    assert five[6, 0] * 2 == units(6, 5) == 2 * 6 * 60
    assert five[0, 6] == 6 * 10  # all tie: a sixth each
