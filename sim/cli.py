"""The console command `omaha-sim`: hands over to the jobs, which an installed package keeps inside and a checkout beside this one."""

import importlib
import importlib.util


def main() -> int:
    """Run the job that the command line names; returns the exit code."""
    try:
        jobs = "sim._jobs" if importlib.util.find_spec("sim._jobs") else "jobs"
        return importlib.import_module(f"{jobs}.cli").main()
    except KeyboardInterrupt:  # before the job began, which sees to it otherwise
        return 130
