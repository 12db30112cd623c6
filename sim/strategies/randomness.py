"""Random numbers that a strategy may not use: they would differ from run to run, and with the number of workers."""

import dis
import inspect
import random
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from sim.strategies.errors import StrategyError

MODULES = (random, np.random)
GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)


def refuse_other_randomness(function: Callable, source: str) -> None:
    """Raises StrategyError if a function, or one that it calls, draws from `random` or `numpy.random`; `source` names it."""
    for name, line in _draws(function, set()):
        raise StrategyError(
            f"{source}: line {line} uses {name}, with which no run could be repeated; "
            "draw with random_below(view, n) or random_unit(view) from sim.strategies"
        )


def _draws(function: Any, seen: set[Callable]) -> Iterator[tuple[str, int]]:
    """(name, line) of each use, as far as it can be told from the names in the code."""
    plain = getattr(function, "py_func", function)
    if not inspect.isfunction(plain) or plain in seen or plain.__module__.split(".")[0] == "sim":
        return
    seen.add(plain)
    known = {**plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
    for code in _codes(plain.__code__):
        owner: Any = None  # of the attribute that may come next
        for instruction in dis.get_instructions(code):
            named = instruction.argval if isinstance(instruction.argval, str) else ""
            value = None
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
                value = known.get(named)
            elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(owner, ModuleType):
                value = getattr(owner, named, None)
            if _is_random(value):
                yield _name(value, named), instruction.positions.lineno or code.co_firstlineno if instruction.positions else 0
            yield from _draws(value, seen)
            owner = value


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _is_random(value: Any) -> bool:
    if any(value is module for module in MODULES):
        return True
    if isinstance(value, GENERATORS) or isinstance(getattr(value, "__self__", None), GENERATORS):
        return True
    return callable(value) and str(getattr(value, "__module__", "")) in ("random", "numpy.random", "numpy.random.mtrand")


def _name(value: Any, named: str) -> str:
    return value.__name__ if isinstance(value, ModuleType) else named
