"""The rankings that come with the program, against exact and published values; and files that are missing or wrong."""

import hashlib
import json
import shutil
from pathlib import Path

import numba
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.cards import parse_cards
from sim.hand_classes import N_CLASSES, class_of, representatives, weights
from sim.rank import DEALS
from sim.rankings import (
    SHIPPED,
    RankingError,
    encode,
    file_name,
    load,
    percentile_table,
    percentiles,
    resolution_steps,
)
from sim.showdown_shares import sum_shares

EXACT = json.loads((Path(__file__).parent / "cases/exact_tables.json").read_text())
PAIRS_OF_HAND_AND_BOARD = 211_315_436_640
# [wins, ties] against every hand on every board: full enumeration.
ONE_RANDOM_HAND = EXACT["vs_one_random_hand"]["hands"] | {
    "AsAh9s9h": [149_190_910_732, 543_415_030],
    "AsAhKsKh": [148_999_832_330, 707_700_224],
    "AsJsAhTh": [148_222_635_866, 1_921_568_278],
    "AsAh7s7h": [148_545_771_102, 545_062_280],
    "AsAhKdKc": [137_015_744_830, 872_340_490],
    "AsAh9d3c": [129_725_370_751, 1_156_808_467],
    "JsTh9s8h": [115_805_010_980, 4_085_862_291],
    "2s2h2d2c": [19_634_139_072, 0],
}
RANKINGS = [(n_hole, hi_lo, opponents) for n_hole in (4, 5, 6) for hi_lo in (False, True) for opponents in (1, 5)]
every_ranking = pytest.mark.parametrize("n_hole, hi_lo, opponents", RANKINGS)
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="too many classes for plain Python")
ACE, KING = 12, 11
pytestmark = compiled


def share(hand, hi_lo=False, opponents=1):
    """Share of the pot of a hand in the shipped ranking, and its standard error, in percent."""
    hole = parse_cards(hand)
    ranking = load(hole.size, hi_lo, opponents)
    class_id = class_of(hole, hole.size)
    return 100 * ranking.shares[class_id], 100 * ranking.standard_errors[class_id]


@every_ranking
def test_a_ranking_says_how_it_was_made_and_how_exact_it_is(n_hole, hi_lo, opponents):
    ranking = load(n_hole, hi_lo, opponents)
    assert ranking.about["command"] == f"omaha-sim rank variant=omaha{n_hole} 'opponents=[1,5]' deals={DEALS[n_hole]} seed=1"
    assert {"code", "date", "method", "samples"} <= set(ranking.about)
    assert ranking.about["median_standard_error"] == pytest.approx(np.median(ranking.standard_errors), abs=ranking.about["resolution"])
    assert ranking.about["resolution"] <= ranking.about["median_standard_error"] / 10
    assert np.median(ranking.standard_errors) < {4: 0.001, 5: 0.003, 6: 0.008}[n_hole]


def test_all_rankings_together_are_small():
    sizes = [(SHIPPED / file_name(*ranking)).stat().st_size for ranking in RANKINGS]
    assert max(sizes) < 5e6 and sum(sizes) < 10e6
    assert {path.name for path in SHIPPED.iterdir()} == {file_name(*ranking) for ranking in RANKINGS}


@every_ranking
def test_a_random_hand_has_its_part_of_the_pot(n_hole, hi_lo, opponents):
    ranking = load(n_hole, hi_lo, opponents)
    assert (ranking.shares > 0).all() and (ranking.shares < 1).all()
    # Exact for the hands that were dealt; here classes have their true weights.
    assert np.average(ranking.shares, weights=weights(n_hole)) == pytest.approx(1 / (opponents + 1), abs=0.0001)


@pytest.mark.parametrize("hand", ONE_RANDOM_HAND)
def test_share_against_one_random_hand_is_the_exact_one_within_its_error(hand):
    wins, ties = ONE_RANDOM_HAND[hand]
    exact = 100 * (wins + ties / 2) / PAIRS_OF_HAND_AND_BOARD
    got, error = share(hand)
    assert abs(got - exact) < 4 * error


def test_stated_errors_are_neither_too_small_nor_too_large():
    deviations = []
    for hand, (wins, ties) in ONE_RANDOM_HAND.items():
        got, error = share(hand)
        deviations.append((got - 100 * (wins + ties / 2) / PAIRS_OF_HAND_AND_BOARD) / error)
    # The mean square of 11 standard normal numbers is below 0.24 or above 2.43 once in a hundred times.
    assert 0.24 < np.mean(np.square(deviations)) < 2.43


def test_aces_with_tens_rank_above_aces_with_kings_heads_up_but_not_against_a_full_table():
    assert share("AsAhTsTh")[0] > share("AsAhKsKh")[0]
    table = percentile_table(4, False, 1)
    assert table[class_of(parse_cards("AsAhTsTh"), 4)] < table[class_of(parse_cards("AsAhKsKh"), 4)]
    assert share("AsAhTsTh", opponents=5)[0] < share("AsAhKsKh", opponents=5)[0]


@pytest.mark.parametrize(
    "hand, hi_lo, opponents, known",
    [
        *((hand, False, 5, values["5"]) for hand, values in EXACT["published_multiway"].items() if hand != "about"),
        ("AsAh2s3h", True, 1, 72.62),
        ("AsAh2s3h", True, 5, 39.05),
        ("As2h3d4c", True, 1, 51.28),
        ("2s2h2d2c", True, 1, 7.97),
        ("AsTsAhTh9d", False, 1, 66.41),
    ],
)
def test_known_shares(hand, hi_lo, opponents, known):
    """Of Card Player (2004), which two million deals confirm to 0.08; the others are of two million deals, good to 0.1."""
    got, error = share(hand, hi_lo, opponents)
    assert abs(got - known) < 4 * error + 0.1


@pytest.mark.parametrize(
    "n_hole, hi_lo, rank, known",
    [(4, True, KING, 53.55), (4, True, ACE, 63.96), (5, False, ACE, 59.52), (6, False, ACE, 56.60)],
)
def test_known_mean_share_of_two_given_cards_of_a_rank_and_random_others(n_hole, hi_lo, rank, known):
    """The known values are of two million deals, good to 0.06. A hand with three aces counts three times: once for each two of them."""
    n_of_rank = (representatives(n_hole) >> 2 == rank).sum(axis=1)
    pairs = weights(n_hole) * n_of_rank * (n_of_rank - 1) // 2
    assert 100 * np.average(load(n_hole, hi_lo, 1).shares, weights=pairs) == pytest.approx(known, abs=0.1)


PERCENTS = (1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 95, 99)
# Share against one random hand at the cut; exact per board on 40,000 of the 134,459 classes of boards, so good to about 0.15.
CUTS = {
    False: (66.2, 65.1, 62.0, 58.4, 56.2, 54.7, 53.8, 52.8, 51.1, 49.6, 48.1, 46.6, 44.7, 42.4, 40.4, 37.1),
    True: (66.4, 63.3, 58.9, 57.1, 55.8, 54.7, 53.8, 52.1, 50.3, 48.9, 48.1, 47.4, 46.3, 44.1, 41.9, 38.3),
}


@pytest.mark.parametrize("hi_lo", [False, True])
def test_share_at_the_cuts_of_the_best_hands(hi_lo):
    shares, table = load(4, hi_lo, 1).shares, percentile_table(4, hi_lo, 1)
    got = [100 * shares[table < percent / 100 * 65536].min() for percent in PERCENTS]
    assert np.abs(np.subtract(got, CUTS[hi_lo])).max() < 0.25


def test_best_and_worst_hands_against_one_random_hand():
    """High: AATT double-suited, then five more pairs with aces. Hi/lo: AA32. 2222 is last in both. Other orders are within the errors."""
    best = {hi_lo: np.argsort(-load(4, hi_lo, 1).shares, kind="stable").tolist() for hi_lo in (False, True)}
    high = [class_of(parse_cards(f"AsAh{rank}s{rank}h"), 4) for rank in "TJQ59K"]
    assert best[False][0] == high[0] and set(high) < set(best[False][:8])
    hilo = [class_of(parse_cards(f"As{a}sAh{b}h"), 4) for a, b in ("32", "43", "42", "53", "52")]
    assert best[True][0] == hilo[0] and set(hilo) < set(best[True][:6])
    for hi_lo in (False, True):
        assert percentile_table(4, hi_lo, 1)[class_of(parse_cards("2s2h2d2c"), 4)] == 65535


@every_ranking
def test_the_best_percent_of_hands_are_that_many(n_hole, hi_lo, opponents):
    table = percentile_table(n_hole, hi_lo, opponents)
    assert table.dtype == np.uint16 and table.min() == 0 and table.max() == 65535
    counts = weights(n_hole)
    for percent in (1, 15, 50, 99):
        part = counts[table < percent / 100 * 65536].sum() / counts.sum()
        assert percent / 100 <= part < percent / 100 + 24 / counts.sum() + 1 / 65536


def test_percentiles_are_the_part_of_the_hands_that_rank_better():
    counts = weights(4)
    shares = np.random.default_rng(1).integers(0, 50, N_CLASSES[4]).astype(np.float32) / 50  # many ties
    got = percentiles(shares, 4)
    for class_id in range(0, N_CLASSES[4], 997):
        better = (shares > shares[class_id]) | ((shares == shares[class_id]) & (np.arange(N_CLASSES[4]) < class_id))
        assert got[class_id] == int(counts[better].sum()) * 65536 // 270725


def test_a_percentile_table_is_not_for_writing():
    with pytest.raises(ValueError, match="read-only"):
        percentile_table(4, False, 1)[0] = 1


DEALT_AGAIN = {4: "4ec1cde5dc2bea77", 5: "7a489b35a1bbad4c", 6: "6dd1de2ebb2477e6"}


@pytest.mark.parametrize("n_hole", DEALT_AGAIN)
def test_the_first_deals_of_the_shipped_rankings_give_the_same_sums_as_ever(n_hole):
    """If they do not, the shipped rankings have to be made again."""
    sums = sum_shares(1, 0, 2000, n_hole, (1, 5))
    assert hashlib.sha256(sums.astype("<i8").tobytes()).hexdigest()[:16] == DEALT_AGAIN[n_hole]


def test_shares_are_rounded_to_a_tenth_of_their_usual_error(tmp_path):
    assert [resolution_steps(error) for error in (0.2, 0.0065, 0.005, 0.0007)] == [50, 2000, 2000, 20000]
    shares = np.random.default_rng(1).uniform(0, 1, N_CLASSES[4])
    errors = np.full(N_CLASSES[4], 0.0065)
    about = {"hole_cards": 4, "hi_lo": False, "opponents": 3}
    (tmp_path / file_name(4, False, 3)).write_bytes(encode(shares, errors, about))
    ranking = load(4, False, 3, tmp_path)
    assert np.abs(ranking.shares - shares).max() < 1 / 4000 + 1e-6
    assert ranking.standard_errors.min() >= np.float32(0.0065)


def test_a_missing_ranking_says_how_to_make_it():
    with pytest.raises(RankingError) as error:
        percentile_table(4, True, 3)
    told = str(error.value)
    assert "\n" not in told and told.startswith("there is no ") and "omaha4_hilo_vs_3.parquet" in told
    assert (
        "make it with: omaha-sim rank variant=omaha4_hilo opponents=3 out=DIR, then copy DIR/rankings/omaha4_hilo_vs_3.parquet there"
        in told
    )


def garbage(path):
    path.write_bytes(b"PAR1 and nothing else")


def truncated(path):
    path.write_bytes((SHIPPED / path.name).read_bytes()[:-100])


def of_another_variant(path):
    shutil.copy(SHIPPED / file_name(4, True, 1), path)


def of_another_table(path):
    pq.write_table(pa.table({"share": [1.0]}), path)


def with_too_few_rows(path):
    pq.write_table(pq.read_table(SHIPPED / path.name).slice(0, 100), path)


@pytest.mark.parametrize(
    "damage, told",
    [
        (garbage, "is not readable"),
        (truncated, "is not readable"),
        (of_another_variant, "has hi_lo True, not False"),
        (of_another_table, "is no ranking file"),
        (with_too_few_rows, "has 100 rows of share, standard_error, not 16432"),
    ],
)
def test_a_wrong_ranking_file_is_named(tmp_path, damage, told):
    path = tmp_path / file_name(4, False, 1)
    damage(path)
    with pytest.raises(RankingError) as error:
        load(4, False, 1, tmp_path)
    assert str(error.value).startswith(f"{path} {told}")
    assert "make it with: omaha-sim rank variant=omaha4 opponents=1" in str(error.value) and "\n" not in str(error.value)
