"""Views made by hand, and the built-in strategies with their parameters, for tests of what strategies see and do."""

from pathlib import Path

import numpy as np
import yaml

from sim.cards import parse_cards
from sim.lineup import Parameters, Strategy
from sim.plan import Scenario
from sim.rules import House, Rake, Stakes, Variant
from sim.strategies import STRATEGIES
from sim.strategies.memory import TABLES_AT
from sim.strategies.percentile import ranking_at
from sim.strategies.view import VIEW

CONF = Path(__file__).parent.parent / "conf" / "strategy"
ARCHETYPES = ("rock", "nit", "tag", "lag", "weak_fish", "calling_station", "maniac")
OPTIONS = sorted({*STRATEGIES, *ARCHETYPES} - {"range_player"})  # each with the parameters of its file, if it has one
STREETS = {0: 0, 3: 1, 4: 2, 5: 3}  # by number of board cards


def view_of(hole: str, board: str = "", hi_lo: bool = False, n_seats: int = 6, n_live: int = 2, seed: int = 1) -> np.record:
    """A view of these cards. The rest is as at the start of a hand in seat 0."""
    cards, dealt = parse_cards(hole), parse_cards(board)
    view = np.zeros(1, VIEW)[0]
    view.hole[: len(cards)], view.board[: len(dealt)] = cards, dealt
    view.n_hole, view.n_board, view.street = len(cards), len(dealt), STREETS[len(dealt)]
    view.hi_lo, view.n_seats, view.n_live, view.hand_class, view.rng_seed = hi_lo, n_seats, n_live, -1, seed
    view["tables"], view["ranking"] = TABLES_AT, ranking_at(len(cards), hi_lo, n_seats)
    return view


def deal_some(seed: int, n_hole: int, n_board: int) -> tuple[list[int], list[int], list[int]]:
    """Hole cards, board and unseen cards of a random deal; every other deal has few suits and ranks, so that draws are common."""
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52)
    if seed % 2:
        near = [card for card in deck if card & 3 < 2 or card >> 2 in (4, 5, 6, 12)]
        deck = np.array(near + [card for card in deck if card not in near])
    cards = deck.tolist()
    return cards[:n_hole], cards[n_hole : n_hole + n_board], sorted(cards[n_hole + n_board :])


def strategy_of(name: str) -> Strategy:
    """A built-in strategy or archetype with the parameters of its file."""
    file = CONF / f"{name}.yaml"
    option = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}
    return Strategy(name, option.get("function", name), parameters=Parameters(option.get("parameters") or {}))


def game_of(names, variant=Variant(), structure="pot_limit", stakes=Stakes()) -> Scenario:
    """A scenario with these strategies."""
    return Scenario("test", variant, structure, stakes, House(), Rake(), tuple(map(strategy_of, names)))
