"""What a replay found, for people and as a file."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sim.replay.replay import Difference, Findings, Malformed, Site
from sim.text_table import text_table
from sim.whole_file import replacing

COLUMNS = {
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


def print_summary(findings: Findings, most: int, console: Console | None = None) -> None:
    """Counts by site, what it took, and the first `most` differences."""
    console = console or Console()
    console.print(_site_table(findings))
    for line in summary_lines(findings):
        console.print(escape(line), highlight=False, soft_wrap=True)
    if findings.differences and most:
        console.print(_difference_table(findings.differences[:most]))
        if len(findings.differences) > most:
            console.print(f"and {len(findings.differences) - most:,} more differences", highlight=False)


def summary_lines(findings: Findings) -> Iterable[str]:
    """One line for each thing that is not plain agreement."""
    for (house, setting), count in sorted(findings.settings_needed.items()):
        yield f"house {house}, {setting}: {_hands(count)} would differ without it"
    for house, count in sorted(findings.odd_chips_anywhere.items()):
        yield f"house {house}, odd chips anywhere: {_hands(count)} with odd chips that follow no known rule"
    if findings.rake_sharing:
        counts = ", ".join(f"{rule} {count:,}" for rule, count in findings.rake_sharing.most_common())
        yield f"rake of several pots, the first rule that explains it: {counts}"
    for tag, count in sorted(findings.tags_left_out.items()):
        yield f"left out, tag {tag}: {_hands(count)}"


def closing_line(findings: Findings) -> str:
    """Everything in one line."""
    all_sites = findings.sum()
    fine = all_sites.fully + all_sites.as_far_as_shown
    parts = [
        f"{_hands(all_sites.hands + len(findings.malformed))}: {all_sites.fully:,} checked fully",
        f"{all_sites.as_far_as_shown:,} as far as shown",
        f"{all_sites.left_out + len(findings.malformed):,} not at all ({len(findings.malformed):,} malformed)",
        f"{all_sites.differ:,} differ" if all_sites.differ else "no difference",
    ]
    return ", ".join(parts) + (f"; digest {findings.digest:016x}" if fine else "")


def _hands(count: int) -> str:
    return f"{count:,} hand{'s' * (count != 1)}"


def _site_table(findings: Findings) -> Table:
    table = text_table()
    table.add_column("site")
    for heading in ("hands", "fully", "as far as shown", "left out", "differ"):
        table.add_column(heading, justify="right")
    for name, site in sorted(findings.sites.items()):
        table.add_row(escape(name), *_figures(site))
    if len(findings.sites) > 1:
        table.add_section()
        table.add_row("all", *_figures(findings.sum()))
    return table


def _figures(site: Site) -> list[str]:
    return [f"{count:,}" for count in (site.hands, site.fully, site.as_far_as_shown, site.left_out, site.differ)]


def _difference_table(differences: Sequence[Difference]) -> Table:
    table = text_table()
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
    frame = pl.DataFrame(differences, schema=COLUMNS, orient="row")
    with replacing(path) as temporary:
        if path.suffix == ".csv":
            frame.write_csv(temporary)
        else:
            frame.write_parquet(temporary)
