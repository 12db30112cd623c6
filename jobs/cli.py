"""The command line: sub-commands, and what all jobs share around Hydra: one line for a wrong configuration and exit code 2.

A job is a function of its resolved configuration that returns the exit code; a new one is a file here, a file in `conf` and a line in JOBS.
"""

import importlib
import os
import re
import signal
import sys
import warnings
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, NoReturn

from sim.errors import UserError, meant
from sim.interrupts import SIGNALLED, interrupted, interruptible

PROGRAM = "omaha-sim"
JOBS = {
    "simulate": "play hands, keep a record of each, print the statistics",
    "aggregate": "recompute the statistics of a run from its records",
    "show": "print hands of a run as a readable history",
    "verify": "play hands of a run again and compare them with its records",
    "replay": "replay hand histories and compare every chip",
    "export": "write hands of a run as histories in the formats of the field",
    "rank": "rank starting hands by their share of the pot at showdown",
    "range": "count a range of starting hands",
    "bench": "measure hands per second of each stage on this machine",
}
Job = Callable[[dict[str, Any]], int]


def main() -> int:
    """`omaha-sim <job> ...`: run a job's own `main` with the rest of the arguments."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(f"Usage: {PROGRAM} <job> [key=value ...]\n")
        print("\n".join(f"  {name:<10} {line}" for name, line in JOBS.items()))
        print(f"\n{PROGRAM} <job> --help explains its keys and options.")
        return 0
    if arguments[0] == "--version":
        from importlib.metadata import version

        print(f"{PROGRAM} {version(PROGRAM)}")
        return 0
    name = arguments[0]
    if name not in JOBS:
        hint = meant(name, JOBS) or (f"{PROGRAM} simulate {name}? " if "=" in name else "")
        _say(f"error: {name}: no such job; {hint}allowed: {', '.join(JOBS)}")
        return 2
    sys.argv = [f"{PROGRAM} {name}", *arguments[1:]]
    return importlib.import_module(f".{name}", __package__).main()


def run(name: str, job: Job) -> int:
    """Compose `conf/<name>.yaml` with the arguments of this process, call the job and return its exit code.

    What a person can mend is one line on standard error: exit code 2 for a wrong configuration, else that of the error.
    """
    with interruptible(lambda number: _say("interrupted"), ends_process=True):
        try:
            code = outcome(lambda: _attempt(name, job))
        except KeyboardInterrupt:
            code = SIGNALLED + signal.SIGINT
            _say("interrupted")
        except BrokenPipeError:  # of --help
            code = _unread()
    return code


def outcome(work: Callable[[], int]) -> int:
    """The exit code of some work. What a person can mend becomes one line on standard error, and the exit code of the error."""
    try:
        return work()
    except UserError as error:
        if interrupted():  # an interrupted compiler blames what it compiles
            raise KeyboardInterrupt from error
        _say(f"error: {' '.join(str(error).split())}")
        return error.exit_code
    except BrokenPipeError:
        raise
    except OSError as error:
        _say(f"error: {f'{error.filename}: ' if error.filename else ''}{error.strerror or error}")
        return 1


def _attempt(name: str, job: Job) -> int:
    import hydra
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    from .errors import ConfigError, explain
    from .folders import CONF

    overrides: list[str] = []
    entered = False

    def task(config: Any) -> None:
        nonlocal entered
        entered = True
        if interrupted():  # some import has swallowed the KeyboardInterrupt
            raise KeyboardInterrupt

        def work() -> int:
            try:
                return job(OmegaConf.to_container(config, resolve=True, throw_on_missing=True))  # type: ignore[arg-type]
            except (HydraException, OmegaConfBaseException, YAMLError) as error:
                raise ConfigError(explain(error, name, overrides)) from error

        # Hydra would print more about an exception, and go on to the next run of a --multirun.
        try:
            code = outcome(work)
        except BrokenPipeError:
            code = _unread()
        if code:
            raise SystemExit(code)

    try:
        arguments, overrides = _arguments(sys.argv[1:])
        sys.argv[1:] = arguments
        os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra lets its exceptions through, instead of printing them and leaving
        warnings.filterwarnings("error", message="provider=.*is not available", category=UserWarning)  # a missing hydra.searchpath
        hydra.main(version_base="1.3", config_path=str(CONF), config_name=name)(task)()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    except (ConfigError, BrokenPipeError):
        raise
    except Exception as error:
        if entered:
            raise  # a fault of the job, not of its configuration
        raise ConfigError(explain(error, name, overrides)) from error
    return 0


def _unread() -> int:
    """The exit code where nobody reads on, as in `... | head`; and nothing more is said, as Python would on leaving."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return SIGNALLED + signal.SIGPIPE


def given_overrides() -> list[str]:
    """What the user gave on the command line for this job, without Hydra's own settings; in a --multirun, for this run of it."""
    from hydra.core.hydra_config import HydraConfig

    settings = HydraConfig.get().overrides
    return [*(line for line in settings.hydra if line.startswith("hydra.searchpath=")), *settings.task]


def _arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """All arguments, flags first as Hydra's parser wants them, and the overrides among them. Raises ConfigError for an unknown flag."""
    from hydra._internal.utils import get_args_parser

    from .errors import ConfigError
    from .quoting import quoted

    parser: ArgumentParser = get_args_parser()

    def fail(message: str) -> NoReturn:
        if flag := re.match(r"unrecognized arguments: (--?([\w-]+))", message):
            raise ConfigError(f"{flag[1]}: no such flag; keys are written without dashes: {flag[2]}=value; see --help")
        raise ConfigError(f"{message}; see --help")

    parser.error = fail  # type: ignore[method-assign]
    parsed = parser.parse_intermixed_args(arguments)
    flags = list(arguments)
    for override in parsed.overrides:
        flags.remove(override)
    overrides = [quoted(override, parsed.multirun) for override in parsed.overrides]
    # A sweep given in braces adds its axes to those of a preset, of which Hydra knows only as keys to be forced.
    overrides = [f"++{override}" if override.startswith("sweep={") else override for override in overrides]
    return [*flags, *overrides], overrides


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
