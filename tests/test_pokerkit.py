"""Random hands of our engine on PokerKit 0.7.7, another program: every disagreement is one of those that are known, and each is counted.

What is known (the rule cases say which rule decides, and what PokerKit answers):
short_blind  a blind posted short lowers its price and its minimum raise (cases pl-009, blind-003, blind-005)
reopening    a short all-in lets seats raise again, or sets the next minimum raise (nl-014, nl-015, nl-023)
half_bet     in fixed limit a short all-in of half a bet or more is no bet, and a smaller one is raised, not completed (fl-004, fl-007)
low_per_pot  whether there is a low is not judged pot by pot (hl-006, hl-009)
idle_raise   a raise is refused when the only other seat with chips has too few to call even the bet before it (not among the cases: no rule
             text forbids it, and the excess comes back)
odd_chips    odd chips do not go to the high half first and then left of the button (sp-012, hl-004)
"""

from collections import Counter
from dataclasses import replace

import pytest
from replayed import lineup

from sim.export import histories_of
from sim.formats import phh
from sim.formats.history import History
from sim.hand_history import tell
from sim.plan import Scenario
from sim.rules import House, Rake, Stakes, Variant
from sim.stepping import Hand

pytest.importorskip("pokerkit")
from pokerkit import (  # noqa: E402
    Automation,
    BettingStructure,
    Deck,
    HandHistory,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    State,
    Street,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

HANDS = 75  # of each of the 18 games with each of the two sets of stacks
DEEPER, SHORTER = (3503, 431, 10_007, 1271, 773, 6111), (351, 1433, 607, 121, 93, 907)  # odd, and large beside odd chips
STRUCTURES = {
    "fixed_limit": BettingStructure.FIXED_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "no_limit": BettingStructure.NO_LIMIT,
}
AUTOMATIONS = tuple(
    automation
    for automation in Automation
    if automation not in (Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING)
)


def scenario(structure: str, hole_cards: int, hi_lo: bool, stacks: tuple[int, ...]) -> Scenario:
    stakes = Stakes(50, 100, stacks=stacks)
    players = lineup("random", "call", "random", "max_raise", "call", "random")
    return Scenario("cross-check", Variant("omaha", hole_cards, hi_lo), structure, stakes, House(), Rake(), players)


def pokerkit_state(history: History, seats: list) -> State:
    game = history.game
    small, big = (game.small_bet, game.big_bet) if game.structure == "fixed_limit" else (game.big_blind, game.big_blind)
    streets = [(0, (False,) * game.hole_cards, small), (3, (), small), (1, (), big), (1, (), big)]
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        (OmahaHoldemHand, OmahaEightOrBetterLowHand) if game.low else (OmahaHoldemHand,),
        tuple(
            Street(dealt > 0, hole, dealt, False, Opening.POSITION, bet, None)  # a cap of PokerKit's does not count the big blind: none
            for dealt, hole, bet in streets
        ),
        STRUCTURES[game.structure],
        True,
        0,
        (game.small_blind, game.big_blind),
        0,
        tuple(seat.stack for seat in seats),
        len(seats),
    )


class Disagreement(Exception):
    """PokerKit refuses an action, asks another seat, or pays otherwise."""


def play_on_pokerkit(history: History) -> list[int]:
    """Final stacks by seat. Raises Disagreement."""
    seats = [seat for seat in history.seats if seat.seat > history.button] + [seat for seat in history.seats if seat.seat <= history.button]
    place = {seat.seat: number for number, seat in enumerate(seats)}
    state = pokerkit_state(history, seats)
    for seat in seats:
        state.deal_hole(seat.hole)
    board = 0
    for street in history.streets:
        if street.name != "preflop":
            if not state.can_burn_card():
                raise Disagreement(f"{street.name}: the round before is not over")
            state.burn_card("??")
            state.deal_board(street.board[board:])
            board = len(street.board)
        for action in street.actions:
            if state.actor_index != place[action.seat]:
                raise Disagreement(f"{street.name}: seat {action.seat} acts, not {state.actor_index}")
            try:
                if action.do == "fold":
                    state.fold()
                elif action.do in ("check", "call"):
                    if state.checking_or_calling_amount != action.put:
                        raise Disagreement(f"{street.name}: a call is {state.checking_or_calling_amount}, not {action.put}")
                    state.check_or_call()
                else:
                    state.complete_bet_or_raise_to(action.to)
            except ValueError as error:
                raise Disagreement(f"{street.name}: {action}: {error}") from error
    if state.status:
        raise Disagreement("the hand is not over")
    return [state.stacks[place[seat.seat]] for seat in history.seats]


def known(history: History, reason: str, stacks: list[int] | None) -> str:
    """The name of the known point that explains a disagreement, from what happened in the hand; else the reason."""
    if stacks is not None:
        finals = [seat.final or 0 for seat in history.seats]
        if sum(stacks) != sum(finals):
            return f"{reason}: chips appeared or vanished"
        n_odd = 4 * len(history.pots)
        if max(abs(ours - theirs) for ours, theirs in zip(finals, stacks, strict=True)) <= n_odd:
            return "odd_chips"
        return "low_per_pot" if history.game.low and len(history.pots) > 1 else reason
    if has_idle_raise(history):
        return "idle_raise"
    street = next(street for street in history.streets if reason.startswith(street.name) or reason == "the hand is not over")
    if any(post.all_in and post.kind != "ante" for post in history.posts) and street.name == "preflop":
        return "short_blind"
    short = any(action.all_in and action.do in ("bet", "raise") for each in history.streets for action in each.actions)
    if short:
        return "half_bet" if history.game.structure == "fixed_limit" else "reopening"
    return reason


def has_idle_raise(history: History) -> bool:
    """Whether somebody raised though no other seat had the chips to call the bet before it."""
    left = {seat.seat: seat.stack for seat in history.seats}
    bets = dict.fromkeys(left, 0)
    for post in history.posts:
        left[post.seat] -= post.amount
        bets[post.seat] += post.live
    folded: set[int] = set()
    for street in history.streets:
        if street.name != "preflop":
            bets = dict.fromkeys(left, 0)
        for action in street.actions:
            others = [seat for seat in left if seat != action.seat and seat not in folded and left[seat] > 0]
            if action.do == "raise" and all(bets[seat] + left[seat] <= max(bets.values()) for seat in others):
                return True
            left[action.seat] -= action.put or 0
            bets[action.seat] = action.to or 0
            folded |= {action.seat} if action.do == "fold" else set()
    return False


def disagreements(game: Scenario, play=play_on_pokerkit) -> Counter[str]:
    found: Counter[str] = Counter()
    for part, _ in histories_of(game, 11, range(HANDS)):
        for history in part:
            try:
                stacks = play(history)
            except Disagreement as error:
                found[known(history, str(error), None)] += 1
                continue
            if stacks != [seat.final for seat in history.seats]:
                found[known(history, "other final stacks", stacks)] += 1
    return found


def load_phh(history: History) -> list[int]:
    """Final stacks by seat of the hand written as PHH and loaded by PokerKit. Raises Disagreement."""
    loaded = HandHistory.loads(phh.write_hand(history))
    state = None
    try:
        for reached in loaded:
            state = reached
    except ValueError as error:
        board = 0 if state is None else sum(1 for cards in state.board_cards if cards)
        raise Disagreement(
            f"{('preflop', '', '', 'flop', 'turn', 'river')[board]}: {error} {error.__cause__ or error.__context__}"
        ) from error
    assert state is not None
    if state.status:
        raise Disagreement("the hand is not over")
    stacks = dict(zip(loaded.seats, state.stacks, strict=True))
    return [stacks[seat.seat] for seat in history.seats]


# Of 75 hands with the deeper and 75 with the shorter stacks of each game: how many disagree, and why.
EXPECTED = {
    ("fixed_limit", "phh", True): [{"half_bet": 1, "odd_chips": 2}, {"half_bet": 19, "odd_chips": 5, "short_blind": 4}],
    ("fixed_limit", 4, False): [{"half_bet": 1, "odd_chips": 1}, {"half_bet": 19, "short_blind": 13}],
    ("fixed_limit", 4, True): [{"half_bet": 1, "odd_chips": 2}, {"half_bet": 19, "odd_chips": 4, "short_blind": 13}],
    ("fixed_limit", 5, False): [{"half_bet": 1, "odd_chips": 2}, {"half_bet": 19, "short_blind": 13}],
    ("fixed_limit", 5, True): [{"half_bet": 1, "odd_chips": 2}, {"half_bet": 19, "odd_chips": 5, "short_blind": 13}],
    ("fixed_limit", 6, False): [{"half_bet": 1, "odd_chips": 1}, {"half_bet": 19, "short_blind": 13}],
    ("fixed_limit", 6, True): [{"half_bet": 1, "odd_chips": 3}, {"half_bet": 19, "odd_chips": 3, "short_blind": 13}],
    ("no_limit", 4, False): [{"idle_raise": 1}, {"short_blind": 8}],
    ("no_limit", 4, True): [{"idle_raise": 1, "odd_chips": 1}, {"odd_chips": 4, "short_blind": 8}],
    ("no_limit", 5, False): [{"idle_raise": 1}, {"short_blind": 8}],
    ("no_limit", 5, True): [{"idle_raise": 1, "odd_chips": 2}, {"odd_chips": 5, "short_blind": 8}],
    ("no_limit", 6, False): [{"idle_raise": 1}, {"short_blind": 8}],
    ("no_limit", 6, True): [{"idle_raise": 1, "odd_chips": 3}, {"odd_chips": 3, "short_blind": 8}],
    ("pot_limit", "phh", False): [{"idle_raise": 1}, {"odd_chips": 1}],
    ("pot_limit", 4, False): [{"idle_raise": 1}, {"short_blind": 8}],
    ("pot_limit", 4, True): [{"idle_raise": 1, "odd_chips": 2}, {"odd_chips": 3, "short_blind": 8}],
    ("pot_limit", 5, False): [{"idle_raise": 1}, {"short_blind": 8}],
    ("pot_limit", 5, True): [{"idle_raise": 1, "odd_chips": 1}, {"odd_chips": 5, "short_blind": 8}],
    ("pot_limit", 6, False): [{"idle_raise": 1}, {"short_blind": 8}],
    ("pot_limit", 6, True): [{"idle_raise": 1, "odd_chips": 1}, {"odd_chips": 3, "short_blind": 8}],
}


@pytest.mark.parametrize("hi_lo", [False, True])
@pytest.mark.parametrize("hole_cards", [4, 5, 6])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_random_hands_agree_with_pokerkit_but_for_what_is_known(structure, hole_cards, hi_lo):
    found = [disagreements(scenario(structure, hole_cards, hi_lo, stacks)) for stacks in (DEEPER, SHORTER)]
    assert found == EXPECTED[structure, hole_cards, hi_lo]


@pytest.mark.parametrize(("structure", "hi_lo"), [("pot_limit", False), ("fixed_limit", True)])
def test_phh_of_the_standard_codes_loads_in_pokerkit_and_gives_the_same_stacks(structure, hi_lo):
    found = [disagreements(scenario(structure, 4, hi_lo, stacks), load_phh) for stacks in (DEEPER, SHORTER)]
    assert found == EXPECTED[structure, "phh", hi_lo]


def test_low_is_judged_pot_by_pot():
    """Case hl-006: only the shortest stack has a low; PokerKit cuts a low half from the side pots too."""
    stakes = Stakes(5, 10, stacks=(100, 300, 700, 700))
    game = replace(scenario("no_limit", 4, True, DEEPER), lineup=lineup("call", "call", "call", "call"), stakes=stakes)
    hand = Hand(game.variant, "no_limit", stakes, stacks=stakes.stacks, button=3)
    holes = {0: "As2sKhKd", 1: "QsQh9c9d", 2: "JsJhTcTd", 3: "7s7h9h9s"}
    history = tell(hand, [700, 700, 100, 300], game, button=3, holes=holes, board="3c7d8hQdJc").history
    assert [seat.final for seat in history.seats] == [200, 800, 800, 0]
    stacks = play_on_pokerkit(history)
    assert stacks == [200, 650, 950, 0]
    assert known(history, "other final stacks", stacks) == "low_per_pot"
