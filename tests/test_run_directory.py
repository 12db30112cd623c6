"""What is left on disk, and who may go on with it."""

import json
import os
from pathlib import Path

import pytest
from small_runs import OMAHA4, OMAHA5_HEADS_UP, file_size_limit, small_spec

from sim import code_digest
from sim.plan import make_shards
from sim.run_directory import Refused, data_path, flaw, open_run, read_run, record_path, resume_command, write_file


def make(run: Path, spec=None) -> None:
    with open_run(run, spec or small_spec(), resume=False):
        pass


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_run_json_describes_the_run(tmp_path):
    make(tmp_path / "run")
    described = read_run(tmp_path / "run")
    assert described["spec"]["seed"] == 7
    assert described["plan"] == {"shards": 6, "shard_hands": 500}
    assert described["code"]["digest"] == code_digest.code_digest()
    assert described["versions"]["pyarrow"]


def test_run_json_never_changes(tmp_path):
    make(tmp_path)
    before = (tmp_path / "run.json").read_bytes()
    with open_run(tmp_path, small_spec(), resume=True):
        pass
    assert (tmp_path / "run.json").read_bytes() == before


def test_a_directory_with_a_run_is_refused_without_resume_and_not_touched(tmp_path):
    make(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(Refused, match="holds a run already; add resume=true"), open_run(tmp_path, small_spec(), resume=False):
        pass
    assert tree(tmp_path) == before


@pytest.mark.parametrize("resume", [False, True])
def test_a_directory_with_anything_else_is_refused_and_not_touched(tmp_path, resume):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(Refused, match="thesis.tex"), open_run(tmp_path, small_spec(), resume):
        pass
    assert tree(tmp_path) == {"thesis.tex": b"years of work"}


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path):
    (tmp_path / "file").touch()
    for out in ("file", "file/below"):
        with pytest.raises(Refused, match=str(tmp_path)), open_run(tmp_path / out, small_spec(), resume=False):
            pass


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(Refused, match="Permission denied"), open_run(tmp_path / "run", small_spec(), resume=False):
        pass


def test_resume_starts_a_run_that_is_not_there_yet(tmp_path):
    with open_run(tmp_path / "new", small_spec(), resume=True):
        pass
    assert read_run(tmp_path / "new")["plan"]["shards"] == 6


def test_a_driver_killed_before_run_json_leaves_nothing_in_the_way(tmp_path):
    (tmp_path / ".lock").touch()
    (tmp_path / "_tmp").mkdir()
    make(tmp_path)
    assert (tmp_path / "run.json").exists()


def test_a_second_driver_is_refused(tmp_path):
    with open_run(tmp_path, small_spec(), resume=False):
        with (
            pytest.raises(Refused, match=f"in use by .* .process {os.getpid()} "),
            open_run(tmp_path, small_spec(), resume=True),
        ):
            pass
    with open_run(tmp_path, small_spec(), resume=True):
        pass


@pytest.mark.parametrize(
    "changes, named",
    [
        ({"hands": 4000}, "hands: 3000 -> 4000"),
        ({"seed": 8}, "seed: 7 -> 8"),
        ({"shard_hands": 1000}, "shard_hands: 500 -> 1000"),
        ({"records": "none"}, 'records: "full" -> "none"'),
        ({"scenarios": (OMAHA4, OMAHA5_HEADS_UP)}, "scenarios"),
    ],
)
def test_another_spec_is_refused_naming_the_first_difference(tmp_path, changes, named):
    make(tmp_path)
    with pytest.raises(Refused, match=named), open_run(tmp_path, small_spec(**changes), resume=True):
        pass


def test_other_code_is_refused_naming_the_file(tmp_path, monkeypatch):
    make(tmp_path)
    changed = code_digest.code_files() | {"betting.py": "0" * 16}
    monkeypatch.setattr(code_digest, "code_files", lambda: changed)
    with pytest.raises(Refused, match=r"code of sim/betting.py: [0-9a-f]{16} -> 0{16}"), open_run(tmp_path, small_spec(), resume=True):
        pass


def test_a_run_of_another_version_is_refused(tmp_path):
    make(tmp_path)
    (tmp_path / "run.json").write_text(json.dumps(read_run(tmp_path) | {"schema_version": 99}))
    with pytest.raises(Refused, match="version 99"), open_run(tmp_path, small_spec(), resume=True):
        pass


def test_leftovers_of_a_killed_driver_are_removed(tmp_path):
    make(tmp_path)
    (tmp_path / "_tmp" / "part-000000.parquet.0123").write_bytes(b"half a fi")
    with open_run(tmp_path, small_spec(), resume=True):
        assert not list((tmp_path / "_tmp").iterdir())


def test_a_file_that_cannot_be_written_whole_is_not_there_at_all(tmp_path):
    make(tmp_path)
    write_file(tmp_path, "hands/a/part.parquet", b"old")
    with pytest.raises(OSError, match="File too large"), file_size_limit(1000):
        write_file(tmp_path, "hands/a/part.parquet", b"new" * 1000)
    assert (tmp_path / "hands/a/part.parquet").read_bytes() == b"old"
    assert not list((tmp_path / "_tmp").iterdir())


def test_code_digest_counts_what_decides_results_and_nothing_else():
    counted = set(code_digest.code_files())
    assert {
        "betting.py",
        "pots.py",
        "rules.py",
        "rng.py",
        "evaluation.py",
        "play.py",
        "records.py",
        "statistics/partials.py",
        "run.py",
    } <= counted
    assert {"strategies/__init__.py", "strategies/tight.py"} <= counted
    assert not counted & code_digest.NOT_RESULTS
    in_a_wheel_only = {"_conf", "_jobs"}
    assert {name for name in code_digest.NOT_RESULTS if not (code_digest.PACKAGE / name).exists()} == in_a_wheel_only


def test_data_of_two_scenarios_never_share_a_file():
    same_variant = small_spec(scenarios=(OMAHA4, OMAHA5_HEADS_UP))
    paths = [data_path(same_variant, shard) for shard in make_shards(same_variant)]
    assert len(set(paths)) == len(paths)
    assert paths[0] == "hands/variant=omaha4/structure=pot_limit/part-000000.parquet"


def test_a_record_of_another_shard_is_a_flaw(tmp_path):
    make(tmp_path)
    first, second, *_ = make_shards(small_spec())
    assert flaw(tmp_path, first) == "not committed"
    record = {"schema_version": 1, "shard": 1, "scenario": 0, "first_hand": 500, "hands": 500, "path": None}
    (tmp_path / record_path(first)).write_text(json.dumps(record))
    (tmp_path / record_path(second)).write_text(json.dumps(record))
    assert "another shard" in flaw(tmp_path, first)
    assert flaw(tmp_path, second) is None


@pytest.mark.parametrize(
    "argv, command",
    [
        (["/usr/bin/python", "-m", "jobs.simulate", "hands=1e6"], "python -m jobs.simulate hands=1e6 out=/r resume=true"),
        (["/usr/bin/python", "-X", "dev", "-m", "jobs.simulate"], "python -m jobs.simulate out=/r resume=true"),
        (["/v/bin/python", "/v/bin/omaha-sim", "simulate", "out=x", "seed=3"], "omaha-sim simulate seed=3 out=/r resume=true"),
        (["python", "jobs/simulate.py", "resume=true", "out=/r"], "python jobs/simulate.py out=/r resume=true"),
        (["python", "-m", "jobs.simulate", "sweep={seed:[1]}"], "python -m jobs.simulate 'sweep={seed:[1]}' out=/r resume=true"),
    ],
)
def test_the_resume_command_repeats_the_command(argv, command):
    assert resume_command(Path("/r"), argv) == command
