"""Strategies by name, and how a line-up of them is compiled.

To add one: write `@jit def name(view)` in a file of this folder and add a line to STRATEGIES; configurations accept the name then.
"""

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

import numba
import numpy as np
from numba.core.errors import NumbaError

from sim.jit import jit
from sim.strategies.fixtures import call, fold_or_check, max_raise, min_raise, random
from sim.strategies.loose import loose
from sim.strategies.memory import address_of
from sim.strategies.tight import tight
from sim.strategies.view import VIEW

STRATEGIES: dict[str, Callable] = {
    "fold_or_check": fold_or_check,
    "call": call,
    "min_raise": min_raise,
    "max_raise": max_raise,
    "random": random,
    "tight": tight,
    "loose": loose,
}


class StrategyError(Exception):
    """A strategy that cannot be loaded or compiled, raised an exception, or did what its seat may not do."""


def load_function(path: Path, name: str) -> Callable:
    """The function `name` of a user's own file. Raises StrategyError naming file and function."""
    try:
        module_name = f"omaha_sim_user_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
        spec = importlib.util.spec_from_file_location(module_name, path)
        if spec is None or spec.loader is None:
            raise ImportError("not a Python file; its name must end in .py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:  # a user's file may raise anything
        raise StrategyError(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        functions = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise StrategyError(f"{path}: no function {name!r}; it has {', '.join(functions) or 'none'}")
    return function


def compile_strategy(function: Callable, source: str) -> tuple[Callable, int]:
    """(compiled function, its address) of a strategy; `source` names it in errors. Keep the function as long as the address."""
    if numba.config.DISABLE_JIT:
        return function, address_of(function, None)
    compiled = function if hasattr(function, "py_func") else numba.njit(error_model="numpy")(function)
    view_type = numba.from_dtype(VIEW)
    try:
        compiled.compile((view_type,))
    except NumbaError as error:
        raise StrategyError(f"{source}: does not compile: {_first_lines(error)}") from error
    returned = compiled.overloads[(view_type,)].signature.return_type
    if not isinstance(returned, numba.types.Integer):
        raise StrategyError(f"{source}: returns {returned}; return a whole number: FOLD or the seat's total bet on this street")
    if returned != numba.types.int64:
        inner = compiled
        compiled = numba.njit(lambda view: np.int64(inner(view)))
    return compiled, address_of(compiled, view_type)


def compile_lineup(lineup: Sequence[Callable], sources: Sequence[str]) -> tuple[list[Callable], np.ndarray]:
    """Compiled functions (to be kept alive) and the (seats,) int64 addresses that the engine calls."""
    compiled = {}
    for function, source in zip(lineup, sources, strict=True):
        if function not in compiled:
            compiled[function] = compile_strategy(function, source)
    return [compiled[function][0] for function in lineup], np.array([compiled[function][1] for function in lineup], np.int64)


def _first_lines(error: Exception) -> str:
    """What helps of a compiler's message: its lines up to the traceback of its own passes, on one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:8])[:600]


__all__ = ["STRATEGIES", "StrategyError", "compile_lineup", "compile_strategy", "jit", "load_function"]
