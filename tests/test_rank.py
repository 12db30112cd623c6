"""Ranking runs: the same files for any division into shards and any executor, resumable, refused in one line where they make no sense."""

import json
import shutil
import sys
from dataclasses import replace

import numba
import numpy as np
import pyarrow.parquet as pq
import pytest
from small_runs import small_spec

from jobs import rank as job
from sim.hand_classes import HAND_SIZES, weights
from sim.plan import Compute, SpecError
from sim.rank import RAREST_WEIGHT, RankedGame, RankSpec, fewest_deals, rank, shares_and_errors
from sim.runner import simulate

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="half a million deals are too many for plain Python")

INLINE = Compute("inline")
GAME = RankedGame("omaha4", 4, (1, 5))
SPEC = RankSpec(hands=500_000, seed=3, scenarios=(GAME,), shard_hands=200_000)
FILES = ["omaha4_hilo_vs_1.parquet", "omaha4_hilo_vs_5.parquet", "omaha4_vs_1.parquet", "omaha4_vs_5.parquet"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A complete run."""
    run = tmp_path_factory.mktemp("rank") / "run"
    assert rank(SPEC, INLINE, run) == 0
    return run


@pytest.fixture
def copy(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "run")


def contents(run):
    """Names and bytes of the rankings."""
    return {path.name: path.read_bytes() for path in sorted((run / "rankings").iterdir())}


def test_one_run_ranks_high_and_hilo_against_every_number_of_opponents(finished):
    assert list(contents(finished)) == FILES
    for name in FILES:
        about = json.loads(pq.read_schema(finished / "rankings" / name).metadata[b"omaha_sim"])
        assert (about["deals"], about["samples"], about["seed"]) == (500_000, 5_500_000, 3)
        assert about["command"] == "omaha-sim rank variant=omaha4 'opponents=[1,5]' deals=500000 seed=3"


def test_shards_change_no_byte_of_the_rankings(finished, tmp_path):
    assert rank(replace(SPEC, shard_hands=333_333), INLINE, tmp_path / "run") == 0
    assert contents(tmp_path / "run") == contents(finished)


@pytest.mark.ray
def test_ray_changes_no_byte_of_the_rankings(finished, tmp_path):
    assert rank(SPEC, Compute("ray", cpus=2), tmp_path / "run") == 0
    assert contents(tmp_path / "run") == contents(finished)


def test_another_number_of_opponents_takes_nothing_from_the_others(finished, tmp_path):
    game = replace(GAME, opponents=(5,))
    assert rank(replace(SPEC, scenarios=(game,)), INLINE, tmp_path / "run") == 0
    for name in FILES[1::2]:
        assert pq.read_table(tmp_path / "run/rankings" / name).equals(pq.read_table(finished / "rankings" / name))


@pytest.mark.parametrize("damage", ["truncate", "remove", "forget"])
def test_what_is_missing_or_damaged_is_summed_again(copy, finished, capsys, damage):
    data = copy / "sums/part-000001.parquet"
    if damage == "truncate":
        data.write_bytes(data.read_bytes()[:-100])
    elif damage == "remove":
        data.unlink()
    else:
        (copy / "shards/000001.json").unlink()
    shutil.rmtree(copy / "rankings")
    assert rank(SPEC, INLINE, copy, resume=True) == 0
    assert "resuming: 2 of 3 shards are done" in capsys.readouterr().err
    assert contents(copy) == contents(finished)


def test_sums_that_no_longer_decode_are_named(copy, capsys):
    """The file's size and its footer are right, so only reading it shows the damage."""
    data = copy / "sums/part-000001.parquet"
    whole = bytearray(data.read_bytes())
    half = len(whole) // 2
    whole[4:half] = bytes(half - 4)
    data.write_bytes(whole)
    shutil.rmtree(copy / "rankings")
    assert rank(SPEC, INLINE, copy, resume=True) == 2
    assert f"{copy}: sums/part-000001.parquet: " in capsys.readouterr().err
    data.unlink()
    assert rank(SPEC, INLINE, copy, resume=True) == 0


def test_a_complete_run_is_shown_again(copy, capsys):
    assert rank(SPEC, INLINE, copy, resume=True, hi_lo=True) == 0
    shown = capsys.readouterr()
    assert "nothing was played" in shown.err
    assert "omaha4 hi/lo against 5" in shown.out and "standard error: median" in shown.out


def test_a_ranking_that_is_gone_from_a_complete_run_is_written_again(copy, finished):
    (copy / "rankings" / FILES[0]).unlink()
    assert rank(SPEC, INLINE, copy, resume=True) == 0
    assert contents(copy) == contents(finished)


def test_another_ranking_is_refused_in_one_line(copy, capsys):
    assert rank(replace(SPEC, seed=4), INLINE, copy, resume=True) == 2
    error = capsys.readouterr().err
    assert "refusing to resume" in error and "seed: 3 -> 4" in error and error.count("\n") == 1


def test_a_ranking_does_not_go_on_in_a_run_of_hands_nor_the_other_way_round(copy, tmp_path, capsys):
    assert simulate(small_spec(), INLINE, copy, resume=True) == 2
    assert "refusing to resume" in capsys.readouterr().err
    assert simulate(small_spec(hands=500), INLINE, tmp_path / "hands") == 0
    capsys.readouterr()
    assert rank(SPEC, INLINE, tmp_path / "hands", resume=True) == 2
    assert "refusing to resume" in capsys.readouterr().err


def test_shares_and_errors_are_mean_and_standard_error_of_the_samples():
    rng = np.random.default_rng(1)
    samples = rng.integers(0, 41, (3, 50))
    sums = np.stack([np.full(3, 50), samples.sum(axis=1), (samples**2).sum(axis=1)], axis=1)
    shares, errors = shares_and_errors(sums, 1, 40)
    assert np.allclose(shares, samples.mean(axis=1) / 40)
    assert np.allclose(errors, samples.std(axis=1, ddof=1) / 40 / np.sqrt(50))


@pytest.mark.parametrize("n_hole", HAND_SIZES)
def test_the_fewest_deals_give_the_rarest_class_twenty_samples(n_hole):
    assert RAREST_WEIGHT[n_hole] == weights(n_hole).min()
    per_deal = 47 // n_hole * weights(n_hole).min() / weights(n_hole).sum()
    assert 19.9 < fewest_deals(n_hole) * per_deal <= 20


@pytest.mark.parametrize(
    "changes, told",
    [
        ({"hands": 1000}, "deals=1000; with 4 hole cards allowed: 492,227 or more, so that every class is dealt"),
        ({"seed": -1}, "seed=-1"),
        ({"shard_hands": 0}, "shard_deals=0"),
    ],
)
def test_a_ranking_that_cannot_be_made_is_refused(changes, told):
    with pytest.raises(SpecError) as error:
        replace(SPEC, **changes)
    assert str(error.value).startswith(told)


@pytest.mark.parametrize("opponents", [(), (0,), (11,), (5, 1), (1, 1)])
def test_opponents_that_cannot_be_dealt_are_refused(opponents):
    with pytest.raises(SpecError, match="opponents="):
        RankedGame("omaha4", 4, opponents)


def run_job(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["omaha-sim rank", *arguments])
    return job.main()


def test_the_job_ranks_and_prints(tmp_path, monkeypatch, capsys, finished):
    monkeypatch.chdir(tmp_path)
    arguments = ("variant=omaha4_hilo", "opponents=1", "deals=5e5", "seed=3", "compute=inline", "out=run")
    assert run_job(monkeypatch, *arguments) == 0
    assert "omaha4 hi/lo against 1: share of the pot" in capsys.readouterr().out
    assert set(contents(tmp_path / "run")) == set(FILES[::2])
    for name in FILES[::2]:
        assert pq.read_table(tmp_path / "run/rankings" / name).equals(pq.read_table(finished / "rankings" / name))


@pytest.mark.parametrize(
    "argument, told",
    [
        ("opponents=11", "error: opponents=11; with 4 hole cards allowed: 1 to 10"),
        ("opponents=x", "error: opponents=x; allowed: a whole number"),
        ("deals=10", "error: deals=10; with 4 hole cards allowed: 492,227 or more"),
        ("hands=10", "hands"),
        ("variant=omaha7", "variant"),
        ("resume=true", "error: resume=true; name the run to go on with"),
    ],
)
def test_a_wrong_configuration_is_one_line_and_leaves_nothing(tmp_path, monkeypatch, capsys, argument, told):
    monkeypatch.chdir(tmp_path)
    assert run_job(monkeypatch, "compute=inline", argument) == 2
    error = capsys.readouterr().err
    assert told in error and error.startswith("error: ") and error.count("\n") == 1
    assert not list(tmp_path.iterdir())
