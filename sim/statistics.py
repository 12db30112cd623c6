"""What is counted, and how counts become rates: each statistic is one entry of the two tables at the end.

A partial holds integers only (n, total, total of squares of each statistic), taken per shard or over a whole data set; partials add up
exactly in any order. Every division happens once, in `finish`. A rate is the sum of its values over the hands it counts, never a mean of
rates; where nothing is counted it is null. Definitions follow PokerTracker 4.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from functools import reduce
from typing import Any, Literal, NamedTuple

import polars as pl

from sim import flags
from sim.actions import FLOP, RIVER, TURN
from sim.evaluation import CATEGORIES
from sim.plan import LINE_UP, Scenario
from sim.records import position_names

NORMAL_95 = 1.959964  # two-sided 95 % quantile of the normal distribution

PERCENT, SEATS, BIG_BLINDS, BB_PER_100 = "%", "seats", "bb", "bb/100"  # units; values of % are booleans, those of bb are chips
RATIO, PERCENT_OF_ACTIONS = RATIOS = (
    "ratio",
    "% of actions",
)  # units of sums of whole numbers over sums of whole numbers, no mean of anything

Sums = list[int]  # n, total, total of squares; the last is left out of a %, where it equals the total, and of ratios


@dataclass(frozen=True)
class Partial:
    """Sums of the hands of one scenario, in the form that JSON keeps."""

    hands: dict[str, Sums]  # by hand statistic
    categories: list[int]  # (10,) showdowns won by each category
    seats: dict[str, dict[str, dict[str, Sums]]]  # by strategy, position and seat statistic
    tables: dict[str, Sums]  # by strategy: net of all its seats in a hand, chips


class Tables(NamedTuple):
    """Finished tables of one or more scenarios. Each statistic has the columns name, name_total and name_n."""

    scenarios: pl.DataFrame  # a row per scenario; each statistic also has name_se, its standard error
    strategies: pl.DataFrame  # a row per strategy: all its seats
    positions: pl.DataFrame  # a row per strategy and position
    categories: pl.DataFrame  # a row per category of the winning hand


class Seat(NamedTuple):
    """What a seat statistic is made of: expressions on the record columns of one seat."""

    net: pl.Expr
    flags: pl.Expr
    n_bets: pl.Expr
    n_calls: pl.Expr

    def has(self, bit: int) -> pl.Expr:
        """Whether the seat has this flag (a constant of sim.flags)."""
        return _has(self.flags, bit)


class HandStatistic(NamedTuple):
    """A value of each counted hand; expressions on the columns of the record."""

    value: pl.Expr
    of: pl.Expr | None  # which hands count; None: all
    unit: str
    heading: str  # of its column in the printed table
    meaning: str
    hi_lo: bool = False  # only where a low half is played


class SeatStatistic(NamedTuple):
    """A value of each counted hand of a seat."""

    value: Callable[[Seat], pl.Expr]
    of: Callable[[Seat], pl.Expr] | None  # which hands of the seat count, of a ratio how many actions; None: all
    unit: str
    heading: str  # of its column in the printed table; "": only in the saved ones
    meaning: str


def partial(frame: pl.DataFrame | pl.LazyFrame, scenario: Scenario, engine: Literal["streaming", "in-memory"] = "streaming") -> Partial:
    """Sums over the records of one scenario (columns of level results). Both engines of Polars give the same integers."""
    positions = position_names(scenario.n_seats)
    seats_of = _seats_by_strategy(scenario)
    hand_statistics = _hand_statistics(scenario)
    aggregations: dict[str, pl.Expr] = {}
    for name, statistic in hand_statistics.items():
        aggregations |= _sums(f"hand {name}", statistic.value, statistic.of, statistic.unit)
    for number in range(len(CATEGORIES)):
        aggregations[f"category {number}"] = (pl.col("category") == number).sum()
    for seat in range(scenario.n_seats):
        columns = Seat(*(pl.col(f"{name}_{seat}") for name in Seat._fields))
        for name, seat_statistic in SEAT_STATISTICS.items():
            of = seat_statistic.of(columns) if seat_statistic.of else None
            aggregations |= _sums(f"seat {seat} {name}", seat_statistic.value(columns), of, seat_statistic.unit)
    for index, seats in enumerate(seats_of.values()):
        aggregations |= _sums(f"table {index}", pl.sum_horizontal(f"net_{seat}" for seat in seats), None, BB_PER_100)

    # One pass: a position is a seat and a button, so the groups are the buttons, and a seat's position is known in each of them.
    by_button = frame.lazy().group_by("button").agg(**aggregations).collect(engine=engine)
    total = by_button.drop("button").sum().row(0, named=True) if by_button.height else dict.fromkeys(aggregations, 0)
    groups = {row["button"]: row for row in by_button.iter_rows(named=True)}
    seats_sums = {
        strategy: {
            position: {
                name: _added(
                    _picked(groups.get((seat - offset) % scenario.n_seats), f"seat {seat} {name}", seat_statistic.unit) for seat in seats
                )
                for name, seat_statistic in SEAT_STATISTICS.items()
            }
            for offset, position in enumerate(positions)
        }
        for strategy, seats in seats_of.items()
    }
    return Partial(
        hands={name: _picked(total, f"hand {name}", statistic.unit) for name, statistic in hand_statistics.items()},
        categories=[total[f"category {number}"] for number in range(len(CATEGORIES))],
        seats=seats_sums,
        tables={strategy: _picked(total, f"table {index}", BB_PER_100) for index, strategy in enumerate(seats_of)},
    )


def merge(partials: Iterable[Partial]) -> Partial:
    """The partial of all the hands together: integer addition."""
    return reduce(lambda a, b: Partial(**_added((vars(a), vars(b)))), partials)


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


def finish(partial: Partial, scenario: Scenario) -> Tables:
    """The rates of one scenario, from integers alone: equal partials give equal tables."""
    big_blind = scenario.stakes.big_blind
    head = {"scenario": scenario.name, "variant": scenario.variant.name, "structure": scenario.structure, "seats": scenario.n_seats}
    scenario_row = head | {"big_blind": big_blind, "hands": partial.hands["pot"][0]}
    for name, statistic in HAND_STATISTICS.items():
        scenario_row |= _rate(name, partial.hands.get(name, [0, 0]), statistic.unit, big_blind, with_error=True)

    strategy_rows, position_rows = [], []
    for strategy, seats in _seats_by_strategy(scenario).items():
        by_position = partial.seats[strategy]
        together = _added(by_position.values())
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


def _seats_by_strategy(scenario: Scenario) -> dict[str, list[int]]:
    seats: dict[str, list[int]] = {}
    for seat, strategy in enumerate(scenario.lineup):
        seats.setdefault(strategy.name, []).append(seat)
    return seats


def _hand_statistics(scenario: Scenario) -> dict[str, HandStatistic]:
    return {name: statistic for name, statistic in HAND_STATISTICS.items() if scenario.variant.hi_lo or not statistic.hi_lo}


def _has(column: pl.Expr, bit: int) -> pl.Expr:
    return (column & bit) != 0


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


def _added(values: Iterable[Any]) -> Any:
    """Sum of nested dicts and lists of integers, all of one shape."""
    first, *others = values
    if isinstance(first, dict):
        if any(other.keys() != first.keys() for other in others):
            raise ValueError("partials of different scenarios or versions do not add up")
        return {key: _added([first[key], *(other[key] for other in others)]) for key in first}
    if isinstance(first, list):
        return [sum(parts) for parts in zip(first, *others, strict=True)]
    return sum(others, first)


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


_STREET, _OUTCOME = pl.col("street"), pl.col("outcome")
_SHOWDOWN = pl.col("showdown")

# fmt: off
HAND_STATISTICS = {
    "pot": HandStatistic(
        pl.col("pot"), None, BIG_BLINDS, "pot bb",
        "average pot after an uncalled bet went back, before rake; all hands"),
    "players_flop": HandStatistic(
        pl.col("n_flop"), _STREET >= FLOP, SEATS, "players per flop",
        "seats that saw the flop, all-in included; hands with a flop"),
    "flop": HandStatistic(_STREET >= FLOP, None, PERCENT, "flop %", "hands with a flop"),
    "turn": HandStatistic(_STREET >= TURN, None, PERCENT, "turn %", "hands with a turn"),
    "river": HandStatistic(_STREET >= RIVER, None, PERCENT, "river %", "hands with a river"),
    "showdown": HandStatistic(_SHOWDOWN, None, PERCENT, "showdown %", "hands with a showdown"),
    "all_in": HandStatistic(
        _has(_OUTCOME, flags.HAND_ALL_IN), None, PERCENT, "all-in %",
        "hands in which some seat was all-in"),
    "split_pot": HandStatistic(
        _has(_OUTCOME, flags.SPLIT_POT), None, PERCENT, "split %",
        "hands in which a pot or a half was shared, or high and low went to different seats"),
    "rake": HandStatistic(
        pl.col("rake"), None, BB_PER_100, "rake bb/100",
        "rake and time charge of the table in big blinds per 100 hands"),
    "low_made": HandStatistic(
        _has(_OUTCOME, flags.LOW_MADE), _SHOWDOWN, PERCENT, "low %",
        "showdowns in which a low won part of the main pot", hi_lo=True),
    "scooped": HandStatistic(
        _has(_OUTCOME, flags.HAND_SCOOPED), _SHOWDOWN, PERCENT, "scooped %",
        "showdowns in which one seat took the whole main pot", hi_lo=True),
    "quartered": HandStatistic(
        _has(_OUTCOME, flags.HAND_QUARTERED), _SHOWDOWN, PERCENT, "quartered %",
        "showdowns in which some seat was quartered", hi_lo=True),
}



def _postflop_actions(seat: Seat) -> pl.Expr:
    """Bets, raises, calls and folds after the flop was dealt."""
    return seat.n_bets.cast(pl.Int64) + seat.n_calls + (seat.has(flags.FOLDED) & seat.has(flags.SAW_FLOP))


# `net` gives hands, bb/100 with its interval and the standard deviation; each of the others is a column of its own.
SEAT_STATISTICS = {
    "net": SeatStatistic(
        lambda seat: seat.net, None, BB_PER_100, "bb/100",
        "won minus put in, after rake, in big blinds per 100 hands dealt"),
    "vpip": SeatStatistic(
        lambda seat: seat.has(flags.VPIP), lambda seat: ~seat.has(flags.WALK), PERCENT, "VPIP",
        "put chips in of its own will before the flop; hands but walks"),
    "pfr": SeatStatistic(
        lambda seat: seat.has(flags.PFR), lambda seat: ~seat.has(flags.WALK), PERCENT, "PFR",
        "raised before the flop; hands but walks"),
    "three_bet": SeatStatistic(
        lambda seat: seat.has(flags.THREE_BET), lambda seat: seat.has(flags.THREE_BET_CHANCE), PERCENT, "3-bet",
        "raised the first raise; hands in which it was to act after exactly one raise and could raise"),
    "af": SeatStatistic(
        lambda seat: seat.n_bets, lambda seat: seat.n_calls, RATIO, "",
        "bets and raises after the flop was dealt; calls after the flop was dealt"),
    "afq": SeatStatistic(
        lambda seat: seat.n_bets, _postflop_actions, PERCENT_OF_ACTIONS, "AFq",
        "bets and raises after the flop was dealt; these, calls and folds after the flop was dealt, checks left out"),
    "wtsd": SeatStatistic(
        lambda seat: seat.has(flags.SHOWDOWN), lambda seat: seat.has(flags.SAW_FLOP), PERCENT, "WTSD",
        "went to showdown; hands in which it saw the flop, all-in included"),
    "wtsd_active": SeatStatistic(
        lambda seat: seat.has(flags.SHOWDOWN), lambda seat: seat.has(flags.SAW_FLOP) & ~seat.has(flags.ALL_IN_PREFLOP), PERCENT, "",
        "the same without hands in which it was all-in before the flop"),
    "wsd": SeatStatistic(
        lambda seat: seat.has(flags.WON), lambda seat: seat.has(flags.SHOWDOWN), PERCENT, "W$SD",
        "won any part of a pot; its showdowns"),
    "wsd_profit": SeatStatistic(
        lambda seat: seat.net > 0, lambda seat: seat.has(flags.SHOWDOWN), PERCENT, "",
        "ended the hand with a profit; its showdowns"),
}
# fmt: on
