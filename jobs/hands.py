"""The keys by which jobs choose hands of a run: run, scenario, hand, where."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import meant
from sim.plan import RunSpec, SpecError

from .values import path, value_text, whole_number, word

if TYPE_CHECKING:
    from sim.choose_hands import Chosen

NAMES = ("last", "biggest_pot")
CONDITION = "an SQL condition, such as 'pot > 100000 and showdown'"


def open_run(config: Mapping[str, Any]) -> tuple[Path, RunSpec]:
    """The run directory and what it plays; that it was played by other code is noted."""
    from sim.check_files import other_code  # late: a refused configuration need not wait for the compiler
    from sim.dataset import load_spec

    run = path("run", config["run"])
    spec = load_spec(run)
    if name := other_code(run):
        print(f"note: this run was played by other code (sim/{name} differs); its hands may have been others", file=sys.stderr)
    return run, spec


def choose(run: Path, spec: RunSpec, config: Mapping[str, Any], most: int) -> "tuple[int, Chosen | None]":
    """The place of the scenario, and the hands that `hand` names or `where` finds, of these at most `most`; None without both."""
    from sim.choose_hands import choose_hands, choose_scenario, choose_where

    index = choose_scenario(spec, _scenario(config["scenario"]))
    hand, where = config["hand"], config["where"]
    if hand is not None and where is not None:
        raise SpecError("hand", f"{value_text(hand)}; where is given too; leave out one of them")
    if hand is not None:
        return index, choose_hands(run, spec, index, [_hand(item) for item in (hand if isinstance(hand, list) and hand else [hand])])
    if where is not None:
        return index, choose_where(run, spec, index, word("where", str(where), CONDITION), most)
    return index, None


def _hand(item: Any) -> int | str:
    if item == [] or (isinstance(item, str) and item not in NAMES and not item[:1].isdigit()):
        hint = meant(str(item), NAMES)
        raise SpecError("hand", f"{value_text(item)}; {hint}allowed: the number of a hand, {', '.join(NAMES)}, or a list of these")
    return item if item in NAMES else whole_number("hand", item)


def _scenario(value: Any) -> int | str | None:
    return value if value is None or type(value) is int else word("scenario", value)
