"""Recompute the statistics of a run from its records: `python -m jobs.aggregate run=PATH` or `omaha-sim aggregate run=PATH`."""

import sys
from typing import Any

from . import cli
from .values import check_keys, path


def aggregate(config: dict[str, Any]) -> int:
    """Recount, compare with what the shards recorded, print and save the tables. Returns the exit code: 1 if the two differ."""
    from sim.dataset import committed_shards, load_spec  # late: a refused configuration need not wait for Polars
    from sim.plan import n_shards
    from sim.recount import compare, recount
    from sim.run_directory import STATS, RunError, reason
    from sim.statistics import finish, stack_tables
    from sim.tables import print_tables, save_tables
    from sim.totals import add_up

    check_keys(config, ("run",))
    run = path("run", config["run"])
    spec = load_spec(run)
    shards = committed_shards(run, spec)
    recounted = recount(run, spec, shards)
    totals = add_up(run, spec, shards)
    if difference := compare(spec, [total.partial for total in totals.scenarios], recounted):
        raise RunError(f"{run}: records and commit records differ: {difference}")
    pairs = zip(recounted, spec.scenarios, strict=True)
    results = stack_tables(finish(partial, scenario) for partial, scenario in pairs if partial)
    print_tables(results)
    if len(shards) < n_shards(spec):
        print(f"{run} is not complete: these are {len(shards)} of its {n_shards(spec)} shards")
    hands = sum(total.hands for total in totals.scenarios)
    try:
        save_tables(results, run / STATS)
        saved = f"tables saved in {run / STATS}"
    except OSError as error:
        saved = f"the tables are not saved: cannot write {error.filename or run / STATS}: {reason(error)}"
    print(f"{hands:,} hands recounted from the records: every sum equals that of the commit records; {saved}")
    return 0


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("aggregate", aggregate)


if __name__ == "__main__":
    sys.exit(main())
