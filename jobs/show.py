"""Print hands of a run: `python -m jobs.show run=PATH hand=123` or `omaha-sim show run=PATH hand=123`."""

import re
import sys
from pathlib import Path
from typing import Any

from sim.plan import SpecError

from . import cli
from .values import check_keys, nearest, number_within, value_text, whole_number, word

MOST_HANDS = 10_000
NAMES = ("last", "biggest_pot")


def show(config: dict[str, Any]) -> int:
    """Choose the hands, play each again from the seed and print it. Returns the exit code."""
    # Late: a refused configuration need not wait for the compiler.
    from sim.check_files import other_code
    from sim.choose_hands import choose_hands, choose_scenario, choose_where
    from sim.dataset import load_spec
    from sim.hand_history import tell_hand
    from sim.run_directory import RunError
    from sim.show import hand_text
    from sim.strategies import StrategyError

    check_keys(config, ("run", "hand", "where", "first", "scenario"))
    run = Path(word("run", str(config["run"]))).expanduser()
    first = number_within("first", config["first"], 1, MOST_HANDS)
    wanted = _wanted(config["hand"])
    if wanted and config["where"] is not None:
        raise SpecError("hand", f"{value_text(config['hand'])}; where is given too; leave out one of them")
    try:
        spec = load_spec(run)
        index = choose_scenario(spec, _scenario(config["scenario"]))
        scenario = spec.scenarios[index]
        if config["where"] is None:
            chosen = choose_hands(run, spec, index, wanted or ["last"])
        else:
            chosen = choose_where(run, spec, index, word("where", str(config["where"])), first)
        if name := other_code(run):
            print(f"note: this run was played by other code (sim/{name} differs); its hands may have been others", file=sys.stderr)
        if len(spec.scenarios) > 1:
            print(f"scenario {index} of {len(spec.scenarios)}: {scenario.name}\n")
        for hand_id in chosen.hand_ids:
            print(hand_text(tell_hand(scenario, spec.seed, hand_id)))
    except SpecError:
        raise
    except (RunError, StrategyError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code if isinstance(error, RunError) else 1
    if config["where"] is not None:
        more = f"; first={first} of them are printed" if chosen.of > first else ""
        print(f"{chosen.of:,} hand{'s' * (chosen.of != 1)} found{more}")
    return 0


def _wanted(value: Any) -> list[int | str]:
    """The value of `hand` as a list of numbers and names."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    for item in items:
        if isinstance(item, str) and item not in NAMES and not item[:1].isdigit():
            close = nearest(item, NAMES)
            meant = f"did you mean {close}? " if close else ""
            raise SpecError("hand", f"{item}; {meant}allowed: the number of a hand, {', '.join(NAMES)}, or a list of these")
    return [item if item in NAMES else whole_number("hand", item) for item in items]


def _scenario(value: Any) -> int | str | None:
    """The value of `scenario`: a place, a name or nothing."""
    return value if value is None or type(value) is int else word("scenario", value)


def quoted(argument: str) -> str:
    """where=... or scenario=... in Hydra's grammar, in which > and = have a meaning of their own. Double quotes that are there stay."""
    key, _, value = argument.partition("=")
    if key not in ("where", "scenario") or value in ("", "null") or value.isdigit() or re.fullmatch('".*"', value):
        return argument
    escaped = re.sub(r"(\\*)('|$)", lambda match: match[1] * 2 + match[2].replace("'", "\\'"), value)
    return f"{key}='{escaped}'"


def main() -> int:
    """Run the job with the arguments of this process."""
    sys.argv[1:] = map(quoted, sys.argv[1:])
    return cli.run("show", show)


if __name__ == "__main__":
    sys.exit(main())
