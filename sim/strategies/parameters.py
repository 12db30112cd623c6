"""Parameters of a strategy: what a configuration says, checked and laid out as the record that the strategy gets as `p`.

A number or true/false becomes a field of that name, a list of numbers an array, and a text a range of starting hands, asked by
`in_range(view, p.open)`. A strategy with other wishes has a function `prepare(parameters, game)` that returns its record.
"""

import functools
import numbers
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from sim.aligned import aligned_record
from sim.errors import UserError, one_of
from sim.ranges import RangeError, compile_range
from sim.rankings import ALL_HANDS, RankingError, opponents_at, percentile_table

# Places before the flop that ranges of hands are given for; with more than six players, all before the hijack count as UTG.
UTG, HJ, CO, BTN, SB, BB = range(6)
PLACES = ("UTG", "HJ", "CO", "BTN", "SB", "BB")

# A range of starting hands: the best `cut` of ALL_HANDS, or a bitmap with one byte per class of hands.
RANGE = aligned_record([("cut", np.int64), ("members", np.uint64)])  # members: its address; 0: there is none


class Game(NamedTuple):
    """What a strategy may know when its parameters are prepared."""

    hole_cards: int
    hi_lo: bool
    structure: int  # rules.FIXED_LIMIT, POT_LIMIT or NO_LIMIT
    n_seats: int
    big_blind: int  # chips


class StrategyError(UserError):
    """A strategy that cannot be loaded or compiled, raised an exception, or did what its seat may not do."""


class ParameterError(StrategyError):
    """A parameter that the strategy does not have, or a value it cannot take. The message starts with the value."""

    def __init__(self, key: str, message: str):
        super().__init__(message)
        self.key = key
        self.strategy = ""  # its name, once known

    def __str__(self) -> str:
        where = f"strategy {self.strategy} parameters." if self.strategy else ""
        return f"{where}{self.key}={self.args[0]}"


def plain_record(parameters: Mapping[str, Any], game: Game) -> np.record:
    """The record of parameters that no `prepare` looks at: a field each, in the order of their names."""
    fields: list[Any] = []
    values: dict[str, Any] = {}
    for key in sorted(parameters):
        value = parameters[key]
        if not key.isidentifier() or hasattr(np.record, key):
            raise ParameterError(key, f"{value!r}; {key} cannot be the name of a parameter, as records have their own; take another")
        if isinstance(value, str):
            fields.append((key, RANGE))
            values[key] = hand_range(key, value, game)
        elif isinstance(value, list | tuple) and value and all(map(_is_number, value)):
            fields.append((key, np.float64 if any(isinstance(item, float) for item in value) else np.int64, (len(value),)))
            values[key] = value
        elif _is_number(value):
            fields.append((key, np.float64 if isinstance(value, float) else np.int64))
            values[key] = value
        else:
            raise ParameterError(key, f"{value!r}; allowed: a number, true, false, a list of numbers, or a range of hands as text")
    fields = fields or [("none", np.int64)]
    return fill(aligned_record(fields), values)


def fill(dtype: np.dtype, values: Mapping[str, Any]) -> np.record:
    """A record of this type with these fields set; the rest is zero."""
    record = np.zeros(1, dtype)[0]
    for key, value in values.items():
        record[key] = value
    return record


def check_names(parameters: Mapping[str, Any], known: Iterable[str], inside: str = "") -> None:
    """Raises ParameterError for the first unknown name."""
    known = list(known)
    for key in parameters:
        if key not in known:
            allowed = one_of(str(key), known) if known else "this strategy has none"
            raise ParameterError(f"{inside}{key}", f"{parameters[key]!r}; no such parameter; {allowed}")


def number(key: str, value: Any, low: float, high: float) -> float:
    """A number within bounds."""
    if not _is_number(value) or isinstance(value, bool) or not low <= value <= high:
        raise ParameterError(key, f"{value!r}; allowed: a number from {low:g} to {high:g}")
    return float(value)


def hand_range(key: str, value: Any, game: Game) -> tuple[int, int]:
    """RANGE of a share of all hands (a number from 0 to 1: the best ones), or of an expression of `sim.ranges`."""
    if isinstance(value, str):
        try:
            return 0, _members(value, game.hole_cards, game.hi_lo, opponents_at(game.n_seats)).ctypes.data
        except RangeError as error:
            raise ParameterError(key, " ".join(str(error).split())) from error
    share = number(key, value, 0, 1)
    if 0 < share < 1:
        try:
            percentile_table(game.hole_cards, game.hi_lo, opponents_at(game.n_seats))
        except RankingError as error:
            raise ParameterError(key, f"{value!r}; {error}") from error
    return round(share * ALL_HANDS), 0


@functools.cache  # for ever: the addresses of these arrays are in records
def _members(text: str, hole_cards: int, hi_lo: bool, opponents: int) -> np.ndarray:
    """(n_classes,) uint8: 1 for the classes of hands in a range. Raises RangeError."""
    return np.ascontiguousarray(compile_range(text, hole_cards, hi_lo, opponents)).view(np.uint8)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real)


class Parameter(NamedTuple):
    """The declaration of one parameter of a built-in strategy."""

    kind: str  # a key of KINDS
    default: Any
    meaning: str
    low: float = 0
    high: float = 1


MOST_SIZES = 4
# Bet sizes and how often each is taken: percent of the pot, and the upper end of its share of PARTS.
SIZES = aligned_record([("percent", np.int64, (MOST_SIZES,)), ("upto", np.int64, (MOST_SIZES,))])
PARTS = 1 << 16
KINDS = {  # type and shape of the field
    "number": (np.float64,),
    "share": (np.float64,),  # 0 to 1
    "whole": (np.int64,),
    "range": (RANGE,),
    "by_position": (RANGE, (len(PLACES),)),
    "sizes": (SIZES,),
}


def declared_record(declared: Mapping[str, Parameter], values: Mapping[str, Any], game: Game) -> np.record:
    """The record of a built-in strategy's parameters, checked against their declaration; what is left out has its default."""
    check_names(values, declared)
    checked = {name: _checked(name, parameter, values.get(name, parameter.default), game) for name, parameter in declared.items()}
    return fill(aligned_record([(name, *KINDS[parameter.kind]) for name, parameter in declared.items()]), checked)


def _checked(name: str, parameter: Parameter, value: Any, game: Game) -> Any:
    """A value as it goes into the field of the record."""
    if parameter.kind == "sizes":
        return _sizes(name, value)
    if parameter.kind == "range":
        return hand_range(name, value, game)
    if parameter.kind == "by_position":
        if not isinstance(value, Mapping):
            return [hand_range(name, value, game)] * len(PLACES)
        check_names(value, PLACES, f"{name}.")
        return [hand_range(f"{name}.{position}", value.get(position, 0), game) for position in PLACES]
    checked = number(name, value, parameter.low, parameter.high)
    if parameter.kind == "whole" and checked != int(checked):
        raise ParameterError(name, f"{value!r}; allowed: a whole number from {parameter.low:g} to {parameter.high:g}")
    return checked


def _sizes(name: str, value: Any) -> tuple[list[int], list[int]]:
    """SIZES of a mapping of fractions of the pot to their weights, or of one fraction."""
    value = value if isinstance(value, Mapping) else {value: 1}
    if not 1 <= len(value) <= MOST_SIZES:
        raise ParameterError(name, f"{value!r}; allowed: 1 to {MOST_SIZES} sizes")
    try:
        sizes = [round(100 * number(name, float(size), 0, 1000)) for size in value]
    except (TypeError, ValueError) as error:
        raise ParameterError(name, f"{value!r}; allowed: fractions of the pot and their weights, such as {{0.5: 1, 1: 3}}") from error
    weights = [number(f"{name}.{size}", weight, 0, 1e6) for size, weight in value.items()]
    if sum(weights) <= 0:
        raise ParameterError(name, f"{value!r}; allowed: weights of which one is above 0")
    ends = [round(sum(weights[: place + 1]) / sum(weights) * PARTS) for place in range(len(weights))]
    rest = MOST_SIZES - len(sizes)
    return sizes + [sizes[-1]] * rest, ends + [PARTS] * rest
