"""Ctrl-C where Python's own handlers have no turn: in compiled code that never ends, and in callbacks of the compiler."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim.interrupts import Stop, asking, interruptible

ENDLESS = """
import sys
import threading
import time
import numpy as np
from sim.interrupts import interruptible
from sim.jit import jit

@jit
def endless(x, running):
    running[0] = x
    while x > 0:
        x += 1
        if x > 1000:
            x = 1
    return x

def report(running):
    while running[0] == 0:
        time.sleep(0.01)
    print("ready", flush=True)

with interruptible(lambda number: print("last words", number, file=sys.stderr), ends_process=True):
    running = np.zeros(1, np.int64)
    endless(0, running)
    threading.Thread(target=report, args=(running,), daemon=True).start()
    endless(1, running)
"""


@pytest.fixture
def child(tmp_path):
    """A process in a kernel that never ends."""
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, file],
        env=os.environ | {"PYTHONPATH": f"{Path(__file__).parents[1]}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == "ready\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_ctrl_c_ends_a_kernel_that_never_does(child):
    child.send_signal(signal.SIGINT)
    assert child.stderr.readline().startswith("stopping as soon as the compiled code returns; interrupt again")
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=60) == 130
    assert child.stderr.read() == "last words 2\n"


def test_the_first_signal_is_noted_and_raises_outside_of_a_request_to_stop():
    before = signal.getsignal(signal.SIGINT)
    with interruptible(lambda number: None) as stop:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert stop.signal == signal.SIGINT
        with interruptible(lambda number: None) as inner:
            assert inner.signal == signal.SIGINT  # whoever swallowed it
    assert signal.getsignal(signal.SIGINT) is before


def test_a_request_to_stop_is_noted_and_only_the_next_one_raises():
    stop = Stop()
    with asking(stop):
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.signal == signal.SIGTERM
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_what_a_callback_swallows_is_raised_again():
    import ctypes

    callback = ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGINT))
    with interruptible(lambda number: None), pytest.raises(KeyboardInterrupt):
        callback()
        for _ in range(1000):
            time.sleep(0.01)


def test_the_second_ends_the_process_even_if_nobody_reads_what_it_says(child):
    child.stderr.close()
    child.send_signal(signal.SIGINT)
    time.sleep(1)  # two signals at once are one
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=60) == 130


def test_only_a_program_is_ended_not_the_process_of_a_notebook():
    with interruptible(lambda number: None) as stop:
        assert not stop.ends_process
    with interruptible(lambda number: None, ends_process=True), interruptible(lambda number: None) as inner:
        assert inner.ends_process


def test_what_is_raised_again_does_not_outlive_the_block():
    import ctypes

    callback = ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGINT))
    with interruptible(lambda number: None) as stop:
        callback()
    assert stop.signal == signal.SIGINT
    for _ in range(20):
        time.sleep(0.01)
