"""Configuration values as the library's types: numbers as people write them, and sections as dataclasses."""

import math
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar

from sim.errors import one_of
from sim.plan import SpecError
from sim.rules import RuleError

NUMBER = re.compile(r"([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)([kmgb]?)", re.IGNORECASE)
EXACT_FLOATS = 2.0**53
LARGEST = 10**100  # so that a number far out of range is still told the range
T = TypeVar("T")
FACTORS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}


def value_text(value: Any) -> str:
    """A value as it is typed on the command line."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return f"[{','.join(map(value_text, value))}]"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{value_text(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT_FLOATS:
        value = int(value)
    return " ".join(str(value).split())


def whole_number(key: str, value: Any) -> int:
    """An integer from 1000000, 1_000_000, 1e6, 1M, 2.5k. Raises SpecError for anything else, booleans included."""
    number: Decimal | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isfinite(value):
        number = Decimal(value)
    elif isinstance(value, str) and (match := NUMBER.fullmatch(value.strip())):
        number = Decimal(match[1].replace("_", "")) * FACTORS[match[2].lower()]
    if number is None or abs(number) > LARGEST or number != int(number):
        raise SpecError(key, f"{value_text(value)}; allowed: a whole number, such as 1000000, 1_000_000, 1e6, 2.5k or 1M")
    return int(number)


def basis_points(key: str, value: Any) -> int:
    """A percentage with at most two decimals, as hundredths of a percent."""
    numeric = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    points = Decimal(str(value)) * 100 if numeric else Decimal(-1)
    if not 0 <= points <= 10_000 or points != int(points):
        raise SpecError(key, f"{value_text(value)}; allowed: a percentage from 0 to 100 with at most two decimals")
    return int(points)


def boolean(key: str, value: Any) -> bool:
    """True or false, and nothing else."""
    if not isinstance(value, bool):
        raise SpecError(key, f"{value_text(value)}; allowed: true, false")
    return value


def word(key: str, value: Any, what: str = "a name") -> str:
    """A text that is not empty; `what` it is in messages."""
    if not isinstance(value, str) or not value.strip():
        raise SpecError(key, f"{value_text(value)}; allowed: {what}")
    return value


def path(key: str, value: Any) -> Path:
    """A path; ~ is the home folder."""
    try:
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        return Path(word(key, str(value) if numeric else value, "a path")).expanduser()
    except RuntimeError as error:  # ~somebody, whom this machine does not know
        raise SpecError(key, f"{value}; {error}") from error


def name_of(key: str, value: Any, known: Iterable[str]) -> str:
    """One of the known names."""
    known = list(known)
    if word(key, value) not in known:
        raise SpecError(key, f"{value_text(value)}; {one_of(value, known)}")
    return value


def check_keys(config: Mapping[str, Any], known: Iterable[str], section: str = "") -> None:
    """Raises SpecError for the first key that is not known."""
    known = list(known)
    for key, value in config.items():
        if key not in known:
            raise SpecError(f"{section}{key}", f"{value_text(value)}: no such key; {one_of(str(key), known)}")


def fill(kind: type[T], section: str, values: Any) -> T:
    """The dataclass of a section of the configuration. What it leaves out keeps its default; what it adds or mistypes raises SpecError."""
    if not isinstance(values, Mapping):
        raise SpecError(section, f"{value_text(values)}; allowed: an option of this group")
    hints = typing.get_type_hints(kind)
    check_keys(values, hints, f"{section}.")
    converted = {key: convert(hints[key], f"{section}.{key}", value) for key, value in values.items()}
    try:
        return kind(**converted)
    except RuleError as error:
        raise SpecError(f"{section}.{error.key}", str(error)) from error


def convert(hint: Any, key: str, value: Any) -> Any:
    """A value as the annotated type of a field: int, bool, str, one of these or None, or a tuple of int (one number stands for itself)."""
    if isinstance(hint, UnionType):
        inner, _ = typing.get_args(hint)
        return None if value is None else convert(inner, key, value)
    if typing.get_origin(hint) is tuple:
        return tuple(whole_number(key, item) for item in (value if isinstance(value, list) else [value]))
    converters: dict[Any, Callable[[str, Any], Any]] = {int: whole_number, bool: boolean, str: word}
    return converters[hint](key, value)


def number_within(key: str, value: Any, low: int, high: int) -> int:
    """A whole number within bounds."""
    number = whole_number(key, value)
    if not low <= number <= high:
        raise SpecError(key, f"{value_text(value)}; allowed: {low} to {high}")
    return number
