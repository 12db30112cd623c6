"""Replay of files of hands: what was checked, what differs, and which house settings it took."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from sim.actions import CALLED, CHECKED, FOLDED, RAISED, STREETS
from sim.evaluation import TABLES
from sim.formats.history import History, clockwise
from sim.formats.reading import Entry
from sim.replay import checks
from sim.replay.desk import DIFFERENCE, FULLY, MAX_DIFFERENCES, VERDICT, new_replay_table
from sim.replay.facts import MATCHED, Facts
from sim.replay.gather import FactsBuilder, HistoryError
from sim.replay.houses import DEFAULT, HouseChoice, HouseRules, compile_houses
from sim.replay.kernel import replay_hands
from sim.replay.rake_sharing import RAKE_SHARING

CHUNK = 4096  # hands replayed at a time
KIND_NAMES = {FOLDED: "fold", CHECKED: "check", CALLED: "call", RAISED: "bet or raise", MATCHED: "check or call"}


class Difference(NamedTuple):
    """One thing that the rules say otherwise than the history."""

    hand_id: str
    place: str  # file:line
    street: str
    seat: int | None  # as the history numbers it
    field: str
    expected: str
    got: str
    rule: str


class Malformed(NamedTuple):
    """A part of a file that describes no hand."""

    place: str  # file:line
    message: str


@dataclass
class Site:
    """Counts of the hands of one site."""

    hands: int = 0
    fully: int = 0
    as_far_as_shown: int = 0
    left_out: int = 0
    differ: int = 0


@dataclass
class Findings:
    """What a replay found. `not at all` checked are the hands left out and the malformed ones."""

    sites: dict[str, Site] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    malformed: list[Malformed] = field(default_factory=list)
    tags_left_out: Counter[str] = field(default_factory=Counter)
    settings_needed: Counter[tuple[str, str]] = field(default_factory=Counter)  # (house, setting): hands that differ without it
    odd_chips_anywhere: Counter[str] = field(default_factory=Counter)  # house: hands whose odd chips follow no known rule
    rake_sharing: Counter[str] = field(default_factory=Counter)  # hands with a rake and several pots, by the rule that explains them
    digest: int = 0  # of the hands as replayed, modulo 2**64; of all hands of a run's scenario, that of the scenario

    def site(self, name: str) -> Site:
        """The counts of one site."""
        return self.sites.setdefault(name or "(no site)", Site())

    def sum(self) -> Site:
        """All sites together."""
        return Site(*map(sum, zip(*map(astuple, self.sites.values()), strict=True)))


def replay(entries: Iterable[Entry], choice: HouseChoice, tags_left_out: Sequence[str] = ()) -> Findings:
    """Replay every hand that can be read. `tags_left_out`: hands with one of these tags are counted and left alone."""
    findings = Findings()
    batch = _Batch()
    waiting = iter(entries)
    more = True
    with _collector_off():
        while more:
            chunk = _Chunk(findings, choice, tags_left_out)
            more = chunk.add(islice(waiting, CHUNK))
            chunk.run(batch)
    return findings


@contextmanager
def _collector_off() -> Iterator[None]:
    """Histories hold no cycles; the cyclic garbage collector would look through thousands of them again and again, for half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Batch:
    """Records and buffers used again for each chunk."""

    def __init__(self) -> None:
        self.table = new_replay_table()
        self.verdicts = np.zeros(CHUNK, VERDICT)
        self.differences = np.zeros(CHUNK * MAX_DIFFERENCES, DIFFERENCE)

    def replay(self, houses: Sequence[HouseRules], facts: Facts) -> int:
        rules, lenient = compile_houses(list(houses))
        return int(replay_hands(rules, lenient, facts, TABLES, self.table, self.verdicts, self.differences))


class _Chunk:
    """Some thousand hands on their way through the kernel."""

    def __init__(self, findings: Findings, choice: HouseChoice, tags_left_out: Sequence[str]):
        self.findings, self.choice, self.tags_left_out = findings, choice, set(tags_left_out)
        self.builder = FactsBuilder()
        self.histories: list[History] = []
        self.places: list[tuple[str, int]] = []

    def add(self, entries: Iterable[Entry]) -> bool:
        """Take these; returns whether there were any."""
        some = False
        for file, line, hand in entries:
            some = True
            if isinstance(hand, str):
                self.findings.malformed.append(Malformed(f"{file}:{line}", hand))
                continue
            if self.tags_left_out and (tags := self.tags_left_out.intersection(hand.tags)):
                site = self.findings.site(hand.site)
                site.hands += 1
                site.left_out += 1
                self.findings.tags_left_out.update(tags)
                continue
            try:
                self.builder.add(hand, self.choice.place(hand))
            except HistoryError as error:
                self.findings.malformed.append(Malformed(f"{file}:{line}", f"hand {hand.id}: {error}"))
                continue
            self.histories.append(hand)
            self.places.append((file, line))
        return some

    def run(self, batch: _Batch) -> None:
        if not self.histories:
            return
        facts = self.builder.build()
        n_differences = batch.replay(self.choice.houses, facts)
        self._count(batch.verdicts[: len(self.histories)])
        self.findings.differences += (self._difference(row) for row in batch.differences[:n_differences])
        self._count_settings(batch, facts)

    def _count(self, verdicts: np.ndarray) -> None:
        findings = self.findings
        names = np.array([history.site for history in self.histories])
        differ = verdicts["n_differences"] > 0
        fully = verdicts["checked"] == FULLY
        for name in dict.fromkeys(history.site for history in self.histories):
            of_site = names == name
            site = findings.site(name)
            site.hands += int(of_site.sum())
            site.differ += int((differ & of_site).sum())
            site.fully += int((fully & ~differ & of_site).sum())
            site.as_far_as_shown += int((~fully & ~differ & of_site).sum())
        for place in np.flatnonzero(verdicts["rake_sharing"] >= 0):
            findings.rake_sharing[RAKE_SHARING[verdicts["rake_sharing"][place]]] += 1
        for place in np.flatnonzero(verdicts["odd_chips_any"]):
            findings.odd_chips_anywhere[self.choice.houses[self.choice.place(self.histories[place])].name] += 1
        findings.digest = (findings.digest + int(verdicts["digest"].sum(dtype=np.uint64))) % 2**64

    def _count_settings(self, batch: _Batch, facts: Facts) -> None:
        """Which settings of each house its hands could not do without: with the default in place of one of them they differ."""
        fine = batch.verdicts["n_differences"][: len(self.histories)] == 0
        for place, house in enumerate(self.choice.houses):
            settings = house.settings()
            if not settings:
                continue
            rows = facts.hands[(facts.hands["house"] == place) & fine]
            needing = self._differing(batch, facts, rows, replace(house, house=DEFAULT), place)
            for setting in settings:
                if len(needing):
                    without = replace(house, house=replace(house.house, **{setting: getattr(DEFAULT, setting)}))
                    count = len(self._differing(batch, facts, needing, without, place))
                    if count:
                        self.findings.settings_needed[house.name, setting] += count

    def _differing(self, batch: _Batch, facts: Facts, rows: np.ndarray, house: HouseRules, place: int) -> np.ndarray:
        """Those of the hands that differ under another house."""
        if not len(rows):
            return rows
        houses = list(self.choice.houses)
        houses[place] = house
        batch.replay(houses, facts._replace(hands=rows))
        return rows[batch.verdicts["n_differences"][: len(rows)] > 0]

    def _difference(self, row: np.void) -> Difference:
        history = self.histories[row["hand"]]
        numbers = [seat.seat for seat in clockwise(history)]
        check = int(row["check"])
        about = checks.CHECKS[check]
        expected, got = _texts(row, numbers)
        what = about.field
        if check in checks.OF_A_POT:
            what += f", side pot {row['pot']}" if row["pot"] else ", main pot"
        if row["action"] >= 0:
            what += f", action {row['action'] + 1}"
        file, line = self.places[row["hand"]]
        seat = int(row["seat"])
        return Difference(
            history.id,
            f"{file}:{line}",
            STREETS[row["street"]],
            numbers[seat] if seat >= 0 else None,
            what,
            expected,
            got,
            about.rule,
        )


def _texts(row: np.void, numbers: Sequence[int]) -> tuple[str, str]:
    """What was expected and what the history has, for people."""
    check, expected, got = int(row["check"]), int(row["expected"]), int(row["got"])
    if check in (checks.MIN_RAISE, checks.MAX_RAISE):
        return f"to {expected}..{row['expected_to']}", f"to {got}"
    if check == checks.NO_RAISE:
        return f"to {expected} or a fold", f"to {got}"
    if check == checks.CALL:
        return f"to {expected}", f"to {got}"
    if check == checks.KIND:
        return KIND_NAMES[expected], KIND_NAMES[got]
    if check == checks.ALL_IN:
        return ("no", "yes")[expected], ("no", "yes")[got]
    if check in (checks.TURN, checks.NO_DECISION, checks.ROUND_OPEN, checks.UNCALLED_SEAT):
        nobody = "nobody" if check != checks.ROUND_OPEN else "end of the hand"
        return tuple(f"seat {numbers[seat]}" if seat >= 0 else nobody for seat in (expected, got))  # type: ignore[return-value]
    return str(expected), str(got)
