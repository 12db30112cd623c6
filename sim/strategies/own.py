"""Strategies of the user's own files: a function by its name, out of the file or of the copy of its text that travels with a run."""

import hashlib
import importlib.util
import inspect
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from sim.strategies.errors import StrategyError
from sim.strategies.purity import refuse_impure
from sim.whole_file import replacing

COPIES = Path(tempfile.gettempdir()) / f"omaha-sim-strategies-{os.getuid()}"

_modules: dict[tuple[str, str], ModuleType] = {}  # by path and sha256: a file is imported once, so that its functions are compiled once


def load_function(file: Path, name: str, text: str | None = None, sha256: str | None = None) -> tuple[Callable, Callable | None]:
    """The function `name` of a file and, if the file has it, its `prepare_<name>`. Raises StrategyError naming file and function.

    text, sha256 : what the file said when the run began, and its digest. A machine without that file, or with another one of this name,
    takes the text.
    """
    module = _load(file, text, sha256)
    function = getattr(module, name, None)
    if not callable(function):
        functions = [key for key, value in vars(module).items() if _is_own(value, module)]
        raise StrategyError(f"{file}: no function {name!r}; it has {', '.join(functions) or 'none'}")
    prepare = getattr(module, f"prepare_{name}", None)
    refuse_impure(module, function, prepare, f"{file}:{name}")
    return function, prepare


def _is_own(value: object, module: ModuleType) -> bool:
    plain = getattr(value, "py_func", value)
    return inspect.isfunction(plain) and plain.__module__ == module.__name__


def _load(file: Path, text: str | None, sha256: str | None) -> ModuleType:
    content = file.read_bytes() if file.is_file() else None
    if text is not None and (content is None or _sha256(content) != sha256):
        content = text.encode()
        file = _copy(file, content)
    if content is None:
        raise StrategyError(f"{file}: cannot be imported: there is no such file")
    digest = _sha256(content)
    if sha256 is not None and digest != sha256:
        raise StrategyError(f"{file}: has changed since the run began (sha256 {digest[:12]}, was {sha256[:12]})")
    if (str(file), digest) not in _modules:
        _modules[str(file), digest] = _import(file, digest)
    return _modules[str(file), digest]


def _import(file: Path, digest: str) -> ModuleType:
    name = f"omaha_sim_own_{digest[:12]}"
    try:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise ImportError("not a Python file; its name must end in .py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # where compiled functions that come back from the cache look for it
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        sys.modules.pop(name, None)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
        where = f"line {lines[-1]}: " if lines else ""
        raise StrategyError(f"{file}: cannot be imported: {where}{type(error).__name__}: {error}") from error
    return module


def _copy(file: Path, content: bytes) -> Path:
    """The text as a file of its own in a folder named after its digest, so that tracebacks and the compiler can show its lines."""
    target = COPIES / _sha256(content) / file.name
    if not target.is_file() or target.read_bytes() != content:
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            temporary.write_bytes(content)
    return target


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
