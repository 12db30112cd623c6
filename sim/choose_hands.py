"""Which hands of a run to look at: by number, the last one, the biggest pot, or by a condition in SQL on the columns of the records."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from sim.dataset import damage_named, scan_hands
from sim.errors import meant
from sim.flags import OUTCOME_FLAGS
from sim.levels import LEVELS, NONE, RESULTS
from sim.plan import RunSpec, Scenario, SpecError, make_shards
from sim.play import play_range
from sim.records import to_table
from sim.run_directory import committed

LAST, BIGGEST_POT = "last", "biggest_pot"
MOST_PLAYED_AGAIN = 1_000_000  # hands: more of a run without records are not played again just to look for some
PART_HANDS = 100_000


class Chosen(NamedTuple):
    """Hands to look at."""

    hand_ids: list[int]
    of: int  # how many there are of this kind


def choose_scenario(spec: RunSpec, wanted: str | int | None) -> int:
    """The place of a scenario in the run, by its name or place; None: the first. Raises SpecError."""
    names = [scenario.name for scenario in spec.scenarios]
    if wanted is None:
        return 0
    if isinstance(wanted, int):
        if not 0 <= wanted < len(names):
            raise SpecError("scenario", f"{wanted}; allowed: 0 to {len(names) - 1}, or a name")
        return wanted
    if wanted not in names:
        raise SpecError(
            "scenario", f"{wanted}: no such scenario; {meant(wanted, names)}allowed: {', '.join(names)}, or 0 to {len(names) - 1}"
        )
    return names.index(wanted)


def choose_hands(run: Path, spec: RunSpec, scenario: int, wanted: Sequence[int | str]) -> Chosen:
    """The hands with these numbers or names ("last", "biggest_pot"). Raises SpecError, and what reading the records raises."""
    hand_ids = []
    for one in wanted:
        if one == LAST:
            hand_ids.append(_last(run, spec, scenario))
        elif one == BIGGEST_POT:
            pot = pl.col("pot")
            frame = _records(run, spec, scenario, "hand", BIGGEST_POT)
            with damage_named(run, spec):
                biggest = frame.select(pl.col("hand_id").filter(pot == pot.max()).min()).collect(engine="streaming")
            hand_ids.append(int(biggest.item()))
        elif isinstance(one, int) and 0 <= one < spec.hands:
            hand_ids.append(one)
        else:
            raise SpecError("hand", f"{one}; allowed: 0 to {spec.hands - 1}, {LAST}, {BIGGEST_POT}, or a list of these")
    return Chosen(hand_ids, len(hand_ids))


def choose_where(run: Path, spec: RunSpec, scenario: int, condition: str, most: int) -> Chosen:
    """The first `most` hands for which an SQL condition holds. Raises SpecError for a bad one, and what reading the records raises."""
    frame = _records(run, spec, scenario, "where", condition)
    with damage_named(run, spec):
        schema = frame.collect_schema()
    wanted, first = _condition(condition, schema), pl.col("hand_id").bottom_k(most).implode()
    try:
        found = frame.filter(wanted).select(n=pl.len(), first=first).collect(engine="streaming")
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        with damage_named(run, spec):
            frame.select(pl.col(wanted.meta.root_names()).null_count()).collect(engine="streaming")
        # The columns can be read: the condition does what it cannot, such as converting a value, and no try on empty columns shows it.
        raise SpecError("where", f"{condition}: {str(error).splitlines()[0]}") from error
    return Chosen(sorted(found["first"].item()), found["n"].item())


def _condition(text: str, schema: pl.Schema) -> pl.Expr:
    """The condition, tried on no rows, so that every mistake in it is found before anything is read."""
    try:
        condition = pl.sql_expr(text)
        result = pl.DataFrame(schema=schema).lazy().select(condition.alias("condition")).collect_schema()["condition"]
        pl.DataFrame(schema=schema).select(condition.alias("condition"))
    except pl.exceptions.ColumnNotFoundError as error:
        match = re.search(r'column "(\w+)"', str(error))
        name = match[1] if match else ""
        raise SpecError("where", f"{text}: no column {name}; {meant(name, schema)}allowed: {', '.join(_families(schema))}") from error
    except pl.exceptions.PolarsError as error:
        example = "write an SQL condition, such as 'pot > 100000 and showdown'"
        raise SpecError("where", f"{text}: {str(error).splitlines()[0]}; {example}; columns: {', '.join(_families(schema))}") from error
    if result != pl.Boolean:
        raise SpecError("where", f"{text}: is a value ({result}), not a condition; compare it with something, such as 'pot > 100000'")
    return condition


def _records(run: Path, spec: RunSpec, scenario: int, key: str, value: str) -> pl.LazyFrame:
    """The rows of a scenario, with the bits of `outcome` as columns; played again if the run has no records and is small."""
    game = spec.scenarios[scenario]
    if LEVELS[spec.records] != NONE:
        frame = scan_hands(run).filter(scenario=game.name)
    elif spec.hands > MOST_PLAYED_AGAIN:
        raise SpecError(
            key,
            f"{value}; this run was played with records=none, and its {spec.hands:,} hands are too many to play again for this "
            f"(at most {MOST_PLAYED_AGAIN:,}); give the number of a hand, such as hand=123",
        )
    else:
        frame = pl.concat(_played_again(spec, scenario, game)).lazy()
    bits = ((pl.col("outcome") & bit) != 0 for bit, _ in OUTCOME_FLAGS.values())
    return frame.with_columns(**dict(zip(OUTCOME_FLAGS, bits, strict=True)))


def _played_again(spec: RunSpec, index: int, scenario: Scenario) -> Iterable[pl.DataFrame]:
    names = [strategy.name for strategy in scenario.lineup]
    for start in range(0, spec.hands, PART_HANDS):
        hands = min(PART_HANDS, spec.hands - start)
        played = play_range(scenario, spec.seed, start, hands, RESULTS)
        table = to_table(played.columns, RESULTS, index, start, hands, names)
        columns = {"scenario": scenario.name, "variant": scenario.variant.name, "structure": scenario.structure}
        yield pl.DataFrame(table).with_columns(**{name: pl.lit(value) for name, value in columns.items()})


def _last(run: Path, spec: RunSpec, scenario: int) -> int:
    """The last hand that was played so far."""
    done = [shard for shard in committed(run, make_shards(spec)) if shard.scenario == scenario]
    if not done:
        raise SpecError("hand", f"{LAST}; no shard of {spec.scenarios[scenario].name} is finished yet; give the number of a hand")
    return max(shard.first_hand + shard.hands for shard in done) - 1


def _families(schema: Iterable[str]) -> list[str]:
    """Names of columns, those of the seats as name_0..name_5."""
    seats: dict[str, list[int]] = {}
    for name in schema:
        family, _, seat = name.rpartition("_")
        seats.setdefault(family if seat.isdigit() else name, []).extend([int(seat)] if seat.isdigit() else [])
    return [f"{family}_{numbers[0]}..{family}_{numbers[-1]}" if numbers else family for family, numbers in seats.items()]
