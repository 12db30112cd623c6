"""Hands of a run told from the beginning: played again from the seed, then stepped through with everything that happened noted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from msgspec import structs

from sim.actions import FOLDED, RAISED, STREETS, kind_of, n_board_cards
from sim.betting import FOLD
from sim.cards import parse_cards
from sim.describe import high_name, low_text
from sim.evaluation import evaluate_many
from sim.formats.history import Action, Collected, Game, History, Post, Seat, Shown, Street, Uncalled, pot_name
from sim.formats.history import Pot as StatedPot
from sim.levels import FULL
from sim.plan import Scenario
from sim.play import Played, play_range, starting_stacks
from sim.rules import ANTE_FIRST, House, bet_sizes
from sim.stepping import Decision, Hand, Posts, Settlement

Blind = Literal["small_blind", "big_blind", "straddle"]


class Told(NamedTuple):
    """A hand as people read it, and its settlement as the engine made it."""

    history: History
    settlement: Settlement


def history_of(scenario: Scenario, seed: int, hand_id: int) -> History:
    """One hand of a run, from the seed alone. Raises StrategyError like playing."""
    return tell_hand(scenario, seed, hand_id).history


def tell_hand(scenario: Scenario, seed: int, hand_id: int) -> Told:
    """One hand of a run, from the seed alone, with its settlement. Raises StrategyError like playing."""
    played = play_range(scenario, seed, hand_id, 1, FULL)
    return tell_played(scenario, seed, hand_id, played, 0)


def tell_played(scenario: Scenario, seed: int, hand_id: int, played: Played, row: int) -> Told:
    """One hand of a range that was played: `row` of its columns, which are full."""
    columns = played.columns
    actions = slice(int(columns.act_offsets[row]), int(columns.act_offsets[row + 1]))
    intents = np.where(kind_of(columns.act_code[actions]) == FOLDED, FOLD, columns.act_amount[actions]).tolist()
    hand = Hand(
        scenario.variant,
        scenario.structure,
        scenario.stakes,
        scenario.house,
        scenario.rake,
        stacks=_facts(scenario).stacks,
        button=hand_id % scenario.n_seats,
        seed=seed,
        hand_id=hand_id,
    )
    return tell(hand, intents, scenario, button=hand_id % scenario.n_seats, hand_id=hand_id)


def tell(
    hand: Hand,
    intents: Sequence[int],
    scenario: Scenario,
    *,
    button: int,
    hand_id: int = 0,
    posts: Posts | None = None,
    holes: Mapping[int, str] | None = None,
    board: str | None = None,
) -> Told:
    """Step through a hand that was just posted and note everything.

    intents : what the seats decide, in order; `posts` : those that the hand was made with
    holes (seat -> cards) and board (five cards) : in place of the dealt ones
    """
    before, names, game, house = _facts(scenario)
    noted_posts = _posts(hand, before, posts or _standard_posts(hand, button, scenario.stakes.big_blind))
    seats = range(hand.n_seats)
    holes = {seat: hand.hole(seat) for seat in seats} if holes is None else holes
    decisions = hand.act_all(intents)
    settlement = hand.settle(holes, board)
    actions: list[list[Action]] = [[] for _ in range(hand.street + 1)]
    for decision in decisions:
        actions[decision.street].append(_action(decision))
    board = (board or hand.board)[: _board_length(hand.street)]
    history = History(
        id=str(hand_id),
        game=game,
        button=button,
        seats=tuple(Seat(seat, before[seat], holes[seat], names[seat], before[seat] + settlement.net[seat]) for seat in seats),
        posts=noted_posts,
        streets=tuple(
            Street(STREETS[street], board[: _board_length(street)], tuple(noted))  # type: ignore[arg-type]
            for street, noted in enumerate(actions)
        ),
        board=board,
        uncalled=Uncalled(*settlement.uncalled) if settlement.uncalled else None,
        shown=_shown(settlement, holes, board, scenario) if settlement.order else (),
        pots=tuple(StatedPot(pot_name(place), pot.amount, pot.rake) for place, pot in enumerate(settlement.pots)),
        collected=tuple(_collected(settlement)),
        total_pot=sum(pot.amount for pot in settlement.pots),
        rake=sum(pot.rake for pot in settlement.pots),
        table=scenario.name,
        house=dict(house),
    )
    return Told(history, settlement)


class _Facts(NamedTuple):
    """What all hands of a scenario have in common."""

    stacks: list[int]
    names: list[str]
    game: Game
    house: dict[str, str | int | bool]  # settings other than the defaults


@lru_cache(maxsize=64)
def _facts(scenario: Scenario) -> _Facts:
    house = {key: value for key, value in asdict(scenario.house).items() if value != getattr(House(), key)}
    return _Facts(starting_stacks(scenario).tolist(), player_names(scenario), _game(scenario), house)


def player_names(scenario: Scenario) -> list[str]:
    """The strategy of each seat; where several seats have it, with the number of the seat as the columns of the records have it."""
    names = [strategy.name for strategy in scenario.lineup]
    return [f"{name}_{seat}" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def _board_length(street: int) -> int:
    """Characters of the board cards on a street."""
    return 2 * n_board_cards(street)


def _game(scenario: Scenario) -> Game:
    stakes, fixed = scenario.stakes, scenario.structure == "fixed_limit"
    small_bet, big_bet = bet_sizes(stakes.big_blind, stakes.small_bet, stakes.big_bet)
    return Game(
        hole_cards=scenario.variant.hole_cards,
        low="8-or-better" if scenario.variant.hi_lo else None,
        structure=scenario.structure,  # type: ignore[arg-type]  # checked by Scenario
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
        ante=stakes.ante,
        small_bet=small_bet if fixed else None,
        big_bet=big_bet if fixed else None,
    )


def _standard_posts(hand: Hand, button: int, big_blind: int) -> Posts:
    """Who posted what in a hand without posts of its own."""
    small_blind_seat = button if hand.n_seats == 2 else (button + 1) % hand.n_seats
    big_blind_seat = (small_blind_seat + 1) % hand.n_seats
    next_seat = (big_blind_seat + 1) % hand.n_seats
    straddled = hand.n_seats > 2 and hand.bet[next_seat] > big_blind
    return Posts(small_blind_seat, big_blind_seat, next_seat if straddled else None)


def _posts(hand: Hand, before: Sequence[int], posts: Posts) -> tuple[Post, ...]:
    """What the seats paid before the cards: charges, then antes, then blinds and the rest from the small blind on."""
    first = next((seat for seat in (posts.small_blind_seat, posts.big_blind_seat) if seat is not None), 0)
    bets, stacks = hand.bet, hand.stack
    charge, ante = int(hand.rules["time_charge"]), int(hand.rules["ante"])
    paid: tuple[list[Post], list[Post], list[Post]] = ([], [], [])
    for place in range(first, first + hand.n_seats):
        seat = place % hand.n_seats
        charged = min(charge, before[seat])
        ante_paid = min(ante, before[seat] - charged)
        dead = before[seat] - stacks[seat] - charged - ante_paid - bets[seat]
        three = (
            [Post(seat, "time_charge", charged, 0)] if charged else [],
            [Post(seat, "ante", ante_paid, 0)] if ante_paid else [],
            _bets_and_dead_chips(hand.rules, posts, seat, bets[seat], dead) if bets[seat] or dead else [],
        )
        if stacks[seat] == 0:
            last = next(noted for noted in reversed(three) if noted)
            last[-1] = structs.replace(last[-1], all_in=True)
        for kind, noted in zip(paid, three, strict=True):
            kind += noted
    return tuple(post for kind in paid for post in kind)


def _bets_and_dead_chips(rules: np.record, posts: Posts, seat: int, live: int, dead: int) -> list[Post]:
    """What one seat paid after charge and ante, in the order in which its chips went."""
    big_blind_ante = 0
    if seat == posts.big_blind_seat:
        ante_first = rules["big_blind_ante_order"] == ANTE_FIRST
        big_blind_ante = min(int(rules["big_blind_ante"]), dead) if ante_first else max(0, dead - posts.dead.get(seat, 0))
        dead -= big_blind_ante
    blinds: dict[int | None, Blind] = {
        posts.small_blind_seat: "small_blind",
        posts.big_blind_seat: "big_blind",
        posts.straddle_seat: "straddle",
    }
    kind = blinds.get(seat)
    if kind is None and live and dead:
        noted = [Post(seat, "small_and_big_blind", live + dead, live, out_of_position=True)]
    else:
        noted = [
            Post(seat, kind or "big_blind", live, live, out_of_position=kind is None),
            Post(seat, "dead", dead, 0, out_of_position=True),
        ]
    noted.append(Post(seat, "big_blind_ante", big_blind_ante, 0))
    return [post for post in noted if post.amount]


def _action(decision: Decision) -> Action:
    do: Literal["fold", "check", "call", "bet", "raise"]
    if decision.kind == FOLDED:
        do = "fold"
    elif decision.kind == RAISED:
        do = "raise" if decision.opened or decision.street == 0 else "bet"
    else:
        do = "call" if decision.put else "check"
    return Action(decision.seat, do, decision.put, decision.to, all_in=decision.stack == 0 and decision.put > 0)


def _shown(settlement: Settlement, holes: Mapping[int, str], board: str, scenario: Scenario) -> tuple[Shown, ...]:
    """The seats of the showdown in order, mucked cards too, with the names of their hands."""
    cards = [parse_cards(holes[seat]) for seat in settlement.order]
    strengths, lows = evaluate_many(np.tile(parse_cards(board), (len(cards), 1)), np.array(cards))
    return tuple(
        Shown(
            seat,
            holes[seat],
            high_name(int(high)),
            (low_text(int(low)) or None) if scenario.variant.hi_lo else None,
            mucked=seat not in settlement.shown,
        )
        for seat, high, low in zip(settlement.order, strengths, lows, strict=True)
    )


def _collected(settlement: Settlement) -> Iterable[Collected]:
    """Each share of each pot; one figure for the whole pot where no low was made."""
    for place, pot in enumerate(settlement.pots):
        halves: tuple[tuple[Literal["high", "low"] | None, Mapping[int, int]], ...] = ((None, pot.high),)
        if pot.low:
            halves = (("high", pot.high), ("low", pot.low))
        for side, shares in halves:
            for seat, chips in shares.items():
                if chips:
                    yield Collected(seat, chips, pot_name(place), side)
