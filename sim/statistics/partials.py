"""Partials: sums of whole numbers over hands, taken per shard or over a whole data set, that add up exactly in any order."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import polars as pl

from sim.evaluation import CATEGORIES
from sim.plan import Scenario
from sim.records import position_names
from sim.statistics.catalogue import BB_PER_100, HAND_STATISTICS, PERCENT, RATIOS, SEAT_STATISTICS, HandStatistic, Seat

Sums = list[int]  # n, total, total of squares; the last is left out of a %, where it equals the total, and of ratios


@dataclass(frozen=True)
class Partial:
    """Sums of the hands of one scenario, in the form that JSON keeps."""

    hands: dict[str, Sums]  # by hand statistic
    categories: list[int]  # (10,) showdowns won by each category
    seats: dict[str, dict[str, dict[str, Sums]]]  # by strategy, position and seat statistic
    tables: dict[str, Sums]  # by strategy: net of all its seats in a hand, chips


def partial(frame: pl.DataFrame | pl.LazyFrame, scenario: Scenario, engine: Literal["streaming", "in-memory"] = "streaming") -> Partial:
    """Sums over the records of one scenario (columns of level results). Both engines of Polars give the same integers."""
    # One pass: a position is a seat and a button, so the groups are the buttons, and a seat's position is known in each of them.
    aggregations = _aggregations(scenario)
    by_button = frame.lazy().group_by("button").agg(**aggregations).collect(engine=engine)
    total = by_button.drop("button").sum().row(0, named=True) if by_button.height else dict.fromkeys(aggregations, 0)
    groups = {row["button"]: row for row in by_button.iter_rows(named=True)}
    seats_of, positions = seats_by_strategy(scenario), position_names(scenario.n_seats)

    def at_offset(seat: int, offset: int) -> dict[str, Sums]:
        row = groups.get((seat - offset) % scenario.n_seats)
        return {name: _picked(row, f"seat {seat} {name}", statistic.unit) for name, statistic in SEAT_STATISTICS.items()}

    return Partial(
        hands={name: _picked(total, f"hand {name}", statistic.unit) for name, statistic in _hand_statistics(scenario).items()},
        categories=[total[f"category {number}"] for number in range(len(CATEGORIES))],
        seats={
            strategy: {position: summed(at_offset(seat, offset) for seat in seats) for offset, position in enumerate(positions)}
            for strategy, seats in seats_of.items()
        },
        tables={strategy: _picked(total, f"table {index}", BB_PER_100) for index, strategy in enumerate(seats_of)},
    )


def _aggregations(scenario: Scenario) -> dict[str, pl.Expr]:
    """All that is summed over a group of hands, by the names that `_picked` knows."""
    found: dict[str, pl.Expr] = {}
    for name, statistic in _hand_statistics(scenario).items():
        found |= _sums(f"hand {name}", statistic.value, statistic.of, statistic.unit)
    for number in range(len(CATEGORIES)):
        found[f"category {number}"] = (pl.col("category") == number).sum()
    for seat in range(scenario.n_seats):
        columns = Seat(*(pl.col(f"{name}_{seat}") for name in Seat._fields))
        for name, seat_statistic in SEAT_STATISTICS.items():
            of = seat_statistic.of(columns) if seat_statistic.of else None
            found |= _sums(f"seat {seat} {name}", seat_statistic.value(columns), of, seat_statistic.unit)
    for index, seats in enumerate(seats_by_strategy(scenario).values()):
        found |= _sums(f"table {index}", pl.sum_horizontal(f"net_{seat}" for seat in seats), None, BB_PER_100)
    return found


def merge(partials: Iterable[Partial]) -> Partial:
    """The partial of all the hands together: integer addition."""
    return Partial(**summed(vars(partial) for partial in partials))


def partial_to_json(partial: Partial) -> dict[str, Any]:
    """The partial as JSON-ready dicts, lists and integers (of any size)."""
    return asdict(partial)


def partial_from_json(value: dict[str, Any]) -> Partial:
    """What `partial_to_json` gave."""
    if set(value) != {field.name for field in fields(Partial)}:
        raise ValueError(f"{sorted(value)}; not a partial of this version")
    return Partial(**value)


def first_difference(a: Any, b: Any, path: str = "") -> str | None:
    """`where: value of a, value of b` of the first difference of two partials; None if they are equal."""
    if isinstance(a, Partial):
        return first_difference(partial_to_json(a), partial_to_json(b)) if isinstance(b, Partial) else "one of the two has no hands"
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        inner = (first_difference(a[key], b[key], f"{path}.{key}" if path else key) for key in a)
        return next((difference for difference in inner if difference), None)
    return None if a == b else f"{path}: {a}, {b}"


def seats_by_strategy(scenario: Scenario) -> dict[str, list[int]]:
    """The seats of each strategy of the line-up, by its name."""
    seats: dict[str, list[int]] = {}
    for seat, strategy in enumerate(scenario.lineup):
        seats.setdefault(strategy.name, []).append(seat)
    return seats


def _hand_statistics(scenario: Scenario) -> dict[str, HandStatistic]:
    return {name: statistic for name, statistic in HAND_STATISTICS.items() if scenario.variant.hi_lo or not statistic.hi_lo}


def _sums(key: str, value: pl.Expr, of: pl.Expr | None, unit: str) -> dict[str, pl.Expr]:
    """Aggregations of n, total and total of squares, the last neither for booleans nor for ratios."""
    if of is not None and unit in RATIOS:
        return {f"{key} n": of.cast(pl.Int64).sum(), f"{key} total": value.cast(pl.Int64).sum()}
    counted = {f"{key} n": (pl.len() if of is None else of.sum()).cast(pl.Int64)}
    if unit == PERCENT:
        return counted | {f"{key} total": (value if of is None else value & of).sum().cast(pl.Int64)}
    # Ten stacks of 2^31 chips squared are above 2^63, and Polars would wrap without a word.
    value = value.cast(pl.Int128)
    if of is not None:
        value = pl.when(of).then(value).otherwise(pl.lit(0, pl.Int128))
    return counted | {f"{key} total": value.sum(), f"{key} squares": (value * value).sum()}


def _picked(row: dict[str, int] | None, key: str, unit: str) -> Sums:
    """The sums of one statistic out of a row of aggregations; zeros if there is no row: no hand with that button."""
    parts = ("n", "total") if unit in (PERCENT, *RATIOS) else ("n", "total", "squares")
    return [int(row[f"{key} {part}"]) if row else 0 for part in parts]


def summed(values: Iterable[Any]) -> Any:
    """Sum of nested dicts and lists of integers, all of one shape."""
    first, *others = values
    if isinstance(first, dict):
        if any(other.keys() != first.keys() for other in others):
            raise ValueError("partials of different scenarios or versions do not add up")
        return {key: summed([first[key], *(other[key] for other in others)]) for key in first}
    if isinstance(first, list):
        return [sum(parts) for parts in zip(first, *others, strict=True)]
    return sum(others, first)
