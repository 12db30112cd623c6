"""Hutchison's points of four-card hands, high and hi/lo, and a player who goes by them before the flop.

Source: E. Hutchison, hutchisonpoker.com, the scale in which an Omaha high hand is worth playing from 28 points on; hi/lo: 20 to play, 30
to raise. Where an ace is in a straight both high and low, as in A-K and A-3-4, both count (his own example As3sKd4d).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.actions import PREFLOP
from sim.bits import count_bits, highest_bit
from sim.cards import N_RANKS, N_SUITS
from sim.jit import jit
from sim.strategies.estimate import estimated_share
from sim.strategies.parameters import Game, Parameter, ParameterError, declared_record
from sim.strategies.ranks import of_suit, ranks_by_suit
from sim.strategies.situation import pot_odds
from sim.strategies.view import FOLD, may_raise, pot_sized

HOLE_CARDS, ACE = 4, N_RANKS - 1

# By rank, deuce first.
SUITED = np.array([1, 1, 1, 1, 1, 1, 2, 3, 3, 4, 5, 6, 8])
PAIRED = np.array([7, 7, 7, 7, 7, 7, 8, 10, 12, 13, 14, 16, 18])
RUN = np.array([0, 0, 8, 18, 25])  # by number of cards
MOST_GAPS = 3

# Hi/lo: by low rank, ace 1 first and place 0 empty; the last three are jack, queen and king.
LOWEST_TWO = np.zeros((6, 6))
for (low, high), value in {
    (1, 2): 20, (1, 3): 17, (1, 4): 13, (1, 5): 10, (2, 3): 15, (2, 4): 12, (3, 4): 11, (4, 5): 8,
}.items():  # fmt: skip
    LOWEST_TWO[low, high] = value
KICKER = np.array([0, 0, 0, 9, 6, 4, 1, 0, 0, 0, 1, 2, 2, 2])
PAIRED_LOW = np.array([0, 8, 3, 1, 1, 0, 0, 0, 0, 0, 1, 2, 5, 6])
SUITED_LOW = np.array([0, 4, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3])

PARAMETERS = {
    "play": Parameter("number", 28, "points from which it plays on before the flop, high", 0, 100),
    "play_more": Parameter("number", 36, "points from which it raises before the flop, high", 0, 100),
    "play_low": Parameter("number", 20, "points from which it plays on before the flop, hi/lo", 0, 100),
    "play_more_low": Parameter("number", 30, "points from which it raises before the flop, hi/lo", 0, 100),
    "value": Parameter("number", 0.65, "bets and raises from this edge on: 0.5 is a fair share of the pot, 1 or more all of it", 0, 10),
    "price": Parameter("number", 1.2, "calls when the estimated share is this many times the price", 0, 10),
    "bet_size": Parameter("number", 0.75, "bets and raises, in pots", 0, 10),
}


def prepare(values: Mapping[str, Any], game: Game) -> np.record:
    """The record of these parameters."""
    if game.hole_cards != HOLE_CARDS:
        raise ParameterError("hole_cards", f"{game.hole_cards}; Hutchison's points are for hands of four cards; take variant=omaha4")
    return declared_record(PARAMETERS, values, game)


@jit
def hutchison(view, p):
    """Play and raise by Hutchison's points before the flop, by the estimated share of the pot after it; four cards."""
    if view.street == PREFLOP:
        points = hutchison_low_points(view) if view.hi_lo else hutchison_points(view)
        if points >= (p.play_more_low if view.hi_lo else p.play_more) and view.n_raises < 3 and may_raise(view):
            return pot_sized(view, 100)
        plays = points >= (p.play_low if view.hi_lo else p.play)
        return view.call_to if plays or view.to_call == 0 else FOLD
    share = estimated_share(view, 0.5, 1.0)
    if share * view.n_live / 2 >= p.value + 0.1 * view.n_raises and may_raise(view):
        return pot_sized(view, np.int64(100 * p.bet_size))
    return view.call_to if view.to_call == 0 or share >= p.price * pot_odds(view) else FOLD


@jit
def hutchison_points(view):
    """Points of four hole cards, high, 0 to 54."""
    counts = np.zeros(N_RANKS, np.int64)
    total = 0
    suits = ranks_by_suit(view.hole, HOLE_CARDS)
    for suit in range(N_SUITS):
        suited = of_suit(suits, suit)
        if count_bits(suited) >= 2:
            total += SUITED[highest_bit(suited)] - 2 * (count_bits(suited) > 2)
    for card in range(HOLE_CARDS):
        counts[view.hole[card] >> 2] += 1
    for rank in range(N_RANKS):
        if counts[rank] == 2:
            total += PAIRED[rank]
    return total + _straight_points(counts)


@jit
def _straight_points(counts):
    """Points for the best one or two runs of different cards. counts : (13,) cards of each rank."""
    places = np.zeros(HOLE_CARDS + 1, np.int64)  # of different ranks, upwards, deuce 1; 0 is the ace below it
    n_places = 0
    if counts[ACE] > 0:
        n_places = 1
    for rank in range(N_RANKS):
        if counts[rank] > 0:
            places[n_places] = rank + 1
            n_places += 1
    best = 0
    for first in range(1 << n_places):
        value = _run_points(places, n_places, first)
        if value == 0:
            continue
        best = max(best, value)
        for second in range(first):
            if first & second == 0:
                best = max(best, value + _run_points(places, n_places, second))
    return best


@jit
def _run_points(places, n_places, chosen):
    """Points of one run, 0 if it is none. chosen : mask of places."""
    count, lowest, highest = 0, -1, 0
    for place in range(n_places):
        if chosen >> place & 1:
            if count == 0:
                lowest = places[place]
            highest = places[place]
            count += 1
    gaps = highest - lowest - count + 1
    if count < 2 or gaps > MOST_GAPS or lowest == 0 and highest == ACE + 1:
        return 0
    return RUN[count] - 2 * gaps - 4 * (lowest == 0 or highest == ACE + 1)


@jit
def hutchison_low_points(view):
    """Points of four hole cards, hi/lo, 0 to 45, in halves."""
    counts = np.zeros(N_RANKS + 1, np.int64)  # ace 1 to king 13
    total = 0.0
    suits = ranks_by_suit(view.hole, HOLE_CARDS)
    for suit in range(N_SUITS):
        suited = of_suit(suits, suit)
        n_suited, top = count_bits(suited), highest_bit(suited)
        if n_suited == 2 or n_suited == 3:
            total += SUITED_LOW[1 if top == ACE else top + 2] / (n_suited - 1)
    for card in range(HOLE_CARDS):
        rank = view.hole[card] >> 2
        counts[1 if rank == ACE else rank + 2] += 1
    lowest, taken = 0, 0
    for rank in range(1, N_RANKS + 1):
        if counts[rank] == 2 or counts[rank] == 3:
            total += PAIRED_LOW[rank] / (counts[rank] - 1)
        if counts[rank] > 0:
            taken += 1
            if taken == 1:
                lowest = rank
            elif taken == 2:
                if rank < len(LOWEST_TWO):
                    total += LOWEST_TWO[lowest, rank]
            else:
                total += KICKER[rank]
    return total
