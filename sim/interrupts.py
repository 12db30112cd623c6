"""Ctrl-C and SIGTERM: the first one asks, the second one ends the process, whatever it is doing.

Python runs handlers of signals between its own instructions: never while a kernel plays a quarter of a million hands, or while a
strategy loops for ever. So a thread watches too, and helps where the main thread does not come by.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SIGNALLED = 128  # exit code of a process that a signal stopped, plus the number of the signal
GRACE_SECONDS = 0.5  # for the main thread to run its handler
POLL_SECONDS = 0.02
RAISE_AGAIN_SECONDS = 0.05
SHOW_CURSOR = "\x1b[?25h"  # which a progress bar had hidden


@dataclass
class Stop:
    """What signals have asked for. `signal`: number of the first one; None: none came yet."""

    signal: int | None = None
    handled: int = 0  # signals that a handler has seen
    repeated: int = 0  # signals that are under way once more and do not count

    def ask(self, number: int, frame: Any) -> None:
        """A handler: the first signal is noted, the next one raises KeyboardInterrupt."""
        self.handled += 1
        if self.signal:
            raise KeyboardInterrupt
        self.signal = number

    def abort(self, number: int, frame: Any) -> None:
        """A handler: every signal is noted and raises KeyboardInterrupt."""
        self.handled += 1
        self.signal = self.signal or number
        raise KeyboardInterrupt


_stops: list[Stop] = []  # of the blocks that are open


@contextmanager
def interruptible(last_words: Callable[[int], object]) -> Iterator[Stop]:
    """While the block runs, Ctrl-C raises KeyboardInterrupt; a second signal that no handler sees ends the process.

    last_words : is called with the number of the signal before the process ends in this way; exit code 128 + number
    The Stop says whether a signal came, even if what it interrupted has swallowed the KeyboardInterrupt; an inner block knows of it too.
    """
    stop = Stop(_stops[-1].signal if _stops else None)
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield stop
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    handler = signal.signal(signal.SIGINT, stop.abort)
    wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    hook = sys.unraisablehook
    sys.unraisablehook = lambda lost: _raise_again(stop) if lost.exc_type is KeyboardInterrupt else hook(lost)
    _stops.append(stop)
    watcher = threading.Thread(target=_watch, args=(reader, stop, last_words), daemon=True)
    watcher.start()
    try:
        yield stop
    finally:
        _stops.pop()
        sys.unraisablehook = hook
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, handler)
        os.close(writer)
        watcher.join()
        os.close(reader)


def interrupted() -> bool:
    """Whether a signal has come since the innermost open block began."""
    return bool(_stops and _stops[-1].signal)


@contextmanager
def handled_by(handler: Callable[[int, Any], None]) -> Iterator[None]:
    """While the block runs, Ctrl-C and SIGTERM call this."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in SIGNALS}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _raise_again(stop: Stop) -> None:
    """Have a KeyboardInterrupt that got lost in a callback of a C library, the compiler's for one, raised once more outside of it."""
    stop.repeated += 1
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(RAISE_AGAIN_SECONDS, signal.pthread_kill, (main, signal.SIGINT)).start()


def _watch(reader: int, stop: Stop, last_words: Callable[[int], object]) -> None:
    """Read the number of every signal that comes, until the other end is closed."""
    come = 0
    while number := os.read(reader, 1):
        if number[0] not in SIGNALS:
            continue
        if stop.repeated:
            stop.repeated -= 1
            continue
        come += 1
        deadline = time.monotonic() + GRACE_SECONDS
        while stop.handled < come and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if stop.handled >= come:
            continue
        if come == 1:
            print("stopping when the hands in work are done; interrupt again to stop at once", file=sys.stderr, flush=True)
        else:
            if sys.stderr.isatty():
                sys.stderr.write(SHOW_CURSOR)
            last_words(number[0])
            os._exit(SIGNALLED + number[0])
