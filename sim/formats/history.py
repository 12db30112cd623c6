"""What is known of one played hand: who sat where with what, what was posted, done, shown and paid.

One model for all: hands of a run, real hands in JSON lines (whose field names these are), PHH and PokerStars text.
Amounts are whole chips (or cents: `unit`). Seats are the numbers of the table, which may have gaps; they go clockwise with the number.
Cards are text like "AsKd"; what is not known is None, never a guess.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Chips = Annotated[int, Meta(ge=0, le=2**31)]  # a pot of such stacks times its rake still fits 63 bits
SeatNumber = Annotated[int, Meta(ge=0, le=255)]

LAST_SEAT = 10  # tables have up to ten seats, which some count from 0 and some from 1


class Game(Struct, frozen=True, gc=False):
    """Variant, structure and nominal stakes; a short blind shows in the posts."""

    hole_cards: Annotated[int, Meta(ge=4, le=6)]
    low: Literal["8-or-better"] | None
    structure: Literal["fixed_limit", "pot_limit", "no_limit"]
    small_blind: Chips
    big_blind: Annotated[int, Meta(ge=1, le=2**31)]
    ante: Chips = 0
    small_bet: Chips | None = None  # fixed limit; None: the big blind
    big_bet: Chips | None = None  # fixed limit; None: twice the small bet


class Seat(Struct, frozen=True, gc=False):
    """A player dealt in."""

    seat: SeatNumber
    stack: Chips  # before the posts
    hole: str | None = None  # hole cards in the order dealt, whether shown or not
    name: str = ""  # of the player; in a run, of the strategy
    final: Chips | None = None  # after the hand; None: not stated


class Post(Struct, frozen=True, gc=False):
    """Chips put in before the cards."""

    seat: SeatNumber
    kind: Literal["ante", "small_blind", "big_blind", "small_and_big_blind", "dead", "straddle", "big_blind_ante", "time_charge"]
    amount: Chips  # all of it
    live: Chips  # the part that counts as the seat's bet
    out_of_position: bool = False  # a newcomer's post or missed blinds, on top of the blinds of the hand
    all_in: bool = False


class Action(Struct, frozen=True, gc=False):
    """One decision. A source that leaves amounts to the rules (PHH writes no amount for a call) has None for them."""

    seat: SeatNumber
    do: Literal["fold", "check", "call", "check_or_call", "bet", "raise"]
    put: Chips | None  # chips added now
    to: Chips | None  # the seat's total of the street afterwards; live posts count, antes and dead chips do not; never None for a raise
    all_in: bool | None = False


class Street(Struct, frozen=True, gc=False):
    """The betting of one street. A street that was dealt is there even if nobody could act on it."""

    name: Literal["preflop", "flop", "turn", "river"]
    board: str  # all board cards so far
    actions: tuple[Action, ...]


class Uncalled(Struct, frozen=True, gc=False):
    """The part of a bet that nobody matched, given back."""

    seat: SeatNumber
    amount: Chips


class Shown(Struct, frozen=True, gc=False):
    """Cards of a seat at the showdown, in the order of showing."""

    seat: SeatNumber
    hole: str | None  # None: mucked unseen
    hi: str | None = None  # how the source names the hand
    lo: str | None = None
    mucked: bool = False  # known though not shown


class Pot(Struct, frozen=True, gc=False):
    """One pot before the rake."""

    name: str  # by `pot_name`
    amount: Chips
    rake: Chips | None = None  # None: not stated per pot


class Collected(Struct, frozen=True, gc=False):
    """Chips that a seat got out of a pot, after the rake."""

    seat: SeatNumber
    amount: Chips
    pot: str = "all"  # name of the pot; "all": one figure over several pots
    side: Literal["high", "low"] | None = None  # None: no low in the pot, or one figure for both halves


class History(Struct, frozen=True, gc=False, kw_only=True):
    """One hand."""

    id: str
    game: Game
    button: SeatNumber  # may be an empty seat
    seats: tuple[Seat, ...]  # in any order
    posts: tuple[Post, ...]
    streets: tuple[Street, ...]
    collected: tuple[Collected, ...]
    board: str = ""  # every board card dealt
    uncalled: Uncalled | None = None
    uncalled_stated: bool = True  # False: None above may be a bet that the source does not mention
    shown: tuple[Shown, ...] = ()
    pots: tuple[Pot, ...] = ()  # main pot first; (): not stated
    total_pot: Chips | None = None  # after the uncalled bet went back, before the rake; None: not stated
    rake: Chips | None = None  # None: not stated, what is missing between the pot and the amounts collected
    fees: Chips = 0  # what else the house took from the pot, e.g. for a jackpot
    unit: Literal["chip", "cent"] = "chip"
    currency: str = ""  # "USD" ...; "": play chips
    site: str = ""
    table: str = ""
    tournament: str = ""  # number of the tournament; "": cash
    played_at: str = ""  # as the source writes it
    house: dict[str, str | int | bool] = {}  # settings of `sim.rules.House` other than the defaults, where the source says them
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def pot_name(place: int) -> str:
    """Name of a pot by its place, the main pot 0."""
    return f"side{place}" if place else "main"


def wrong_seat(history: History) -> str | None:
    """A number that no seat of a table has, None if there is none."""
    if history.button > LAST_SEAT:
        return f"button: {history.button}; the seats of a table are 0 to {LAST_SEAT}"
    wrong = next((seat.seat for seat in history.seats if seat.seat > LAST_SEAT), None)
    return None if wrong is None else f"seats: {wrong}; the seats of a table are 0 to {LAST_SEAT}"


def clockwise(history: History) -> list[Seat]:
    """The seats in the order of the table."""
    return sorted(history.seats, key=lambda seat: seat.seat)
