"""Compare a run with what its seed gives: `python -m jobs.verify run=PATH` or `omaha-sim verify run=PATH`."""

import sys
from typing import Any

from sim.errors import UserError

from . import cli
from .hands import open_run
from .values import check_keys, number_within


def verify(config: dict[str, Any]) -> int:
    """Check the files, play the sample again, print what differs. Returns the exit code: 1 if anything does, 2 if it cannot be checked."""
    # Late: a refused configuration need not wait for the compiler.
    from sim.check_files import MOST_DIFFERENCES, check_run, print_differences
    from sim.compilation import ensure_compiled
    from sim.plan import MAX_HANDS, MAX_SEED, make_shards
    from sim.progress import show_progress
    from sim.run_directory import Refused, committed
    from sim.verify import compare_hands, sample_ranges

    check_keys(config, ("run", "sample", "seed"))
    sample = None if config["sample"] == "all" else number_within("sample", config["sample"], 1, MAX_HANDS)
    seed = number_within("seed", config["seed"], 0, MAX_SEED)
    run, spec = open_run(config)
    shards = make_shards(spec)
    there = committed(run, shards)
    if not there:
        raise Refused(f"{run} has no finished shard yet, so there is nothing to check; wait, or resume it")
    if len(there) < len(shards):
        print(f"{run} is not finished: {len(there):,} of its {len(shards):,} shards are there and checked; resume it for the others")
    try:
        ranges = sample_ranges(spec, there, sample, seed)
        if ranges:
            ensure_compiled(spec, lambda line: print(line, file=sys.stderr, flush=True))
        differences = list(check_run(run, spec, shards))
        compared = 0
        with show_progress(sum(block.hands for block in ranges), 0) as display:
            for hands, found in compare_hands(run, spec, ranges):
                compared += hands
                differences += found
                display.advance(hands)
                if len(differences) >= MOST_DIFFERENCES:
                    break
    except (UserError, OSError, ValueError) as error:
        raise Refused(f"{run} cannot be checked: {error}") from error
    print_differences(differences)
    played = sum(shard.hands for shard in there)
    of_hands = f"{compared:,} of {played:,} hands played again"
    outcome = "no difference" if not differences else f"{len(differences):,} difference{'s' * (len(differences) > 1)}"
    print(f"{of_hands}, {len(there):,} shard{'s' * (len(there) != 1)} checked: {outcome}")
    return 1 if differences else 0


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("verify", verify)


if __name__ == "__main__":
    sys.exit(main())
