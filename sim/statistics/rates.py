"""Counts become rates, from integers alone: every division happens here, once.

A rate is the sum of its values over the hands it counts, never a mean of rates; where nothing is counted it is null.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import polars as pl

from sim.evaluation import CATEGORIES
from sim.plan import LINE_UP, Scenario
from sim.statistics.catalogue import BB_PER_100, BIG_BLINDS, HAND_STATISTICS, PERCENT, PERCENT_OF_ACTIONS, RATIO, SEAT_STATISTICS, SEATS
from sim.statistics.partials import Partial, Sums, seats_by_strategy, summed

NORMAL_95 = 1.959964  # two-sided 95 % quantile of the normal distribution


class Tables(NamedTuple):
    """Finished tables of one or more scenarios. Each statistic has the columns name, name_total and name_n."""

    scenarios: pl.DataFrame  # a row per scenario; each statistic also has name_se, its standard error
    strategies: pl.DataFrame  # a row per strategy: all its seats
    positions: pl.DataFrame  # a row per strategy and position
    categories: pl.DataFrame  # a row per category of the winning hand


def finish(partial: Partial, scenario: Scenario) -> Tables:
    """The rates of one scenario, from integers alone: equal partials give equal tables."""
    big_blind = scenario.stakes.big_blind
    head = {"scenario": scenario.name, "variant": scenario.variant.name, "structure": scenario.structure, "seats": scenario.n_seats}
    scenario_row = head | {"big_blind": big_blind, "hands": partial.hands["pot"][0]}
    for name, statistic in HAND_STATISTICS.items():
        scenario_row |= _rate(name, partial.hands.get(name, [0, 0]), statistic.unit, big_blind, with_error=True)

    strategy_rows, position_rows = [], []
    for strategy, seats in seats_by_strategy(scenario).items():
        by_position = partial.seats[strategy]
        together = summed(by_position.values())
        key = head | {"strategy": strategy}
        error = _standard_error(partial.tables[strategy])
        # Seats of one hand share its pot, so the error bar of a strategy with several seats comes from their sum per hand.
        error = error / len(seats) if error is not None else None
        strategy_rows.append(key | {"seats_taken": len(seats)} | _seat_row(together, error, big_blind))
        for offset, (position, sums) in enumerate(by_position.items()):
            row = _seat_row(sums, _standard_error(sums["net"]), big_blind)
            position_rows.append(key | {"position": position, "offset": offset} | row)

    showdowns = sum(partial.categories)
    category_rows = [
        head | {"category": name} | _rate("won", [showdowns, won], PERCENT, big_blind, with_error=True)
        for name, won in zip(CATEGORIES, partial.categories, strict=True)
    ]
    return Tables(*(_table(rows) for rows in ([scenario_row], strategy_rows, position_rows, category_rows)))


def stack_tables(tables: Iterable[Tables]) -> Tables:
    """The tables of several scenarios, one below the other."""
    return Tables(*(pl.concat(parts) for parts in zip(*tables, strict=True)))


def pool_line_ups(strategies: pl.DataFrame) -> pl.DataFrame:
    """Rows of the table `strategies` added up over scenarios that differ in the line-up only, where there are several; else no rows.

    Rates only, no winnings: these scenarios share their cards, so an error bar of all together is not that of independent hands.
    """
    games = strategies.with_columns(scenario=pl.col("scenario").str.split(LINE_UP).list.first(), one=pl.col("scenario"))
    games = games.filter(pl.col("one").n_unique().over("scenario") > 1)
    names = [name for name in SEAT_STATISTICS if name != "net"]
    sums = [pl.col(f"{name}_{part}").sum() for name in names for part in ("total", "n")]
    added = games.group_by("scenario", "strategy", maintain_order=True).agg(pl.col("hands").sum(), *sums)
    rates = [
        pl.when(pl.col(f"{name}_n") > 0)
        .then(pl.col(f"{name}_total") / pl.col(f"{name}_n") * _scale(SEAT_STATISTICS[name].unit, 1))
        .alias(name)
        for name in names
    ]
    return added.with_columns(rates)


def _variance(sums: Sums) -> float | None:
    """Sample variance (n - 1) of one value, exact until the one division."""
    n, total, squares = sums if len(sums) == 3 else (*sums, sums[1])
    return (n * squares - total * total) / (n * (n - 1)) if n > 1 else None


def _standard_error(sums: Sums) -> float | None:
    """Standard error of the mean."""
    variance = _variance(sums)
    return None if variance is None else math.sqrt(variance / sums[0])


def _scale(unit: str, big_blind: int) -> float:
    return {PERCENT: 100, PERCENT_OF_ACTIONS: 100, RATIO: 1, SEATS: 1, BIG_BLINDS: 1 / big_blind, BB_PER_100: 100 / big_blind}[unit]


def _rate(name: str, sums: Sums, unit: str, big_blind: int, with_error: bool = False) -> dict[str, Any]:
    n, total = sums[:2]
    scale = _scale(unit, big_blind)
    row: dict[str, Any] = {name: total / n * scale if n else None}
    if with_error:
        error = _standard_error(sums)
        row[f"{name}_se"] = None if error is None else error * scale
    return row | {f"{name}_total": total, f"{name}_n": n}


def _seat_row(sums: dict[str, Sums], net_error: float | None, big_blind: int) -> dict[str, Any]:
    """Hands, winnings with their error bar, and the rates. `net_error`: standard error of the mean net of a hand, chips.

    SE(bb/100) = 100 SE(bb per hand); SD per 100 hands = 10 SD per hand.
    """
    n, total, _ = sums["net"]
    variance = _variance(sums["net"])
    rate = total / n * 100 / big_blind if n else None
    error = None if net_error is None else net_error * 100 / big_blind
    row: dict[str, Any] = {"hands": n, "net_chips": total, "bb_per_100": rate, "bb_per_100_se": error}
    row["bb_per_100_low"] = None if rate is None or error is None else rate - NORMAL_95 * error
    row["bb_per_100_high"] = None if rate is None or error is None else rate + NORMAL_95 * error
    row["sd_per_100"] = None if variance is None else 10 * math.sqrt(variance) / big_blind
    for name, statistic in SEAT_STATISTICS.items():
        if name != "net":
            row |= _rate(name, sums[name], statistic.unit, big_blind)
    return row


def _table(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Types by the name of the column and not by its values, so that a column of nulls stacks with any other."""
    return pl.DataFrame(rows, schema={name: _column_type(name) for name in rows[0]}, orient="row")


def _column_type(name: str) -> pl.DataType:
    if name in ("scenario", "variant", "structure", "strategy", "position", "category"):
        return pl.String()
    if name in ("seats", "big_blind", "hands", "seats_taken", "offset") or name.endswith(("_n", "_total", "_chips")):
        return pl.Int64()
    return pl.Float64()
