"""Compiled kernels before the work starts: one process of a machine compiles them, all others load them from the cache folder."""

import functools
import pickle
import shutil
from collections.abc import Callable

import llvmlite.binding  # type: ignore[import-untyped]
import numba
from filelock import FileLock

from sim.jit import CACHE_FOLDER
from sim.levels import LEVELS
from sim.plan import RunSpec
from sim.play import play_range

# The cache is for one kind of CPU; machines of several kinds may share a home folder.
MARKER = CACHE_FOLDER / f"compiled-{numba.__version__}-{llvmlite.binding.get_host_cpu_name()}"


def _silent(line: str) -> None:
    """Tell nobody: what a worker does, whose output nobody sees."""


@functools.lru_cache(maxsize=4)
def ensure_compiled(spec: RunSpec, announce: Callable[[str], None] = _silent) -> None:
    """Compile or load all that the run needs, by playing one hand of every scenario. Raises what playing raises."""
    if MARKER.exists() or getattr(numba.config, "DISABLE_JIT", False):
        _with_sound_cache(lambda: _play_a_hand_of_each(spec), announce)
        return
    with FileLock(CACHE_FOLDER / "compiling.lock"):
        if not MARKER.exists():
            announce("compiling kernels (first run with this code; about half a minute)")
        _with_sound_cache(lambda: _play_a_hand_of_each(spec), announce)
        MARKER.touch()


def _play_a_hand_of_each(spec: RunSpec) -> None:
    for scenario in spec.scenarios:
        play_range(scenario, spec.seed, 0, 1, LEVELS[spec.records])


def _with_sound_cache(action: Callable[[], None], announce: Callable[[str], None]) -> None:
    """Do it, and once more with an emptied cache folder if a file in there is cut off, as a full disk or a power cut leaves it."""
    try:
        action()
    except Exception as error:
        if not _from_damaged_cache(error):
            raise
        announce(f"compiling kernels again (a damaged file in {CACHE_FOLDER})")
        for folder in CACHE_FOLDER.iterdir():
            if folder.is_dir():
                shutil.rmtree(folder, ignore_errors=True)
        action()


def _from_damaged_cache(error: BaseException | None) -> bool:
    """Whether the error, or one that it was raised from, comes from reading a pickle that ends too early."""
    while error is not None:
        if isinstance(error, EOFError | pickle.UnpicklingError):
            return True
        error = error.__cause__ or error.__context__
    return False
