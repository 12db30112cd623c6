"""The finished tables on a terminal of 80 columns or more, and as files in the run directory."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from sim.evaluation import CATEGORIES
from sim.statistics import HAND_STATISTICS, NORMAL_95, SEAT_STATISTICS, Tables, pool_line_ups
from sim.statistics.catalogue import PERCENT
from sim.text_table import text_table
from sim.whole_file import replacing

MAX_PRINTED_POSITIONS = 3  # scenarios; with more, the positions are in the saved tables only
POSITION_WIDTH = 10  # columns of a terminal
WIDE = 130  # columns of a terminal on which a row holds all statistics of a scenario
FEWEST_FOR_ERROR = 30  # hands; the normal interval of fewer says nothing
NARROW_BLOCK = 6  # statistics per row on others
CATEGORY_HEADINGS = ("high", "pair", "2 pair", "trips", "str.", "flush", "full", "quads", "s.fl.", "royal")


def print_tables(tables: Tables, console: Console | None = None) -> None:
    """All tables, a block per kind. A sweep has one row per scenario, and two strategy tables per scenario."""
    console = console or Console()
    for table in _scenario_tables(tables.scenarios, console.width):
        console.print(table)
    console.print(_category_table(tables.categories))
    scenarios = tables.scenarios["scenario"].to_list()
    for name in scenarios:
        strategies = tables.strategies.filter(scenario=name)
        _print(_money_table(strategies, name if len(scenarios) > 1 else ""), console)
        _print(_style_table(strategies), console)
        if len(scenarios) <= MAX_PRINTED_POSITIONS:
            for table in _position_tables(tables.positions.filter(scenario=name), console.width):
                _print(table, console)
    pooled = pool_line_ups(tables.strategies)
    for game in pooled["scenario"].unique(maintain_order=True):
        _print(_style_table(pooled.filter(scenario=game), f"How they play in all line-ups of {game}, %"), console)


def _print(table: Table, console: Console) -> None:
    """Print a table of chips, which may be large, at its full width even where the terminal is narrower: figures are not cut."""
    natural = Measurement.get(console, console.options.update(max_width=1000), table).maximum
    width = console.width
    console.width = max(natural, width)  # `print` takes no more than the console has
    console.print(table, crop=False)
    console.width = width


def save_tables(tables: Tables, folder: Path) -> None:
    """Write each table as Parquet and CSV into `folder`, whole or not at all: a reader never sees half a file."""
    for name, table in tables._asdict().items():
        for suffix, write in (("parquet", table.write_parquet), ("csv", table.write_csv)):
            with replacing(folder / f"{name}.{suffix}") as temporary:
                write(temporary)


def _scenario_tables(scenarios: pl.DataFrame, width: int) -> list[Table]:
    """One row per scenario, in as many blocks as the terminal needs; a single scenario as a column, with its standard errors."""
    rows = scenarios.rows(named=True)
    shown = [(name, statistic) for name, statistic in HAND_STATISTICS.items() if any(row[name] is not None for row in rows)]
    if len(rows) == 1:
        row = rows[0]
        table = _table(escape(row["scenario"]), "", "", "± se", "", left=(0, 3))
        table.add_row("hands", _count(row["hands"]))
        for name, statistic in shown:
            table.add_row(statistic.heading, _number(row[name], 2), _number(row[f"{name}_se"], 3), statistic.meaning)
        return [table]
    block = len(shown) if width >= WIDE else NARROW_BLOCK
    tables = []
    for start in range(0, len(shown), block):
        part = shown[start : start + block]
        headings = [statistic.heading.replace(" ", "\n") for _, statistic in part]
        table = _table("Scenarios" if start == 0 else "", "", "hands", *headings, left=(0,))
        for row in rows:
            figures = (_number(row[name], _digits(statistic.unit)) for name, statistic in part)
            table.add_row(_lines(row["scenario"]), _count(row["hands"]), *figures)
        tables.append(table)
    return tables


def _category_table(categories: pl.DataFrame) -> Table:
    many = categories["scenario"].n_unique() > 1
    table = _table("Winning hands at showdown, %", *(["scenario"] if many else []), *CATEGORY_HEADINGS, left=(0,) if many else ())
    for name in categories["scenario"].unique(maintain_order=True):
        won = dict(categories.filter(scenario=name).select("category", "won").iter_rows())
        table.add_row(*([_lines(name)] if many else []), *(_share(won[category]) for category in CATEGORIES))
    return table


def _money_table(strategies: pl.DataFrame, scenario: str) -> Table:
    headings = ("strategy", "seats", "hands", "bb/100", "± 95%", "sd/100")
    table = _table(f"Results by strategy: {escape(scenario)}" if scenario else "Results by strategy", *headings, left=(0,))
    table.caption = "± is half of the 95 % interval of bb/100"
    for row in strategies.rows(named=True):
        rates = (_number(row["bb_per_100"], 1), _half_width(row), _number(row["sd_per_100"], 0))
        table.add_row(escape(row["strategy"]), str(row["seats_taken"]), _count(row["hands"]), *rates)
    return table


def _style_table(strategies: pl.DataFrame, title: str = "How they play, %") -> Table:
    rates = [(name, statistic.heading) for name, statistic in SEAT_STATISTICS.items() if name != "net" and statistic.heading]
    table = _table(escape(title), "strategy", *(heading for _, heading in rates), left=(0,))
    for row in strategies.rows(named=True):
        table.add_row(escape(row["strategy"]), *(_number(row[name], 1) for name, _ in rates))
    return table


def _position_tables(positions: pl.DataFrame, width: int) -> Iterator[Table]:
    """A row per strategy and a column per position, in the order of acting before the flop; below each rate its error.

    Where not all positions go into `width`, there are several tables.
    """
    names = positions.unique("position").sort("offset")["position"].to_list()
    names = names[3:] + names[:3] if len(names) > 3 else names
    strategies = positions["strategy"].unique(maintain_order=True)
    room = max(3, (width - max(map(len, strategies))) // POSITION_WIDTH)
    for part in np.array_split(names, -(-len(names) // room)):
        table = _table("bb/100 by position, ± 95 % below", "strategy", *part, left=(0,))
        for strategy in strategies:
            rows = {row["position"]: row for row in positions.filter(strategy=strategy).rows(named=True)}
            table.add_row(escape(strategy), *(f"{_number(rows[name]['bb_per_100'], 1)}\n± {_half_width(rows[name])}" for name in part))
        yield table


def _table(title: str, *headings: str, left: Iterable[int]) -> Table:
    table = text_table(title)
    for place, heading in enumerate(headings):
        if place in left:
            table.add_column(heading, justify="left", overflow="fold", min_width=8)
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    return table


def _half_width(row: dict[str, Any]) -> str:
    error = row["bb_per_100_se"]
    return _number(None if error is None or row["hands"] < FEWEST_FOR_ERROR else NORMAL_95 * error, 1)


def _lines(scenario: str) -> str:
    """The name of a sweep's cell, one axis per line."""
    return escape(scenario.replace(",", ",\n"))


def _share(percent: float | None) -> str:
    """Rare categories with a digit more."""
    return _number(percent, 2 if percent is not None and percent < 9.995 else 1)


def _digits(unit: str) -> int:
    return 1 if unit == PERCENT else 2


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def _count(value: int) -> str:
    return f"{value:,}"
