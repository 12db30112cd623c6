"""Write hands of a run as histories: `python -m jobs.export run=PATH format=phh out=FILE` or `omaha-sim export ...`."""

import sys
from pathlib import Path
from typing import Any

from sim.plan import MAX_HANDS, SpecError

from . import cli
from .show import quoted
from .values import boolean, check_keys, number_within, one_of, value_text, whole_number, word

KEYS = ("run", "format", "out", "hand", "where", "first", "scenario", "overwrite")


def export(config: dict[str, Any]) -> int:
    """Choose the hands, play them again and write them. Returns the exit code."""
    from sim.check_files import other_code
    from sim.choose_hands import choose_hands, choose_scenario, choose_where  # late: a refused configuration need not wait for the compiler
    from sim.dataset import load_spec
    from sim.export import FORMATS
    from sim.export import export as write
    from sim.run_directory import RunError
    from sim.strategies import StrategyError

    check_keys(config, KEYS)
    run = Path(word("run", str(config["run"]))).expanduser()
    out = Path(word("out", str(config["out"]))).expanduser()
    form = word("format", config["format"])
    if form not in FORMATS:
        raise SpecError("format", f"{form}; {one_of(form, FORMATS)}")
    first = None if config["first"] is None else number_within("first", config["first"], 1, MAX_HANDS)
    hand, where, scenario_name = config["hand"], config["where"], config["scenario"]
    if hand is not None and (where is not None or first is not None):
        raise SpecError("hand", f"{value_text(hand)}; where or first is given too; leave out one of them")
    replaceable = out.is_file() and boolean("overwrite", config["overwrite"])
    if not out.absolute().parent.is_dir() or (out.exists() and not replaceable):
        raise SpecError("out", f"{out}; allowed: a new file in a folder that exists, or an old one with overwrite=true")
    try:
        spec = load_spec(run)
        if not (scenario_name is None or type(scenario_name) is int):
            scenario_name = word("scenario", scenario_name)
        index = choose_scenario(spec, scenario_name)
        if hand is not None:
            items = hand if isinstance(hand, list) else [hand]
            wanted = [item if item in ("last", "biggest_pot") else whole_number("hand", item) for item in items]
            hand_ids = choose_hands(run, spec, index, wanted).hand_ids
        elif where is not None:
            hand_ids = choose_where(run, spec, index, word("where", str(where)), first or spec.hands).hand_ids
        else:
            hand_ids = list(range(min(first or spec.hands, spec.hands)))
        if form == "phh" and out.suffix == ".phh" and len(hand_ids) != 1:
            raise SpecError("out", f"{out}; a .phh file holds one hand, these are {len(hand_ids):,}; allowed: NAME.phhs")
        if name := other_code(run):
            print(f"note: this run was played by other code (sim/{name} differs); its hands may have been others", file=sys.stderr)
        written = write(spec.scenarios[index], spec.seed, hand_ids, form, out)
    except SpecError:
        raise
    except (RunError, StrategyError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code if isinstance(error, RunError) else 1
    plural = "s" * (written.hands != 1)
    print(f"{written.hands:,} hand{plural} of {spec.scenarios[index].name} written to {out}; digest {written.digest:016x}")
    return 0


def main() -> int:
    """Run the job with the arguments of this process."""
    sys.argv[1:] = map(quoted, sys.argv[1:])
    return cli.run("export", export)


if __name__ == "__main__":
    sys.exit(main())
