"""One shard, from nothing to committed files. A pure function of spec and shard: doing it twice leaves the same bytes."""

import functools
import hashlib
import os
import time
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from sim import statistics
from sim.code_digest import code_digest
from sim.compilation import ensure_compiled
from sim.plan import RunSpec, Scenario, Shard
from sim.play import buffers, play_range
from sim.records import LEVELS, NONE, encode_parquet, to_table
from sim.run_directory import RUN, SCHEMA_VERSION, RunError, data_path, record_path, write_file, write_json


def run_shard(spec: RunSpec, shard: Shard, run: Path, code: str) -> dict[str, Any]:
    """Play a shard, write its records and then its commit record into the directory `run`. Returns sizes and seconds for the log.

    `code` : digest of the code of the driver. Raises RunError if this process has other code or does not see the directory, StrategyError
    if a strategy fails, OSError if a file cannot be written; nothing is committed then.
    """
    check_place(run, code)
    ensure_compiled(spec)
    scenario, level = spec.scenarios[shard.scenario], LEVELS[spec.records]
    clock = _Clock()
    played = play_range(scenario, spec.seed, shard.first_hand, shard.hands, level, _buffers(scenario, spec.shard_hands, level))
    digest, actions = played.digest, played.n_actions
    clock.lap("play")
    names = [strategy.name for strategy in scenario.lineup]
    table = to_table(played.columns, level, shard.scenario, shard.first_hand, shard.hands, names, max(s.n_seats for s in spec.scenarios))
    del played
    partial = count_statistics(table, scenario)
    clock.lap("statistics")
    record: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "shard": shard.index,
        "scenario": shard.scenario,
        "first_hand": shard.first_hand,
        "hands": shard.hands,
        "actions": actions,
        "digest": f"{digest:016x}",
        "path": None,
        "partial": statistics.partial_to_json(partial),
    }
    if level != NONE:
        data = encode_parquet(table, _provenance(spec, shard, code))
        clock.lap("encode")
        record |= {"path": data_path(spec, shard), "rows": table.num_rows, "bytes": data.size, "sha256": hashlib.sha256(data).hexdigest()}
        del table
        write_file(run, record["path"], data)
        del data
    write_json(run, record_path(shard), record)
    clock.lap("commit")
    return {"hands": shard.hands, "bytes": record.get("bytes", 0), "node": os.uname().nodename, "seconds": clock.laps}


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


# The buffers of the last shard, used again by the next: touching fresh memory costs a tenth of playing. Its table is gone by then.
_buffers = functools.lru_cache(maxsize=1)(buffers)


def count_statistics(table: pa.Table, scenario: Scenario) -> statistics.Partial:
    """Partial statistics of records in memory. Lists and names are left out, which would be copied."""
    seats = range(scenario.n_seats)
    seat_columns = [f"{name}_{seat}" for name in ("stack", "net", "flags", "n_bets", "n_calls") for seat in seats]
    hand_columns = ("button", "street", "showdown", "n_flop", "pot", "rake", "n_pots", "outcome", "category")
    return statistics.partial(pl.DataFrame(table.select([*hand_columns, *seat_columns])), scenario)


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
