"""Compare a run with what its seed gives: `python -m jobs.verify run=PATH` or `omaha-sim verify run=PATH`."""

import sys
from pathlib import Path
from typing import Any

from . import cli
from .values import check_keys, number_within, word


def verify(config: dict[str, Any]) -> int:
    """Check the files, play the sample again, print what differs. Returns the exit code: 1 if anything does, 2 if it cannot be checked."""
    # Late: a refused configuration need not wait for the compiler.
    from sim.check_files import MOST_DIFFERENCES, check_run, other_code, print_differences
    from sim.compilation import ensure_compiled
    from sim.dataset import load_spec
    from sim.plan import MAX_HANDS, MAX_SEED, make_shards
    from sim.progress import show_progress
    from sim.run_directory import RunError, committed
    from sim.strategies import StrategyError
    from sim.verify import compare_hands, sample_ranges

    check_keys(config, ("run", "sample", "seed"))
    run = Path(word("run", str(config["run"]))).expanduser()
    sample = None if config["sample"] == "all" else number_within("sample", config["sample"], 1, MAX_HANDS)
    seed = number_within("seed", config["seed"], 0, MAX_SEED)
    try:
        spec = load_spec(run)
        if name := other_code(run):
            _say(f"note: this run was played by other code (sim/{name} differs); differences may come from that")
        shards = make_shards(spec)
        there = committed(run, shards)
        ranges = sample_ranges(spec, there, sample, seed)
        if ranges:
            ensure_compiled(spec, _say)
        differences = list(check_run(run, spec, shards))
        compared = 0
        with show_progress(sum(block.hands for block in ranges), 0) as display:
            for hands, found in compare_hands(run, spec, ranges):
                compared += hands
                differences += found
                display.advance(hands)
                if len(differences) >= MOST_DIFFERENCES:
                    break
    except (RunError, StrategyError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if len(there) < len(shards):
        print(f"{run} has {len(there):,} of its {len(shards):,} shards")
    print_differences(differences)
    of_hands = f"{compared:,} of {spec.hands * len(spec.scenarios):,} hands played again"
    outcome = "no difference" if not differences else f"{len(differences):,} difference{'s' * (len(differences) > 1)}"
    print(f"{of_hands}, {len(there):,} shards checked: {outcome}")
    return 1 if differences else 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("verify", verify)


if __name__ == "__main__":
    sys.exit(main())
