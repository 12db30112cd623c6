"""Play hands and print the statistics: `python -m jobs.simulate [key=value ...]` or `omaha-sim simulate [key=value ...]`."""

import secrets
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from sim.plan import SpecError

from . import cli
from .compose import run_spec
from .values import boolean, word


def simulate(config: dict[str, Any]) -> int:
    """Check the configuration, then play the run it describes. Returns the exit code."""
    spec, compute = run_spec(config, cli.given_overrides())
    out, resume = run_directory(config)
    from sim.runner import simulate as play  # late: it loads the compiler and Polars, which a refused configuration need not wait for

    return play(spec, compute, out, resume)


def run_directory(config: dict[str, Any]) -> tuple[Path, bool]:
    """Where the run goes, and whether it goes on with one that is there."""
    resume = boolean("resume", config["resume"])
    if config["out"] is not None:
        return Path(word("out", str(config["out"]))).expanduser(), resume
    if resume:
        raise SpecError("resume", "true; name the run to go on with: out=PATH")
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}", resume


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("simulate", simulate)


if __name__ == "__main__":
    sys.exit(main())
