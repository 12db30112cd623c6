"""What is wrong with a strategy, in words for its author."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable

import numpy as np

from sim.rng import STREAM_FIELDS
from sim.strategies.parameters import one_of
from sim.strategies.view import VIEW

NOISE = ("Failed in", "[1] During", "- Resolution failure", "During:", "File ", "def ", "<source", ">>>", "^", "There are", "- Of which")
INTERNAL = ("none", "rollouts", "tables", "ranking", "hand_class", *(field for field, _ in STREAM_FIELDS))  # nobody asks for them by name
RECORD = re.compile(r"(?:unaligned |nested)?Record\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


class StrategyError(Exception):
    """A strategy that cannot be loaded or compiled, raised an exception, or did what its seat may not do."""


def explain_compiler(error: Exception, function: Callable, parameters: np.dtype) -> str:
    """What helps of an error of the compiler, on one line: the line of the strategy's file and what is wrong there."""
    text = str(error)
    if isinstance(error, KeyError) or "Unknown attribute" in text:
        name = str(error.args[0]) if isinstance(error, KeyError) else re.findall(r"Unknown attribute '(\w+)'", text)[0]
        if explained := _unknown_field(name, function, parameters):
            return explained
    if unknown := re.search(r"Untyped global name '(\w+)'[^\n]*type of <class 'function'>", text):
        return f"line {_line(text, function)}: {unknown[1]} is called but not compiled; write @jit (from sim.strategies) above its def"
    lines = [line.strip() for line in text.splitlines()]
    helpful = [RECORD.sub("record", line) for line in lines if line and not line.startswith(NOISE)] or lines
    return f"line {_line(text, function)}: {' '.join(helpful[:3])[:300]}"


def _unknown_field(name: str, function: Callable, parameters: np.dtype) -> str | None:
    """A field that neither the view nor the parameters have, where the function asks for it; None if it does not itself."""
    source, first_line = inspect.getsourcelines(function)
    arguments = list(inspect.signature(function).parameters)
    for node in ast.walk(ast.parse(textwrap.dedent("".join(source)))):
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name) and node.value.id in arguments:
            is_view = node.value.id == arguments[0]
            fields = (VIEW if is_view else parameters).names or ()
            names = [field for field in fields if field not in INTERNAL]
            owner = "a view has no field" if is_view else "there is no parameter"
            return f"line {first_line + node.lineno - 1}: {owner} {name}; {one_of(name, names) if names else 'there are no parameters'}"
    return None


def _line(text: str, function: Callable) -> str:
    """Number of the last line of the message's own file that it names, else of the function's first line."""
    file = re.escape(inspect.getfile(function).rsplit("/", 1)[-1])
    named = re.findall(rf'{file}[")]*, line (\d+)|{file} \((\d+)\)', text)
    return max(named[-1]) if named else str(function.__code__.co_firstlineno)
