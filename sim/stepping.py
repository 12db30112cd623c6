"""A hand to step through in a notebook or a test: deal, see what is legal, act, look, settle.

It is a thin skin over the kernels `legal`, `apply` and `settle`, the same that play millions of hands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from typing import Any, NamedTuple

import numpy as np

from sim.actions import PREFLOP, RIVER, STREETS, n_board_cards
from sim.aligned import aligned_record
from sim.betting import FOLD, ILLEGAL, Legal, apply, legal, next_street
from sim.cards import deal, format_cards, parse_cards
from sim.evaluation import TABLES, board_context, low, strength
from sim.hand import new_table
from sim.jit import jit
from sim.posts import post, standard_posts, start_hand
from sim.pots import halves, net, settle, share_out
from sim.rules import BOARD_CARDS, MAX_CHIPS, MAX_SEATS, N_CARDS, House, Rake, Stakes, Variant, compile_rules


@dataclass(frozen=True)
class Posts:
    """Who is which blind in this hand, and what seats post on top of the blinds of the stakes, in chips."""

    small_blind_seat: int | None
    big_blind_seat: int | None
    straddle_seat: int | None = None  # a live post of this seat is a straddle
    live: Mapping[int, int] = field(default_factory=dict)  # part of the seat's bet, e.g. a newcomer's post
    dead: Mapping[int, int] = field(default_factory=dict)  # to the middle, e.g. a missed small blind


@dataclass(frozen=True)
class Pot:
    """One pot of a settlement, in chips."""

    amount: int  # before the rake
    rake: int
    eligible: tuple[int, ...]  # seats
    high: Mapping[int, int]  # seat -> chips of the high half, or of the whole pot
    low: Mapping[int, int]  # seat -> chips of the low half


@dataclass(frozen=True)
class Settlement:
    """How a hand ended, in chips."""

    net: tuple[int, ...]  # per seat: won minus put in; sums to minus the rake
    rake: int
    uncalled: tuple[int, int] | None  # seat and chips of the bet that went back
    pots: tuple[Pot, ...]  # main pot first
    order: tuple[int, ...]  # seats of the showdown in the order in which they show or muck
    shown: tuple[int, ...]  # those of them that show


class Decision(NamedTuple):
    """A decision that was carried out."""

    street: int
    seat: int
    kind: int  # sim.actions: FOLDED, CHECKED, CALLED or RAISED
    put: int  # chips added
    to: int  # the seat's total bet of the street afterwards
    stack: int  # its chips behind afterwards
    opened: int  # 1: there was a bet on this street before


DECISION = aligned_record([(name, np.int64) for name in Decision._fields])


class Hand:
    """One hand. Cards come from (seed, hand_id), as in a run, or are given as text to `settle`.

    Raises ValueError for an illegal action, with the legal bounds, and for what no hand can have; nothing moves then.
    """

    def __init__(
        self,
        variant: Variant = Variant(),
        structure: str = "pot_limit",
        stakes: Stakes = Stakes(),
        house: House = House(),
        rake: Rake = Rake(),
        *,
        stacks: Sequence[int] = (),
        seats: int = 6,
        button: int = 0,
        seed: int = 0,
        hand_id: int = 0,
        posts: Posts | None = None,
    ):
        chips = [_whole("stack", stack, 1, MAX_CHIPS) for stack in stacks or stakes.stacks * (1 if len(stakes.stacks) > 1 else seats)]
        self.n_seats = _whole("number of stacks", len(chips), 2, min(MAX_SEATS, (N_CARDS - BOARD_CARDS) // variant.hole_cards))
        for name, value, most in (("button", button, self.n_seats - 1), ("seed", seed, 2**64 - 1), ("hand_id", hand_id, 2**63 - 1)):
            _whole(name, value, 0, most)
        self.rules = _rules(variant, structure, stakes, house, rake)
        self._table = new_table()
        self._state = self._table.state
        self._deck = self._table.cards["deck"]
        deal(seed, hand_id, BOARD_CARDS + self.n_seats * variant.hole_cards, self._deck)
        start_hand(self._state, self.n_seats, button, np.array(chips, np.int64))
        standard_posts(self.rules, self._state, self._table.posts)
        if posts is not None:
            self._set_posts(posts)
        post(self.rules, self._state, self._table.posts)

    def _set_posts(self, posts: Posts) -> None:
        self._check_posts(posts)
        record = self._table.posts
        record.live[:] = 0
        blinds = ((posts.small_blind_seat, self.rules.small_blind), (posts.big_blind_seat, self.rules.big_blind))
        for seat, chips in (*blinds, *posts.live.items()):
            if seat is not None:
                record.live[seat] += chips
        for seat, chips in posts.dead.items():
            record.dead[seat] += chips
        record.small_blind_seat = -1 if posts.small_blind_seat is None else posts.small_blind_seat
        record.big_blind_seat = -1 if posts.big_blind_seat is None else posts.big_blind_seat
        record.straddle_seat = -1 if posts.straddle_seat is None else posts.straddle_seat

    def _check_posts(self, posts: Posts) -> None:
        blinds = [seat for seat in (posts.small_blind_seat, posts.big_blind_seat, posts.straddle_seat) if seat is not None]
        if len(set(blinds)) < len(blinds):
            raise ValueError(f"{posts}; small blind, big blind and straddle are posted by different seats")
        for seat in (*blinds, *posts.live, *posts.dead):
            self._seat(seat)
        for chips in (*posts.live.values(), *posts.dead.values()):
            _whole("post", chips, 0, MAX_CHIPS)

    def _seat(self, seat: int) -> int:
        return _whole("seat", seat, 0, self.n_seats - 1)

    @property
    def to_act(self) -> int | None:
        """Seat to act; None when the betting of the street is over."""
        seat = int(self._state["to_act"])
        return None if seat < 0 else seat

    @property
    def street(self) -> int:
        """0 before the flop, 1 flop, 2 turn, 3 river."""
        return int(self._state["street"])

    @property
    def over(self) -> bool:
        """Nobody has a decision left; undealt board cards are dealt by `settle`."""
        state = self._state
        return self.to_act is None and bool(state.n_live == 1 or state.street == RIVER or state.n_able < 2)

    @property
    def pot(self) -> int:
        """Every chip in the middle, this street's bets included."""
        return int(self._state["pot"])

    @property
    def bet(self) -> list[int]:
        """Chips each seat put in on this street."""
        return self._state["bet"][: self.n_seats].tolist()

    @property
    def stack(self) -> list[int]:
        """Chips behind of each seat."""
        return self._state["stack"][: self.n_seats].tolist()

    @property
    def board(self) -> str:
        """The board cards so far."""
        return format_cards(self._deck[: n_board_cards(self.street)])

    def hole(self, seat: int) -> str:
        """Hole cards of a seat."""
        return format_cards(self._hole(self._seat(seat)))

    def _hole(self, seat: int) -> np.ndarray:
        return self._deck[BOARD_CARDS + seat :: self.n_seats][: self.rules["hole_cards"]]

    def legal(self) -> Legal:
        """What the seat to act may do: call_to, min_raise_to, max_raise_to (0: no raise). Folding is always legal."""
        if self.to_act is None:
            raise ValueError("nobody is to act; call next_street() or settle()")
        return Legal(*(int(bound) for bound in legal(self.rules, self._state)))

    def act(self, to: int) -> None:
        """Carry out an intent of the seat to act: FOLD (-1), or its total bet of the street."""
        bounds = self.legal()
        if apply(self.rules, self._state, _whole("intent", to, FOLD, 2**62)) == ILLEGAL:
            raises = f", a bet or raise to {bounds.min_raise_to}..{bounds.max_raise_to}" if bounds.min_raise_to else ", no bet or raise"
            raise ValueError(f"seat {self.to_act}: {to} is illegal; legal: {FOLD} (fold), {bounds.call_to} (check or call){raises}")

    def act_all(self, intents: Sequence[int]) -> list[Decision]:
        """Carry out intents one after the other and deal the streets between them, in one go; what was done is returned."""
        done = np.zeros(len(intents), DECISION)
        n_done = _act_all(self.rules, self._state, np.array([_whole("intent", to, FOLD, 2**62) for to in intents], np.int64), done)
        if n_done < len(intents):
            self.act(intents[n_done])  # says what is wrong with it
        return [Decision(*row) for row in done.tolist()]

    def fold(self) -> None:
        """Fold the seat to act."""
        self.act(FOLD)

    def call(self) -> None:
        """Check or call with the seat to act."""
        self.act(self.legal().call_to)

    def next_street(self) -> None:
        """Deal the next street, once the betting of this one is over."""
        if self.to_act is not None:
            raise ValueError(f"seat {self.to_act} is to act first")
        if self.street == RIVER or self._state.n_live == 1:
            raise ValueError("no street is left; call settle()")
        next_street(self.rules, self._state)

    def settle(self, holes: Mapping[int, str] | None = None, board: str | None = None) -> Settlement:
        """Deal what is left of the board and pay out. `holes` (seat -> cards) and `board` replace the dealt cards."""
        if not self.over:
            raise ValueError("the hand is not over")
        state, record = self._state, self._table.settlement
        if state["n_live"] > 1:
            self._check_cards(holes, board)
        while state["n_live"] > 1 and self.street < RIVER:
            next_street(self.rules, state)
        strengths, lows = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int64)
        if state["n_live"] > 1:
            cards = self._deck[:BOARD_CARDS] if board is None else parse_cards(board)
            context = board_context(TABLES, cards, BOARD_CARDS)
            for seat, folded in enumerate(state["folded"][: self.n_seats].tolist()):
                if not folded:
                    hole = self._hole(seat) if holes is None else parse_cards(holes[seat])
                    strengths[seat] = strength(TABLES, context, hole, len(hole))
                    lows[seat] = low(TABLES, context, hole, len(hole)) if self.rules["hi_lo"] else 0
        settle(self.rules, state, strengths, lows, record)
        return Settlement(
            net=tuple(int(net(state, record, seat)) for seat in range(self.n_seats)),
            rake=int(record["rake"]),
            uncalled=(int(record["uncalled_seat"]), int(record["uncalled"])) if record["uncalled"] else None,
            pots=tuple(self._pot(pot) for pot in range(record["n_pots"])),
            order=tuple(record["order"][: record["n_shown"]].tolist()),
            shown=_seats(record["shown"]),
        )

    def _check_cards(self, holes: Mapping[int, str] | None, board: str | None) -> None:
        """Raises ValueError unless every live seat has its cards, the board is complete and no card is there twice."""
        live = [seat for seat, folded in enumerate(self._state["folded"][: self.n_seats].tolist()) if not folded]
        if holes is not None and (missing := [seat for seat in live if seat not in holes]):
            raise ValueError(f"holes has no cards of seat {missing[0]}, which is at the showdown")
        places = {"board": format_cards(self._deck[:BOARD_CARDS]) if board is None else board}
        places |= {f"seat {seat}": self.hole(seat) if holes is None else holes[seat] for seat in live}
        for place, text in places.items():
            n_cards = BOARD_CARDS if place == "board" else int(self.rules["hole_cards"])
            if len(parse_cards(text)) != n_cards:
                raise ValueError(f"{place}: {text!r}; give {n_cards} cards")
        parse_cards(" ".join(places.values()))  # says which card is there twice

    def _pot(self, pot: int) -> Pot:
        record = self._table.settlement
        shares = []
        for chips, winners in zip(halves(self.rules, record, pot), (record["high_winners"][pot], record["low_winners"][pot]), strict=True):
            won = np.zeros(MAX_SEATS, np.int64)
            if winners:
                share_out(self.rules, self._state, chips, winners, won)
            shares.append({seat: int(won[seat]) for seat in _seats(winners)})
        return Pot(int(record["amount"][pot]), int(record["rake_of"][pot]), _seats(record["eligible"][pot]), *shares)

    def __repr__(self) -> str:
        acts = "nobody to act" if self.to_act is None else f"seat {self.to_act} to act"
        board = f" {self.board}" if self.board else ""
        street = "before the flop" if self.street == PREFLOP else STREETS[self.street]
        return f"<Hand: {street}{board}, pot {self.pot}, bets {self.bet}, stacks {self.stack}, {acts}>"


_rules = lru_cache(maxsize=64)(compile_rules)  # of many hands of one game


@jit
def _act_all(rules, state, intents, done):
    """Write a row of `done` for each intent, up to the first that is illegal or that nobody is left to have. Returns how many."""
    for place in range(len(intents)):
        while state.to_act < 0 and state.street < RIVER and state.n_live > 1:
            next_street(rules, state)
        seat = state.to_act
        if seat < 0:
            return place
        before, opened = state.bet[seat], state.current_bet > 0
        kind = apply(rules, state, intents[place])
        if kind == ILLEGAL:
            return place
        decision = done[place]
        decision.street = state.street
        decision.seat = seat
        decision.kind = kind
        decision.put = state.bet[seat] - before
        decision.to = state.bet[seat]
        decision.stack = state.stack[seat]
        decision.opened = opened
    return len(intents)


def _whole(name: str, value: Any, least: int, most: int) -> int:
    """The number. Raises ValueError if it is no whole number within these bounds."""
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise ValueError(f"{name} {value!r}; give a whole number from {least} to {most}")
    return number


def _seats(mask: int) -> tuple[int, ...]:
    bits = int(mask)
    return tuple(seat for seat in range(MAX_SEATS) if bits >> seat & 1)
