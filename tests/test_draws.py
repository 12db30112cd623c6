"""Building blocks that look at cards, each against an obvious slow twin over all unseen cards or pairs of them."""

from itertools import combinations

import numba
import numpy as np
import pytest
from naive import best_high, low_strength
from views import deal_some, view_of

from sim.cards import format_cards, parse_cards
from sim.evaluation import evaluate_many
from sim.hand_classes import class_of
from sim.rankings import load
from sim.strategies import (
    counterfeit_outs,
    equity,
    equity_against,
    flush_outs,
    high_rivals,
    low_outs,
    low_rivals,
    made_category,
    n_better,
    n_better_low,
    n_holdings,
    percentile,
    straight_outs,
)
from sim.strategies.parameters import RANGE, Game, fill, hand_range

PLAIN = bool(numba.config.DISABLE_JIT)
DEALS = [(seed, n_hole, n_board) for seed in range(4 if PLAIN else 60) for n_hole in (4, 5, 6) for n_board in (3, 4)]
FEW = DEALS[:12]


def view_and_cards(seed, n_hole, n_board, hi_lo=False):
    hole, board, unseen = deal_some(seed, n_hole, n_board)
    return view_of(format_cards(hole), format_cards(board), hi_lo), hole, board, unseen


# Draws: the twin looks at every unseen card


def best_flush(hole, board):
    """Ranks of the best flush of two hole cards and three of the board, highest first; None: there is none."""
    flushes = [
        tuple(sorted((card >> 2 for card in two + three), reverse=True))
        for two in combinations(hole, 2)
        for three in combinations(board, 3)
        if len({card & 3 for card in two + three}) == 1
    ]
    return max(flushes, default=None)


def best_straight(ranks_in_hand, ranks_on_board):
    """Top rank of the best straight of two ranks in hand and three of the board; the wheel's is 3; -1: there is none."""
    best = -1
    for two in combinations(sorted(set(ranks_in_hand)), 2):
        for three in combinations(sorted(set(ranks_on_board)), 3):
            five = sorted({*two, *three})
            if len(five) == 5 and (five[4] - five[0] == 4 or five == [0, 1, 2, 3, 12]):
                best = max(best, 3 if five == [0, 1, 2, 3, 12] else five[4])
    return best


def ranks(cards):
    return [card >> 2 for card in cards]


@pytest.mark.parametrize(("seed", "n_hole", "n_board"), DEALS)
def test_flush_outs_make_a_flush_and_nut_outs_the_best_one(seed, n_hole, n_board):
    view, hole, board, unseen = view_and_cards(seed, n_hole, n_board)
    outs = nut_outs = 0
    for card in unseen:
        suit = card & 3
        suited = [[c for c in cards if c & 3 == suit] for cards in (hole, board, unseen)]
        own = best_flush(suited[0], [*suited[1], card])
        if own is None or best_flush(suited[0], suited[1]) is not None:
            continue
        outs += 1
        rest = [c for c in suited[2] if c != card]
        nut_outs += own > max((best_flush(two, [*suited[1], card]) for two in combinations(rest, 2)), default=())
    assert tuple(flush_outs(view)) == (outs, nut_outs)


@pytest.mark.parametrize(("seed", "n_hole", "n_board"), DEALS)
def test_straight_outs_make_a_better_straight_and_nut_outs_the_best_one(seed, n_hole, n_board):
    view, hole, board, unseen = view_and_cards(seed, n_hole, n_board)
    before = best_straight(ranks(hole), ranks(board))
    outs = nut_outs = 0
    for card in unseen:
        after = best_straight(ranks(hole), ranks([*board, card]))
        if after > before:
            outs += 1
            nut_outs += after == best_straight(range(13), ranks([*board, card]))
    assert tuple(straight_outs(view)) == (outs, nut_outs)


@pytest.mark.parametrize(("seed", "n_hole", "n_board"), DEALS)
def test_low_outs_make_a_low_and_counterfeit_outs_take_the_nut_low_away(seed, n_hole, n_board):
    view, hole, board, unseen = view_and_cards(seed, n_hole, n_board, hi_lo=True)

    def nut_low(cards):
        return low_strength([48, 0, 4, 8, 12, 16, 20, 24], cards)  # a card of each low rank, as if all could be held

    before = low_strength(hole, board)
    outs = nut_outs = lost = 0
    for card in unseen:
        after = low_strength(hole, [*board, card])
        if before == 0 and after > 0:
            outs += 1
            nut_outs += after == nut_low([*board, card])
        lost += 0 < before == nut_low(board) and after != nut_low([*board, card])
    assert tuple(low_outs(view)) == (outs, nut_outs)
    assert counterfeit_outs(view) == lost


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("QsJh8d7c", "Ts9h2d", (20, 14)),  # 8 and 7 around T-9: all of K Q J 8 7 6 help, the low end without the nuts
        ("As2h9d9c", "3s4dKh", (4, 0)),  # a five makes the wheel, and a seven-high straight possible
        ("KsKd7h2c", "AsQdJh", (0, 0)),  # one card of the straight in hand is not enough
    ],
)
def test_straight_outs_of_known_hands(hole, board, expected):
    assert tuple(straight_outs(view_of(hole, board))) == expected


def test_there_are_no_draws_before_the_flop_and_on_the_river():
    for board in ("", "2c7dTsJh3c"):
        view = view_of("AsKsQhJh", board, hi_lo=True)
        assert tuple(flush_outs(view)) == tuple(straight_outs(view)) == tuple(low_outs(view)) == (0, 0)
        assert counterfeit_outs(view) == 0


# Holdings: the twin evaluates every pair of unseen cards


@pytest.mark.parametrize(("seed", "n_hole", "n_board"), [*DEALS, *((seed, 4, 5) for seed in range(2 if PLAIN else 30))])
def test_rivals_are_counted_over_all_pairs_of_unseen_cards(seed, n_hole, n_board):
    view, hole, board, unseen = view_and_cards(seed, n_hole, n_board, hi_lo=True)
    pairs = np.array(list(combinations(unseen, 2)), np.uint8)
    strengths, lows = evaluate_many(np.tile(np.array(board, np.uint8), (len(pairs), 1)), pairs)
    (own,), (own_low,) = evaluate_many(np.array([board], np.uint8), np.array([hole], np.uint8))
    assert n_holdings(view) == len(pairs)
    assert tuple(high_rivals(view)) == ((strengths > own).sum(), (strengths == own).sum())
    assert n_better(view) == (strengths > own).sum()
    rivals, made = low_rivals(view)
    assert made == own_low
    assert tuple(rivals) == ((lows > own_low).sum(), ((lows == own_low) & (lows > 0)).sum())
    assert n_better_low(view) == ((lows > own_low).sum() if own_low else -1)


def test_nothing_beats_the_nuts():
    assert n_better(view_of("AsKsTh9h", "QsJsTs")) == 0
    assert n_better_low(view_of("As2s9h9d", "3d4h8c", hi_lo=True)) == 0
    assert n_better(view_of("AsKsTh9h")) == n_better_low(view_of("AsKsTh9h", hi_lo=True)) == -1


@pytest.mark.parametrize(("seed", "n_hole", "n_board"), FEW)
def test_category_is_that_of_the_best_hand(seed, n_hole, n_board):
    view, hole, board, _ = view_and_cards(seed, n_hole, n_board)
    assert made_category(view) == best_high(hole, board).key[0]


# Starting hands


def test_percentile_is_the_share_of_hands_that_rank_better():
    best, middle = view_of("AsAdKsKd"), view_of("Ks8h5d2c")
    assert percentile(best) < 0.001 < 0.5 < percentile(middle) < 1
    assert percentile(best) == percentile(view_of("AcAhKcKh"))  # names of suits do not count
    assert percentile(view_of("AsAdKsKd", n_seats=2)) < 0.001  # heads-up has a ranking of its own


# Equity: against exact counts, and against the shipped ranking


def exact_share(hole, board, unseen, hi_lo, allowed=None):
    """Share of the pot on the river against one opponent: the mean over all his hands."""
    hands = [cards for cards in combinations(unseen, len(hole)) if allowed is None or allowed(cards)]
    holes = np.array(hands, np.uint8)
    strengths, lows = evaluate_many(np.tile(np.array(board, np.uint8), (len(holes), 1)), holes)
    (own,), (own_low,) = evaluate_many(np.array([board], np.uint8), np.array([hole], np.uint8))
    high = (own > strengths) + 0.5 * (own == strengths)
    if not hi_lo:
        return high.mean()
    low = (own_low > lows) + 0.5 * (own_low == lows)
    return np.where(np.maximum(lows, own_low) > 0, 0.5 * high + 0.5 * low, high).mean()


@pytest.mark.skipif(PLAIN, reason="too many samples for plain Python")
@pytest.mark.parametrize(("seed", "hi_lo"), [(1, False), (2, False), (3, True), (5, True), (8, True)])
def test_equity_on_the_river_is_the_mean_over_all_hands(seed, hi_lo):
    """20,000 samples of a share within 0..1: standard error at most 0.0036; tolerance four of them."""
    view, hole, board, unseen = view_and_cards(seed, 4, 5, hi_lo)
    assert equity(view, 20_000, 1) == pytest.approx(exact_share(hole, board, unseen, hi_lo), abs=0.0145)


@pytest.mark.skipif(PLAIN, reason="too many samples for plain Python")
def test_equity_against_a_range_deals_hands_of_the_range_only():
    """Against aces only, on a board with a third one in it."""
    board, hole = "AsKd7h2c3c", "KsKh9c8c"
    unseen = [card for card in range(52) if card not in [*parse_cards(board), *parse_cards(hole)]]
    aces = fill(
        np.dtype((np.record, np.dtype([("theirs", RANGE)], align=True))), {"theirs": hand_range("theirs", "AA", Game(4, False, 1, 6, 2))}
    )
    expected = exact_share(
        parse_cards(hole).tolist(), parse_cards(board).tolist(), unseen, False, lambda cards: sum(card >> 2 == 12 for card in cards) >= 2
    )
    got = equity_against(view_of(hole, board), 20_000, 1, aces.theirs)
    assert got == pytest.approx(expected, abs=0.0145)
    assert got < 0.1 < 0.7 < equity(view_of(hole, board), 2_000, 1), "the range must matter, or the test shows nothing"


@pytest.mark.skipif(PLAIN, reason="too many samples for plain Python")
@pytest.mark.parametrize(
    ("hole", "hi_lo", "opponents"), [("AsAdTsTd", False, 1), ("9s8s7d6d", False, 5), ("As2s3dKd", True, 1), ("As2s3dKd", True, 5)]
)
def test_equity_before_the_flop_is_the_share_of_the_shipped_ranking(hole, hi_lo, opponents):
    """40,000 samples: standard error at most 0.0025; tolerance four of them and the ranking's own."""
    share = load(4, hi_lo, opponents).shares[class_of(parse_cards(hole), 4)]
    assert equity(view_of(hole, hi_lo=hi_lo), 40_000, opponents) == pytest.approx(share, abs=0.0125)


def test_equity_repeats_and_takes_nothing_from_the_seats_own_random_numbers():
    first, second = view_of("AsKsQd2c", "Ts9s3h"), view_of("AsKsQd2c", "Ts9s3h")
    assert equity(first, 50, 2) == equity(second, 50, 2)
    assert equity(first, 50, 2) == equity(second, 50, 2), "a second question goes on in the same stream"
    assert first.rng_draws == 0
    other = view_of("AsKsQd2c", "Ts9s3h", seed=2)
    assert equity(other, 50, 2) != equity(view_of("AsKsQd2c", "Ts9s3h"), 50, 2)
