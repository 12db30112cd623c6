"""Evaluation against exact tables, an independent brute force, rule cases and worked examples; all with exactly two and three cards."""

import json
from itertools import combinations
from pathlib import Path

import naive
import numba
import numpy as np
import pytest
from brute_force import all_five_card_codes, best_codes_many, holdem_categories
from chi_square import chi_square_z
from enumeration import count_all, count_by_pairs, count_match
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cards import deal, parse_cards
from sim.evaluation import (
    CATEGORIES,
    N_LOWS,
    N_STRENGTHS,
    TABLES,
    TABLES_DTYPE,
    board_context,
    category,
    evaluate_many,
    low,
    low_name,
    strength,
)
from sim.jit import jit

CASES = Path(__file__).parent / "cases"
EXACT = json.loads((CASES / "exact_tables.json").read_text())
RULE_CASES = [
    case for line in (CASES / "rule_cases.jsonl").read_text().splitlines() if (case := json.loads(line))["area"] == "1 evaluation"
]
SHOWDOWNS = [case for case in RULE_CASES if "players" in case["expect"]]
MATCHES = EXACT["heads_up_equity"]["matches"]
NAMES = [{"straight flush": "straight flush (not royal)"}.get(name, name) for name in CATEGORIES]  # as exact_tables.json says
NO_LOW = -(2**62)

large = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="too many hands for plain Python")


def evaluated(hole: str, board: str) -> tuple[int, str, str]:
    """Strength, name of the category and name of the low of one hand."""
    strengths, lows = evaluate_many(parse_cards(board)[None], parse_cards(hole)[None])
    return int(strengths[0]), CATEGORIES[category(strengths[0])], low_name(int(lows[0]))


def deals(n, n_hole, n_board, seed):
    """Holes (n, n_hole) and boards (n, n_board) dealt by numpy, whose generator is not the project's."""
    decks = np.random.default_rng(seed).permuted(np.tile(np.arange(52, dtype=np.uint8), (n, 1)), axis=1)
    return decks[:, :n_hole].copy(), decks[:, n_hole : n_hole + n_board].copy()


@pytest.fixture(scope="module")
def distinct_codes():
    """(7462,) brute-force codes of all five-card hands, ascending: their places are the strengths."""
    return np.unique(all_five_card_codes())


# Order of all hands


def test_there_are_7462_strengths_of_ten_categories():
    """Distinct hands per category as in Cactus Kev's numbering; royal flush apart from the nine other straight flushes."""
    counts = np.bincount([category(value) for value in range(1, N_STRENGTHS + 1)])
    assert counts.tolist() == [1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1]


@pytest.mark.parametrize(
    "hole, board, expected",
    [
        ("AsKs", "QsJsTs", (7462, "royal flush", "")),
        ("As2s", "3s4s5s", (7453, "straight flush", "5-4-3-2-A")),
        ("2c3d", "4h5s7c", (1, "high card", "7-5-4-3-2")),
        ("AcKd", "QhJs9c", (1277, "high card", "")),
        ("2c2d", "3h4s5c", (1278, "pair", "")),
        ("As2d", "3s4s5s", (5854, "straight", "5-4-3-2-A")),
        ("8c7d", "6h5s4c", (5857, "straight", "8-7-6-5-4")),
        ("AcAd", "AhAsKc", (7452, "quads", "")),
    ],
)
def test_ends_of_the_categories(hole, board, expected):
    assert evaluated(hole, board) == expected


def test_lows_are_numbered_from_87654_to_5432a():
    lows = [low_name(value).replace("-", "") for value in range(N_LOWS, 0, -1)]
    assert lows == list(EXACT["low_counts"]["k2b3"]["lows"])
    assert low_name(0) == ""


# Independent brute force


@large
@pytest.mark.parametrize("n_hole, n_board, n", [(4, 5, 100_000), (5, 5, 100_000), (6, 5, 100_000), (2, 5, 20_000), (3, 4, 20_000)])
def test_random_deals_equal_brute_force(distinct_codes, n_hole, n_board, n):
    holes, boards = deals(n, n_hole, n_board, seed=n_hole)
    highs, low_codes = best_codes_many(holes, boards)
    strengths, lows = evaluate_many(boards, holes)
    np.testing.assert_array_equal(strengths, np.searchsorted(distinct_codes, highs) + 1)
    np.testing.assert_array_equal([category(value) for value in np.unique(strengths)], np.unique(highs) // 16**5)
    all_lows = sorted(-int("".join(map(str, five)), 16) for five in combinations(range(8, 0, -1), 5))
    np.testing.assert_array_equal(lows, np.where(low_codes == NO_LOW, 0, np.searchsorted(all_lows, low_codes) + 1))


@large
@pytest.mark.parametrize("n_hole, n_board", [(4, 3), (4, 4), (5, 3), (5, 4), (6, 3), (6, 4)])
def test_random_deals_on_flop_and_turn_equal_brute_force(distinct_codes, n_hole, n_board):
    test_random_deals_equal_brute_force(distinct_codes, n_hole, n_board, 20_000)


@large
def test_brute_force_knows_7462_hands(distinct_codes):
    assert len(distinct_codes) == N_STRENGTHS


@pytest.mark.parametrize("n_hole", [2, 4, 5, 6])
@pytest.mark.parametrize("n_board", [3, 4, 5])
def test_naive_twin_agrees(n_hole, n_board):
    holes, boards = deals(40, n_hole, n_board, seed=100 * n_hole + n_board)
    strengths, lows = evaluate_many(boards, holes)
    assert strengths.tolist() == [naive.strength(hole, board) for hole, board in zip(holes, boards, strict=True)]
    assert lows.tolist() == [naive.low_strength(hole, board) for hole, board in zip(holes, boards, strict=True)]


@large
def test_brute_force_and_naive_twin_agree(distinct_codes):
    holes, boards = deals(300, 5, 5, seed=9)
    highs, low_codes = best_codes_many(holes, boards)
    assert (np.searchsorted(distinct_codes, highs) + 1).tolist() == [naive.strength(*cards) for cards in zip(holes, boards, strict=True)]
    assert (low_codes != NO_LOW).tolist() == [naive.best_low(*cards) is not None for cards in zip(holes, boards, strict=True)]


# Exact counts


def check_counts(case, strengths, lows):
    """Compare counts by strength and low with the exact table of a case like k4b3."""
    table, low_table = EXACT["high_category_counts"][case], EXACT["low_counts"][case]
    assert strengths.sum() == lows.sum() == table["total"]
    got = dict.fromkeys(NAMES, 0)
    for value, count in enumerate(strengths.tolist()):
        if count:
            got[NAMES[category(value)]] += count
    assert got == table["counts"]
    assert {low_name(value).replace("-", ""): count for value, count in enumerate(lows.tolist()) if value} == low_table["lows"]


@large
@pytest.mark.parametrize("n_hole, n_board", [(2, 3), (3, 3), (2, 5)])
def test_exact_counts(n_hole, n_board):
    check_counts(f"k{n_hole}b{n_board}", *count_all(TABLES, n_hole, n_board))


@large
def test_exact_counts_of_four_cards_on_the_flop():
    check_counts("k4b3", *count_by_pairs(TABLES, 4, 3))


@large
def test_two_cards_and_a_flop_reach_every_strength():
    strengths, _ = count_all(TABLES, 2, 3)
    assert strengths[0] == 0
    assert (strengths[1:] > 0).all()


@large
@pytest.mark.parametrize("n_hole", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_counts_by_pairs_equal_counts_of_hands(n_hole):
    for got, expected in zip(count_by_pairs(TABLES, n_hole, 3), count_all(TABLES, n_hole, 3), strict=True):
        np.testing.assert_array_equal(got, expected)


@large
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_exact_counts_of_three_cards_on_the_river():
    check_counts("k3b5", *count_all(TABLES, 3, 5))


@large
@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("n_hole, n_board", [(5, 3), (6, 3), (4, 5)])
def test_exact_counts_of_large_cases(n_hole, n_board):
    """Up to 2.4e10 hands each, minutes."""
    check_counts(f"k{n_hole}b{n_board}", *count_by_pairs(TABLES, n_hole, n_board))


@jit
def _sample(tables, hands, n_hole):
    """Counts by strength and by low of the first seat of `hands` dealt hands."""
    strengths, lows = np.zeros(N_STRENGTHS + 1, np.int64), np.zeros(N_LOWS + 1, np.int64)
    deck = np.zeros(52, np.uint8)
    for hand_id in range(hands):
        deal(77, hand_id, 5 + n_hole, deck)
        context = board_context(tables, deck, 5)
        strengths[strength(tables, context, deck[5:], n_hole)] += 1
        lows[low(tables, context, deck[5:], n_hole)] += 1
    return strengths, lows


def _category_probabilities(case):
    table = EXACT["high_category_counts"][case]
    return np.array([table["counts"][name] for name in NAMES]) / table["total"]


def _merged(counts):
    """The last two categories together: royal flushes are too rare to have a cell of their own."""
    return np.append(counts[:8], counts[8:].sum())


@large
@pytest.mark.parametrize("n_hole", [4, 5, 6])
def test_river_samples_match_exact_probabilities(n_hole):
    """2,000,000 deals of the project's own deck; chi-square over nine categories and over 57 lows within 5 standard deviations."""
    hands = 2_000_000
    strengths, lows = _sample(TABLES, hands, n_hole)
    categories = np.zeros(10)
    for value in range(1, N_STRENGTHS + 1):
        categories[category(value)] += strengths[value]
    assert abs(chi_square_z(_merged(categories), _merged(_category_probabilities(f"k{n_hole}b5")) * hands, 8)) < 5
    table = EXACT["low_counts"][f"k{n_hole}b5"]
    expected_lows = [table["total"] - table["low_made"], *reversed(table["lows"].values())]
    assert abs(chi_square_z(lows, np.array(expected_lows) / table["total"] * hands, 56)) < 5


@large
def test_other_rules_and_other_variants_do_not_match_exact_probabilities():
    """Negative control of the sample test, with a hundredth of its deals: best five of nine cards; five hole cards instead of four."""
    hands = 20_000
    expected = _merged(_category_probabilities("k4b5")) * hands
    assert chi_square_z(_merged(holdem_categories(*deals(hands, 4, 5, seed=1))), expected, 8) > 50
    assert chi_square_z(_merged(_category_probabilities("k5b5") * hands), expected, 8) > 50


@large
@pytest.mark.parametrize("match", MATCHES, ids=lambda match: "-".join(match["hands"]))
def test_heads_up_equity_over_all_boards(match):
    first, second = (parse_cards(hand) for hand in match["hands"])
    share, outcomes = np.zeros(2, np.int64), np.zeros((2, 5), np.int64)
    boards, any_low = count_match(TABLES, first, second, share, outcomes)
    assert boards == match["boards"]
    hilo, high = share / (4 * boards), share / (2 * boards)
    assert [hilo[0], 1 - hilo[0]] == pytest.approx(match["hilo_equity"], abs=1e-12)
    assert [high[1], 1 - high[1]] == pytest.approx(match["hi_equity"], abs=1e-12)
    for place, name in enumerate(("hi_win", "hi_tie", "low_win", "low_made", "hilo_scoop")):
        assert outcomes[:, place] / boards == pytest.approx(match[name], abs=1e-12), name
    assert any_low / boards == pytest.approx(match["low_any"], abs=1e-12)


# Rule cases and worked examples


@pytest.mark.parametrize("case", SHOWDOWNS, ids=lambda case: case["id"])
def test_rule_case(case):
    holes, board, expected = case["setup"]["holes"], case["setup"]["board"], case["expect"]
    got = {player: evaluated(hole, board) for player, hole in holes.items()}
    for player, facts in expected["players"].items():
        assert got[player][1] == facts["high_category"]
        if "low" in facts:
            assert got[player][2] == (facts["low"] or "")
        # The five cards named as the hand must be worth as much when nothing else is there to choose from.
        assert got[player][0] == evaluated(facts["high_hole_used"], facts["high_board_used"])[0]
    best = max(value for value, _, _ in got.values())
    assert [player for player in holes if got[player][0] == best] == expected["high_winners"]
    if "low_winners" in expected:
        lows = {player: int(evaluate_many(parse_cards(board)[None], parse_cards(hole)[None])[1][0]) for player, hole in holes.items()}
        best = max(lows.values())
        assert [player for player in holes if lows[player] == best > 0] == expected["low_winners"]
    if "rank_7462" in expected:  # counted from the best hand, 1 is the royal flush
        assert {N_STRENGTHS + 1 - value for value, _, _ in got.values()} == {expected["rank_7462"]}


@pytest.mark.parametrize("case", [case for case in RULE_CASES if "rivers" in case["expect"]], ids=lambda case: case["id"])
def test_rule_case_over_all_rivers(case):
    expected = case["expect"]
    holes = [parse_cards(hole) for hole in case["setup"]["holes"].values()]
    board = parse_cards(case["setup"]["board"])
    rivers = np.setdiff1d(np.arange(52, dtype=np.uint8), np.concatenate([*holes, board]))
    boards = np.column_stack([np.tile(board, (len(rivers), 1)), rivers])
    a, b = (evaluate_many(boards, np.tile(hole, (len(rivers), 1)))[0] for hole in holes)
    assert len(rivers) == expected["rivers"]
    assert ((a > b).sum(), (a < b).sum(), (a == b).sum()) == (expected["A_wins"], expected["B_wins"], expected["ties"])


def test_every_evaluation_case_is_used():
    assert len(RULE_CASES) == 17
    assert all("players" in case["expect"] or "rivers" in case["expect"] for case in RULE_CASES)


@pytest.mark.parametrize("other", ["KdQs2c3c", "KsJd2c3c", "KdTs2c3c"])
def test_three_aces_in_the_hand_are_no_quads_but_a_straight(other):
    board = "AcQdJhTs9c"
    assert evaluated("AsAhAdKc", board)[:2] == evaluated(other, board)[:2] == evaluated("AsKc", "QdJhTs")[:2]
    assert evaluated("AsAhAdKc", board)[1] == "straight"


def test_three_aces_in_the_hand_with_an_ace_and_a_pair_on_the_board_are_aces_full():
    assert evaluated("AsAhAdKc", "Ac7d7h5s2c")[:2] == evaluated("AsAh", "Ac7d7h")[:2]
    assert evaluated("AsAhAdKc", "Ac7d7h5s2c")[1] == "full house"


def test_four_hearts_on_the_board_need_two_in_the_hand():
    board = "AhKh9h8c3h"
    flush, aces, kings, queens = (evaluated(hole, board) for hole in ("JhTh2c2d", "AcAd2c2d", "KcKd2c2d", "QhQsTd2c"))
    assert [hand[1] for hand in (flush, aces, kings, queens)] == ["flush", "trips", "trips", "pair"]
    assert flush[0] == evaluated("JhTh", "AhKh9h")[0]
    assert flush[0] > aces[0] > kings[0] > queens[0]


def test_suits_do_not_break_ties():
    board = "AhKd9s4c2h"
    assert evaluated("AsQc7d3s", board)[0] == evaluated("AdQh7c3c", board)[0] == evaluated("AsQc", "AhKd9s")[0]


def test_lows_from_the_weakest_to_the_best():
    fives = "87654 87653 8642A 8432A 76542 7652A 75432 65432 6432A 5432A".split()
    suits = "cdhsc"
    lows = []
    for five in fives:
        cards = "".join(rank + suit for rank, suit in zip(five, suits, strict=True))
        strengths, values = evaluate_many(parse_cards(cards[4:])[None], parse_cards(cards[:4])[None])
        assert low_name(int(values[0])) == "-".join(five)
        lows.append(int(values[0]))
    assert lows == sorted(set(lows))


def test_a_steel_wheel_takes_both_halves():
    assert evaluated("As2sKdKc", "3s4s5sKhQd") == (7453, "straight flush", "5-4-3-2-A")


def test_high_and_low_may_use_different_hole_cards():
    assert evaluated("AsAh2d3c", "Ac8d7h6sAd")[1:] == ("quads", "7-6-3-2-A")


# Properties


@settings(deadline=None)  # the first call compiles
@given(st.permutations(range(52)), st.permutations(range(4)), st.integers(2, 6), st.integers(3, 5))
def test_renaming_suits_changes_nothing(deck, suits, n_hole, n_board):
    cards = np.array([deck, [card // 4 * 4 + suits[card % 4] for card in deck]], np.uint8)
    strengths, lows = evaluate_many(cards[:, 6 : 6 + n_board], cards[:, :n_hole])
    assert strengths[0] == strengths[1]
    assert lows[0] == lows[1]


@settings(deadline=None)
@given(st.permutations(range(52)), st.permutations(range(6)), st.permutations(range(5)))
def test_order_of_cards_changes_nothing(deck, hole_order, board_order):
    hole, board = np.array(deck[:6], np.uint8), np.array(deck[6:11], np.uint8)
    strengths, lows = evaluate_many(np.array([board, board[board_order]]), np.array([hole, hole[hole_order]]))
    assert strengths[0] == strengths[1]
    assert lows[0] == lows[1]


@settings(deadline=None)
@given(st.permutations(range(52)))
def test_more_cards_never_make_a_weaker_hand(deck):
    cards = np.array(deck[:11], np.uint8)[None]
    results = [[int(result[0]) for result in evaluate_many(cards[:, :5], cards[:, 5 : 5 + n_hole])] for n_hole in range(2, 7)]
    assert [high for high, _ in results] == sorted(high for high, _ in results)
    assert [lows for _, lows in results] == sorted(lows for _, lows in results)


def test_kernels_compiled_and_plain_agree():
    holes, boards = deals(30, 6, 5, seed=3)
    for hole, board in zip(holes, boards, strict=True):
        context = getattr(board_context, "py_func", board_context)(TABLES, board, 5)
        assert tuple(map(int, context)) == tuple(map(int, board_context(TABLES, board, 5)))
        for kernel in (strength, low):
            arguments = (TABLES, board_context(TABLES, board, 5), hole, 6)
            assert getattr(kernel, "py_func", kernel)(*arguments) == kernel(*arguments)


def test_tables_are_one_record_of_two_megabytes():
    assert TABLES.dtype == TABLES_DTYPE
    assert TABLES_DTYPE.itemsize < 2.2e6
    assert TABLES.ranks.max() == 7452  # the best without a flush: four aces and a king
    assert TABLES.flush.max() == N_STRENGTHS
