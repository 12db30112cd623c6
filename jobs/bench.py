"""Measure each stage of a run on this machine: `python -m jobs.bench [key=value ...]` or `omaha-sim bench [key=value ...]`."""

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from sim.lineup import Strategy
from sim.plan import RunSpec, SpecError

from . import cli
from .compose import run_spec
from .values import number_within, value_text

MAX_REPEATS = 100


def bench(config: dict[str, Any]) -> int:
    """Print the median rate of each stage. Returns the exit code."""
    repeats = number_within("repeats", config.pop("repeats"), 1, MAX_REPEATS)
    if config["sweep"]:
        raise SpecError("sweep", f"{value_text(config['sweep'])}; bench measures one game at a time; leave it out")
    spec, _ = run_spec(config, cli.given_overrides())
    if len(spec.scenarios) > 1:
        raise SpecError("table.lineup", f"makes {len(spec.scenarios)} scenarios; bench measures one game at a time; give one line-up")
    from rich.console import Console
    from rich.table import Table

    scenario = spec.scenarios[0]
    title = f"{scenario.name}, {scenario.n_seats} seats: {', '.join(strategy.name for strategy in scenario.lineup)}"
    table = Table("stage", "hands/s", "ns/hand", "of play", title=title, title_justify="left", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    seconds = {name: statistics.median(_seconds(work) for _ in range(repeats)) for name, work in stages(spec)}
    for name, taken in seconds.items():
        table.add_row(name, f"{spec.hands / taken:,.0f}", f"{1e9 * taken / spec.hands:,.0f}", f"{taken / seconds['play']:.2f}")
    Console().print(table)
    print(f"one core, {spec.hands:,} hands x {repeats}; peak memory of this process {_peak_megabytes():,.0f} MB")
    return 0


def stages(spec: RunSpec) -> Iterator[tuple[str, Callable[[], object]]]:
    """(name, work on `spec.hands` hands) of each stage, compiled and with its input ready."""
    import numpy as np

    from sim.cards import deal
    from sim.evaluation import TABLES, board_context, low, strength
    from sim.jit import jit
    from sim.levels import FULL, HANDS, LEVELS, NONE, RESULTS
    from sim.play import play_range
    from sim.records import encode_parquet, to_table
    from sim.rules import BOARD_CARDS, N_CARDS
    from sim.run import count_statistics
    from sim.runner import simulate

    scenario, hands = spec.scenarios[0], spec.hands
    n_seats, n_hole = scenario.n_seats, scenario.variant.hole_cards
    deck = np.zeros(N_CARDS, np.uint8)

    @jit
    def deal_all(n_hands, n_cards, deck):
        for hand_id in range(n_hands):
            deal(1, hand_id, n_cards, deck)

    @jit
    def evaluate_all(n_hands, n_seats, n_hole, hi_lo, tables, deck):
        best = 0
        for hand_id in range(n_hands):
            deck[hand_id % 5] = (deck[hand_id % 5] + 4) % 52  # another board; that a card may be there twice costs nothing
            context = board_context(tables, deck, BOARD_CARDS)
            for seat in range(n_seats):
                hole = deck[BOARD_CARDS + seat * n_hole : BOARD_CARDS + (seat + 1) * n_hole]
                best += strength(tables, context, hole, n_hole)
                if hi_lo:
                    best += low(tables, context, hole, n_hole)
        return best

    deal_all(1, BOARD_CARDS + n_seats * n_hole, deck)
    evaluate_all(1, n_seats, n_hole, scenario.variant.hi_lo, TABLES, deck)
    names = [strategy.name for strategy in scenario.lineup]
    tables = {
        name: to_table(play_range(scenario, spec.seed, 0, hands, level).columns, level, 0, 0, hands, names)
        for name, level in (("results", RESULTS), ("hands", HANDS), ("full", FULL))
    }
    yield "deal", lambda: deal_all(hands, BOARD_CARDS + n_seats * n_hole, deck)
    yield "evaluate", lambda: evaluate_all(hands, n_seats, n_hole, scenario.variant.hi_lo, TABLES, deck)
    yield "play", lambda: play_range(scenario, spec.seed, 0, hands, NONE)
    yield "play and log", lambda: play_range(scenario, spec.seed, 0, hands, FULL)
    with tempfile.TemporaryDirectory() as folder:
        for name, seat in (("play, six tight", Strategy("tight", "tight")), ("play, six own tight", _own_tight(Path(folder)))):
            game = replace(scenario, lineup=(seat,) * n_seats)
            play_range(game, spec.seed, 0, 1, NONE)  # compiles it
            yield name, partial(play_range, game, spec.seed, 0, hands, NONE)
    yield "statistics", lambda: count_statistics(tables["results"], scenario)
    for name, records in tables.items():
        yield f"encode {name}", partial(encode_parquet, records, {})
    for level in LEVELS:
        yield f"run, records={level}", partial(_quiet_run, simulate, replace(spec, scenarios=(scenario,), records=level))


def _own_tight(folder: Path) -> Strategy:
    """The tight player as a user would have it: plain Python in a file."""
    from sim.lineup import file_strategy
    from sim.strategies import __file__ as package

    path = folder / "own_tight.py"
    path.write_text(
        Path(package).with_name("tight.py").read_text(encoding="utf-8").replace("@jit\ndef tight", "def tight"), encoding="utf-8"
    )
    return file_strategy("own_tight", "tight", path)


def _quiet_run(simulate: Callable[..., int], spec: RunSpec) -> None:
    from sim.plan import Compute

    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        simulate(spec, Compute(), Path(folder) / "run")


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _peak_megabytes() -> float:
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kibibytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("bench", bench)


if __name__ == "__main__":
    sys.exit(main())
