"""What is wrong with a strategy, in words for its author."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator

import numpy as np

from sim.errors import one_of
from sim.rng import STREAM_FIELDS
from sim.strategies.parameters import StrategyError
from sim.strategies.view import VIEW

NOISE = ("Failed in", "[1] During", "- Resolution failure", "During:", "File ", "def ", "<source", ">>>", "^", "There are", "- Of which")
INTERNAL = (
    "none",
    "raises",
    "aggressors",
    "rollouts",
    "tables",
    "ranking",
    "hand_class",
    *(field for field, _ in STREAM_FIELDS),
)  # nobody asks for them by name
RECORD = re.compile(r"(?:unaligned |nested)?Record\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


__all__ = ["INTERNAL", "StrategyError", "explain_compiler"]


def explain_compiler(error: Exception, function: Callable, parameters: np.dtype) -> str:
    """What helps of an error of the compiler, on one line: the line of the strategy's file and what is wrong there."""
    text = str(error)
    if isinstance(error, KeyError) or "Unknown attribute" in text:
        name = str(error.args[0]) if isinstance(error, KeyError) else re.findall(r"Unknown attribute '(\w+)'", text)[0]
        if explained := _unknown_field(name, function, parameters):
            return explained
    if unknown := re.search(r"Untyped global name '(\w+)'[^\n]*type of <class 'function'>", text):
        return f"line {_line(text, function)}: {unknown[1]} is called but not compiled; write @jit (from sim.strategies) above its def"
    if unknown := re.search(r"name '(\w+)' is not defined", text):
        return f"line {_first_use(unknown[1], function)}: the name {unknown[1]} is not defined"
    if unbound := re.search(r"Cannot bind .* to signature '\((.*?)\)' due to \"TypeError: (.*?)\"", text):
        called = re.search(r"<function (\w+)", text)
        return f"line {_line(text, function)}: {unbound[2]}; write {called[1] if called else 'it'}({unbound[1]})"
    if missing := re.search(r">>> (\w+)\((.*)\)\n", RECORD.sub("record", text)):
        types = re.sub(r"Literal\[str\]\((.*?)\)", r"'\1'", missing[2]).replace("unicode_type", "text")
        return f"line {_line(text, function)}: there is no {missing[1]} of ({types})"
    lines = [line.strip() for line in text.splitlines()]
    helpful = [RECORD.sub("record", line) for line in lines if line and not line.startswith(NOISE)] or lines
    return f"line {_line(text, function)}: {' '.join(helpful[:3])[:300]}"


def _unknown_field(name: str, function: Callable, parameters: np.dtype) -> str | None:
    """A field that neither the view nor the parameters have, where the function asks for it; None if it does not itself."""
    arguments = list(inspect.signature(function).parameters)
    for node, line in _nodes(function):
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name) and node.value.id in arguments:
            is_view = node.value.id == arguments[0]
            fields = (VIEW if is_view else parameters).names or ()
            names = [field for field in fields if field not in INTERNAL]
            owner = "a view has no field" if is_view else "there is no parameter"
            return f"line {line}: {owner} {name}; {one_of(name, names) if names else 'there are no parameters'}"
    return None


def _first_use(name: str, function: Callable) -> int:
    lines = [line for node, line in _nodes(function) if isinstance(node, ast.Name) and node.id == name]
    return min(lines, default=function.__code__.co_firstlineno)


def _nodes(function: Callable) -> Iterator[tuple[ast.AST, int]]:
    """Parts of the function's source, with their lines in its file."""
    source, first_line = inspect.getsourcelines(function)
    for node in ast.walk(ast.parse(textwrap.dedent("".join(source)))):
        yield node, first_line + getattr(node, "lineno", 1) - 1


def _line(text: str, function: Callable) -> str:
    """Number of the last line of the message's own file that it names, else of the function's first line."""
    file = re.escape(inspect.getfile(function).rsplit("/", 1)[-1])
    named = re.findall(rf'{file}[")]*, line (\d+)|{file} \((\d+)\)', text)
    return max(named[-1]) if named else str(function.__code__.co_firstlineno)
