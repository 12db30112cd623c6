"""Cards as text and the deal: exact shuffle, the same first cards for any number of cards, one deck per (seed, hand)."""

from collections import Counter
from itertools import product

import naive_rng
import numba
import numpy as np
import pytest
from chi_square import chi_square_z
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cards import deal, format_cards, parse_cards
from sim.jit import jit
from sim.rng import STREAM, random_below, start_stream
from sim.rules import N_CARDS

large = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="too many deals for plain Python")


def deck_of(seed, hand_id, n_cards=N_CARDS):
    """The first n_cards of a hand's deck."""
    deck = np.full(N_CARDS, 99, np.uint8)
    deal(np.uint64(seed), np.uint64(hand_id), n_cards, deck)
    return deck[:n_cards].tolist()


def test_card_ids_are_rank_times_four_plus_suit():
    assert parse_cards("2c2d2h2s3cTdAs").tolist() == [0, 1, 2, 3, 4, 33, 51]
    assert parse_cards("As Kd").dtype == np.uint8
    assert parse_cards("").size == 0


@settings(deadline=None)  # the first call compiles
@given(st.permutations(range(52)), st.integers(0, 52))
def test_format_and_parse_are_inverse(cards, n):
    text = format_cards(np.array(cards[:n], np.uint8))
    assert len(text) == 2 * n
    assert parse_cards(text).tolist() == cards[:n]


@pytest.mark.parametrize(
    "text, named", [("AsXd", "'Xd'"), ("AsK", "'K'"), ("1s", "'1s'"), ("asKd", "'as'"), ("AS", "'AS'"), ("10s", "'10'")]
)
def test_text_that_is_no_card_is_named(text, named):
    with pytest.raises(ValueError, match=f"{named} is not a card"):
        parse_cards(text)


def test_a_card_there_twice_is_named():
    with pytest.raises(ValueError, match="Kd is there twice"):
        parse_cards("KdAsKd")


@pytest.mark.parametrize("card", [52, 99, -1])
def test_an_id_that_is_no_card_is_named(card):
    with pytest.raises(ValueError, match=f"card id {card} is not"):
        format_cards([0, card])


@settings(deadline=None)  # the first call compiles
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_deal_equals_twin_and_its_first_cards_do_not_depend_on_how_many_are_dealt(seed, hand_id):
    expected = naive_rng.deal(seed, hand_id)
    assert sorted(expected) == list(range(52))
    for n_cards in (0, 1, 5, 13, 41, 51, 52):
        assert deck_of(seed, hand_id, n_cards) == expected[:n_cards]
    plain = np.zeros(N_CARDS, np.uint8)
    getattr(deal, "py_func", deal)(np.uint64(seed), np.uint64(hand_id), 9, plain)
    assert plain[:9].tolist() == expected[:9]


def test_whole_buffer_stays_a_deck_of_distinct_cards():
    deck = np.zeros(N_CARDS, np.uint8)
    deal(1, 2, 7, deck)
    assert sorted(deck.tolist()) == list(range(52))


def test_hands_and_seeds_have_their_own_decks():
    assert len({tuple(deck_of(seed, hand_id)) for seed in range(20) for hand_id in range(20)}) == 400


def test_strategy_draws_do_not_move_cards():
    """Case rng-010: the deck has its own stream."""
    before = deck_of(5, 6)
    stream = np.zeros(1, STREAM)[0]
    start_stream(stream, 5, 6, 1)
    for _ in range(7):
        random_below(stream, 52)
    assert deck_of(5, 6) == before


def test_fisher_yates_gives_each_order_once():
    """Case rng-003 on three cards: 3 x 2 x 1 equally likely paths, six orders. The deal equals this twin, see above."""
    orders = []
    for path in product(range(3), range(2), range(1)):
        draws = iter(path)
        orders.append("".join(naive_rng.shuffle("ABC", lambda n, draws=draws: next(draws))))
    assert sorted(orders) == ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]


def test_swapping_with_any_card_is_uneven():
    """Case rng-001: the 27 paths of the wrong shuffle, the negative control of the test below."""
    orders = Counter()
    for path in product(range(3), repeat=3):
        cards = list("ABC")
        for i, j in enumerate(path):
            cards[i], cards[j] = cards[j], cards[i]
        orders["".join(cards)] += 1
    assert orders == {"ABC": 4, "ACB": 5, "BAC": 5, "BCA": 5, "CAB": 4, "CBA": 4}


@jit
def _swap_with_any(stream, deck):
    for i in range(52):
        deck[i] = i
    for i in range(52):
        j = random_below(stream, 52)
        deck[i], deck[j] = deck[j], deck[i]


@jit
def _places(hands, wrong):
    """Counts (place, card), and (first card, other card) for three pairs of places, over the decks of `hands` hands."""
    places, pairs = np.zeros((52, 52), np.int64), np.zeros((3, 52, 52), np.int64)
    deck = np.zeros(52, np.uint8)
    streams = np.zeros(1, STREAM)
    for hand_id in range(hands):
        if wrong:
            start_stream(streams[0], 31, hand_id, 0)
            _swap_with_any(streams[0], deck)
        else:
            deal(31, hand_id, 52, deck)
        for place in range(52):
            places[place, deck[place]] += 1
        pairs[0, deck[0], deck[1]] += 1
        pairs[1, deck[4], deck[5]] += 1
        pairs[2, deck[0], deck[51]] += 1
    return places, pairs


@large
def test_every_card_is_equally_likely_in_every_place():
    """Case rng-003. 300,000 hands, 51 x 51 degrees of freedom; pairs of places: 52 x 51 ordered pairs."""
    hands = 300_000
    different = ~np.eye(52, dtype=bool)
    places, pairs = _places(hands, False)
    assert abs(chi_square_z(places, hands / 52, 51 * 51)) < 5
    for counts in pairs:
        assert not counts.diagonal().any()
        assert abs(chi_square_z(counts[different], hands / (52 * 51), 52 * 51 - 1)) < 5

    places, _ = _places(hands, True)
    assert chi_square_z(places, hands / 52, 51 * 51) > 100
    # Case rng-001, exact value by dynamic programme: the card of place 1 ends in place 0.
    assert abs(places[0, 1] / hands - 0.0260043) < 5 * np.sqrt(0.026 / hands)
