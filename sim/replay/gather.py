"""Histories as rows of `facts`. What no hand can have (a card twice, a seat that nobody sits in) raises HistoryError with the field."""

import re
from array import array
from collections.abc import Mapping, Sequence

import numpy as np

from sim.actions import CALLED, CHECKED, FOLDED, RAISED, STREETS
from sim.cards import format_cards
from sim.formats.history import Action, History, Seat, pot_name
from sim.replay.facts import ACTION, ALL_POTS, HAND, HIGH_HALF, LOW_HALF, MATCHED, PAYMENT, SEAT, UNKNOWN, WHOLE_POT, Facts
from sim.rules import BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS, N_CARDS, STRUCTURES, bet_sizes

KINDS = {"fold": FOLDED, "check": CHECKED, "call": CALLED, "check_or_call": MATCHED, "bet": RAISED, "raise": RAISED}
STREET_NUMBERS = {name: street for street, name in enumerate(STREETS)}
SIDES = {None: WHOLE_POT, "high": HIGH_HALF, "low": LOW_HALF}
POTS = {"all": ALL_POTS} | {pot_name(place): place for place in range(MAX_SEATS)}
CARDS = {format_cards([card]): card for card in range(N_CARDS)}
SEAT_FIELDS, ACTION_FIELDS, PAYMENT_FIELDS = (dtype.itemsize // 8 for dtype in (SEAT, ACTION, PAYMENT))
POSTED = OWED_LIVE, OWED_DEAD, CHARGE, ANTE, LIVE, DEAD = range(6)  # places in a seat's row of posts, in the order of SEAT
CARD_NAMES = re.compile("..?", re.DOTALL).findall
NO_HOLE = (0,) + (UNKNOWN,) * MAX_HOLE_CARDS


class HistoryError(ValueError):
    """A history that describes no hand; the message begins with the field."""


class FactsBuilder:
    """Collects histories row by row; a history that is refused leaves nothing behind."""

    def __init__(self) -> None:
        self._hands: list[int] = []
        self._seats: list[int] = []
        self._actions: list[int] = []
        self._payments: list[int] = []
        self.n_hands = 0

    def add(self, history: History, house: int) -> None:
        """Append one hand, to be played under the house rules at place `house` of the caller's list. Raises HistoryError."""
        seats = _clockwise(history)
        place = {seat.seat: i for i, seat in enumerate(seats)}
        actions: list[int] = []
        payments: list[int] = []
        uncalled_seat, uncalled, collected = UNKNOWN, 0, 0
        try:
            blinds, rows = _posts(history, seats, place)
            for street in history.streets:
                number = STREET_NUMBERS[street.name]
                for action in street.actions:
                    put, to, all_in = action.put, action.to, action.all_in
                    if put is None or to is None or all_in is None:
                        actions += _without_amounts(number, place[action.seat], action)
                    else:
                        actions += (number, place[action.seat], KINDS[action.do], put, to, all_in)
            for payment in history.collected:
                collected += payment.amount
                payments += (place[payment.seat], payment.amount, POTS[payment.pot], SIDES[payment.side])
            if history.uncalled is not None:
                uncalled_seat, uncalled = place[history.uncalled.seat], history.uncalled.amount
            elif not history.uncalled_stated:
                uncalled = UNKNOWN
            holes = _holes(history, seats, place)
        except KeyError as error:
            raise _unknown_name(history, place, error.args[0]) from None
        board = _board(history, holes)
        for row, seat, hole in zip(rows, seats, holes, strict=True):
            self._seats += (seat.stack, *row, UNKNOWN if seat.final is None else seat.final, *hole)
        game = history.game
        self._hands += (
            len(seats),
            len(self._seats) // SEAT_FIELDS - len(seats),
            len(actions) // ACTION_FIELDS,
            len(self._actions) // ACTION_FIELDS,
            len(payments) // PAYMENT_FIELDS,
            len(self._payments) // PAYMENT_FIELDS,
            house,
            game.hole_cards,
            game.low is not None,
            STRUCTURES[game.structure],
            game.small_blind,
            game.big_blind,
            *bet_sizes(game.big_blind, game.small_bet, game.big_bet),
            *blinds,
            *board,
            uncalled_seat,
            uncalled,
            UNKNOWN if history.total_pot is None else history.total_pot,
            _taken(history, collected),
            len(history.pots),
            *(pot.amount for pot in history.pots),
            *(0,) * (MAX_SEATS - len(history.pots)),
            hand_number(history.id),
        )
        self._actions += actions
        self._payments += payments
        self.n_hands += 1

    def build(self) -> Facts:
        """The arrays of all hands added."""
        pairs = ((self._hands, HAND), (self._seats, SEAT), (self._actions, ACTION), (self._payments, PAYMENT))
        # By way of an array of the standard library: NumPy takes four times as long over a list.
        return Facts(*(np.array(array("q", values)).view(dtype) for values, dtype in pairs))


def _without_amounts(street: int, seat: int, action: Action) -> tuple[int, ...]:
    """An action of which the source does not say everything."""
    kind = KINDS[action.do]
    if kind == RAISED and action.to is None:
        raise HistoryError(f"streets: seat {action.seat} raises to no amount")
    return street, seat, kind, *(UNKNOWN if value is None else int(value) for value in (action.put, action.to, action.all_in))


def hand_number(identifier: str) -> int:
    """The id where it is a number, as in a run; else 0."""
    return int(identifier) % 2**63 if identifier.isdecimal() else 0


def _clockwise(history: History) -> Sequence[Seat]:
    seats = history.seats
    if not 2 <= len(seats) <= MAX_SEATS:
        raise HistoryError(f"seats: {len(seats)} players; allowed: 2 to {MAX_SEATS}")
    last = -1
    for seat in seats:
        if seat.seat <= last:
            seats = tuple(sorted(seats, key=lambda seat: seat.seat))
            numbers = [seat.seat for seat in seats]
            if len(set(numbers)) < len(numbers):
                raise HistoryError(f"seats: {numbers}; a seat is there twice")
            break
        last = seat.seat
    for seat in seats:
        if seat.stack == 0:
            raise HistoryError(f"seats: seat {seat.seat} is dealt in with no chips")
    return seats


def _posts(history: History, seats: Sequence[Seat], place: Mapping[int, int]) -> tuple[tuple[int, ...], list[list[int]]]:
    """(ante, big-blind ante, time charge, button, blind seats, straddle seat), and per seat what it owes and what it posted."""
    game = history.game
    rows = [[0] * len(POSTED) for _ in seats]
    small_blind_seat = big_blind_seat = straddle_seat = UNKNOWN
    ante, big_blind_ante, time_charge, ante_seat = game.ante, 0, 0, UNKNOWN
    for post in history.posts:
        kind, amount, live = post.kind, post.amount, post.live
        seat = place[post.seat]
        row = rows[seat]
        if kind == "ante":
            row[ANTE] += amount
            ante = max(ante, row[ANTE])
        elif kind == "time_charge":
            row[CHARGE] += amount
            time_charge = max(time_charge, row[CHARGE])
        else:
            row[LIVE] += live
            row[DEAD] += amount - live
            if kind == "small_blind" and small_blind_seat < 0 and not post.out_of_position:
                small_blind_seat = seat
                row[OWED_LIVE] += game.small_blind
            elif kind == "big_blind" and big_blind_seat < 0 and not post.out_of_position:
                big_blind_seat = seat
                row[OWED_LIVE] += game.big_blind
            elif kind == "big_blind_ante":
                big_blind_ante, ante_seat = max(big_blind_ante, amount), seat
            else:
                row[OWED_LIVE] += live
                row[OWED_DEAD] += amount - live
                if kind == "straddle":
                    straddle_seat = seat
    button = _button(history, place)
    if small_blind_seat < 0 or big_blind_seat < 0:
        # A seat that has nothing left for its blind is that blind all the same, though no source has a line for it.
        first = button if len(seats) == 2 else (button + 1) % len(seats)
        second = ante_seat if ante_seat >= 0 else ((first if small_blind_seat < 0 else small_blind_seat) + 1) % len(seats)
        if small_blind_seat < 0 and first != big_blind_seat and _nothing_left(rows[first], seats[first]):
            small_blind_seat = first
            rows[first][OWED_LIVE] += game.small_blind
        if big_blind_seat < 0 and second != small_blind_seat and _nothing_left(rows[second], seats[second]):
            big_blind_seat = second
            rows[second][OWED_LIVE] += game.big_blind
    return (ante, big_blind_ante, time_charge, button, small_blind_seat, big_blind_seat, straddle_seat), rows


def _button(history: History, place: Mapping[int, int]) -> int:
    """The seat that acts last: of an empty button, the last player before it."""
    if history.button in place:
        return place[history.button]
    return (sum(number < history.button for number in place) - 1) % len(place)


def _nothing_left(row: Sequence[int], seat: Seat) -> bool:
    """Whether antes and charges took the whole stack."""
    return row[LIVE] == 0 and row[CHARGE] + row[ANTE] + row[LIVE] + row[DEAD] == seat.stack


def _holes(history: History, seats: Sequence[Seat], place: Mapping[int, int]) -> list[tuple[int, ...]]:
    """Per seat: known, and the cards."""
    texts = [seat.hole for seat in seats]
    for shown in history.shown:
        i = place[shown.seat]
        held = texts[i]
        if shown.hole is not None and held != shown.hole:
            if held is None or "?" in held:
                texts[i] = shown.hole
            elif "?" not in shown.hole and sorted(_cards(held)) != sorted(_cards(shown.hole)):
                raise HistoryError(f"shown: seat {shown.seat} shows {shown.hole} and holds {held}")
    holes = []
    for text, seat in zip(texts, seats, strict=True):
        if text is None or "?" in text:
            holes.append(NO_HOLE)
            continue
        cards = _cards(text)
        if len(cards) != history.game.hole_cards:
            raise HistoryError(f"seats: seat {seat.seat} holds {len(cards)} cards ({text}); the game has {history.game.hole_cards}")
        holes.append((1, *cards, *NO_HOLE[1 + len(cards) :]))
    return holes


def _board(history: History, holes: Sequence[tuple[int, ...]]) -> list[int]:
    """Number of board cards, and five places for them; no card may be there twice, on the board or in a hand."""
    text = history.board or (history.streets[-1].board if history.streets else "")
    for street in history.streets:
        if not text.startswith(street.board):
            raise HistoryError(f"streets: the board of the {street.name} is {street.board}, that of the hand {text}")
    cards = _cards(text)
    if len(cards) not in (0, 3, 4, 5):
        raise HistoryError(f"board: {text!r} has {len(cards)} cards; allowed: 0, 3, 4 or 5")
    seen = list(cards)
    for hole in holes:
        if hole[0]:
            seen += hole[1 : 1 + history.game.hole_cards]
    if len(set(seen)) < len(seen):
        twice = next(card for card in seen if seen.count(card) > 1)
        raise HistoryError(f"cards: {format_cards([twice])} is there twice")
    return [len(cards), *cards, *(UNKNOWN,) * (BOARD_CARDS - len(cards))]


def _cards(text: str) -> list[int]:
    if " " in text:
        text = text.replace(" ", "")
    try:
        return [CARDS[name] for name in CARD_NAMES(text)]
    except KeyError as error:
        raise HistoryError(f"cards: {error.args[0]!r} in {text!r} is not a card; they are written like As") from None


def _taken(history: History, collected: int) -> int:
    """Chips that the house took from the pot."""
    if history.rake is not None:
        return history.rake + history.fees
    if history.total_pot is None or not history.collected:
        return UNKNOWN
    if collected > history.total_pot:
        raise HistoryError(f"collected: {collected} chips of a pot of {history.total_pot}")
    return history.total_pot - collected


def _unknown_name(history: History, place: Mapping[int, int], name: object) -> HistoryError:
    """What a lookup did not find: a seat that is not dealt in, or a pot."""
    if isinstance(name, str):
        return HistoryError(f"collected: {name!r} is no pot; allowed: main, side1, side2 ... or all")
    lists = (("posts", history.posts), ("collected", history.collected), ("shown", history.shown))
    where = next((key for key, rows in lists if any(row.seat == name for row in rows)), "streets")
    if history.uncalled is not None and history.uncalled.seat not in place:
        where = "uncalled"
    return HistoryError(f"{where}: seat {name} is not dealt in; seats: {', '.join(map(str, place))}")
