"""Whether the records of a run say what its seed says: sampled hands are played again and compared column by column.

Hands are sampled in blocks of neighbours, at random places but always the same ones for a seed: reading and playing go by ranges.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim import statistics
from sim.cards import format_cards
from sim.check_files import MOST_DIFFERENCES, Difference, error_line, of_file
from sim.levels import LEVELS, NONE
from sim.plan import RunSpec, Shard
from sim.play import play_range
from sim.records import ROW_GROUP_ROWS, to_table
from sim.rules import N_CARDS
from sim.run import count_statistics
from sim.run_directory import read_record, record_path

BLOCK_HANDS = 500


class Range(NamedTuple):
    """Neighbouring hands of one shard."""

    shard: Shard
    first_hand: int
    hands: int

    @property
    def whole(self) -> bool:
        """All hands of the shard."""
        return self.hands == self.shard.hands


def sample_ranges(spec: RunSpec, shards: Iterable[Shard], hands: int | None, seed: int) -> list[Range]:
    """So many hands out of `shards`, each scenario with an equal part, in the order of the plan; None: all of them.

    With records=none whole shards are taken, since only their digests can be compared.
    """
    blocks: dict[int, list[Range]] = {}
    for shard in shards:
        blocks.setdefault(shard.scenario, []).append(Range(shard, shard.first_hand, shard.hands))
    if hands is None:
        return sorted((block for part in blocks.values() for block in part), key=lambda block: block.shard.index)
    chance = random.Random(seed)
    chosen: list[Range] = []
    for place, wholes in enumerate(blocks.values()):
        share = hands // len(blocks) + (place < hands % len(blocks))
        chosen += wholes if sum(block.hands for block in wholes) <= share else _some(wholes, share, chance, LEVELS[spec.records] == NONE)
    return sorted(chosen, key=lambda block: (block.shard.index, block.first_hand))


def compare_hands(run: Path, spec: RunSpec, ranges: Sequence[Range]) -> Iterator[tuple[int, list[Difference]]]:
    """Play the ranges again; for each, or each part of a long one, how many hands were compared and what differs.

    Of a whole shard the digest and the partial statistics of its commit record are compared too. Raises StrategyError like playing.
    """
    for shard, of_shard in groupby(ranges, key=lambda block: block.shard):
        for block in of_shard:
            yield from _compare_range(run, spec, shard, block)


def _some(wholes: Sequence[Range], hands: int, chance: random.Random, whole_shards: bool) -> list[Range]:
    """Random blocks of these shards until there are `hands` hands; the last one is cut, unless whole shards are asked for."""
    size = max(block.shard.hands for block in wholes) if whole_shards else BLOCK_HANDS
    starts = np.cumsum([0, *(-(-block.hands // size) for block in wholes)])  # number of the first block of each shard
    chosen = []
    for number in chance.sample(range(int(starts[-1])), min(int(starts[-1]), hands)):
        place = int(np.searchsorted(starts, number, side="right")) - 1
        shard, first = wholes[place].shard, (number - int(starts[place])) * size
        length = min(size, shard.hands - first)
        chosen.append(Range(shard, shard.first_hand + first, length if whole_shards else min(length, hands)))
        hands -= length
        if hands <= 0:
            break
    return chosen


def _compare_range(run: Path, spec: RunSpec, shard: Shard, block: Range) -> Iterator[tuple[int, list[Difference]]]:
    scenario, level = spec.scenarios[shard.scenario], LEVELS[spec.records]
    names, max_seats = [strategy.name for strategy in scenario.lineup], max(scenario.n_seats for scenario in spec.scenarios)
    digest, n_actions, partials = 0, 0, []
    for start, hands in _parts(shard, block):
        played = play_range(scenario, spec.seed, start, hands, level)
        expected = to_table(played.columns, level, shard.scenario, start, hands, names, max_seats)
        differences: list[Difference] = []
        if level != NONE:
            recorded = _recorded(run, shard, start - shard.first_hand, hands)
            if isinstance(recorded, str):
                differences = [of_file(spec, shard, record_path(shard), f"hands {start}..{start + hands - 1}", recorded, "readable")]
            else:
                differences = list(islice(_compare_tables(scenario.name, recorded, expected), MOST_DIFFERENCES))
        if block.whole:
            digest, n_actions = (digest + played.digest) % 2**64, n_actions + played.n_actions
            partials.append(count_statistics(expected, scenario))
        yield hands, differences
    if block.whole:
        whole = {"digest": f"{digest:016x}", "actions": n_actions, "partial": statistics.merge(partials)}
        yield 0, list(_compare_record(run, spec, shard, whole))


def _parts(shard: Shard, block: Range) -> Iterator[tuple[int, int]]:
    """(first hand, hands) of a range, cut where row groups end: each is read once, and not more is held than a worker holds."""
    start, end = block.first_hand, block.first_hand + block.hands
    while start < end:
        next_group = shard.first_hand + ((start - shard.first_hand) // ROW_GROUP_ROWS + 1) * ROW_GROUP_ROWS
        yield start, min(end, next_group) - start
        start = min(end, next_group)


def _recorded(run: Path, shard: Shard, first_row: int, rows: int) -> pa.Table | str:
    """These rows of a shard's data file, or why they cannot be had."""
    try:
        path = run / read_record(run, shard)["path"]
        groups = pq.read_metadata(path)
        starts = np.cumsum([0, *(groups.row_group(group).num_rows for group in range(groups.num_row_groups))])
        first, last = (int(np.searchsorted(starts, row, side="right")) - 1 for row in (first_row, first_row + rows - 1))
        if last >= groups.num_row_groups:
            return f"only {groups.num_rows} rows"
        return _row_groups(path, first, last + 1).slice(first_row - int(starts[first]), rows)
    except (OSError, ValueError, KeyError, AttributeError, TypeError, pa.ArrowException) as error:
        return f"unreadable: {error_line(error)}"


@lru_cache(maxsize=1)
def _row_groups(path: Path, start: int, end: int) -> pa.Table:
    """Row groups start .. end - 1 of a file; blocks of one group come one after another."""
    with pq.ParquetFile(path) as file:
        return file.read_row_groups(list(range(start, end)))


def _compare_tables(scenario: str, recorded: pa.Table, expected: pa.Table) -> Iterator[Difference]:
    """Every value that differs, column by column."""
    hand_ids = expected["hand_id"].to_pylist()
    for field in expected.schema:
        if field.name not in recorded.column_names:
            yield Difference(scenario, f"{hand_ids[0]}..{hand_ids[-1]}", field.name, "no such column", str(field.type))
            continue
        was, now = (_plain(table[field.name], field.type) for table in (recorded, expected))
        if was.type != now.type:
            yield Difference(scenario, f"{hand_ids[0]}..{hand_ids[-1]}", field.name, str(was.type), str(now.type))
        elif not was.equals(now):
            for hand_id, old, new in zip(hand_ids, was.to_pylist(), now.to_pylist(), strict=True):
                if old != new:
                    yield Difference(scenario, str(hand_id), *_named(field.name, old, new))


def _plain(column: pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    """One array; names as text, whatever their dictionary."""
    return (column.cast(pa.string()) if pa.types.is_dictionary(kind) else column).combine_chunks()


def _named(column: str, old: Any, new: Any) -> tuple[str, str, str]:
    """Column, recorded and expected value; of lists the first element that differs."""
    if isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            return f"length of {column}", str(len(old)), str(len(new))
        place = next(place for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
        column, old, new = f"{column}[{place}]", old[place], new[place]
        if column.startswith(("board", "hole")):
            old, new = (format_cards([card]) if 0 <= card < N_CARDS else card for card in (old, new))
    return column, str(old), str(new)


def _compare_record(run: Path, spec: RunSpec, shard: Shard, whole: dict[str, Any]) -> Iterator[Difference]:
    """What the commit record says of all hands of the shard; an unreadable one is reported with the files."""
    try:
        record = read_record(run, shard)
        partial = statistics.partial_from_json(record["partial"])
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return
    for key in ("digest", "actions"):
        if record.get(key) != whole[key]:
            yield of_file(spec, shard, record_path(shard), key, str(record.get(key)), str(whole[key]))
    if difference := statistics.first_difference(partial, whole["partial"]):
        where, _, values = difference.partition(": ")
        yield of_file(spec, shard, record_path(shard), f"sum {where}", values.partition(", ")[0], values.partition(", ")[2])
