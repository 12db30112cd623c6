"""Play hands and print the statistics: `python -m jobs.simulate [key=value ...]` or `omaha-sim simulate [key=value ...]`."""

import sys
from typing import Any

from . import cli
from .compose import run_spec
from .folders import run_directory


def simulate(config: dict[str, Any]) -> int:
    """Check the configuration, then play the run it describes. Returns the exit code."""
    spec, compute = run_spec(config, cli.given_overrides())
    out, resume = run_directory(config)
    from sim.runner import simulate as play  # late: it loads the compiler and Polars, which a refused configuration need not wait for

    return play(spec, compute, out, resume)


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("simulate", simulate)


if __name__ == "__main__":
    sys.exit(main())
