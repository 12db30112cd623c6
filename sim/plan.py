"""What a run plays: scenarios, hands, seed and shards, as plain data that is checked on creation and kept in run.json.

Scenarios of a run share their hand ids, and so their cards. Everything here that can change a result is part of `RunSpec`;
where the work is done (`Compute`) is not.
"""

import json
import types
import typing
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, ClassVar, Protocol, TypeVar

from sim.errors import UserError
from sim.levels import LEVELS
from sim.lineup import Parameters, Strategy
from sim.rules import BOARD_CARDS, MAX_SEATS, N_CARDS, STRUCTURES, House, Rake, RuleError, Stakes, Variant

COMPUTE_KINDS = ("inline", "ray")
MAX_HANDS = 10**11
MAX_SEED = 2**64 - 1
LINE_UP = ",lineup="  # in the names of scenarios that differ in the line-up only: what follows is its number
MAX_SHARD_HANDS = 1_000_000  # a worker holds one shard's records in memory
MAX_SHARDS = 1_000_000  # each leaves a commit record, and resuming lists them all


class SpecError(UserError, ValueError):
    """A run that cannot be played; `key` is the full config key, the message starts with the value and says what is allowed."""

    exit_code = 2

    def __init__(self, key: str, message: str):
        super().__init__(message)
        self.key = key

    def __str__(self) -> str:
        return f"{self.key}={self.args[0]}"


def within(key: str, value: int, low: int, high: int) -> None:
    """Raises SpecError if the value is out of bounds."""
    if not low <= value <= high:
        raise SpecError(key, f"{value}; allowed: {low} to {high}")


@dataclass(frozen=True)
class Scenario:
    """One game: what is played, for what, by whom. `n_seats` is the length of the line-up."""

    name: str
    variant: Variant
    structure: str
    stakes: Stakes
    house: House
    rake: Rake
    lineup: tuple[Strategy, ...]  # one per seat, seat 0 first

    @property
    def n_seats(self) -> int:
        """Seats of the table, all of them dealt in."""
        return len(self.lineup)

    def __post_init__(self) -> None:
        if self.structure not in STRUCTURES:
            raise SpecError("structure", f"{self.structure}; allowed: {', '.join(STRUCTURES)}")
        seats = self.n_seats
        if not 2 <= seats <= MAX_SEATS:
            raise SpecError("table.seats", f"{seats}; allowed: 2 to {MAX_SEATS}")
        most = (N_CARDS - BOARD_CARDS) // self.variant.hole_cards
        if seats > most:
            cards = f"{seats} x {self.variant.hole_cards} hole cards + {BOARD_CARDS} board cards"
            needed = seats * self.variant.hole_cards + BOARD_CARDS
            raise SpecError(
                "table.seats", f"{seats}; {cards} = {needed}, the deck has {N_CARDS}; {self.variant.name} allows 2 to {most} seats"
            )
        if len(self.stakes.stacks) not in (1, seats):
            raise SpecError("stakes.stacks", f"{list(self.stakes.stacks)}; give one stack for all seats, or one per seat ({seats})")
        if self.stakes.straddle and seats == 2:
            raise SpecError(
                "stakes.straddle", f"{self.stakes.straddle}; heads-up nobody sits left of the big blind; give 0, or seat 3 or more"
            )
        if self.structure == "fixed_limit" and 0 < self.stakes.small_bet < self.stakes.big_blind:
            raise SpecError(
                "stakes.small_bet",
                f"{self.stakes.small_bet}; in fixed limit give 0 (the big blind) or at least the big blind ({self.stakes.big_blind})",
            )
        names: dict[str, Strategy] = {}
        for strategy in self.lineup:
            if names.setdefault(strategy.name, strategy) != strategy:
                raise SpecError("table.lineup", f"{strategy.name}; two different strategies have this name; give each its own")


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str: ...  # noqa: D102


class Plan(Protocol):
    """What the run directory and the executors have to know of a spec: a dataclass whose hands are worked on shard by shard."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def hands(self) -> int: ...  # noqa: D102

    @property
    def scenarios(self) -> Sequence[Named]: ...  # noqa: D102

    @property
    def shard_hands(self) -> int: ...  # noqa: D102


AnyPlan = TypeVar("AnyPlan", bound=Plan)


@dataclass(frozen=True)
class RunSpec:
    """All that decides the results of a run."""

    hands: int  # per scenario
    seed: int  # 0 to 2**64 - 1
    scenarios: tuple[Scenario, ...]
    records: str  # a key of sim.levels.LEVELS
    shard_hands: int  # hands per shard; the last one of a scenario may have fewer

    def __post_init__(self) -> None:
        within("hands", self.hands, 1, MAX_HANDS)
        within("seed", self.seed, 0, MAX_SEED)
        within("shard_hands", self.shard_hands, 1, MAX_SHARD_HANDS)
        if self.records not in LEVELS:
            raise SpecError("records", f"{self.records}; allowed: {', '.join(reversed(LEVELS))}")
        if not self.scenarios:
            raise SpecError("sweep", "{}; a run needs at least one scenario")
        names = [scenario.name for scenario in self.scenarios]
        if repeated := {name for name in names if names.count(name) > 1}:
            raise SpecError("sweep", f"{min(repeated)}; two cells have this name; leave out the repeated value")
        if (shards := n_shards(self)) > MAX_SHARDS:
            raise SpecError(
                "shard_hands", f"{self.shard_hands}; makes {shards} shards of {self.hands} hands; allowed: at most {MAX_SHARDS}"
            )


@dataclass(frozen=True)
class Compute:
    """Where the shards are worked on. Changes no result, so it is not part of the spec."""

    kind: str = "inline"  # inline: this process; ray: a local Ray session, or the one at `address`
    address: str | None = None  # ray only; None: start one on this machine
    cpus: int | None = None  # ray only; None: all

    def __post_init__(self) -> None:
        if self.kind not in COMPUTE_KINDS:
            raise SpecError("compute.kind", f"{self.kind}; allowed: {', '.join(COMPUTE_KINDS)}")
        if self.cpus is not None and not 1 <= self.cpus <= 100_000:
            raise SpecError("compute.cpus", f"{self.cpus}; allowed: 1 to 100000, or null for all")
        if self.kind == "inline" and self.address is not None:
            raise SpecError("compute.address", f"{self.address}; compute=inline uses no Ray; take compute=ray")
        if self.kind == "inline" and self.cpus is not None:
            raise SpecError("compute.cpus", f"{self.cpus}; compute=inline is one process; take compute=local")


@dataclass(frozen=True)
class Shard:
    """The unit of work: a range of hand ids of one scenario."""

    index: int  # place in the plan, 0-based; names the shard's files
    scenario: int  # place in RunSpec.scenarios
    first_hand: int  # hand_id
    hands: int


def automatic_shard_hands(hands: int) -> int:
    """8 shards per scenario, but 50,000 to 250,000 hands each: small enough to balance, large enough that committing costs about 1 %."""
    return min(hands, max(50_000, min(250_000, -(-hands // 8))))


def n_shards(spec: Plan) -> int:
    """Length of the plan."""
    return -(-spec.hands // spec.shard_hands) * len(spec.scenarios)


def make_shards(spec: Plan) -> tuple[Shard, ...]:
    """The plan: every scenario plays a range of hands before any plays the next one, so an unfinished run compares like with like."""
    firsts = range(0, spec.hands, spec.shard_hands)
    places = ((scenario, first) for first in firsts for scenario in range(len(spec.scenarios)))
    return tuple(Shard(index, scenario, first, min(spec.shard_hands, spec.hands - first)) for index, (scenario, first) in enumerate(places))


def as_json(spec: Plan) -> dict[str, Any]:
    """The spec as values of JSON, keys sorted: equal specs give equal values, and equal text."""
    return json.loads(json.dumps(asdict(spec), sort_keys=True, default=Parameters.values))


def restored(value: Any, kind: type[AnyPlan]) -> AnyPlan:
    """The spec of this kind that `as_json` gave. Raises SpecError if the value is not one."""
    try:
        return _restore(kind, value)
    except RuleError as error:
        raise SpecError(error.key, str(error)) from error
    except (KeyError, TypeError) as error:
        raise SpecError("spec", f"{json.dumps(value)[:40]!r}; not a run spec of this version ({error})") from error


def first_difference(a: Plan, b: Plan) -> str | None:
    """`key: old -> new` of the first leaf, in the order of `as_json`, in which two specs differ; None if they are equal."""
    old, new = _leaves(as_json(a)), _leaves(as_json(b))
    for key in [*old, *(key for key in new if key not in old)]:
        if key not in old or key not in new or old[key] != new[key]:
            return f"{key}: {_leaf_text(old, key)} -> {_leaf_text(new, key)}"
    return None


def _leaf_text(leaves: dict[str, Any], key: str) -> str:
    return json.dumps(leaves[key]) if key in leaves else "(absent)"


def _leaves(value: Any, key: str = "") -> dict[str, Any]:
    """Nested JSON as {dotted key: leaf}; an empty list or object is a leaf."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    flat: dict[str, Any] = {}
    for name, inner in items:
        flat |= _leaves(inner, f"{key}.{name}" if key else str(name))
    return flat or {key: value}


def _restore(kind: Any, value: Any) -> Any:
    """A value of JSON as the annotated type: dataclasses from objects, tuples from lists, the rest as it is, types checked."""
    if isinstance(kind, type) and is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        if missing := {field.name for field in fields(kind)} ^ set(value):
            raise KeyError(f"{kind.__name__}: {sorted(missing)}")
        return kind(**{name: _restore(hints[name], inner) for name, inner in value.items()})
    if kind is Parameters:
        return Parameters(value)
    if typing.get_origin(kind) is tuple:
        return tuple(_restore(typing.get_args(kind)[0], inner) for inner in value)
    allowed = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if type(value) not in allowed:
        raise TypeError(f"{value!r} is not of type {kind}")
    return value
