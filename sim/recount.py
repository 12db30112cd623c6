"""The statistics of a run a second time, from its Parquet files: they must equal the sums in its commit records."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from sim.plan import RunSpec, Scenario, Shard
from sim.run_directory import RunError, data_path, flaw
from sim.statistics import Partial, first_difference, merge, partial

FILES_PER_QUERY = 64  # at most 64 million hands: far from where 32-bit row counts end, and little memory for open files


def recount(run: Path, spec: RunSpec, shards: Sequence[Shard]) -> list[Partial | None]:
    """The partial of each scenario over the records of `shards`, streamed; None for a scenario without any. Raises RunError."""
    return [
        _recount_scenario(run, spec, scenario, [shard for shard in shards if shard.scenario == index])
        for index, scenario in enumerate(spec.scenarios)
    ]


def compare(spec: RunSpec, committed: Sequence[Partial | None], recounted: Sequence[Partial | None]) -> str | None:
    """Where the two differ first, in one line; None if every integer is the same."""
    for scenario, old, new in zip(spec.scenarios, committed, recounted, strict=True):
        if difference := first_difference(old, new):
            return f"{scenario.name}: {difference}"
    return None


def _recount_scenario(run: Path, spec: RunSpec, scenario: Scenario, shards: Sequence[Shard]) -> Partial | None:
    files = [run / data_path(spec, shard) for shard in shards]
    batches = [files[start : start + FILES_PER_QUERY] for start in range(0, len(files), FILES_PER_QUERY)]
    try:
        return merge([partial(pl.scan_parquet(batch, glob=False), scenario) for batch in batches]) if batches else None
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        why = next((why for shard in shards if (why := flaw(run, shard)) is not None), error)
        remedy = "resume the run without that file, and its hands are played again"
        raise RunError(f"cannot read the records of {scenario.name}: {' '.join(str(why).split())}; {remedy}") from error
