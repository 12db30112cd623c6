"""How far a run is: a bar on a terminal, else a line every ten seconds."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

SECONDS_BETWEEN_LINES = 10.0


class Display(NamedTuple):
    """What is told to the people who wait."""

    advance: Callable[[int], None]  # so many more hands are done
    say: Callable[[str], None]  # one line


@contextmanager
def show_progress(total: int, done: int, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> Iterator[Display]:
    """Show `total` hands of which `done` were there before; the rate counts the others. Writes to `stream`, by default standard error."""
    stream = stream or sys.stderr or open(os.devnull, "w")  # standard error may be closed
    with _bar(total, done, stream) if stream.isatty() else _lines(total, done, stream, clock) as display:
        yield display


@contextmanager
def _bar(total: int, done: int, stream: TextIO) -> Iterator[Display]:
    console = Console(file=stream)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), _Rate(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("hands", total=total, completed=done)
        yield Display(lambda hands: progress.advance(task, hands), lambda line: console.print(line, markup=False, highlight=False))


class _Rate(ProgressColumn):
    """Hands per second, over the last half minute."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:,.0f} hands/s")


@contextmanager
def _lines(total: int, done: int, stream: TextIO, clock: Callable[[], float]) -> Iterator[Display]:
    state: dict[str, Any] = {"done": done, "start": clock(), "last": clock()}

    def say(line: str) -> None:
        print(line, file=stream, flush=True)

    def advance(hands: int) -> None:
        state["done"] += hands
        now = clock()
        if now - state["last"] >= SECONDS_BETWEEN_LINES:
            state["last"] = now
            rate = (state["done"] - done) / (now - state["start"])
            left = (total - state["done"]) / rate
            say(f"{state['done']:,} of {total:,} hands ({state['done'] / total:.0%}), {rate:,.0f} hands/s, {_duration(left)} left")

    yield Display(advance, say)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
