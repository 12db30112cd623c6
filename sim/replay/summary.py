"""What a replay found, for people and as a file."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sim.replay.replay import Difference, Malformed, Site, Totals
from sim.whole_files import written_whole

SCHEMA = {
    "hand_id": pl.String,
    "place": pl.String,
    "street": pl.String,
    "seat": pl.Int64,
    "field": pl.String,
    "expected": pl.String,
    "got": pl.String,
    "rule": pl.String,
}
SUFFIXES = (".parquet", ".csv")


def print_summary(totals: Totals, most: int, console: Console | None = None) -> None:
    """Counts by site, what it took, and the first `most` differences."""
    console = console or Console()
    console.print(_site_table(totals))
    for line in summary_lines(totals):
        console.print(escape(line), highlight=False, soft_wrap=True)
    if totals.differences and most:
        console.print(_difference_table(totals.differences[:most]))
        if len(totals.differences) > most:
            console.print(f"and {len(totals.differences) - most:,} more differences", highlight=False)


def summary_lines(totals: Totals) -> Iterable[str]:
    """One line for each thing that is not plain agreement."""
    for (house, setting), count in sorted(totals.settings_needed.items()):
        yield f"house {house}, {setting}: {_hands(count)} would differ without it"
    for house, count in sorted(totals.odd_chips_anywhere.items()):
        yield f"house {house}, odd chips anywhere: {_hands(count)} with odd chips that follow no known rule"
    if totals.rake_sharing:
        counts = ", ".join(f"{rule} {count:,}" for rule, count in totals.rake_sharing.most_common())
        yield f"rake of several pots, the first rule that explains it: {counts}"
    for tag, count in sorted(totals.tags_left_out.items()):
        yield f"left out, tag {tag}: {_hands(count)}"


def closing_line(totals: Totals) -> str:
    """Everything in one line."""
    all_sites = totals.sum()
    fine = all_sites.fully + all_sites.as_far_as_shown
    parts = [
        f"{_hands(all_sites.hands + len(totals.malformed))}: {all_sites.fully:,} checked fully",
        f"{all_sites.as_far_as_shown:,} as far as shown",
        f"{all_sites.left_out + len(totals.malformed):,} not at all ({len(totals.malformed):,} malformed)",
        f"{all_sites.differ:,} differ" if all_sites.differ else "no difference",
    ]
    return ", ".join(parts) + (f"; digest {totals.digest:016x}" if fine else "")


def _hands(count: int) -> str:
    return f"{count:,} hand{'s' * (count != 1)}"


def _site_table(totals: Totals) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
    table.add_column("site")
    for heading in ("hands", "fully", "as far as shown", "left out", "differ"):
        table.add_column(heading, justify="right")
    for name, site in sorted(totals.sites.items()):
        table.add_row(escape(name), *_figures(site))
    if len(totals.sites) > 1:
        table.add_section()
        table.add_row("all", *_figures(totals.sum()))
    return table


def _figures(site: Site) -> list[str]:
    return [f"{count:,}" for count in (site.hands, site.fully, site.as_far_as_shown, site.left_out, site.differ)]


def _difference_table(differences: Sequence[Difference]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
    for heading in ("hand", "street", "seat", "field", "expected", "got"):  # the rule is in the file only: it would not fit a line
        table.add_column(heading, overflow="fold")
    for difference in differences:
        seat = "" if difference.seat is None else str(difference.seat)
        values = (difference.hand_id, difference.street, seat, difference.field, difference.expected, difference.got)
        table.add_row(*map(escape, values))
    return table


def malformed_lines(malformed: Iterable[Malformed]) -> Iterable[str]:
    """One line each, with the place."""
    for part in malformed:
        yield f"{part.place}: {' '.join(part.message.split())}"


def save_differences(differences: Sequence[Difference], path: Path) -> None:
    """All of them as Parquet or CSV, by the name of the file; whole or not at all."""
    frame = pl.DataFrame(differences, schema=SCHEMA, orient="row")
    with written_whole(path) as file:
        if path.suffix == ".csv":
            frame.write_csv(file)
        else:
            frame.write_parquet(file)
