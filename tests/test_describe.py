"""Names of hands, and the five cards that play, against the slow twin that knows neither tables nor kernels."""

import random

import naive
import pytest

from sim.cards import format_cards, parse_cards
from sim.describe import RANK_NAMES, high_cards, high_name, important_ranks, low_cards, low_text
from sim.evaluation import N_LOWS, N_STRENGTHS, evaluate_many

# One hand of each category in words: hole cards, board, name.
NAMES = (
    ("AsKd7h2c", "9c8dQs4h5s", "high card ace"),
    ("AsAd7h2c", "9c8dQs4h5s", "a pair of aces"),
    ("As9d7h2c", "9cAdQs4h5s", "two pair, aces and nines"),
    ("6s6d7h2c", "6cAdQs4h9s", "three of a kind, sixes"),
    ("Ts9d7h2c", "8c7d6s2hAs", "a straight, ten high"),
    ("As2dKhKc", "3c4d5sKsQh", "a straight, five high"),
    ("As2sKhKd", "3s4s7sKcQh", "a flush, ace high"),
    ("KsKd7h2c", "Kc4d4sAhQs", "a full house, kings full of fours"),
    ("2s2d7h8c", "2c2h4sAhQs", "four of a kind, deuces"),
    ("As2sKhKd", "3s4s5sKcQh", "a straight flush, five high"),
    ("AsKsKhKd", "QsJsTs2c3h", "a royal flush"),
)


def deals(n, seed):
    """Random (hole, board) with 4, 5 and 6 hole cards."""
    chance = random.Random(seed)
    for i in range(n):
        cards = chance.sample(range(52), 5 + 4 + i % 3)
        yield cards[5:], cards[:5]


@pytest.mark.parametrize(("hole", "board", "name"), NAMES, ids=[name for *_, name in NAMES])
def test_a_hand_of_each_category_has_its_name(hole, board, name):
    strengths, _ = evaluate_many(parse_cards(board)[None], parse_cards(hole)[None])
    assert high_name(int(strengths[0])) == name


def test_every_strength_has_the_ranks_of_its_class():
    """The twin numbers all five-card hands by itself; the wheel's ace is -1 there."""
    for (_, ranks), strength in naive.high_classes().items():
        expected = tuple(dict.fromkeys(rank if rank >= 0 else naive.ACE for rank in ranks))
        assert important_ranks(strength) == expected


def test_names_of_all_strengths_tell_category_and_deciding_ranks():
    plurals = {rank: f"{name}es" if name == "six" else f"{name}s" for rank, name in enumerate(RANK_NAMES)}
    words = {
        "high card": "high card {0}", "pair": "a pair of {0s}", "two pair": "two pair, {0s} and {1s}", "trips": "three of a kind, {0s}",
        "straight": "a straight, {0} high", "flush": "a flush, {0} high", "full house": "a full house, {0s} full of {1s}",
        "quads": "four of a kind, {0s}", "straight flush": "a straight flush, {0} high", "royal flush": "a royal flush",
    }  # fmt: skip
    classes = naive.high_classes()
    assert len(classes) == N_STRENGTHS
    for (category, ranks), strength in classes.items():
        first, second = list(dict.fromkeys(ranks))[:2]
        expected = words[naive.CATEGORIES[category]]
        for mark, text in (("{0}", RANK_NAMES[first]), ("{0s}", plurals[first]), ("{1s}", plurals[second])):
            expected = expected.replace(mark, text)
        assert high_name(strength) == expected


def test_names_of_all_lows_are_their_cards_from_the_highest_down():
    classes = naive.low_classes()
    assert len(classes) == N_LOWS
    for key, low in classes.items():
        ranks = ["A" if rank == -1 else str(-rank) for rank in key]
        assert low_text(low) == "-".join(ranks) + " low"
    assert low_text(naive.low_strength("As2dKhKc", "8c6d4s9hTs")) == "8-6-4-2-A low"


def test_nothing_to_name_is_an_empty_text():
    assert (high_name(0), low_text(0)) == ("", "")


def test_the_five_cards_that_play_are_two_and_three_that_make_the_best_hand():
    for hole, board in deals(300, seed=1):
        five = high_cards(hole, board)
        assert (len(five.hole), len(five.board)) == (2, 3)
        assert set(five.hole) <= set(hole) and set(five.board) <= set(board)
        assert naive.best_high(five.hole, five.board).key == naive.best_high(hole, board).key


def test_the_five_cards_of_the_low_make_the_best_low_or_there_is_none():
    none = 0
    for hole, board in deals(300, seed=2):
        five, best = low_cards(hole, board), naive.best_low(hole, board)
        none += best is None
        if best is None:
            assert five is None
        else:
            assert set(five.hole) <= set(hole) and set(five.board) <= set(board)
            assert naive.best_low(five.hole, five.board).key == best.key
    assert 50 < none < 250


def test_of_equal_hands_the_cards_dealt_first_play():
    """Either deuce of the board makes the low; the flush has one way only."""
    low = low_cards(parse_cards("AsKd3hQc"), parse_cards("2c2d7s8hKh"))
    assert (format_cards(low.hole), format_cards(low.board)) == ("As3h", "2c7s8h")
    high = high_cards(parse_cards("AsKsKd2h"), parse_cards("9s8s3s3d2c"))
    assert (format_cards(high.hole), format_cards(high.board)) == ("AsKs", "9s8s3s")
