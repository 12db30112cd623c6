"""The records of a run as Polars lazy frames: one row per hand, per hand and seat, or per action.

Nothing is read until a query is collected, and no frame groups or joins by hand, so queries stream over runs larger than memory. Only
committed shards are seen. `run` is the path of a run directory. Row order is not part of the contract: sort if it matters.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from sim.actions import ACTION_KINDS, STREETS, kind_of, seat_of, street_of
from sim.flags import SEAT_FLAGS
from sim.levels import FULL, LEVELS, RESULTS
from sim.plan import RunSpec, Scenario, Shard, SpecError, make_shards, restored
from sim.records import position_names
from sim.run_directory import Damaged, Refused, committed, damaged_description, data_path, flaw, read_run


def scan_hands(run: str | Path) -> pl.LazyFrame:
    """One row per hand: the columns of the record (docs/schema.md) with `scenario` as its name, and variant and structure."""
    return pl.concat([frame for _, frame in _scan_scenarios(run, RESULTS, "scan_hands")])


def scan_seats(run: str | Path) -> pl.LazyFrame:
    """One row per hand and seat dealt in.

    Columns: hand_id, scenario (name), variant, structure, big_blind (chips), seat, position, offset (from the button), strategy, stack, net
    (chips), n_bets, n_calls (after the flop was dealt), with records=hands or full also hole (list of cards), strength, low; then each bit
    of the seat's flags as a boolean.
    """
    return pl.concat(
        [
            _one_seat(frame, scenario, seat)
            for scenario, frame in _scan_scenarios(run, RESULTS, "scan_seats")
            for seat in range(scenario.n_seats)
        ]
    )


def scan_actions(run: str | Path) -> pl.LazyFrame:
    """One row per action, in order within a hand; needs records=full.

    Columns: hand_id, scenario (name), variant, structure, big_blind (chips), index (of the action in its hand), street (name), seat,
    position, action (fold, check, call, raise), amount (chips: total bet of the seat on the street after it; of a fold, its bet so far).
    """
    return pl.concat([_actions(frame, scenario) for scenario, frame in _scan_scenarios(run, FULL, "scan_actions")])


def load_spec(run: str | Path) -> RunSpec:
    """What the run plays. Raises Refused if there is no run."""
    run = Path(run)
    if not run.is_dir():
        raise Refused(f"{run}: no such run directory")
    described = read_run(run)
    try:
        return restored(described["spec"], RunSpec)
    except SpecError as error:
        raise damaged_description(run, str(error)) from error


@contextmanager
def damage_named(run: Path, spec: RunSpec) -> Iterator[None]:
    """Raises Damaged, which names the file, for what Polars says of a data file that it cannot read."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        for shard in committed_shards(run, spec):
            if (why := flaw(run, shard)) is not None:
                raise Damaged(run, why) from error
        raise Damaged(run, f"{error} (omaha-sim verify names the file)") from error


def committed_shards(run: str | Path, spec: RunSpec) -> list[Shard]:
    """The shards whose records are there, in the order of the plan. Raises Refused if the run keeps no records or has no shard yet."""
    if LEVELS[spec.records] < RESULTS:
        raise Refused(f"{run} was played with records=none and has no records; play it with records=results, hands or full")
    if shards := committed(Path(run), make_shards(spec)):
        return shards
    raise Refused(f"{run} has no finished shard yet; wait, or resume it")


def _scan_scenarios(run: str | Path, level: int, what: str) -> list[tuple[Scenario, pl.LazyFrame]]:
    """Each scenario that has records, with their frame. Scenarios are scanned apart: seats, positions and cards depend on them."""
    spec = load_spec(run)
    files: list[list[Path]] = [[] for _ in spec.scenarios]
    for shard in committed_shards(run, spec):
        files[shard.scenario].append(Path(run) / data_path(spec, shard))
    if LEVELS[spec.records] < level:
        needed = next(name for name, number in LEVELS.items() if number == level)
        raise Refused(f"{run} was played with records={spec.records}; {what} needs records={needed}")
    return [
        (scenario, _scan(paths).with_columns(*_columns_of(scenario)))
        for scenario, paths in zip(spec.scenarios, files, strict=True)
        if paths
    ]


def _scan(files: list[Path]) -> pl.LazyFrame:
    return pl.scan_parquet(files, hive_partitioning=False, glob=False)


def _columns_of(scenario: Scenario) -> list[pl.Expr]:
    """What the path of a data file says; read from the plan, since a run directory may be in a folder like seed=1."""
    values = {"variant": scenario.variant.name, "structure": scenario.structure, "scenario": scenario.name}
    return [pl.lit(value).alias(name) for name, value in values.items()]


def _position(scenario: Scenario, offset: pl.Expr) -> pl.Expr:
    return _named(offset, position_names(scenario.n_seats))


def _offset(scenario: Scenario, seat: pl.Expr) -> pl.Expr:
    return ((seat + scenario.n_seats - pl.col("button")) % scenario.n_seats).cast(pl.UInt8)


def _head(scenario: Scenario) -> list[pl.Expr]:
    return [
        *map(pl.col, ("hand_id", "scenario", "variant", "structure")),
        pl.lit(scenario.stakes.big_blind, pl.Int64).alias("big_blind"),
    ]


def _one_seat(frame: pl.LazyFrame, scenario: Scenario, seat: int) -> pl.LazyFrame:
    number = pl.lit(seat, pl.Int16)
    offset = _offset(scenario, number)
    columns = [
        *_head(scenario),
        number.cast(pl.UInt8).alias("seat"),
        _position(scenario, offset).alias("position"),
        offset.alias("offset"),
        pl.col(f"strategy_{seat}").cast(pl.String).alias("strategy"),
        pl.col(f"stack_{seat}").alias("stack"),
        pl.col(f"net_{seat}").alias("net"),
        pl.col(f"n_bets_{seat}").alias("n_bets"),
        pl.col(f"n_calls_{seat}").alias("n_calls"),
    ]
    if "hole" in frame.collect_schema():
        width = scenario.variant.hole_cards
        columns += [
            pl.col("hole").list.slice(seat * width, width),
            pl.col(f"strength_{seat}").alias("strength"),
            pl.col(f"low_{seat}").alias("low"),
        ]
    bits = pl.col(f"flags_{seat}")
    return frame.select(*columns, *(((bits & bit) != 0).alias(name) for name, (bit, _) in SEAT_FLAGS.items()))


def _actions(frame: pl.LazyFrame, scenario: Scenario) -> pl.LazyFrame:
    code = pl.col("act_code")
    seat = seat_of(code)
    return (
        frame.select(
            *_head(scenario),
            "button",
            pl.int_ranges(0, code.list.len(), dtype=pl.Int32).alias("index"),
            code,
            pl.col("act_amount").alias("amount"),
        )
        .explode("index", "act_code", "amount")
        .select(
            *map(pl.col, ("hand_id", "scenario", "variant", "structure", "big_blind", "index")),
            _named(street_of(code), STREETS).alias("street"),
            seat.alias("seat"),
            _position(scenario, _offset(scenario, seat.cast(pl.Int16))).alias("position"),
            _named(kind_of(code), ACTION_KINDS).alias("action"),
            "amount",
        )
    )


def _named(number: pl.Expr, names: tuple[str, ...]) -> pl.Expr:
    """names[number], as a chain of choices: `replace_strict` would not stream, but collect the whole column first."""
    chosen = pl.lit(names[-1])
    for place, name in enumerate(names[:-1]):
        chosen = pl.when(number == place).then(pl.lit(name)).otherwise(chosen)
    return chosen
