"""Hands of a run written in the formats of the field: every hand played again from the seed, whatever the records hold."""

import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from sim.formats import cases, phh, pokerstars
from sim.formats.history import History
from sim.hand_history import tell_played
from sim.plan import Scenario
from sim.play import play_range
from sim.records import FULL
from sim.whole_files import written_whole

PART_HANDS = 1000
FORMATS = ("phh", "pokerstars", "json")


class Exported(NamedTuple):
    """What was written."""

    hands: int
    digest: int  # of the hands, as the run and a replay of the file count it


def export(
    scenario: Scenario, seed: int, hand_ids: Sequence[int], form: str, path: Path, advance: Callable[[int], None] = lambda hands: None
) -> Exported:
    """Write hands to a file, whole or not at all: gzip if its name ends so, and for phh a single document if it ends in .phh.

    advance : is told how many more hands are written
    """
    digest = 0

    def histories() -> Iterator[History]:
        nonlocal digest
        for part, of_part in histories_of(scenario, seed, hand_ids):
            digest = (digest + of_part) % 2**64
            yield from part
            advance(len(part))

    opened = gzip.open if path.suffix == ".gz" else open
    with written_whole(path) as temporary, opened(temporary, "wt", encoding="utf-8", newline="\n") as file:
        file.writelines(text_of(histories(), form, path))
    return Exported(len(hand_ids), digest)


def text_of(histories: Iterable[History], form: str, path: Path) -> Iterator[str]:
    """The text of a file, hand by hand."""
    if form == "phh":
        return phh.write(histories, numbered=path.suffix != ".phh")
    return {"pokerstars": pokerstars.write, "json": cases.write}[form](histories)


def histories_of(scenario: Scenario, seed: int, hand_ids: Sequence[int]) -> Iterator[tuple[list[History], int]]:
    """The histories of these hands in parts, each with the digest of its hands. Raises StrategyError like playing."""
    for first, count in _ranges(hand_ids):
        played = play_range(scenario, seed, first, count, FULL)
        hands = [tell_played(scenario, seed, first + row, played, row).history for row in range(count)]
        yield hands, played.digest


def _ranges(hand_ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring ids, at most PART_HANDS long: (first, count)."""
    for _, group in groupby(enumerate(hand_ids), key=lambda pair: pair[1] - pair[0]):
        while part := list(islice(group, PART_HANDS)):
            yield part[0][1], len(part)
