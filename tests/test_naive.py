"""The slow twins of evaluation against the concrete hands of the cases, the printed rule examples and the number of distinct hands."""

import pytest
from case_driver import load_cases
from naive import CATEGORIES, RANKS, best_high, best_low, candidates, cards_of, high_classes, low_classes, low_strength, strength

SHOWDOWNS = {name: case for name, case in load_cases().items() if "players" in case["expect"]}


def low_text(low) -> str | None:
    return "-".join("A" if rank == 1 else str(rank) for rank in low.ranks) if low else None


@pytest.mark.parametrize("name", SHOWDOWNS)
def test_case_of_evaluation(name):
    setup, expect = SHOWDOWNS[name]["setup"], SHOWDOWNS[name]["expect"]
    board, holes = setup["board"], setup["holes"]
    for player, want in expect["players"].items():
        high = best_high(holes[player], board)
        category = CATEGORIES[high.category]
        assert category.replace("royal", "straight") == want["high_category"].replace("royal", "straight")
        named = high_of(want["high_five"])
        assert high.key == named.key
        wrong = expect["typical_wrong_answers"]["best five of all cards"][player]
        if wrong != want["high_category"]:
            assert category != wrong
        if setup["hi_lo"]:
            assert low_text(best_low(holes[player], board)) == want["low"]
        if "rank_7462" in expect:  # counted from the best hand
            assert strength(holes[player], board) == 7463 - expect["rank_7462"]
    best = max(strength(hole, board) for hole in holes.values())
    assert [player for player in holes if strength(holes[player], board) == best] == expect["high_winners"]
    if setup["hi_lo"]:
        lows = {player: low_strength(hole, board) for player, hole in holes.items()}
        assert [player for player in holes if lows[player] and lows[player] == max(lows.values())] == expect["low_winners"]
    if "combinations" in expect:
        assert len(list(candidates(holes["A"], board))) == expect["combinations"]


def high_of(five: str):
    """The hand that five cards make, the first two of them as the hole cards."""
    return best_high(five[:4], five[4:])


def test_equity_of_a_turn_by_enumeration():
    case = load_cases()["omaha-eval-027"]
    holes, board, expect = case["setup"]["holes"], cards_of(case["setup"]["board"]), case["expect"]
    seen = board + cards_of(holes["A"]) + cards_of(holes["B"])
    rivers = [card for card in range(52) if card not in seen]
    results = [strength(holes["A"], board + [river]) - strength(holes["B"], board + [river]) for river in rivers]
    assert len(rivers) == expect["rivers"]
    assert sum(result > 0 for result in results) == expect["A_wins"]
    assert sum(result < 0 for result in results) == expect["B_wins"]
    assert results.count(0) == expect["ties"]


@pytest.mark.parametrize("hole", ["AsAhAdKc", "KsQs2h3h", "KsJh2h3h", "KsTh2h3h"])
def test_three_aces_in_the_hand_are_no_quads_but_broadway(hole):
    high = best_high(hole, "AcQdJhTs9c")
    assert CATEGORIES[high.category] == "straight"
    assert [RANKS[rank] for rank in high.ranks] == list("AKQJT")


def test_three_aces_in_the_hand_and_a_paired_board_with_an_ace_are_aces_full():
    assert CATEGORIES[best_high("AsAhAdKc", "Ac8h8d5s2c").category] == "full house"


def test_flush_needs_two_hole_cards_of_the_suit():
    board = "AhKh9h8c3h"
    flush, queens = best_high("JhTh4c2d", board), best_high("QhQsTd2c", board)
    assert (CATEGORIES[flush.category], [RANKS[rank] for rank in flush.ranks]) == ("flush", list("AKJT9"))
    assert CATEGORIES[queens.category] == "pair"
    assert RANKS[queens.ranks[0]] == "Q"
    order = ["QhQsTd2c", "KsKdTd2c", "AsAdTd2c", "JhTh4c2d"]
    strengths = [strength(hole, board) for hole in order]
    assert strengths == sorted(set(strengths))


@pytest.mark.parametrize(("n_hole", "expected"), [(4, 60), (5, 100), (6, 150)])
def test_number_of_candidates(n_hole, expected):
    assert len(list(candidates("AsKsQsJsTs9s"[: 2 * n_hole], "2c3c4c5c6c"))) == expected


def test_same_pair_and_kickers_tie_whatever_the_suits():
    assert strength("AsKd4c3d", "AcQh9d6s2h") == strength("AhKc5c3s", "AcQh9d6s2h")


def test_order_of_the_lows_from_weakest_to_best():
    lows = ["87654", "87653", "8642A", "8432A", "76542", "7652A", "75432", "65432", "6432A", "5432A"]
    got = []
    for low in lows:
        five = "".join(rank + suit for rank, suit in zip(low, "cdhsc", strict=True))
        got.append(low_strength(five[:4], five[4:]))
    assert got == sorted(set(got))
    assert (got[0], got[-1]) == (1, 56)


def test_low_straight_flush_takes_both_halves():
    assert CATEGORIES[best_high("Ah2hKsKd", "3h4h5hQcQd").category] == "straight flush"
    assert low_strength("Ah2hKsKd", "3h4h5hQcQd") == 56


def test_number_of_distinct_hands():
    assert sorted(high_classes().values()) == list(range(1, 7463))
    assert sorted(low_classes().values()) == list(range(1, 57))
    assert strength("AsKs2c2d", "QsJsTs9h9d") == 7462
    assert strength("7c5d", "4h3s2c") == 1
