"""A run from its spec to the printed tables, or to the point from which it can be resumed."""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

from sim import statistics, tables
from sim.code_digest import code_digest
from sim.compilation import ensure_compiled
from sim.fanout import EXECUTORS, ShardFailed
from sim.interrupts import SIGNALLED, Stop, interruptible
from sim.plan import Compute, Plan, RunSpec, Shard, make_shards
from sim.progress import show_progress
from sim.run import run_shard
from sim.run_directory import RUN, STATS, SUCCESS, Refused, RunError, log, open_run, reason, resume_command, unfinished
from sim.strategies import StrategyError
from sim.totals import Totals, add_up, run_digest, write_success

Work = Callable[..., dict[str, Any]]  # (spec, shard, run directory, code digest) -> what the log says of it
Show = Callable[[int, float], None]  # (hands played now, seconds) -> prints the results
Finish = Callable[[Path, Sequence[Shard], bool], Show]


def simulate(spec: RunSpec, compute: Compute, out: str | Path, resume: bool = False, work: Work = run_shard) -> int:
    """Play a run into the directory `out`, print its tables and return the exit code.

    0: complete. 1: stopped by an error. 2: refused, nothing was written. 130 (Ctrl-C), 143 (SIGTERM): interrupted. What is committed by
    then stays, and the same run with `resume` goes on from there.
    """

    def finish(run: Path, shards: Sequence[Shard], complete: bool) -> Show:
        totals = add_up(run, spec, shards)
        results = _finish(spec, totals)
        if not complete:
            tables.save_tables(results, run / STATS)
            write_success(run, spec, totals)
            log(run, "complete", digest=run_digest(totals))

        def show(played: int, seconds: float) -> None:
            tables.print_tables(results, Console())
            print(_summary(str(out), totals, played, seconds))

        return show

    return carry_out(spec, compute, out, resume, work, lambda: ensure_compiled(spec, _say), finish)


def carry_out(spec: Plan, compute: Compute, out: str | Path, resume: bool, work: Work, prepare: Callable[[], None], finish: Finish) -> int:
    """Work through a plan of any kind, with the exit codes of `simulate`.

    prepare() comes before the first shard; finish(run, shards, complete) comes after the last one, writes the results unless the run was
    `complete` before, and returns what prints them, given how many hands were played now and in how many seconds.
    """
    run = Path(out).absolute()  # workers have other current folders
    with interruptible(lambda number: _interrupted(run, number, lost=True)) as stop:
        try:
            with open_run(run, spec, resume):
                shards = make_shards(spec)
                todo = unfinished(run, shards, _say)
                if todo:
                    prepare()
                started = time.monotonic()
                if stop.signal or (todo and _play(spec, compute, run, shards, todo, work, stop)):
                    return _interrupted(run, stop.signal or signal.SIGINT)
                complete = not todo and (run / SUCCESS).exists()
                show = finish(run, shards, complete)
        except KeyboardInterrupt:
            return _interrupted(run, stop.signal or signal.SIGINT, lost=True)
        except StrategyError as error:  # an interrupted compiler may blame the strategy
            return _interrupted(run, stop.signal) if stop.signal else _explain(error, run)
        except (RunError, OSError) as error:
            return _explain(error, run)
    if complete:
        _say(f"{out} is complete, nothing was played")
    show(sum(shard.hands for shard in todo), time.monotonic() - started)
    return 0


def _play(spec: Plan, compute: Compute, run: Path, shards: Sequence[Shard], todo: Sequence[Shard], work: Work, stop: Stop) -> bool:
    """Work through `todo`. Returns whether a signal stopped it before the end."""
    (run / SUCCESS).unlink(missing_ok=True)  # of a complete run with a damaged file
    log(run, "start", shards=len(shards), todo=len(todo), compute=asdict(compute), process=os.getpid())
    if len(todo) < len(shards):
        _say(f"resuming: {len(shards) - len(todo)} of {len(shards)} shards are done")
    left = len(todo)
    all_hands, hands_left = sum(shard.hands for shard in shards), sum(shard.hands for shard in todo)
    with show_progress(all_hands, all_hands - hands_left) as display:

        def report(line: str) -> None:
            display.say(line)
            log(run, "report", line=line)

        execute = EXECUTORS[compute.kind]
        with closing(execute(work, spec, todo, (run, code_digest()), compute=compute, stop=stop, report=report)) as results:
            for shard, result in results:
                left -= 1
                log(run, "shard", shard=shard.index, **result)
                display.advance(shard.hands)
    return left > 0


def _finish(spec: RunSpec, totals: Totals) -> statistics.Tables:
    pairs = zip(totals.scenarios, spec.scenarios, strict=True)
    return statistics.stack_tables(statistics.finish(total.partial, scenario) for total, scenario in pairs if total.partial)


def _summary(out: str, totals: Totals, played: int, seconds: float) -> str:
    hands = sum(total.hands for total in totals.scenarios)
    rate = f" in {seconds:.1f} s ({played / seconds:,.0f} hands/s)" if played == hands else f", {played:,} of them now" if played else ""
    return f"{hands:,} hands{rate}, digest {run_digest(totals)}, {out}"


def _explain(error: Exception, run: Path) -> int:
    """One line for what a person can mend; for a bug also where it happened. Returns the exit code."""
    cause, where = (error.cause, f"{error}: ") if isinstance(error, ShardFailed) else (error, "")
    match cause:
        case Refused():
            return _stopped(run, str(cause), cause.exit_code, resumable=False)
        case RunError():
            return _stopped(run, where + str(cause), cause.exit_code, resumable=True)
        case StrategyError():  # a strategy that is mended makes another run
            return _stopped(run, where + str(cause), 1, resumable=False)
        case OSError():
            path = f" {cause.filename}" if cause.filename else ""
            what = f"{where}cannot read or write{path}: {reason(cause)}; make room or give permission, then resume"
            return _stopped(run, what, 1, resumable=True)
        case _:
            traceback.print_exception(error)
            return _stopped(run, f"{where}{type(cause).__name__}: {cause}", 1, resumable=False)


def _interrupted(run: Path, number: int, lost: bool = False) -> int:
    return _stopped(run, "interrupted" + "; what was in flight is lost" * lost, SIGNALLED + number, resumable=True)


def _stopped(run: Path, why: str, exit_code: int, resumable: bool) -> int:
    _say(f"error: {why}" if exit_code < SIGNALLED else why)
    if resumable and (run / RUN).exists():
        _say(f"resume with: {resume_command(run)}")
    return exit_code


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
