"""Histories as arrays of integers, which the replay kernel reads: one row per hand, and rows of its seats, actions and payments.

Seats become 0..n-1 clockwise. What no hand can have (a card twice, a seat that nobody sits in) raises HistoryError with the field.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.betting import CALLED, CHECKED, FOLDED, RAISED
from sim.cards import N_CARDS, format_cards
from sim.formats.history import STREET_NAMES, History
from sim.rules import MAX_HOLE_CARDS, MAX_SEATS, STRUCTURES

UNKNOWN = -1  # a card, an amount or a seat that the source does not say
ALL_POTS = -1
WHOLE_POT, HIGH_HALF, LOW_HALF = 0, 1, 2


def _record(*fields: tuple) -> np.dtype:
    return np.dtype((np.record, np.dtype([(name, np.int64, *shape) for name, *shape in fields], align=True)))


HAND = _record(
    ("n_seats",),
    ("first_seat",),  # rows of the other tables
    ("n_actions",),
    ("first_action",),
    ("n_payments",),
    ("first_payment",),
    ("house",),  # place in the list of houses
    ("hole_cards",),
    ("hi_lo",),
    ("structure",),
    ("small_blind",),
    ("big_blind",),
    ("small_bet",),
    ("big_bet",),
    ("ante",),
    ("big_blind_ante",),
    ("time_charge",),
    ("button",),  # seat; for an empty seat the last occupied one before it
    ("small_blind_seat",),  # UNKNOWN: nobody
    ("big_blind_seat",),
    ("straddle_seat",),
    ("n_board",),
    ("board", (5,)),  # card ids
    ("uncalled_seat",),
    ("uncalled",),  # chips
    ("total_pot",),  # UNKNOWN: not stated
    ("rake",),  # fees included; UNKNOWN: not stated
    ("gross",),  # 1: the rake is stated though nobody paid it: payments are before the rake
    ("number",),  # the id where it is a number, else 0: for the digest
)
SEAT = _record(
    ("stack",),
    ("owed_live",),  # what the seat is to post as part of its bet
    ("owed_dead",),
    ("charge",),  # what it posted: time charge, ante, live, dead
    ("ante",),
    ("live",),
    ("dead",),
    ("known",),  # 1: all hole cards are known
    ("hole", (MAX_HOLE_CARDS,)),
)
ACTION = _record(("street",), ("seat",), ("kind",), ("put",), ("to",), ("all_in",))
PAYMENT = _record(("seat",), ("amount",), ("pot",), ("side",))

KINDS = {"fold": FOLDED, "check": CHECKED, "call": CALLED, "bet": RAISED, "raise": RAISED}
STREETS = {name: street for street, name in enumerate(STREET_NAMES)}
SIDES = {None: WHOLE_POT, "high": HIGH_HALF, "low": LOW_HALF}
POTS = {"all": ALL_POTS, "main": 0, **{f"side{n}": n for n in range(1, MAX_SEATS)}, "side": 1}
CARDS = {format_cards([card]): card for card in range(N_CARDS)}
NO_HOLE = (0,) + (UNKNOWN,) * MAX_HOLE_CARDS


class HistoryError(ValueError):
    """A history that describes no hand; `field` says where."""

    def __init__(self, field: str, message: str):
        super().__init__(f"{field}: {message}")
        self.field = field


class Facts(NamedTuple):
    """Many hands as arrays."""

    hands: np.ndarray  # (hands,) HAND
    seats: np.ndarray  # (seats of all hands,) SEAT
    actions: np.ndarray  # (actions of all hands,) ACTION
    payments: np.ndarray  # (payments of all hands,) PAYMENT


class FactsBuilder:
    """Collects histories row by row; an error leaves it as it was before that hand."""

    def __init__(self) -> None:
        self._hands: list[int] = []
        self._seats: list[int] = []
        self._actions: list[int] = []
        self._payments: list[int] = []

    def add(self, history: History, house: int) -> None:
        """Append one hand, to be played under the house rules at that place of the list. Raises HistoryError."""
        seats = history.seats
        numbers = [seat.seat for seat in seats]
        n_seats = len(numbers)
        if not 2 <= n_seats <= MAX_SEATS:
            raise HistoryError("seats", f"{n_seats} players; allowed: 2 to {MAX_SEATS}")
        if any(numbers[i] >= numbers[i + 1] for i in range(n_seats - 1)):
            seats = tuple(sorted(seats, key=lambda seat: seat.seat))
            numbers = [seat.seat for seat in seats]
            if len(set(numbers)) < n_seats:
                raise HistoryError("seats", f"a seat number is there twice: {numbers}")
        place = {number: i for i, number in enumerate(numbers)}
        try:
            blinds, posts = _posts(history, place)
            actions: list[int] = []
            for street in history.streets:
                number = STREETS[street.name]
                for action in street.actions:
                    actions += (number, place[action.seat], KINDS[action.do], action.put, action.to, action.all_in)
            payments: list[int] = []
            collected = 0
            for payment in history.collected:
                collected += payment.amount
                payments += (place[payment.seat], payment.amount, POTS[payment.pot], SIDES[payment.side])
            uncalled_seat, uncalled = UNKNOWN, 0
            if history.uncalled is not None:
                uncalled_seat, uncalled = place[history.uncalled.seat], history.uncalled.amount
            holes = _holes(history, seats, place)
        except KeyError as error:
            raise _missing(history, place, error) from None
        board = _board(history, holes)

        game = history.game
        rake = UNKNOWN
        if history.rake is not None:
            rake = history.rake + history.fees
        elif history.total_pot is not None:
            rake = history.total_pot - collected
            if rake < 0:
                raise HistoryError("collected", f"{collected} chips out of a pot of {history.total_pot}")
        small_bet = game.small_bet or game.big_blind
        self._hands += (
            n_seats,
            len(self._seats) // SEAT.itemsize * 8,
            len(actions) // 6,
            len(self._actions) // 6,
            len(payments) // 4,
            len(self._payments) // 4,
            house,
            game.hole_cards,
            game.low is not None,
            STRUCTURES[game.structure],
            game.small_blind,
            game.big_blind,
            small_bet,
            game.big_bet or 2 * small_bet,
        )
        raise NotImplementedError
