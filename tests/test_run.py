"""Whole runs in this process: the same hands however they are divided, nothing lost and nothing counted twice whatever stops them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from small_runs import LINEUP, OMAHA4, OMAHA5_HEADS_UP, at_shard, committed, file_size_limit, manifest, small_spec

from sim import statistics
from sim.code_digest import code_digest
from sim.lineup import Strategy
from sim.plan import Compute, make_shards
from sim.run import run_shard
from sim.run_directory import RunError, open_run, read_record
from sim.runner import simulate

INLINE = Compute("inline")


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """An undisturbed run of `small_spec()`; tests that change it take a copy."""
    run = tmp_path_factory.mktemp("finished") / "run"
    assert simulate(small_spec(), INLINE, run) == 0
    return run


@pytest.fixture
def copy(finished, tmp_path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


def records(run: Path) -> pl.DataFrame:
    return pl.scan_parquet(run / "hands/**/*.parquet").sort("scenario", "hand_id").collect()


def resumed_equals(run: Path, finished: Path) -> bool:
    return simulate(small_spec(), INLINE, run, resume=True) == 0 and manifest(run) == manifest(finished)


def test_every_hand_is_recorded_once(finished):
    assert records(finished)["hand_id"].to_list() == list(range(3000))
    assert manifest(finished)["hands"] == 3000
    assert [file["rows"] for file in manifest(finished)["files"]] == [500] * 6


def test_nothing_else_is_left(finished):
    assert not list((finished / "_tmp").iterdir())
    files = {path.name for path in finished.rglob("*") if path.is_file()}
    tables = {f"{name}.{suffix}" for name in statistics.Tables._fields for suffix in ("csv", "parquet")}
    parts = {f"part-{index:06d}.parquet" for index in range(6)} | {f"{index:06d}.json" for index in range(6)}
    assert files == tables | parts | {"run.json", ".lock", "log.jsonl", "_SUCCESS.json"}


@pytest.mark.parametrize("shard_hands", [3000, 701])
def test_shard_size_changes_no_hand_and_no_statistic(finished, tmp_path, shard_hands):
    assert simulate(small_spec(shard_hands=shard_hands), INLINE, tmp_path / "run") == 0
    assert manifest(tmp_path / "run")["digest"] == manifest(finished)["digest"]
    assert_frame_equal(records(tmp_path / "run"), records(finished))
    for name in statistics.Tables._fields:
        assert (tmp_path / f"run/stats/{name}.csv").read_text() == (finished / f"stats/{name}.csv").read_text()


def test_the_digest_tells_runs_apart(finished, tmp_path):
    for name, changes in (("seed", {"seed": 8}), ("game", {"scenarios": (OMAHA5_HEADS_UP,)})):
        assert simulate(small_spec(**changes), INLINE, tmp_path / name) == 0
        assert manifest(tmp_path / name)["digest"] != manifest(finished)["digest"]


@pytest.mark.parametrize("level", ["hands", "results", "none"])
def test_the_record_level_changes_no_hand_and_no_statistic(finished, tmp_path, level):
    assert simulate(small_spec(records=level), INLINE, tmp_path / "run") == 0
    assert manifest(tmp_path / "run")["digest"] == manifest(finished)["digest"]
    assert (tmp_path / "run/stats/positions.csv").read_text() == (finished / "stats/positions.csv").read_text()
    assert (tmp_path / "run/hands").exists() == (level != "none")


def test_partials_of_the_shards_are_those_of_the_records(finished):
    merged = statistics.merge(statistics.partial_from_json(read_record(finished, shard)["partial"]) for shard in make_shards(small_spec()))
    assert statistics.first_difference(merged, statistics.partial(records(finished), OMAHA4)) is None


def test_scenarios_of_different_tables_share_a_schema(tmp_path):
    spec = small_spec(scenarios=(OMAHA4, OMAHA5_HEADS_UP))
    assert simulate(spec, INLINE, tmp_path / "run") == 0
    frame = records(tmp_path / "run")
    assert frame.group_by("scenario").len().sort("scenario").rows() == [(0, 3000), (1, 3000)]
    assert frame.filter(scenario=1)["net_3"].null_count() == 3000
    digests = [int(scenario["digest"], 16) for scenario in manifest(tmp_path / "run")["scenarios"]]
    assert manifest(tmp_path / "run")["digest"] == f"{(digests[0] + 3 * digests[1]) % 2**64:016x}"


def test_a_finished_run_is_not_played_again(copy, capsys):
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*") if path.is_file() and path.name != ".lock"}
    assert simulate(small_spec(), INLINE, copy, resume=True) == 0
    captured = capsys.readouterr()
    assert "is complete, nothing was played" in captured.err
    assert "bb/100" in captured.out and manifest(copy)["digest"] in captured.out
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_a_run_in_the_way_is_refused_in_one_line(copy, capsys):
    assert simulate(small_spec(), INLINE, copy) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_another_spec_is_refused_in_one_line(copy, capsys):
    assert simulate(small_spec(hands=4000), INLINE, copy, resume=True) == 2
    error = capsys.readouterr().err
    assert "refusing to resume" in error and "hands: 3000 -> 4000" in error and error.count("\n") == 1


def test_two_drivers_never_work_on_one_run(tmp_path, capsys):
    with open_run(tmp_path / "run", small_spec(), resume=False):
        assert simulate(small_spec(), INLINE, tmp_path / "run", resume=True) == 2
    assert "in use by another driver" in capsys.readouterr().err


@pytest.mark.parametrize("signal_number, exit_code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_lets_the_shard_in_flight_finish(tmp_path, finished, capsys, signal_number, exit_code):
    work = at_shard(2, lambda run: os.kill(os.getpid(), signal_number))
    assert simulate(small_spec(), INLINE, tmp_path / "run", work=work) == exit_code
    assert committed(tmp_path / "run") == [0, 1, 2]
    assert f"out={tmp_path}/run resume=true" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert resumed_equals(tmp_path / "run", finished)


def test_threads_that_play_shards_of_one_game_do_not_share_their_buffers(tmp_path):
    specs = [small_spec(hands=40_000, seed=seed, shard_hands=20_000) for seed in (1, 2)]
    runs = [(spec, shard, tmp_path / str(spec.seed)) for spec in specs for shard in make_shards(spec)]
    for spec in specs:
        with open_run(tmp_path / str(spec.seed), spec, resume=False):
            pass
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: run_shard(*one, code_digest()), runs))
    for spec, shard, run in runs:
        together = read_record(run, shard)
        alone = tmp_path / f"alone{spec.seed}"
        with open_run(alone, spec, resume=alone.exists()):
            run_shard(spec, shard, alone, code_digest())
        assert read_record(alone, shard) == together


def test_a_second_signal_aborts(tmp_path, finished):
    def twice(run):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    assert simulate(small_spec(), INLINE, tmp_path / "run", work=at_shard(2, twice)) == 130
    assert committed(tmp_path / "run") == [0, 1]
    assert resumed_equals(tmp_path / "run", finished)


def test_a_signal_in_the_last_shard_stops_nothing(tmp_path):
    assert simulate(small_spec(), INLINE, tmp_path / "run", work=at_shard(5, lambda run: os.kill(os.getpid(), signal.SIGINT))) == 0


def start_child(run: Path, *arguments: str) -> subprocess.Popen:
    """Start this file as a program: the small run, slowed down."""
    return subprocess.Popen(
        [sys.executable, __file__, str(run), *arguments],
        env=os.environ | {"PYTHONPATH": f"{Path(__file__).parents[1]}"},
        stderr=subprocess.PIPE,
        text=True,
        # A shell that is not interactive starts background processes with Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for_shards(run: Path, n_shards: int, child: subprocess.Popen) -> None:
    while len(list(run.glob("shards/*.json"))) < n_shards:
        assert child.poll() is None, child.stderr.read()
        time.sleep(0.01)


def test_a_killed_driver_loses_only_what_was_in_flight(tmp_path, finished):
    run = tmp_path / "run"
    for n_shards in (1, 3):
        child = start_child(run)
        wait_for_shards(run, n_shards, child)
        child.kill()
        child.communicate()
        assert not (run / "_SUCCESS.json").exists()
    kept = {path: path.stat().st_mtime_ns for path in run.glob("shards/*.json")}
    assert resumed_equals(run, finished)
    assert kept == {path: path.stat().st_mtime_ns for path in kept}


def test_ctrl_c_of_a_terminal_says_how_to_resume(tmp_path, finished):
    run = tmp_path / "run"
    child = start_child(run, "some=thing")
    wait_for_shards(run, 1, child)
    child.send_signal(signal.SIGINT)
    _, error = child.communicate()
    assert child.returncode == 130
    (command,) = [line for line in error.splitlines() if line.startswith("resume with: ")]
    assert re.fullmatch(r"resume with: (\S*/)?python[\d.]* " + re.escape(f"{__file__} {run} some=thing out={run} resume=true"), command)
    assert resumed_equals(run, finished)


def test_data_without_a_record_is_played_again(copy, finished):
    (copy / "shards/000003.json").unlink()
    (copy / "hands/variant=omaha4/structure=pot_limit/part-000003.parquet").write_bytes(b"from a power cut")
    assert resumed_equals(copy, finished)


@pytest.mark.parametrize("bytes_cut", [9, None], ids=["cut short", "empty"])
def test_a_truncated_file_is_played_again(copy, finished, capsys, bytes_cut):
    path = copy / "hands/variant=omaha4/structure=pot_limit/part-000002.parquet"
    path.write_bytes(path.read_bytes()[:-bytes_cut] if bytes_cut else b"")
    assert resumed_equals(copy, finished)
    assert "shard 2 is played again" in capsys.readouterr().err


def test_a_file_of_the_right_size_without_a_footer_is_played_again(copy, finished):
    path = copy / "hands/variant=omaha4/structure=pot_limit/part-000002.parquet"
    path.write_bytes(path.read_bytes()[:-100] + bytes(100))
    assert resumed_equals(copy, finished)


def test_a_missing_file_is_played_again(copy, finished):
    (copy / "hands/variant=omaha4/structure=pot_limit/part-000005.parquet").unlink()
    assert resumed_equals(copy, finished)


def test_a_broken_record_is_played_again(copy, finished):
    (copy / "shards/000001.json").write_text('{"schema_ver')
    assert resumed_equals(copy, finished)


def test_a_run_that_lacks_only_its_manifest_is_completed_without_playing(copy, finished):
    def never(*arguments):
        raise AssertionError("all shards are there")

    (copy / "_SUCCESS.json").unlink()
    assert simulate(small_spec(), INLINE, copy, resume=True, work=never) == 0
    assert manifest(copy) == manifest(finished)


def test_a_full_disk_stops_with_one_line_and_can_be_resumed(tmp_path, finished, capsys):
    def on_full_disk(spec, shard, run, code):
        if shard.index != 2:
            return run_shard(spec, shard, run, code)
        with file_size_limit(5000):
            return run_shard(spec, shard, run, code)

    assert simulate(small_spec(), INLINE, tmp_path / "run", work=on_full_disk) == 1
    error = capsys.readouterr().err
    assert "part-000002.parquet: File too large" in error and "Traceback" not in error and "resume with" in error
    assert committed(tmp_path / "run") == [0, 1]
    assert not list((tmp_path / "run/_tmp").iterdir())
    assert resumed_equals(tmp_path / "run", finished)


def test_a_bug_stops_with_the_shard_and_where_it_happened(tmp_path, capsys):
    def bug(run):
        raise ZeroDivisionError("a bug")

    assert simulate(small_spec(), INLINE, tmp_path / "run", work=at_shard(1, bug)) == 1
    error = capsys.readouterr().err
    assert "Traceback" in error
    assert error.splitlines()[-1] == "error: shard 1 (scenario omaha4/pot_limit, hands 500 to 999): ZeroDivisionError: a bug"


def test_an_illegal_action_of_a_strategy_stops_in_one_line(tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text("def greedy(view):\n    return 10**9\n")
    mine = Strategy("greedy", "greedy", str(file))
    spec = small_spec(scenarios=(OMAHA4.__class__(**vars(OMAHA4) | {"lineup": (*LINEUP[:3], mine)}),))
    assert simulate(spec, INLINE, tmp_path / "run") == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: ") and "seat 3" in error and "1000000000" in error and "legal" in error
    assert committed(tmp_path / "run") == []


def test_a_worker_with_other_code_plays_nothing(tmp_path):
    first = make_shards(small_spec())[0]
    with open_run(tmp_path, small_spec(), resume=False):
        with pytest.raises(RunError, match="has other code"):
            run_shard(small_spec(), first, tmp_path, "0" * 16)
    assert committed(tmp_path) == []


def test_a_worker_that_does_not_see_the_run_directory_says_so(tmp_path):
    from sim.code_digest import code_digest

    with pytest.raises(RunError, match="a file system that all nodes share"):
        run_shard(small_spec(), make_shards(small_spec())[0], tmp_path / "nowhere", code_digest())


def test_the_log_tells_the_story(finished):
    events = [json.loads(line)["event"] for line in (finished / "log.jsonl").read_text().splitlines()]
    assert events == ["start", *["shard"] * 6, "complete"]


def test_totals_are_sums_of_shards(finished):
    shards = [read_record(finished, shard) for shard in make_shards(small_spec())]
    digest = reduce(lambda total, record: (total + int(record["digest"], 16)) % 2**64, shards, 0)
    assert manifest(finished)["scenarios"] == [
        {"name": "omaha4/pot_limit", "hands": 3000, "actions": sum(record["actions"] for record in shards), "digest": f"{digest:016x}"}
    ]


def slow_shard(spec, shard, run, code):
    time.sleep(0.3)
    return run_shard(spec, shard, run, code)


if __name__ == "__main__":
    sys.exit(simulate(small_spec(), INLINE, sys.argv[1], resume=True, work=slow_shard))
