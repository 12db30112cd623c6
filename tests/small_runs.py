"""Runs of a second or less, for the tests of everything around the hands."""

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sim.lineup import Strategy
from sim.plan import RunSpec, Scenario
from sim.rules import House, Rake, Stakes, Variant
from sim.run import run_shard

LINEUP = tuple(Strategy(name, name) for name in ("tight", "loose", "call", "random"))
OMAHA4 = Scenario("omaha4/pot_limit", Variant(), "pot_limit", Stakes(), House(), Rake(), LINEUP)
OMAHA5_HEADS_UP = Scenario("omaha5/no_limit", Variant("omaha5", 5), "no_limit", Stakes(), House(), Rake(), LINEUP[:2])


def small_spec(**changes) -> RunSpec:
    """Six shards of 500 hands of one scenario, complete records."""
    return replace(RunSpec(hands=3000, seed=7, scenarios=(OMAHA4,), records="full", shard_hands=500), **changes)


def manifest(run: Path) -> dict:
    """What _SUCCESS.json says, digests of all files included."""
    return json.loads((run / "_SUCCESS.json").read_text())


def committed(run: Path) -> list[int]:
    """Indices of the shards that have a commit record."""
    return sorted(int(path.stem) for path in (run / "shards").iterdir())


def at_shard(index: int, action):
    """`run_shard`, with `action(run)` called before the shard of that index."""

    def work(spec, shard, run, code):
        if shard.index == index:
            action(run)
        return run_shard(spec, shard, run, code)

    return work


@contextmanager
def file_size_limit(n_bytes: int) -> Iterator[None]:
    """Make writing fail as on a full disk: no file of this process may grow beyond `n_bytes`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
