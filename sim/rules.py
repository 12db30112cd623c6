"""The numbers of a game: variant, structure, stakes, house rules and rake.

People write the dataclasses (by name, checked on creation); kernels read the record of integers that `compile_rules` makes.
Chips are integers in the smallest unit of the game. Sources of the house rules are named where they are applied, from `posts` to `showing`.
"""

import re
from dataclasses import dataclass

import numpy as np

from sim.aligned import aligned_record

N_CARDS = 52
BOARD_CARDS = 5
MAX_SEATS = 10
MAX_HOLE_CARDS = 6
MAX_CHIPS = 2**28  # a stack or amount: a pot of ten such stacks times the rake of it still fits 63 bits

FIXED_LIMIT, POT_LIMIT, NO_LIMIT = 0, 1, 2
STRUCTURES = {"fixed_limit": FIXED_LIMIT, "pot_limit": POT_LIMIT, "no_limit": NO_LIMIT}

# The settings of each house rule, first the default. A setting's place in its tuple is its number in the record, by which kernels know it.
SHORT_BLIND = ("full", "true_value")
SHORT_BLIND_IN_FULL = 0
ABSENT_SMALL_BLIND = ("true_value", "full")
ABSENT_BLIND_IN_FULL = 1
REOPENING = ("full_raise_in_total", "consecutive")
CONSECUTIVE = 1
STRADDLE_MIN_RAISE = ("straddle", "big_blind", "difference")
BY_STRADDLE, BY_BIG_BLIND, BY_DIFFERENCE = range(3)
BIG_BLIND_ANTE_ORDER = ("blind_first", "ante_first")
ANTE_FIRST = 1
ODD_CHIPS = ("high_first", "all_to_high")
ALL_TO_HIGH = 1
SHOWING = ("last_aggressor_river", "last_aggressor_any_street")
ANY_STREET = 1
ROUNDING = ("down", "half_up", "up")
HALF_UP, UP = 1, 2
RAKE_SCOPE = ("hand", "pot")
POT_BY_POT = 1


class RuleError(ValueError):
    """A number or name that no game can have; `key` is the field, the message says the value and what is allowed."""

    def __init__(self, key: str, message: str):
        super().__init__(message)
        self.key = key


def _within(key: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise RuleError(key, f"{value}; allowed: {low} to {high}")


@dataclass(frozen=True)
class Variant:
    """How many hole cards, and whether the low half is played."""

    name: str = "omaha4"
    hole_cards: int = 4  # 4, 5 or 6; exactly two of them play
    hi_lo: bool = False  # True: eight-or-better for half the pot

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\w[\w.-]*", self.name):  # a folder of the records has this name
            raise RuleError("name", f"{self.name}; allowed: letters, digits and _ . -, a letter or digit first")
        _within("hole_cards", self.hole_cards, 4, MAX_HOLE_CARDS)


@dataclass(frozen=True)
class Stakes:
    """Blinds, antes and starting stacks, in chips."""

    small_blind: int = 50
    big_blind: int = 100
    small_bet: int = 0  # fixed limit, before the flop and on it; 0: the big blind
    big_bet: int = 0  # fixed limit, turn and river; 0: twice the small bet
    ante: int = 0  # each seat, before the blinds
    big_blind_ante: int = 0  # the big blind pays one ante for the table
    straddle: int = 0  # live third blind of the seat left of the big blind; 0: off
    stacks: tuple[int, ...] = (10_000,)  # one for all seats, or one per seat

    def __post_init__(self) -> None:
        _within("big_blind", self.big_blind, 1, MAX_CHIPS)
        _within("small_blind", self.small_blind, 0, self.big_blind)
        for key in ("small_bet", "big_bet", "ante", "big_blind_ante", "straddle"):
            _within(key, getattr(self, key), 0, MAX_CHIPS)
        if 0 < self.straddle <= self.big_blind:
            raise RuleError("straddle", f"{self.straddle}; give 0 (off) or more than the big blind ({self.big_blind})")
        if self.big_bet and self.big_bet < bet_sizes(self.big_blind, self.small_bet, self.big_bet)[0]:
            raise RuleError("big_bet", f"{self.big_bet}; give 0 (twice the small bet) or at least the small bet")
        if not self.stacks:
            raise RuleError("stacks", "[]; give one stack for all seats, or one per seat")
        for stack in self.stacks:
            _within("stacks", stack, 1, MAX_CHIPS)


def bet_sizes(big_blind: int, small_bet: int | None, big_bet: int | None) -> tuple[int, int]:
    """Fixed limit: chips of a bet before the flop and on it, and later. What is 0 or None is the big blind, and twice the small bet."""
    small_bet = small_bet or big_blind
    return small_bet, big_bet or 2 * small_bet


@dataclass(frozen=True)
class House:
    """The rules where rulebooks leave a choice; the first setting of each tuple above is the default."""

    short_blind: str = SHORT_BLIND[0]  # pot limit before the flop: a short blind counts in full or as posted
    absent_small_blind: str = ABSENT_SMALL_BLIND[0]  # the same for a small blind that nobody posts
    small_blind_as_big_blind: bool = False  # pot limit: the small blind counts as a big blind in the maximum
    reopening: str = REOPENING[0]  # what short all-ins must add up to before a seat that acted may raise again
    cap: int = 4  # fixed limit: bets of a street, the opening bet or big blind included; 0: none
    cap_off_heads_up: bool = False  # fixed limit: no cap between the last two players
    straddle_min_raise: str = STRADDLE_MIN_RAISE[0]  # the raise that a straddle sets: its amount, the big blind, or what it adds
    big_blind_ante_order: str = BIG_BLIND_ANTE_ORDER[0]  # which of the two a short stack pays first
    raise_to_callers_stack: bool = False  # a raise may be below the minimum if it is the most that anybody left can call
    raise_nobody_can_call: bool = False  # a raise is taken though all others are all-in; it comes back as the uncalled bet
    odd_chips: str = ODD_CHIPS[0]  # high half first, then left of the button; or all to the high hand
    showing: str = SHOWING[0]  # whose aggression opens the showdown
    side_pot_shows_first: bool = False  # players of a side pot show before a player in the main pot only
    all_tabled_when_all_in: bool = False  # nobody mucks once a player is all-in and betting is over

    def __post_init__(self) -> None:
        for key, allowed in HOUSE_SETTINGS.items():
            if getattr(self, key) not in allowed:
                raise RuleError(key, f"{getattr(self, key)!r}; allowed: {', '.join(allowed)}")
        _within("cap", self.cap, 0, 100)


HOUSE_SETTINGS = {
    "short_blind": SHORT_BLIND,
    "absent_small_blind": ABSENT_SMALL_BLIND,
    "reopening": REOPENING,
    "straddle_min_raise": STRADDLE_MIN_RAISE,
    "big_blind_ante_order": BIG_BLIND_ANTE_ORDER,
    "odd_chips": ODD_CHIPS,
    "showing": SHOWING,
}


@dataclass(frozen=True)
class Rake:
    """What the house takes. Percentages are whole basis points (500 = 5 %), so that no rate depends on a float."""

    basis_points: int = 0
    caps: tuple[int, ...] = ()  # chips; for 2, 3, ... players dealt, the last one for all above; (): no cap; 0: no rake
    no_flop_no_drop: bool = True
    rounding: str = ROUNDING[0]  # to a multiple of `step`
    step: int = 1  # chips
    scope: str = RAKE_SCOPE[0]  # reckoned on the whole hand, or pot by pot; the cap is always one per hand
    minimum_pot: int = 0  # chips; a smaller pot is not raked
    time_charge: int = 0  # chips that every seat dealt in pays the house before the posts, apart from the pot

    def __post_init__(self) -> None:
        _within("basis_points", self.basis_points, 0, 10_000)
        _within("step", self.step, 1, MAX_CHIPS)
        for key in ("minimum_pot", "time_charge"):
            _within(key, getattr(self, key), 0, MAX_CHIPS)
        for cap in self.caps:
            _within("caps", cap, 0, MAX_CHIPS)
        if len(self.caps) > MAX_SEATS - 1:
            raise RuleError("caps", f"{len(self.caps)} values; give at most {MAX_SEATS - 1} (for 2 to {MAX_SEATS} players)")
        for key, allowed in (("rounding", ROUNDING), ("scope", RAKE_SCOPE)):
            if getattr(self, key) not in allowed:
                raise RuleError(key, f"{getattr(self, key)!r}; allowed: {', '.join(allowed)}")


# All of the above as the integers that kernels read. Booleans are 0 and 1; settings are their place in the tuple. A record, because kernels
# take it by its address: a tuple of as many fields would be copied at each call.
RULES = aligned_record(
    [
        ("hole_cards", np.int64),
        ("hi_lo", np.int64),
        ("structure", np.int64),
        ("small_blind", np.int64),
        ("big_blind", np.int64),
        ("small_bet", np.int64),
        ("big_bet", np.int64),
        ("ante", np.int64),
        ("big_blind_ante", np.int64),
        ("straddle", np.int64),
        ("short_blind", np.int64),
        ("absent_small_blind", np.int64),
        ("small_blind_as_big_blind", np.int64),
        ("reopening", np.int64),
        ("cap", np.int64),
        ("cap_off_heads_up", np.int64),
        ("straddle_min_raise", np.int64),
        ("big_blind_ante_order", np.int64),
        ("raise_to_callers_stack", np.int64),
        ("raise_nobody_can_call", np.int64),
        ("odd_chips", np.int64),
        ("showing", np.int64),
        ("side_pot_shows_first", np.int64),
        ("all_tabled_when_all_in", np.int64),
        ("rake_basis_points", np.int64),
        ("no_flop_no_drop", np.int64),
        ("rake_rounding", np.int64),
        ("rake_step", np.int64),
        ("rake_scope", np.int64),
        ("rake_minimum_pot", np.int64),
        ("time_charge", np.int64),
        ("rake_caps", np.int64, (MAX_SEATS + 1,)),  # chips, by players dealt
    ]
)


def compile_rules(
    variant: Variant = Variant(), structure: str = "pot_limit", stakes: Stakes = Stakes(), house: House = House(), rake: Rake = Rake()
) -> np.record:
    """The RULES record of one scenario. Raises RuleError for an unknown structure."""
    if structure not in STRUCTURES:
        raise RuleError("structure", f"{structure!r}; allowed: {', '.join(STRUCTURES)}")
    small_bet, big_bet = bet_sizes(stakes.big_blind, stakes.small_bet, stakes.big_bet)
    caps = np.full(MAX_SEATS + 1, np.iinfo(np.int64).max, np.int64)
    for players in range(2, MAX_SEATS + 1):
        if rake.caps:
            caps[players] = rake.caps[min(players - 2, len(rake.caps) - 1)]
    rules = np.zeros(1, RULES)[0]
    chosen = {key: allowed.index(getattr(house, key)) for key, allowed in HOUSE_SETTINGS.items()}
    values = dict(
        hole_cards=variant.hole_cards,
        hi_lo=variant.hi_lo,
        structure=STRUCTURES[structure],
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
        small_bet=small_bet,
        big_bet=big_bet,
        ante=stakes.ante,
        big_blind_ante=stakes.big_blind_ante,
        straddle=stakes.straddle,
        rake_basis_points=rake.basis_points,
        no_flop_no_drop=rake.no_flop_no_drop,
        rake_rounding=ROUNDING.index(rake.rounding),
        rake_step=rake.step,
        rake_scope=RAKE_SCOPE.index(rake.scope),
        rake_minimum_pot=rake.minimum_pot,
        time_charge=rake.time_charge,
        rake_caps=caps,
        **(vars(house) | chosen),
    )
    for key, value in values.items():
        rules[key] = value
    return rules
