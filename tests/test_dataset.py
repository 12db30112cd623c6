"""The data set of a run: three long views against the buffers they came from, plain readers, and the recount."""

import json
import shutil

import duckdb
import pandas as pd
import polars as pl
import pytest
from synthetic import scenario, write_run

from jobs import cli
from jobs.aggregate import aggregate
from sim import dataset
from sim.flags import SEAT_FLAGS
from sim.plan import RunSpec, make_shards
from sim.recount import compare, recount
from sim.run_directory import Refused, record_path
from sim.totals import add_up

GAMES = (scenario("abcabc"), scenario("aba", hole_cards=5, hi_lo=True, structure="no_limit"))
STREETS, KINDS = ("preflop", "flop", "turn", "river"), ("fold", "check", "call", "raise")
POSITIONS = {6: ["BTN", "SB", "BB", "UTG", "HJ", "CO"], 3: ["BTN", "SB", "BB"]}


def spec(records: str) -> RunSpec:
    """Two scenarios of unequal tables, three shards each, the last one short."""
    return RunSpec(hands=25, seed=1, scenarios=GAMES, records=records, shard_hands=10)


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A run directory with full records, and what its shards hold."""
    run = tmp_path_factory.mktemp("runs") / "full"
    return run, write_run(run, spec("full"))


def test_one_row_per_hand(full):
    run, held = full
    frame = dataset.scan_hands(run).collect().sort("scenario", "hand_id")
    assert frame.height == 50
    for game in GAMES:
        rows = frame.filter(scenario=game.name)
        assert rows["hand_id"].to_list() == list(range(25))
        assert rows["variant"].unique().to_list() == [game.variant.name]
        assert rows["structure"].unique().to_list() == [game.structure]
        pots = [pot for shard_game, _, columns in held if shard_game is game for pot in columns.pot.tolist()]
        assert rows["pot"].to_list() == pots


def test_one_row_per_hand_and_seat(full):
    run, held = full
    got = {(row["scenario"], row["hand_id"], row["seat"]): row for row in dataset.scan_seats(run).collect().iter_rows(named=True)}
    assert len(got) == 25 * 6 + 25 * 3
    for game, first_hand, columns in held:
        cards = game.variant.hole_cards
        for i in range(len(columns.button)):
            for seat in range(game.n_seats):
                offset = (seat - int(columns.button[i])) % game.n_seats
                start = (i * game.n_seats + seat) * cards
                expected = {
                    "hand_id": first_hand + i,
                    "scenario": game.name,
                    "variant": game.variant.name,
                    "structure": game.structure,
                    "big_blind": 100,
                    "seat": seat,
                    "position": POSITIONS[game.n_seats][offset],
                    "offset": offset,
                    "strategy": game.lineup[seat].name,
                    "stack": columns.stack[seat, i],
                    "net": columns.net[seat, i],
                    "n_bets": columns.n_bets[seat, i],
                    "n_calls": columns.n_calls[seat, i],
                    "hole": columns.hole[start : start + cards].tolist(),
                    "strength": columns.strength[seat, i],
                    "low": columns.low[seat, i],
                }
                expected |= {name: bool(columns.flags[seat, i] & bit) for name, (bit, _) in SEAT_FLAGS.items()}
                assert got[game.name, first_hand + i, seat] == expected


def test_one_row_per_action(full):
    run, held = full
    frame = dataset.scan_actions(run).collect().sort("scenario", "hand_id", "index")
    expected = []
    for game, first_hand, columns in held:
        for i in range(len(columns.button)):
            for index, place in enumerate(range(columns.act_offsets[i], columns.act_offsets[i + 1])):
                code = int(columns.act_code[place])
                seat = code & 15
                position = POSITIONS[game.n_seats][(seat - int(columns.button[i])) % game.n_seats]
                row = (game.name, first_hand + i, index, STREETS[code >> 6], seat, position, KINDS[code >> 4 & 3])
                expected.append((*row, int(columns.act_amount[place])))
    keys = ["scenario", "hand_id", "index", "street", "seat", "position", "action", "amount"]
    assert frame.select(keys).rows() == sorted(expected)


def test_views_are_lazy_and_stream(full):
    run, _ = full
    for scan in (dataset.scan_hands, dataset.scan_seats, dataset.scan_actions):
        frame = scan(run)
        assert isinstance(frame, pl.LazyFrame)
        count = frame.select(pl.len())
        assert count.collect(engine="streaming").equals(count.collect(engine="in-memory"))


def test_a_hand_can_be_fetched_by_scenario_and_id(full):
    run, _ = full
    hand = dataset.scan_hands(run).filter(scenario=GAMES[1].name, hand_id=13).collect()
    assert hand.height == 1 and hand["net_3"][0] is None  # no fourth seat in this scenario


def test_duckdb_reads_the_files_plainly(full):
    run, held = full
    query = f"""select variant, structure, count(*), sum(pot), sum(net_0), count(net_5), max(len(hole)), any_value(strategy_1)
        from read_parquet('{run}/hands/*/*/*.parquet', hive_partitioning=true) group by all order by variant"""
    rows = duckdb.sql(query).fetchall()
    for row, game, with_six in zip(rows, GAMES, (25, 0), strict=True):
        mine = [columns for shard_game, _, columns in held if shard_game is game]
        pot, net = (sum(int(part.sum()) for part in parts) for parts in ([c.pot for c in mine], [c.net[0] for c in mine]))
        assert row == (game.variant.name, game.structure, 25, pot, net, with_six, game.n_seats * game.variant.hole_cards, "b")


def test_pandas_reads_the_files_plainly(full):
    run, held = full
    frame = pd.read_parquet(run / "hands")
    assert len(frame) == 50
    assert frame["pot"].dtype == "int64"
    assert frame["pot"].sum() == sum(int(columns.pot.sum()) for _, _, columns in held)
    assert set(frame["variant"]) == {game.variant.name for game in GAMES}


@pytest.mark.parametrize("records", ["results", "hands"])
def test_lower_levels_have_fewer_columns(tmp_path, records):
    write_run(tmp_path / "run", spec(records))
    columns = dataset.scan_seats(tmp_path / "run").collect_schema()
    assert ("hole" in columns) == ("strength" in columns) == (records == "hands")
    with pytest.raises(Refused, match=f"records={records}; scan_actions needs records=full"):
        dataset.scan_actions(tmp_path / "run")


def test_uncommitted_files_are_not_seen(tmp_path):
    write_run(tmp_path / "run", spec("results"), committed=3)  # shards alternate between the two scenarios
    hands = dataset.scan_hands(tmp_path / "run").group_by("scenario").len().collect()
    assert dict(hands.iter_rows()) == {GAMES[0].name: 20, GAMES[1].name: 10}


def test_a_run_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(Refused, match="no such run directory"):
        dataset.scan_hands(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(Refused, match="not a run directory"):
        dataset.scan_hands(tmp_path / "empty")
    write_run(tmp_path / "none", spec("none"))
    with pytest.raises(Refused, match="records=none and has no records"):
        dataset.scan_seats(tmp_path / "none")
    write_run(tmp_path / "started", spec("full"), committed=0)
    with pytest.raises(Refused, match="no finished shard yet"):
        dataset.scan_actions(tmp_path / "started")


def test_recount_from_files_equals_the_merged_partials_of_the_shards(full):
    run, _ = full
    shards = make_shards(spec("full"))
    committed = [total.partial for total in add_up(run, spec("full"), shards).scenarios]
    recounted = recount(run, spec("full"), shards)
    assert recounted == committed
    assert compare(spec("full"), committed, recounted) is None


def test_aggregate_prints_and_saves_what_it_recounted(full, capsys):
    run, _ = full
    assert aggregate({"run": str(run)}) == 0
    out = capsys.readouterr().out
    assert "50 hands recounted from the records: every sum equals" in out.replace("\n", " ")
    assert pl.read_csv(run / "stats" / "scenarios.csv")["hands"].to_list() == [25, 25]


def test_aggregate_names_the_first_sum_that_differs(full, tmp_path, capsys):
    run = shutil.copytree(full[0], tmp_path / "run")
    path = run / record_path(make_shards(spec("full"))[2])
    record = json.loads(path.read_text())
    record["partial"]["seats"]["c"]["SB"]["pfr"][1] += 1
    path.write_text(json.dumps(record))
    assert cli.outcome(lambda: aggregate({"run": str(run)})) == 1
    assert "omaha4/pot_limit: seats.c.SB.pfr: [" in capsys.readouterr().err


def test_aggregate_of_a_damaged_file_is_an_error(full, tmp_path, capsys):
    """data-003."""
    run = shutil.copytree(full[0], tmp_path / "run")
    path = next((run / "hands").rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-9])
    assert cli.outcome(lambda: aggregate({"run": str(run)})) == 1
    assert "error: cannot read the records of" in capsys.readouterr().err


def test_aggregate_of_an_unfinished_run_counts_what_is_there(tmp_path, capsys):
    write_run(tmp_path / "run", spec("results"), committed=1)
    assert aggregate({"run": str(tmp_path / "run")}) == 0
    assert "1 of its 6 shards" in capsys.readouterr().out.replace("\n", " ")


def test_aggregate_without_a_run_is_refused(tmp_path, capsys):
    assert cli.outcome(lambda: aggregate({"run": str(tmp_path / "nothing")})) == 2
    assert "no such run directory" in capsys.readouterr().err
