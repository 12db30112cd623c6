"""What the committed shards of a run add up to: partials and digests per scenario, and the manifest of its files."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim import statistics
from sim.plan import RunSpec, Shard
from sim.run_directory import FILE_KEYS, LAYOUT_VERSION, SUCCESS, Damaged, read_record, record_path, write_json


@dataclass
class Total:
    """Sums over the shards of one scenario."""

    hands: int = 0
    actions: int = 0
    digest: int = 0  # modulo 2**64; does not depend on how the hands were divided into shards
    partial: statistics.Partial | None = None  # None: no shard yet


@dataclass
class Totals:
    """Sums of a run, and its files in the order of the plan."""

    scenarios: list[Total]  # in the order of RunSpec.scenarios
    files: list[dict[str, Any]] = field(default_factory=list)  # FILE_KEYS of each


def add_up(run: Path, spec: RunSpec, shards: Sequence[Shard]) -> Totals:
    """The sums over the commit records of `shards`, holding one record at a time. Raises Damaged for one that cannot be used."""
    totals = Totals([Total() for _ in spec.scenarios])
    for shard in shards:
        total = totals.scenarios[shard.scenario]
        try:
            record = read_record(run, shard)
            partial = statistics.partial_from_json(record["partial"])
            total.partial = partial if total.partial is None else statistics.merge([total.partial, partial])
            total.hands += record["hands"]
            total.actions += record["actions"]
            total.digest = (total.digest + int(record["digest"], 16)) % 2**64
            if record["path"] is not None:
                totals.files.append({key: record[key] for key in FILE_KEYS})
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Damaged(run, f"unreadable record {record_path(shard)}: {error}") from error
    return totals


def run_digest(totals: Totals) -> str:
    """16 hex digits over the scenarios; of a run with one scenario, its digest. Odd factors make their order count."""
    return f"{sum((2 * index + 1) * total.digest for index, total in enumerate(totals.scenarios)) % 2**64:016x}"


def write_success(run: Path, spec: RunSpec, totals: Totals) -> None:
    """Put the manifest in place, which says that the run is complete. Equal runs have equal manifests."""
    manifest = {
        "schema_version": LAYOUT_VERSION,
        "hands": sum(total.hands for total in totals.scenarios),
        "bytes": sum(file["bytes"] for file in totals.files),
        "digest": run_digest(totals),
        "scenarios": [
            {"name": scenario.name, "hands": total.hands, "actions": total.actions, "digest": f"{total.digest:016x}"}
            for scenario, total in zip(spec.scenarios, totals.scenarios, strict=True)
        ],
        "files": totals.files,
    }
    write_json(run, SUCCESS, manifest)
