"""From a strategy's function and parameters to the two addresses that the engine calls it by."""

import inspect
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np

from sim.strategies.errors import StrategyError, explain_compiler
from sim.strategies.memory import address_of_function, address_of_record
from sim.strategies.parameters import fill
from sim.strategies.view import VIEW

NO_PARAMETERS = fill(np.dtype((np.record, np.dtype([("none", np.int64)]))), {})


class Ready(NamedTuple):
    """A strategy that can be compiled."""

    function: Callable
    parameters: np.record
    source: str  # its name in messages


def compile_lineup(
    lineup: Sequence[Callable], sources: Sequence[str], parameters: Sequence[np.record] | None = None
) -> tuple[list, np.ndarray]:
    """What must be kept alive, and the (seats, 2) int64 addresses of each seat's function and parameters.

    sources : names for messages; parameters : each seat's record; None: they have none
    """
    records = parameters or [NO_PARAMETERS] * len(lineup)
    ready = [Ready(*three) for three in zip(lineup, records, sources, strict=True)]
    functions = [compile_strategy(strategy.function, strategy.parameters.dtype, strategy.source) for strategy in ready]
    addresses = [(address, address_of_record(record)) for (_, address), record in zip(functions, records, strict=True)]
    return [functions, records], np.array(addresses, np.int64)


@lru_cache(maxsize=256)
def compile_strategy(function: Callable, parameters: np.dtype, source: str) -> tuple[Callable, int]:
    """(compiled function of a view and parameters of this type, its address); `source` names it in errors."""
    plain = getattr(function, "py_func", function)
    n_arguments = _arguments(plain, source)
    if numba.config.DISABLE_JIT:
        called = function if n_arguments == 2 else lambda view, p: function(view)
        return called, address_of_function(called, ())
    signature = (numba.from_dtype(VIEW), numba.from_dtype(parameters))
    try:
        # A user's function is checked for indices out of bounds: unchecked, it could read the next seat's cards or end the process.
        inner: Any = function if plain is not function else numba.njit(error_model="numpy", boundscheck=True)(function)
        inner.compile(signature[:n_arguments])
    except Exception as error:  # of many kinds: NumbaError, KeyError for a missing field, NameError
        raise StrategyError(f"{source}: does not compile: {explain_compiler(error, plain, parameters)}") from error
    returned = inner.overloads[signature[:n_arguments]].signature.return_type
    if not isinstance(returned, numba.types.Integer):
        raise StrategyError(f"{source}: returns {_in_words(returned)}; return a whole number: FOLD or the seat's total bet on this street")
    outer: Any = inner
    if n_arguments == 1:
        outer = numba.njit(lambda view, p: np.int64(inner(view)), error_model="numpy")
    elif returned != numba.types.int64:
        outer = numba.njit(lambda view, p: np.int64(inner(view, p)), error_model="numpy")
    outer.compile(signature)
    return outer, address_of_function(outer, signature)


def _in_words(returned: Any) -> str:
    """A type of the compiler, as the author of a strategy knows it."""
    types = numba.types
    words = (
        ((types.Optional, types.NoneType), "nothing on some of its paths"),
        (types.Generator, "a generator (it has a yield)"),
        ((types.UnicodeType, types.StringLiteral), "a text"),
        (types.BaseTuple, "a tuple"),
        (types.Sequence, "a list"),
        (types.Buffer, "an array"),
        (types.Record, "a record"),
    )
    return next((word for kind, word in words if isinstance(returned, kind)), str(returned)[:60])


def _arguments(function: Callable, source: str) -> int:
    """How many arguments a strategy takes: its view, or view and parameters."""
    n_arguments = len(inspect.signature(function).parameters)
    if n_arguments not in (1, 2):
        raise StrategyError(f"{source}: takes {n_arguments} arguments; a strategy is a function of a view, or of a view and its parameters")
    return n_arguments
