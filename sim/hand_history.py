"""Hands of a run told from the beginning: played again from the seed, then stepped through with everything that happened noted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Literal, NamedTuple

import numpy as np
from msgspec import structs

from sim.actions import FOLDED, STREETS, kind_of, n_board_cards
from sim.betting import FOLD
from sim.cards import parse_cards
from sim.describe import high_name, low_text
from sim.evaluation import evaluate_many
from sim.formats.history import Action, Collected, Game, History, Post, Seat, Shown, Street, Uncalled, pot_name
from sim.formats.history import Pot as StatedPot
from sim.levels import FULL
from sim.plan import Scenario
from sim.play import play_range, starting_stacks
from sim.rules import ANTE_FIRST, House, bet_sizes
from sim.stepping import Hand, Posts, Settlement

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
    kinds = kind_of(played.columns.act_code[: played.n_actions])
    amounts = played.columns.act_amount[: played.n_actions]
    intents = [FOLD if kind == FOLDED else int(amount) for kind, amount in zip(kinds, amounts, strict=True)]
    hand = Hand(
        scenario.variant,
        scenario.structure,
        scenario.stakes,
        scenario.house,
        scenario.rake,
        stacks=starting_stacks(scenario).tolist(),
        button=hand_id % scenario.n_seats,
        seed=seed,
        hand_id=hand_id,
    )
    return tell(hand, intents, scenario, button=hand_id % scenario.n_seats, hand_id=hand_id)


def tell(
    hand: Hand,
    intents: Iterable[int],
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
    before = starting_stacks(scenario).tolist()
    names = player_names(scenario)
    noted_posts = _posts(hand, before, posts or _standard_posts(hand, button, scenario.stakes.big_blind))
    seats = range(hand.n_seats)
    holes = {seat: hand.hole(seat) for seat in seats} if holes is None else holes
    actions: list[list[Action]] = [[]]
    for intent in intents:
        while hand.to_act is None:
            hand.next_street()
            actions.append([])
        actions[-1].append(_act(hand, intent))
    settlement = hand.settle(holes, board)
    actions += [[] for _ in range(hand.street + 1 - len(actions))]
    board = (board or hand.board)[: _board_length(hand.street)]
    history = History(
        id=str(hand_id),
        game=_game(scenario),
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
        house={key: value for key, value in asdict(scenario.house).items() if value != getattr(House(), key)},
    )
    return Told(history, settlement)


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
    seats = [place % hand.n_seats for place in range(first, first + hand.n_seats)]
    paid = [post for seat in seats for post in _posts_of(hand, before[seat], posts, seat)]
    return tuple(sorted(paid, key=lambda post: ("time_charge", "ante").index(post.kind) if post.kind in ("time_charge", "ante") else 2))


def _posts_of(hand: Hand, before: int, posts: Posts, seat: int) -> list[Post]:
    """What one seat paid, in the order in which its chips went."""
    rules = hand.rules
    charge = min(int(rules.time_charge), before)
    ante = min(int(rules.ante), before - charge)
    live = hand.bet[seat]
    dead = before - hand.stack[seat] - charge - ante - live
    big_blind_ante = 0
    if seat == posts.big_blind_seat:
        ante_first = rules.big_blind_ante_order == ANTE_FIRST
        big_blind_ante = min(int(rules.big_blind_ante), dead) if ante_first else max(0, dead - posts.dead.get(seat, 0))
        dead -= big_blind_ante
    blinds: dict[int | None, Blind] = {
        posts.small_blind_seat: "small_blind",
        posts.big_blind_seat: "big_blind",
        posts.straddle_seat: "straddle",
    }
    kind = blinds.get(seat)
    noted = [Post(seat, "time_charge", charge, 0), Post(seat, "ante", ante, 0)]
    if kind is None and live and dead:
        noted.append(Post(seat, "small_and_big_blind", live + dead, live, out_of_position=True))
    else:
        noted.append(Post(seat, kind or "big_blind", live, live, out_of_position=kind is None))
        noted.append(Post(seat, "dead", dead, 0, out_of_position=True))
    noted.append(Post(seat, "big_blind_ante", big_blind_ante, 0))
    noted = [post for post in noted if post.amount]
    if hand.stack[seat] == 0:
        noted[-1] = structs.replace(noted[-1], all_in=True)
    return noted


def _act(hand: Hand, intent: int) -> Action:
    """Carry out the next decision and note it."""
    seat, bounds, bets = hand.to_act, hand.legal(), hand.bet
    assert seat is not None  # legal() would have raised
    hand.act(intent)
    to = bets[seat] if intent == FOLD else intent
    do: Literal["fold", "check", "call", "bet", "raise"]
    if intent == FOLD:
        do = "fold"
    elif intent == bounds.call_to:
        do = "call" if to > bets[seat] else "check"
    else:
        do = "bet" if hand.street and not any(bets) else "raise"
    return Action(seat, do, to - bets[seat], to, all_in=hand.stack[seat] == 0 and to > bets[seat])


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
