"""Verification: an untouched run has no difference at any record level, and whatever is done to its files is found and named."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from small_runs import OMAHA4, OMAHA5_HEADS_UP, small_spec

from jobs import cli
from jobs.verify import verify
from sim.code_digest import code_files
from sim.lineup import file_strategy
from sim.plan import Compute, make_shards
from sim.runner import simulate
from sim.verify import BLOCK_HANDS, sample_ranges

INLINE = Compute("inline")
TWO_GAMES = small_spec(hands=700, shard_hands=300, scenarios=(OMAHA4, OMAHA5_HEADS_UP))


@pytest.fixture(scope="module", params=["full", "hands", "results", "none"])
def level_run(request, tmp_path_factory) -> Path:
    """A run of each record level."""
    run = tmp_path_factory.mktemp("runs") / request.param
    assert simulate(replace(TWO_GAMES, records=request.param), INLINE, run) == 0
    return run


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """An undisturbed run with full records; tests that change it take a copy."""
    run = tmp_path_factory.mktemp("finished") / "run"
    assert simulate(TWO_GAMES, INLINE, run) == 0
    return run


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch):
    """So that no cell is folded."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def copy(finished, tmp_path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "run"))


def check(run: Path, sample="all", seed=0) -> int:
    return cli.outcome(lambda: verify({"run": str(run), "sample": sample, "seed": seed}))


def found(run: Path, capsys, sample="all") -> str:
    """What is printed about a run that differs, with single spaces."""
    capsys.readouterr()
    assert check(run, sample) == 1
    return " ".join(capsys.readouterr().out.split())


def change_record(run: Path, index: int, **changes) -> None:
    """Give the commit record of a shard other values."""
    path = run / f"shards/{index:06d}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def rewrite(run: Path, index: int, change, with_record: bool = True) -> None:
    """Change the table of a shard's data file; with the digests of commit record and manifest, so that only playing again can tell."""
    name = json.loads((run / f"shards/{index:06d}.json").read_text())["path"]
    pq.write_table(change(pq.read_table(run / name, partitioning=None)), run / name)
    if not with_record:
        return
    data = (run / name).read_bytes()
    digests = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    change_record(run, index, **digests)
    manifest = json.loads((run / "_SUCCESS.json").read_text())
    manifest["files"] = [file | (digests if file["path"] == name else {}) for file in manifest["files"]]
    (run / "_SUCCESS.json").write_text(json.dumps(manifest))


def with_value(name: str, row: int, change):
    """A change of one value of a column."""

    def changed(table: pa.Table) -> pa.Table:
        place = table.column_names.index(name)
        values = table[name].to_pylist()
        values[row] = change(values[row])
        return table.set_column(place, table.schema.field(name), pa.array(values, table.schema.field(name).type))

    return changed


def test_an_untouched_run_has_no_difference_at_any_record_level(level_run, capsys):
    assert check(level_run) == 0
    assert "1,400 of 1,400 hands played again, 6 shards checked: no difference" in capsys.readouterr().out
    assert check(level_run, sample=100) == 0


@pytest.mark.parametrize(
    ("column", "change", "said"),
    [
        ("net_2", lambda chips: chips + 1, "323 net_2"),
        ("pot", lambda chips: chips + 1, "323 pot"),
        ("flags_0", lambda bits: bits ^ 2, "323 flags_0"),
        ("showdown", lambda value: not value, "323 showdown"),
        ("strategy_1", lambda name: "call", "323 strategy_1 call loose"),
        ("hole", lambda cards: [cards[1], cards[0], *cards[2:]], "323 hole[0]"),
        ("strength_3", lambda value: value + 1, "323 strength_3"),
        ("act_amount", lambda amounts: [*amounts[:-1], amounts[-1] + 1], "323 act_amount["),
        ("act_code", lambda codes: codes[:-1], "323 length of act_code"),
    ],
)
def test_a_changed_record_is_found_with_hand_and_column(copy, capsys, column, change, said):
    """Hand 323 is row 23 of shard 2, the second one of the first scenario; its digest is made to fit."""
    rewrite(copy, 2, with_value(column, 23, change))
    text = found(copy, capsys)
    assert said in text and ": 1 difference" in text


def test_a_changed_record_is_found_by_a_sample_that_has_it(copy, capsys):
    rewrite(copy, 2, with_value("pot", 23, lambda chips: chips + 1))
    assert "323 pot" in found(copy, capsys, sample=1399)


def test_a_file_that_does_not_fit_its_digest_is_found(copy, capsys):
    rewrite(copy, 0, with_value("rake", 5, lambda chips: chips + 1), with_record=False)
    text = found(copy, capsys, sample=1)
    assert "part-000000.parquet" in text and "sha256" in text


def test_a_truncated_file_is_found(copy, capsys):
    path = next(copy.glob("hands/*/*/part-000002.parquet"))
    path.write_bytes(path.read_bytes()[:-100])
    text = found(copy, capsys)
    assert "bytes" in text and "unreadable" in text


def test_a_missing_file_is_found(copy, capsys):
    next(copy.glob("hands/*/*/part-000002.parquet")).unlink()
    assert "No such file" in found(copy, capsys)


def test_a_shard_missing_from_a_complete_run_is_found(copy, capsys):
    (copy / "shards/000003.json").unlink()
    text = found(copy, capsys)
    assert "shards/000003.json commit record" in text and "5 of its 6 shards" in text


def test_an_unfinished_run_is_verified_as_far_as_it_is(copy, capsys):
    (copy / "shards/000003.json").unlink()
    (copy / "_SUCCESS.json").unlink()
    assert check(copy) == 0
    assert "5 of its 6 shards" in capsys.readouterr().out


@pytest.mark.parametrize("key", ["digest", "actions", "partial"])
def test_a_commit_record_that_does_not_fit_its_hands_is_found(copy, capsys, key):
    record = json.loads((copy / "shards/000001.json").read_text())
    record["partial"]["hands"]["pot"][1] += 1
    value = {"digest": "0" * 16, "actions": 1, "partial": record["partial"]}[key]
    change_record(copy, 1, **{key: value})
    assert {"partial": "sum hands.pot"}.get(key, key) in found(copy, capsys)


def test_an_unreadable_commit_record_is_found(copy, capsys):
    (copy / "shards/000001.json").write_text("{")
    assert "unreadable" in found(copy, capsys)


def test_missing_and_repeated_hands_are_found(copy, capsys):
    rewrite(copy, 0, lambda table: table.slice(0, 299))
    rewrite(copy, 2, lambda table: table.set_column(0, table.schema.field(0), pc.if_else(pc.equal(table[0], 310), 311, table[0])))
    text = found(copy, capsys, sample=1)
    assert "rows 299 300" in text and "hand_id of row 10 311 310" in text


def test_a_file_that_no_shard_owns_is_found(copy, capsys):
    path = next(copy.glob("hands/*/*/part-000002.parquet"))
    shutil.copy(path, path.with_name("part-000099.parquet"))
    assert "belongs to no shard" in found(copy, capsys)


def test_a_manifest_that_does_not_fit_is_found(copy, capsys):
    manifest = json.loads((copy / "_SUCCESS.json").read_text())
    (copy / "_SUCCESS.json").write_text(json.dumps(manifest | {"digest": "0" * 16}))
    assert "_SUCCESS.json digest" in found(copy, capsys)


def test_many_differences_are_counted_and_some_are_shown(copy, capsys):
    rewrite(copy, 0, lambda table: table.set_column(6, "pot", pc.add(table["pot"], 1)))
    text = found(copy, capsys)
    assert "and 280 more" in text and "300 differences" in text


@pytest.fixture
def own_file_run(tmp_path):
    """Plays a run with a strategy of the user's own file; with or without the file's text in its spec."""

    def make(name: str, **changes) -> tuple[Path, Path]:
        file = tmp_path / f"{name}.py"
        file.write_text("def shark(view):\n    return view.call_to\n")
        own = replace(OMAHA5_HEADS_UP, lineup=(OMAHA4.lineup[0], replace(file_strategy("shark", "shark", file), **changes)))
        run = tmp_path / name
        assert simulate(small_spec(hands=50, shard_hands=50, scenarios=(own,)), INLINE, run) == 0
        assert check(run) == 0
        return run, file

    return make


def test_a_run_knows_the_strategies_of_files_that_changed_or_are_gone(own_file_run):
    run, file = own_file_run("known")
    file.write_text("def shark(view):\n    return -1\n")
    assert check(run) == 0
    file.unlink()
    assert check(run) == 0


def test_a_file_that_changed_or_is_gone_and_that_the_run_does_not_know_is_refused(own_file_run, capsys):
    run, file = own_file_run("unknown", text=None)
    file.write_text("def shark(view):\n    return -1\n")
    assert check(run) == 2
    assert f"{file}: has changed since the run began" in capsys.readouterr().err
    file.unlink()
    assert check(run) == 2
    assert f"{file}: cannot be imported: there is no such file" in capsys.readouterr().err


def test_other_code_is_named(copy, capsys):
    described = json.loads((copy / "run.json").read_text())
    described["code"]["files"] = code_files() | {"betting.py": "0" * 16}
    (copy / "run.json").write_text(json.dumps(described))
    assert check(copy) == 0
    assert "sim/betting.py differs" in capsys.readouterr().err


def test_no_run_is_refused(tmp_path, capsys):
    assert check(tmp_path / "nowhere") == 2
    assert "no such run directory" in capsys.readouterr().err


# --- the sample ---------------------------------------------------------------------------------------------------------------------------

LARGE = small_spec(hands=1_000_000, shard_hands=90_000, scenarios=(OMAHA4, OMAHA5_HEADS_UP))
SHARDS = make_shards(LARGE)


def test_a_sample_is_of_the_size_asked_for_and_no_hand_is_in_it_twice():
    for hands in (1, 2, 499, 10_000, 123_457):
        ranges = sample_ranges(LARGE, SHARDS, hands, seed=3)
        assert sum(block.hands for block in ranges) == hands
        chosen = {(block.shard.scenario, hand) for block in ranges for hand in range(block.first_hand, block.first_hand + block.hands)}
        assert len(chosen) == hands
        for block in ranges:
            assert block.shard.first_hand <= block.first_hand and block.hands <= BLOCK_HANDS
            assert block.first_hand + block.hands <= block.shard.first_hand + block.shard.hands


def test_every_scenario_gets_an_equal_part():
    ranges = sample_ranges(LARGE, SHARDS, 10_000, seed=3)
    assert [sum(block.hands for block in ranges if block.shard.scenario == index) for index in (0, 1)] == [5000, 5000]


def test_a_seed_chooses_the_hands():
    assert sample_ranges(LARGE, SHARDS, 10_000, seed=3) == sample_ranges(LARGE, SHARDS, 10_000, seed=3)
    assert sample_ranges(LARGE, SHARDS, 10_000, seed=3) != sample_ranges(LARGE, SHARDS, 10_000, seed=4)


def test_a_sample_reaches_all_parts_of_the_run():
    places = [block.first_hand for block in sample_ranges(LARGE, SHARDS, 100_000, seed=3)]
    for start in range(0, 1_000_000, 100_000):
        assert any(start <= place < start + 100_000 for place in places)


def test_more_than_there_is_means_all():
    everything = sample_ranges(LARGE, SHARDS, None, seed=0)
    assert sample_ranges(LARGE, SHARDS, 10**9, seed=5) == everything
    assert [(block.shard, block.hands) for block in everything] == [(shard, shard.hands) for shard in SHARDS]


def test_without_records_whole_shards_are_sampled():
    ranges = sample_ranges(replace(LARGE, records="none"), SHARDS, 100, seed=1)
    assert all(block.whole for block in ranges) and len(ranges) == 2
