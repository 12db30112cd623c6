"""Files of a run that a power cut, a full disk or a hand has spoilt: one line names the file and what to do."""

import json
import shutil
from pathlib import Path

import pytest
from small_runs import committed, manifest, small_spec

from jobs import cli
from jobs.aggregate import aggregate
from jobs.show import show
from jobs.verify import verify
from sim.plan import Compute
from sim.runner import simulate

INLINE = Compute("inline")
DATA = "hands/variant=omaha4/structure=pot_limit/part-000002.parquet"
RECORD = "shards/000002.json"


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    run = tmp_path_factory.mktemp("finished") / "run"
    assert simulate(small_spec(), INLINE, run) == 0
    return run


@pytest.fixture
def copy(finished, tmp_path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "seed=1" / "run [a]"))  # a name that no reader shall look into


JOBS = {
    "show": lambda run: show({"run": str(run), "hand": "biggest_pot", "where": None, "first": 10, "scenario": None}),
    "where": lambda run: show({"run": str(run), "hand": None, "where": "pot > 5000", "first": 1, "scenario": None}),
    "aggregate": lambda run: aggregate({"run": str(run)}),
    "verify": lambda run: verify({"run": str(run), "sample": 10, "seed": 0}),
    "resume": lambda run: simulate(small_spec(), INLINE, run, resume=True),
}
CHANGES = {
    "empty": lambda data: b"",
    "cut off": lambda data: data[:-9],
    "overwritten": lambda data: bytes(len(data)),
    "of another kind": lambda data: b"[1, 2]",
    "without keys": lambda data: b"{}",
}


def outcome(job: str, run: Path, capsys) -> tuple[int, list[str]]:
    """Exit code, and the lines on standard error."""
    capsys.readouterr()
    code = cli.outcome(lambda: JOBS[job](run))
    return code, capsys.readouterr().err.splitlines()


def test_a_whole_run_is_read_by_all_of_them(copy, capsys):
    assert {job: outcome(job, copy, capsys)[0] for job in JOBS} == dict.fromkeys(JOBS, 0)


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_data_file_is_named_with_the_remedy(copy, finished, capsys, change):
    (copy / DATA).write_bytes(CHANGES[change]((copy / DATA).read_bytes()))
    for job, expected in (("show", 2), ("where", 2), ("aggregate", 1)):
        code, lines = outcome(job, copy, capsys)
        assert (code, len(lines)) == (expected, 1) and DATA in lines[0] and "resume the run without that file" in lines[0]
    assert outcome("verify", copy, capsys)[0] == 1
    assert outcome("resume", copy, capsys)[0] == 0 and manifest(copy) == manifest(finished)


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_description_is_named_with_the_remedy(copy, capsys, change):
    (copy / "run.json").write_bytes(CHANGES[change]((copy / "run.json").read_bytes()))
    for job in JOBS:
        code, lines = outcome(job, copy, capsys)
        assert (code, len(lines)) == (2, 1) and "run.json is damaged" in lines[0]


@pytest.mark.parametrize("key", ["partial", "path", "digest", "actions", "hands"])
@pytest.mark.parametrize("value", [None, [], "x"])
def test_a_damaged_commit_record_is_named_or_played_again(copy, finished, capsys, key, value):
    (copy / RECORD).write_text(json.dumps(json.loads((copy / RECORD).read_text()) | {key: value}))
    code, lines = outcome("aggregate", copy, capsys)
    if key != "path":  # the plan says where the data are
        assert code and len(lines) == 1
    assert outcome("verify", copy, capsys)[0] == 1
    code, lines = outcome("resume", copy, capsys)
    if code:
        assert RECORD in lines[0] and "resume the run without that file" in lines[0]
        (copy / RECORD).unlink()
        assert outcome("resume", copy, capsys)[0] == 0


def test_verify_says_that_a_run_is_unfinished_and_checks_what_is_there(copy, capsys):
    (copy / "_SUCCESS.json").unlink()
    for index in (1, 2):
        (copy / f"shards/00000{index}.json").unlink()
    assert JOBS["verify"](copy) == 0
    out = capsys.readouterr().out
    assert "is not finished: 4 of its 6 shards are there" in out and "10 of 2,000 hands played again, 4 shards checked" in out
    for index in committed(copy):
        (copy / f"shards/{index:06d}.json").unlink()
    code, lines = outcome("verify", copy, capsys)
    assert code == 2 and "no finished shard yet" in lines[0]


def test_aggregate_says_why_its_tables_are_not_saved(copy, capsys):
    shutil.rmtree(copy / "stats")
    (copy / "stats").touch()  # nothing can be put in there
    assert outcome("aggregate", copy, capsys) == (0, [])
    assert JOBS["aggregate"](copy) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "bb/100" in out and "every sum equals that of the commit records; the tables are not saved: cannot write" in out
