"""Histories for the tests of replay and formats: a small hand in our own words, awkward scenarios, files replayed in one line."""

from pathlib import Path

from msgspec.structs import replace

from sim.formats.history import Action, Collected, Game, History, Post, Seat, Shown, Street, Uncalled
from sim.formats.reading import Entry, read_file
from sim.lineup import Strategy
from sim.plan import Scenario
from sim.replay.houses import HouseChoice, HouseRules
from sim.replay.replay import Findings, replay
from sim.rules import House, Rake, Stakes, Variant

REAL_HANDS = Path(__file__).parents[2] / "shared" / "cases"


def lineup(*names: str) -> tuple[Strategy, ...]:
    return tuple(Strategy(name, name) for name in names)


WILD = ("random", "call", "loose", "random", "max_raise", "random")
# Side pots, odd chips, short posts, rakes of every kind: what a format could lose.
SCENARIOS = {
    "uneven_stacks": Scenario(
        "a", Variant(), "pot_limit", Stakes(stacks=(150, 900, 2100, 333, 5000, 777)), House(), Rake(500, caps=(30,)), lineup(*WILD)
    ),
    "fixed_limit_hilo": Scenario(
        "a",
        Variant("omaha5_hilo", 5, True),
        "fixed_limit",
        Stakes(10, 15, 15, 30, stacks=(101, 33, 77, 200)),
        House(cap_off_heads_up=True),
        Rake(450, caps=(2, 3, 5)),
        lineup(*WILD[:4]),
    ),
    "straddle_and_ante": Scenario(
        "a",
        Variant("omaha6_hilo", 6, True),
        "no_limit",
        Stakes(5, 10, ante=3, straddle=20, stacks=(45, 200, 90, 307, 1000)),
        House(straddle_min_raise="difference", odd_chips="all_to_high"),
        Rake(1000, scope="pot"),
        lineup(*WILD[:5]),
    ),
    "big_blind_ante_and_time_charge": Scenario(
        "a",
        Variant("omaha4_hilo", 4, True),
        "pot_limit",
        Stakes(5, 10, big_blind_ante=10, ante=1, stacks=(12, 60, 90, 33)),
        House(big_blind_ante_order="ante_first"),
        Rake(500, step=5, time_charge=2),
        lineup(*WILD[:4]),
    ),
    "heads_up": Scenario(
        "a",
        Variant("omaha4_hilo", 4, True),
        "pot_limit",
        Stakes(10, 20, big_blind_ante=20, stacks=(105, 300)),
        House(),
        Rake(),
        lineup(*WILD[:2]),
    ),
}

# Three players, pot limit hi/lo: seat 2 bets the flop, seat 4 calls, both show; the low is split off with an odd chip.
HAND = History(
    id="7",
    game=Game(4, "8-or-better", "pot_limit", 5, 10),
    button=7,
    seats=(Seat(2, 200, "As2s3h4d"), Seat(4, 300, "KdKhQcJc"), Seat(7, 150, None)),
    posts=(Post(2, "small_blind", 5, 5), Post(4, "big_blind", 10, 10)),
    streets=(
        Street("preflop", "", (Action(7, "call", 10, 10), Action(2, "call", 5, 10), Action(4, "check", 0, 10))),
        Street("flop", "Kc7s8h", (Action(2, "bet", 15, 15), Action(4, "call", 15, 15), Action(7, "fold", 0, 0))),
        Street("turn", "Kc7s8h5d", (Action(2, "check", 0, 0), Action(4, "check", 0, 0))),
        Street("river", "Kc7s8h5d9c", (Action(2, "bet", 20, 20), Action(4, "raise", 80, 80), Action(2, "fold", 0, 20))),
    ),
    board="Kc7s8h5d9c",
    uncalled=Uncalled(4, 60),
    collected=(Collected(4, 97, "main"),),
    total_pot=100,
    rake=3,
    site="somewhere",
)
# The same hand called down: the set of kings takes the high half, ace to eight the low.
SHOWN = replace(
    HAND,
    streets=(
        *HAND.streets[:3],
        Street("river", "Kc7s8h5d9c", (Action(2, "bet", 20, 20), Action(4, "call", 20, 20))),
    ),
    uncalled=None,
    shown=(Shown(2, "As2s3h4d"), Shown(4, "KdKhQcJc")),
    collected=(Collected(4, 49, "main", "high"), Collected(2, 48, "main", "low")),
)


DEFAULT_RULES = HouseRules("default")


def replay_hands(*histories: History, rules: HouseRules = DEFAULT_RULES, skip: tuple[str, ...] = ()) -> Findings:
    """Replay histories that are in no file."""
    return replay((Entry("memory", line, hand) for line, hand in enumerate(histories, 1)), HouseChoice(rules), skip)


def replay_file(path: Path, house: House = House()) -> Findings:
    return replay(read_file(path), HouseChoice(HouseRules("given", house)))


def one_difference(history: History, **rules) -> tuple[str, int | None, str, str]:
    """(field, seat, expected, got) of the only difference of a hand."""
    (difference,) = replay_hands(history, rules=HouseRules("given", House(**rules))).differences
    return difference.field, difference.seat, difference.expected, difference.got
