"""One shard, from nothing to committed files. A pure function of spec and shard: doing it twice leaves the same bytes."""

import functools
import os
import threading
import time
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from sim import statistics
from sim.code_digest import code_digest
from sim.compilation import ensure_compiled
from sim.levels import LEVELS, NONE, RESULTS
from sim.plan import RunSpec, Scenario, Shard
from sim.play import buffers, play_range
from sim.records import encode_parquet, schema, to_table
from sim.run_directory import RUN, RunError, commit_shard, data_path, write_data


def run_shard(spec: RunSpec, shard: Shard, run: Path, code: str) -> dict[str, Any]:
    """Play a shard, write its records and then its commit record into the directory `run`. Returns sizes and seconds for the log.

    `code` : digest of the code of the driver. Raises RunError if this process has other code or does not see the directory, StrategyError
    if a strategy fails, OSError if a file cannot be written; nothing is committed then.
    """
    check_place(run, code)
    ensure_compiled(spec)
    scenario, level = spec.scenarios[shard.scenario], LEVELS[spec.records]
    clock = _Clock()
    played = play_range(scenario, spec.seed, shard.first_hand, shard.hands, level, _reused.buffers(scenario, spec.shard_hands, level))
    digest, actions = played.digest, played.n_actions
    clock.lap("play")
    names = [strategy.name for strategy in scenario.lineup]
    table = to_table(played.columns, level, shard.scenario, shard.first_hand, shard.hands, names, max(s.n_seats for s in spec.scenarios))
    del played
    partial = count_statistics(table, scenario)
    clock.lap("statistics")
    results = {"actions": actions, "digest": f"{digest:016x}", "path": None, "partial": statistics.partial_to_json(partial)}
    if level != NONE:
        data = encode_parquet(table, _provenance(spec, shard, code))
        del table
        clock.lap("encode")
        results |= write_data(run, data_path(spec, shard), data, shard.hands)
    commit_shard(run, shard, results)
    clock.lap("commit")
    return {"hands": shard.hands, "bytes": results.get("bytes", 0), "node": os.uname().nodename, "seconds": clock.laps}


class _Clock:
    """Seconds of each step."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round(now - self.last, 4)
        self.last = now


def check_place(run: Path, code: str) -> None:
    """Raises RunError if this process has other code than the driver, or does not see its run directory."""
    node = os.uname().nodename
    if code_digest() != code:
        raise RunError(f"node {node} has other code ({code_digest()}) than the driver ({code}); install the same version on all nodes")
    if not (run / RUN).exists():
        raise RunError(f"node {node} does not see {run}; put the run on a file system that all nodes share")


class _Reused(threading.local):
    """The buffers of this thread's last shard, used again by the next: touching fresh memory costs a tenth of playing."""

    def __init__(self) -> None:
        self.buffers = functools.lru_cache(maxsize=1)(buffers)  # the last shard's table is gone by then


_reused = _Reused()


def count_statistics(table: pa.Table, scenario: Scenario) -> statistics.Partial:
    """Partial statistics of records in memory: of the columns of numbers at level results, as lists and names would be copied."""
    numbers = [field.name for field in schema(RESULTS, scenario.n_seats) if not pa.types.is_dictionary(field.type)]
    return statistics.partial(pl.DataFrame(table.select(numbers)), scenario)


def _provenance(spec: RunSpec, shard: Shard, code: str) -> dict[str, Any]:
    """What a data file says of itself, when it has left its run directory."""
    scenario = spec.scenarios[shard.scenario]
    return {
        "seed": spec.seed,
        "shard": shard.index,
        "scenario": scenario.name,
        "variant": scenario.variant.name,
        "structure": scenario.structure,
        "big_blind": scenario.stakes.big_blind,
        "code": code,
    }
