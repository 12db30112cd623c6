"""Ctrl-C and SIGTERM: the first one asks, the second one ends the process, whatever it is doing.

Python runs handlers of signals between its own instructions: never while a kernel plays a quarter of a million hands, or while a
strategy loops for ever. So a thread watches too, and helps where the main thread does not come by.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
    ends_process: bool = False  # a second signal that no handler sees
    asked: bool = False  # the handler in force lets the work in hand be finished
    handled: int = 0  # signals that a handler has seen
    again: threading.Timer | None = None  # raises a lost KeyboardInterrupt once more

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
def interruptible(last_words: Callable[[int], object], ends_process: bool = False) -> Iterator[Stop]:
    """While the block runs, Ctrl-C raises KeyboardInterrupt.

    ends_process : a second signal that no handler sees, as compiled code runs, ends the process with exit code 128 + number; so it is in
    blocks within this one too. last_words is called with the number of the signal before.
    The Stop says whether a signal came, even if what it interrupted has swallowed the KeyboardInterrupt; an inner block knows of it too.
    """
    stop = Stop(_stops[-1].signal, _stops[-1].ends_process) if _stops else Stop(None, ends_process)
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
        if stop.again:
            stop.again.cancel()
            stop.again.join()
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
def asking(stop: Stop) -> Iterator[None]:
    """While the block runs, the first Ctrl-C or SIGTERM is noted in `stop`, and only the next one raises KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop.ask) for number in SIGNALS}
    stop.asked = True
    try:
        yield
    finally:
        stop.asked = False
        for number, old in before.items():
            signal.signal(number, old)


def _raise_again(stop: Stop) -> None:
    """Have a KeyboardInterrupt that got lost in a callback of a C library, the compiler's for one, raised once more outside of it.

    Not by another signal, which would count as the user's second one.
    """
    main = ctypes.c_ulong(threading.main_thread().ident or 0)
    raised = ctypes.py_object(KeyboardInterrupt)
    stop.again = threading.Timer(RAISE_AGAIN_SECONDS, ctypes.pythonapi.PyThreadState_SetAsyncExc, (main, raised))
    stop.again.start()


def _watch(reader: int, stop: Stop, last_words: Callable[[int], object]) -> None:
    """Read the number of every signal that comes, until the other end is closed."""
    come = 0
    while number := os.read(reader, 1):
        if number[0] not in SIGNALS:
            continue
        come += 1
        deadline = time.monotonic() + GRACE_SECONDS
        while stop.handled < come and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if stop.handled >= come:
            continue
        # Whatever comes of the words: the reader of a pipe may have died of the same signal, and standard error may be closed.
        with suppress(Exception):
            if come > 1 and stop.ends_process:
                if sys.stderr.isatty():
                    sys.stderr.write(SHOW_CURSOR)
                last_words(number[0])
            elif come == 1:
                when = "when the hands in work are done" if stop.asked else "as soon as the compiled code returns"
                at_once = "; interrupt again to stop at once" if stop.ends_process else ""
                print(f"stopping {when}{at_once}", file=sys.stderr, flush=True)
        if come > 1 and stop.ends_process:
            os._exit(SIGNALLED + number[0])
