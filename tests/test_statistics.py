"""Statistics: definitions against hands counted by people, sums against plain Python, error bars against their formulas."""

import io
import json
import math
import statistics as python_statistics
from dataclasses import replace

import polars as pl
import pytest
from case_driver import load_cases
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from synthetic import random_frame, scenario

from sim import flags
from sim.evaluation import CATEGORIES
from sim.flags import ACTED, ALL_IN, ALL_IN_PREFLOP, FOLDED, PFR, QUARTERED, SAW_FLOP, SHOWDOWN, VPIP, WALK, WON
from sim.records import position_names
from sim.statistics import (
    HAND_STATISTICS,
    SEAT_STATISTICS,
    finish,
    first_difference,
    merge,
    partial,
    partial_from_json,
    partial_to_json,
    pool_line_ups,
    stack_tables,
)
from sim.statistics.catalogue import SeatStatistic
from sim.tables import print_tables, save_tables

CASES = load_cases()


def hands_of(*seats: list[tuple[int, int]], button: list[int] | None = None, **columns: list) -> pl.DataFrame:
    """A results frame from (flags, net) of every hand of each seat; the other columns are zero unless given."""
    n_hands = len(seats[0])
    types = {"street": pl.UInt8, "showdown": pl.Boolean, "n_flop": pl.UInt8, "pot": pl.Int64, "rake": pl.Int64, "outcome": pl.UInt16}
    data = {name: pl.Series(columns.get(name, [0] * n_hands), dtype=pl.Int64).cast(kind) for name, kind in types.items()}
    data["category"] = pl.Series(columns.get("category", [255] * n_hands), dtype=pl.UInt8)
    data["button"] = pl.Series(button or [0] * n_hands, dtype=pl.UInt8)
    for seat, hands in enumerate(seats):
        data[f"flags_{seat}"] = pl.Series([bits for bits, _ in hands], dtype=pl.UInt32)
        data[f"net_{seat}"] = pl.Series([net for _, net in hands], dtype=pl.Int64)
        data[f"stack_{seat}"] = pl.Series([10_000] * n_hands, dtype=pl.Int64)
        for name in ("n_bets", "n_calls"):
            data[f"{name}_{seat}"] = pl.Series(columns.get(f"{name}_{seat}", [0] * n_hands), dtype=pl.UInt16)
    return pl.DataFrame(data)


def strategy_row(frame: pl.DataFrame, names: str = "ab", strategy: str = "a") -> dict:
    game = scenario(names)
    return finish(partial(frame, game), game).strategies.row(by_predicate=pl.col("strategy") == strategy, named=True)


# Definitions


def test_vpip_counts_hands_not_actions_and_leaves_out_walks():
    """stat-001: the ten hands of the case, in its order."""
    hands = [
        WALK,
        ACTED,
        ACTED | VPIP,
        ACTED | VPIP,
        ACTED | FOLDED,
        ACTED | VPIP | FOLDED,
        ACTED | VPIP | PFR,
        ACTED | FOLDED,
        ALL_IN | ALL_IN_PREFLOP,
        ACTED | VPIP | ALL_IN | ALL_IN_PREFLOP,
    ]
    row = strategy_row(hands_of([(bits, 0) for bits in hands], [(0, 0)] * 10))
    expect = CASES["stat-001"]["expect"]
    assert row["vpip_total"] == expect["vpip_hands"]
    assert row["vpip"] / 100 == pytest.approx(expect["vpip_without_walks"], abs=5e-5)
    assert row["vpip_total"] / row["hands"] == expect["vpip_all_hands"]
    assert row["vpip_total"] / sum(bits & ACTED for bits in hands) == expect["vpip_hands_with_a_decision"]
    assert (row["pfr_total"], row["pfr_n"]) == (expect["pfr_hands"], 9)


def test_showdown_rates_have_one_population_above_and_below():
    """stat-003: the ten hands of the case, in its order, with what the seat won."""
    hands = [
        (SAW_FLOP | SHOWDOWN | ALL_IN | ALL_IN_PREFLOP, -100),
        (SAW_FLOP | FOLDED, -20),
        (SAW_FLOP | WON, 30),
        (SAW_FLOP | SHOWDOWN | WON, 100),
        (SAW_FLOP | SHOWDOWN | WON | QUARTERED, -25),
        (FOLDED, 0),
        (SAW_FLOP | SHOWDOWN | WON | ALL_IN, 200),
        (SAW_FLOP | SHOWDOWN, -40),
        (WALK | WON, 5),
        (SAW_FLOP | SHOWDOWN | WON | ALL_IN | ALL_IN_PREFLOP, 8),
    ]
    row = strategy_row(hands_of(hands, [(0, 0)] * 10))
    expect = CASES["stat-003"]["expect"]
    inclusive, active = expect["inclusive"], expect["without_preflop_all_ins"]
    assert (row["wtsd_n"], row["wtsd_total"]) == (inclusive["saw_flop"], inclusive["went_to_showdown"])
    assert row["wtsd"] / 100 == inclusive["wtsd"]
    assert (row["wtsd_active_n"], row["wtsd_active_total"]) == (active["saw_flop"], active["went_to_showdown"])
    assert row["wtsd_active"] / 100 == pytest.approx(active["wtsd"], abs=5e-5)
    assert row["wsd"] / 100 == pytest.approx(expect["wsd_collected_anything"], abs=5e-5)
    assert row["wsd_profit"] / 100 == expect["wsd_net_positive"]


def test_aggression_is_a_ratio_of_actions_after_the_flop_and_leaves_out_checks():
    """Four hands: bet twice and called once; called and folded; folded before the flop; checked down."""
    hands = [(SAW_FLOP | SHOWDOWN, 0), (SAW_FLOP | FOLDED, 0), (FOLDED, 0), (SAW_FLOP | SHOWDOWN, 0)]
    row = strategy_row(hands_of(hands, [(0, 0)] * 4, n_bets_0=[2, 0, 0, 0], n_calls_0=[1, 1, 0, 0]))
    assert (row["af"], row["afq"]) == (2 / 2, 100 * 2 / (2 + 2 + 1))
    row = strategy_row(hands_of(hands, [(0, 0)] * 4, n_bets_0=[2, 0, 0, 0]))
    assert row["af"] is None and row["afq"] == pytest.approx(100 * 2 / 3)  # no call: no ratio to calls


def test_nothing_counted_gives_null_and_not_zero():
    row = strategy_row(hands_of([(WALK, 50)], [(0, -50)]))
    assert row["vpip"] is None and row["three_bet"] is None and row["wsd"] is None
    assert row["bb_per_100"] == 50 and row["bb_per_100_se"] is None and row["sd_per_100"] is None  # one hand has no spread
    game = scenario("ab", hi_lo=True)
    tables = finish(partial(hands_of([], []), game), game)
    assert tables.scenarios["pot"][0] is None and tables.scenarios["low_made"][0] is None
    assert tables.categories["won"].null_count() == len(CATEGORIES)


def test_players_per_flop_averages_over_hands_with_a_flop():
    game = scenario("abc")
    frame = hands_of(*[[(0, 0)] * 4] * 3, street=[0, 1, 3, 3], n_flop=[0, 2, 3, 2], showdown=[0, 0, 1, 1], pot=[150, 300, 900, 450])
    row = finish(partial(frame, game), game).scenarios.row(0, named=True)
    assert (row["flop"], row["turn"], row["river"], row["showdown"]) == (75, 50, 50, 50)
    assert row["players_flop"] == pytest.approx(7 / 3)
    assert row["pot"] == 4.5
    assert row["pot_se"] == pytest.approx(python_statistics.stdev([1.5, 3, 9, 4.5]) / 2)


def test_low_statistics_are_shares_of_showdowns_and_only_of_hi_lo():
    bits = [flags.LOW_MADE, flags.LOW_MADE | flags.HAND_QUARTERED, flags.HAND_SCOOPED, 0, 0]
    frame = hands_of(*[[(0, 0)] * 5] * 2, showdown=[1, 1, 1, 1, 0], outcome=bits)
    row = finish(partial(frame, scenario("ab", hi_lo=True)), scenario("ab", hi_lo=True)).scenarios.row(0, named=True)
    assert (row["low_made"], row["quartered"], row["scooped"], row["low_made_n"]) == (50, 25, 25, 4)
    row = finish(partial(frame, scenario("ab")), scenario("ab")).scenarios.row(0, named=True)
    assert row["low_made"] is None


@pytest.mark.parametrize("n_seats", [2, 3, 6, 10])
def test_a_position_is_the_seat_counted_from_the_button(n_seats):
    names = "abcdefghij"[:n_seats]
    buttons = list(range(n_seats))
    # Each seat wins 100 times its offset from the button.
    seats = [[(0, 100 * ((seat - button) % n_seats)) for button in buttons] for seat in range(n_seats)]
    game = scenario(names)
    positions = finish(partial(hands_of(*seats, button=buttons), game), game).positions
    for row in positions.iter_rows(named=True):
        assert row["hands"] == 1
        assert row["net_chips"] == 100 * position_names(n_seats).index(row["position"])


# Error bars


def test_error_of_bb_per_100_is_100_times_that_of_one_hand():
    """stat-004."""
    case = CASES["stat-004"]
    row = strategy_row(hands_of([(0, round(100 * won)) for won in case["setup"]["winnings_in_bb"]], [(0, 0)] * 10))
    expect = case["expect"]
    assert row["bb_per_100"] == pytest.approx(expect["bb_per_100"])
    assert row["sd_per_100"] == pytest.approx(expect["sd_per_100_hands"], abs=5e-5)
    assert row["bb_per_100_se"] == pytest.approx(expect["standard_error_of_bb_per_100"], abs=5e-4)
    assert row["bb_per_100_high"] - row["bb_per_100_low"] == pytest.approx(2 * 1.96 * row["bb_per_100_se"], rel=1e-4)


def test_seats_of_one_hand_are_not_independent():
    """stat-005: each cluster of two as the two seats of a strategy in one hand."""
    case = CASES["stat-005"]
    clusters = case["setup"]["bb_won_in_pairs_of_hands_with_the_same_deck"]
    seats = [[(0, 100 * pair[seat]) for pair in clusters] for seat in range(2)]
    row = strategy_row(hands_of(*seats, [(0, 0)] * 5), names="aab")
    expect = case["expect"]
    assert row["hands"] == 10
    assert row["bb_per_100"] / 100 == pytest.approx(expect["mean"])
    assert row["bb_per_100_se"] / 100 == pytest.approx(expect["se_by_deal_clusters"], abs=5e-5)
    assert row["sd_per_100"] / 10 / math.sqrt(10) == pytest.approx(expect["se_treating_10_hands_as_independent"], abs=5e-5)


def test_workers_with_different_hand_counts_merge_exactly():
    """stat-006."""
    case = CASES["stat-006"]
    game = scenario("ab")
    parts = [partial(hands_of([(0, 100 * won) for won in worker], [(0, 0)] * len(worker)), game) for worker in case["setup"]["workers"]]
    row = finish(merge(parts), game).strategies.row(0, named=True)
    assert row["bb_per_100"] / 100 == pytest.approx(case["expect"]["mean"], abs=5e-7)
    assert (row["sd_per_100"] / 10) ** 2 == pytest.approx(case["expect"]["variance"], abs=5e-7)


def test_a_strategy_in_every_seat_has_no_spread_without_rake():
    row = strategy_row(hands_of([(0, 300), (0, -100)], [(0, -300), (0, 100)]), names="aa")
    assert row["bb_per_100"] == row["bb_per_100_se"] == 0
    assert row["sd_per_100"] > 0


# Sums


def plain_sums(frame: pl.DataFrame, value, counts, squares: bool) -> list[int]:
    """n, total and total of squares by a loop over the rows."""
    values = [int(value(row)) for row in frame.iter_rows(named=True) if counts(row)]
    return [len(values), sum(values), *([sum(value * value for value in values)] if squares else [])]


def plain_ratio(frame: pl.DataFrame, value, counts) -> list[int]:
    """Sums of both over all rows."""
    rows = list(frame.iter_rows(named=True))
    return [sum(int(counts(row)) for row in rows), sum(int(value(row)) for row in rows)]


def has(seat: int, bit: int):
    return lambda row: bool(row[f"flags_{seat}"] & bit)


# The definitions a second time, as functions of a row: (value, which rows count).
PLAIN_SEAT = {
    "net": lambda s: (lambda row: row[f"net_{s}"], lambda row: True),
    "vpip": lambda s: (has(s, VPIP), lambda row: not has(s, WALK)(row)),
    "pfr": lambda s: (has(s, PFR), lambda row: not has(s, WALK)(row)),
    "three_bet": lambda s: (has(s, flags.THREE_BET), has(s, flags.THREE_BET_CHANCE)),
    "af": lambda s: (lambda row: row[f"n_bets_{s}"], lambda row: row[f"n_calls_{s}"]),
    "afq": lambda s: (
        lambda row: row[f"n_bets_{s}"],
        lambda row: row[f"n_bets_{s}"] + row[f"n_calls_{s}"] + (has(s, FOLDED)(row) and has(s, SAW_FLOP)(row)),
    ),
    "wtsd": lambda s: (has(s, SHOWDOWN), has(s, SAW_FLOP)),
    "wtsd_active": lambda s: (has(s, SHOWDOWN), lambda row: has(s, SAW_FLOP)(row) and not has(s, ALL_IN_PREFLOP)(row)),
    "wsd": lambda s: (has(s, WON), has(s, SHOWDOWN)),
    "wsd_profit": lambda s: (lambda row: row[f"net_{s}"] > 0, has(s, SHOWDOWN)),
}
PLAIN_HAND = {
    "pot": (lambda row: row["pot"], lambda row: True),
    "players_flop": (lambda row: row["n_flop"], lambda row: row["street"] >= 1),
    "flop": (lambda row: row["street"] >= 1, lambda row: True),
    "turn": (lambda row: row["street"] >= 2, lambda row: True),
    "river": (lambda row: row["street"] == 3, lambda row: True),
    "showdown": (lambda row: row["showdown"], lambda row: True),
    "all_in": (lambda row: row["outcome"] & 1, lambda row: True),
    "split_pot": (lambda row: row["outcome"] >> 1 & 1, lambda row: True),
    "rake": (lambda row: row["rake"], lambda row: True),
    "low_made": (lambda row: row["outcome"] >> 2 & 1, lambda row: row["showdown"]),
    "scooped": (lambda row: row["outcome"] >> 3 & 1, lambda row: row["showdown"]),
    "quartered": (lambda row: row["outcome"] >> 4 & 1, lambda row: row["showdown"]),
}


@pytest.mark.parametrize("names", ["ab", "aba", "abcabc"])
def test_sums_equal_a_loop_over_the_rows(names):
    game = scenario(names, hi_lo=True)
    frame = random_frame(game, 300, seed=len(names))
    got = partial(frame, game)
    for name, statistic in HAND_STATISTICS.items():
        assert got.hands[name] == plain_sums(frame, *PLAIN_HAND[name], statistic.unit != "%"), name
    for category in range(len(CATEGORIES)):
        assert got.categories[category] == sum(row == category for row in frame["category"])
    for strategy in set(names):
        seats = [seat for seat, name in enumerate(names) if name == strategy]
        for offset, position in enumerate(position_names(game.n_seats)):
            for name in SEAT_STATISTICS:
                expected = None
                for seat in seats:
                    there = frame.filter((pl.lit(seat) - pl.col("button").cast(pl.Int64)) % game.n_seats == offset)
                    plain = PLAIN_SEAT[name](seat)
                    sums = plain_ratio(there, *plain) if name in ("af", "afq") else plain_sums(there, *plain, name == "net")
                    expected = sums if expected is None else [a + b for a, b in zip(expected, sums, strict=True)]
                assert got.seats[strategy][position][name] == expected, (strategy, position, name)
        expected = plain_sums(frame, lambda row, seats=seats: sum(row[f"net_{seat}"] for seat in seats), lambda row: True, True)
        assert got.tables[strategy] == expected


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=4), st.integers(0, 2**32 - 1), st.sampled_from(["ab", "aabb", "abcabcabca"]))
def test_partials_of_parts_add_up_to_the_partial_of_the_whole(sizes, seed, names):
    game = scenario(names, hi_lo=True)
    frame = random_frame(game, sum(sizes), seed)
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    parts = [partial(frame[start : start + size], game) for start, size in zip(starts, sizes, strict=True)]
    whole = partial(frame, game)
    assert merge(parts) == merge(reversed(parts)) == whole
    assert partial_from_json(json.loads(json.dumps(partial_to_json(whole)))) == whole
    for got, expected in zip(finish(merge(parts), game), finish(whole, game), strict=True):
        assert got.equals(expected)


def test_both_engines_of_polars_count_the_same():
    """data-018."""
    game = scenario("abcabc", hi_lo=True)
    frame = random_frame(game, 20_000)
    assert partial(frame, game, engine="streaming") == partial(frame.lazy(), game, engine="in-memory")


def test_the_deepest_stacks_do_not_overflow():
    most = 9 * (2**31 - 1)
    row = strategy_row(hands_of([(0, most), (0, -most)] * 500, [(0, -most), (0, most)] * 500, pot=[10 * (2**31 - 1)] * 1000))
    assert row["sd_per_100"] == pytest.approx(10 * most / 100 * math.sqrt(1000 / 999))


def test_partials_of_other_line_ups_do_not_merge():
    with pytest.raises(ValueError, match="different scenarios"):
        merge([partial(random_frame(scenario(names), 5), scenario(names)) for names in ("ab", "ac")])
    with pytest.raises(ValueError, match="not a partial of this version"):
        partial_from_json({"hands": {}})


def test_first_difference_names_the_place():
    game = scenario("ab")
    one = partial(random_frame(game, 50), game)
    assert first_difference(one, one) is None
    other = partial_to_json(one)
    other["seats"]["b"]["BB"]["vpip"][1] += 1
    assert first_difference(one, partial_from_json(other)).startswith("seats.b.BB.vpip: [")


# One entry per statistic


def test_a_new_entry_is_all_that_a_new_statistic_needs(monkeypatch):
    entry = SeatStatistic(lambda seat: seat.has(FOLDED), None, "%", "folded", "folded; all hands")
    monkeypatch.setitem(SEAT_STATISTICS, "folded", entry)
    game = scenario("ab")
    tables = finish(partial(hands_of([(FOLDED, 0), (0, 0)], [(0, 0)] * 2), game), game)
    assert tables.strategies["folded"].to_list() == [50, 0]
    assert "folded" in printed(tables, 100)


def test_every_statistic_says_what_it_counts():
    for statistic in (*HAND_STATISTICS.values(), *SEAT_STATISTICS.values()):
        assert statistic.meaning and statistic.unit in ("%", "seats", "bb", "bb/100", "ratio", "% of actions")


def test_line_ups_of_one_game_are_pooled_by_strategy_and_other_scenarios_are_not():
    """A rate of all line-ups is the sum of its counts over the sum of its hands."""
    games = [replace(scenario(names), name=f"test,lineup={place}") for place, names in enumerate(("abc", "bcd"), start=1)]
    frames = [random_frame(game, 500, seed) for seed, game in enumerate(games)]
    parts = [finish(partial(frame, game), game).strategies for frame, game in zip(frames, games, strict=True)]
    pooled = {row["strategy"]: row for row in pool_line_ups(pl.concat(parts)).rows(named=True)}
    assert list(pooled) == list("abcd") and {row["scenario"] for row in pooled.values()} == {"test"}
    rows = [part.row(by_predicate=pl.col("strategy") == "b", named=True) for part in parts]
    assert pooled["b"]["hands"] == 1000
    assert pooled["b"]["vpip"] == 100 * sum(row["vpip_total"] for row in rows) / sum(row["vpip_n"] for row in rows)
    assert pooled["a"]["afq"] == parts[0].row(0, named=True)["afq"]
    assert (
        pool_line_ups(parts[0]).is_empty() and pool_line_ups(pl.concat([parts[0], parts[1].with_columns(scenario=pl.lit("x"))])).is_empty()
    )


# Printing and saving


def printed(tables, width: int) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    print_tables(tables, console)
    return console.export_text()


@pytest.mark.parametrize("n_scenarios", [1, 2, 18])
def test_tables_fit_80_columns_without_cutting_a_number(n_scenarios):
    games = [scenario("abcabc", hi_lo=bool(number % 2)) for number in range(n_scenarios)]
    frame = random_frame(games[0], 2000)
    finished = [finish(partial(frame, game), game) for game in games]
    renamed = [
        type(tables)(*(table.with_columns(scenario=pl.lit(f"variant=omaha4_hilo,structure=no_limit,n={number}")) for table in tables))
        for number, tables in enumerate(finished)
    ]
    text = printed(stack_tables(renamed), 80)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert "VPIP" in text and "W$SD" in text and "royal" in text


def test_names_with_brackets_are_printed_as_they_are():
    game = scenario("ab")
    tables = finish(partial(random_frame(game, 10), game), game)
    tables = type(tables)(*(table.with_columns(scenario=pl.lit("lineup=[red]")) for table in tables))
    assert "lineup=[red]" in printed(tables, 80)


def test_saved_tables_read_back(tmp_path):
    game = scenario("abcabc")
    tables = finish(partial(random_frame(game, 100), game), game)
    save_tables(tables, tmp_path)
    names = ("scenarios", "strategies", "positions", "categories")
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.{suffix}" for name in names for suffix in ("csv", "parquet")}
    for name, table in tables._asdict().items():
        assert pl.read_parquet(tmp_path / f"{name}.parquet").equals(table)
        assert pl.read_csv(tmp_path / f"{name}.csv").columns == table.columns
