"""Write hands of a run as histories: `python -m jobs.export run=PATH format=phh out=FILE` or `omaha-sim export ...`."""

import sys
from pathlib import Path
from typing import Any

from sim.plan import MAX_HANDS, SpecError

from . import cli
from .hands import choose, open_run
from .values import boolean, check_keys, name_of, number_within, path, value_text

KEYS = ("run", "format", "out", "hand", "where", "first", "scenario", "overwrite")


def export(config: dict[str, Any]) -> int:
    """Choose the hands, play them again and write them. Returns the exit code."""
    from sim.export import FORMATS  # late: a refused configuration need not wait for the compiler
    from sim.export import export as write
    from sim.progress import show_progress

    check_keys(config, KEYS)
    form = name_of("format", config["format"], FORMATS)
    first = None if config["first"] is None else number_within("first", config["first"], 1, MAX_HANDS)
    if config["hand"] is not None and first is not None:
        raise SpecError("hand", f"{value_text(config['hand'])}; where or first is given too; leave out one of them")
    out = _new_file(path("out", config["out"]), boolean("overwrite", config["overwrite"]))
    run, spec = open_run(config)
    index, chosen = choose(run, spec, config, first or spec.hands)
    hand_ids = range(min(first or spec.hands, spec.hands)) if chosen is None else chosen.hand_ids
    if form == "phh" and out.suffix == ".phh" and len(hand_ids) != 1:
        raise SpecError("out", f"{out}; a .phh file holds one hand, these are {len(hand_ids):,}; allowed: NAME.phhs")
    with show_progress(len(hand_ids), 0) as display:
        written = write(spec.scenarios[index], spec.seed, hand_ids, form, out, display.advance)
    plural = "s" * (written.hands != 1)
    print(f"{written.hands:,} hand{plural} of {spec.scenarios[index].name} written to {out}; digest {written.digest:016x}")
    return 0


def _new_file(out: Path, overwrite: bool) -> Path:
    if not out.absolute().parent.is_dir() or (out.exists() and not (out.is_file() and overwrite)):
        raise SpecError("out", f"{out}; allowed: a new file in a folder that exists, or an old one with overwrite=true")
    return out


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("export", export)


if __name__ == "__main__":
    sys.exit(main())
