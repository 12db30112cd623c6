"""Whether the files of a run are whole: hashed again, hand ids counted, the manifest compared with the commit records."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.markup import escape

from sim import statistics
from sim.code_digest import first_change
from sim.plan import RunSpec, Shard
from sim.run_directory import DATA, SHARDS, SUCCESS, Damaged, committed, read_record, read_run, reason, record_path
from sim.text_table import text_table
from sim.totals import add_up, run_digest

READ_BYTES = 1 << 20
MOST_DIFFERENCES = 1000  # with so many a comparison may stop
PRINTED_DIFFERENCES = 20


class Difference(NamedTuple):
    """One thing that is not as it should be."""

    scenario: str  # "": the run as a whole
    place: str  # hand id, or a file below the run directory
    what: str  # column, or what of the file
    recorded: str
    expected: str


def check_run(run: Path, spec: RunSpec, shards: Sequence[Shard]) -> Iterator[Difference]:
    """What is wrong with the files of a run, whose plan is `shards`: commit records, data files and, of a complete run, the manifest."""
    found = False
    there = committed(run, shards)
    for shard in there:
        for difference in _check_shard(run, spec, shard):
            found = True
            yield difference
    if (run / SUCCESS).exists():
        for shard in shards:
            if shard not in there:
                found = True
                yield of_file(spec, shard, record_path(shard), "commit record", "none", "there: the run is complete")
        if not found:
            yield from _check_manifest(run, spec, shards)


def other_code(run: Path) -> str | None:
    """The first file of the package that differs from when the run was made, None if there is none."""
    change = first_change(read_run(run)["code"]["files"])
    return change.name if change else None


def print_differences(differences: Sequence[Difference], console: Console | None = None) -> None:
    """The first ones as a table; nothing if there are none."""
    if not differences:
        return
    headings = ("scenario", "hand or file", "what", "recorded", "expected")
    shown = slice(0 if len({difference.scenario for difference in differences}) > 1 else 1, None)
    table = text_table()
    for heading in headings[shown]:
        table.add_column(heading, overflow="fold")
    for difference in differences[:PRINTED_DIFFERENCES]:
        table.add_row(*map(escape, difference[shown]))
    console = console or Console()
    console.print(table)
    if len(differences) > PRINTED_DIFFERENCES:
        console.print(f"and {len(differences) - PRINTED_DIFFERENCES:,} more{'; stopped there' * (len(differences) >= MOST_DIFFERENCES)}")


def _check_shard(run: Path, spec: RunSpec, shard: Shard) -> Iterator[Difference]:
    """Commit record and data file of a shard that is said to be done."""
    name = record_path(shard)
    try:
        record = read_record(run, shard)
        statistics.partial_from_json(record["partial"])
        if record["path"] is None:
            return
        path, n_bytes, sha256 = run / record["path"], record["bytes"], str(record["sha256"])
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        yield of_file(spec, shard, name, "commit record", f"unreadable: {error_line(error)}", "readable")
        return
    name = record["path"]
    try:
        if (size := path.stat().st_size) != n_bytes:
            yield of_file(spec, shard, name, "bytes", str(size), str(n_bytes))
        if (digest := _sha256(path)) != sha256:
            yield of_file(spec, shard, name, "sha256", digest[:16], sha256[:16])
        table = pq.read_table(path, columns=["hand_id"], partitioning=None)
    except (OSError, pa.ArrowException) as error:
        yield of_file(spec, shard, name, "data file", f"unreadable: {error_line(error)}", "readable")
        return
    if table.num_rows != shard.hands:
        yield of_file(spec, shard, name, "rows", str(table.num_rows), str(shard.hands))
        return
    hand_ids = table["hand_id"].to_numpy()
    if len(wrong := np.flatnonzero(hand_ids != np.arange(shard.first_hand, shard.first_hand + shard.hands))):
        row = int(wrong[0])
        yield of_file(spec, shard, name, f"hand_id of row {row}", str(hand_ids[row]), str(shard.first_hand + row))


def _check_manifest(run: Path, spec: RunSpec, shards: Sequence[Shard]) -> Iterator[Difference]:
    """The manifest against the commit records, which are sound, and against what lies in the data folder."""
    try:
        totals = add_up(run, spec, shards)
    except Damaged as error:
        yield Difference("", SHARDS, "commit records", error_line(error), "readable")
        return
    expected = {"hands": sum(total.hands for total in totals.scenarios), "digest": run_digest(totals), "files": totals.files}
    try:
        manifest = json.loads((run / SUCCESS).read_text())
        recorded = {key: manifest[key] for key in expected}
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield Difference("", SUCCESS, "manifest", f"unreadable: {error_line(error)}", "readable")
        return
    for key, value in expected.items():
        if recorded[key] != value:
            texts = ("another list", "that of the commit records") if key == "files" else (str(recorded[key]), str(value))
            yield Difference("", SUCCESS, key, *texts)
    known = {file["path"] for file in totals.files}
    for path in sorted((run / DATA).rglob("*")):
        if path.is_file() and (name := path.relative_to(run).as_posix()) not in known:
            yield Difference("", name, "data file", "there", "none: it belongs to no shard")


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(READ_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def of_file(spec: RunSpec, shard: Shard, name: str, what: str, recorded: str, expected: str) -> Difference:
    """A difference in what a shard left."""
    return Difference(spec.scenarios[shard.scenario].name, name, what, recorded, expected)


def error_line(error: Exception) -> str:
    """What an error says, on one line."""
    return " ".join((reason(error) if isinstance(error, OSError) else str(error)).split())[:100] or type(error).__name__
