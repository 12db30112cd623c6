"""What a strategy may not do, since its hands would depend on more than seed and hand id: draw other random numbers, or remember.

Both are found in the code, as far as names tell; whoever hides them from it has been told.
"""

import ast
import dis
import inspect
import random
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any, TypeGuard

import numpy as np

from sim.strategies.errors import StrategyError

MODULES = (random, np.random)
GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)


def refuse_impure(module: ModuleType, function: Callable, prepare: Callable | None, source: str) -> None:
    """Raises StrategyError for a function of a user's file that draws from `random` or `numpy.random`, or writes into what it is given.

    Functions that it calls count too. When the file is imported and in its `prepare` generators with a seed may be used: these run in
    every worker, and all must come to the same. `source` names it.
    """
    drawn = [*_draws(function, _is_random), *_draws(prepare, _has_no_seed), *_draws_at_import(module)]
    for name, line in drawn:
        raise StrategyError(
            f"{source}: line {line} uses {name}, with which no run could be repeated; "
            "draw with random_below(view, n) or random_unit(view) from sim.strategies"
        )
    for name, line in _writes(function):
        raise StrategyError(f"{source}: line {line} writes into {name}; a strategy only reads its view and parameters, it has no memory")


def _draws(function: Any, is_random: Callable[[Any], bool]) -> Iterator[tuple[str, int]]:
    """(name, line) of each use."""
    for plain in _own_functions(function, set()):
        known = {**plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
        for code in _codes(plain.__code__):
            yield from ((name, line) for name, value, line in _named(code, known) if is_random(value))


def _draws_at_import(module: ModuleType) -> Iterator[tuple[str, int]]:
    code = compile(inspect.getsource(module), module.__name__, "exec")
    yield from ((name, line) for name, value, line in _named(code, vars(module)) if _has_no_seed(value))


def _own_functions(function: Any, seen: set[Callable]) -> Iterator[Callable]:
    """The function and those that it calls by name, as plain Python, without those of this package and what is compiled."""
    plain = getattr(function, "py_func", function)
    if not inspect.isfunction(plain) or plain in seen or plain.__module__.split(".")[0] == "sim":
        return
    seen.add(plain)
    yield plain
    known = {**plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
    for code in _codes(plain.__code__):
        for _, value, _ in _named(code, known):
            yield from _own_functions(value, seen)


def _named(code: CodeType, known: dict[str, Any]) -> Iterator[tuple[str, Any, int]]:
    """(name, value, line) of what a piece of code names: variables that are not its own, and members of modules."""
    owner: Any = None  # of the attribute that may come next
    for instruction in dis.get_instructions(code):
        named = instruction.argval if isinstance(instruction.argval, str) else ""
        value = None
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            value = known.get(named)
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(owner, ModuleType):
            value = getattr(owner, named, None)
        line = instruction.positions.lineno if instruction.positions else None
        yield (value.__name__ if isinstance(value, ModuleType) else named), value, line or code.co_firstlineno
        owner = value


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _has_no_seed(value: Any) -> bool:
    """A function of the generator that `random` or `numpy.random` share with everybody."""
    return callable(value) and isinstance(getattr(value, "__self__", None), GENERATORS)


def _is_random(value: Any) -> bool:
    if any(value is module for module in MODULES) or isinstance(value, GENERATORS) or _has_no_seed(value):
        return True
    return callable(value) and str(getattr(value, "__module__", "")) in ("random", "numpy.random", "numpy.random.mtrand")


def _writes(function: Any) -> Iterator[tuple[str, int]]:
    """(text of the target, line) of each assignment to a field, or to an element of one."""
    for plain in _own_functions(function, set()):
        try:
            lines, first = inspect.getsourcelines(plain)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, SyntaxError):  # made by other code, or a lambda in the middle of an expression
            continue
        for node in ast.walk(tree):
            for target in getattr(node, "targets", [getattr(node, "target", None)]):
                if _is_field(target):
                    yield ast.unparse(target), first + target.lineno - 1


def _is_field(target: ast.expr | None) -> TypeGuard[ast.expr]:
    """Whether what is assigned to is a field of something, an element of one, or a tuple with one of these."""
    if isinstance(target, ast.Tuple | ast.List):
        return any(map(_is_field, target.elts))
    return isinstance(target, ast.Attribute) or (isinstance(target, ast.Subscript | ast.Starred) and _is_field(target.value))
