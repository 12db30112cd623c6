"""A hand for people to read: its history in the form that poker sites use, then what such a text leaves out.

That is: the cards of all who reached the showdown, mucked ones too, with the five that play for each half; and every pot with who got what.
"""

from collections.abc import Iterator, Mapping

from sim.cards import format_cards, parse_cards
from sim.describe import Five, high_cards, low_cards
from sim.formats.history import History, Shown, clockwise
from sim.formats.pokerstars import write_hand
from sim.hand_history import Told
from sim.stepping import Pot


def hand_text(told: Told) -> str:
    """The whole text of a hand."""
    return write_hand(told.history) + "\n" + "\n".join(_details(told)) + "\n"


def _details(told: Told) -> Iterator[str]:
    history = told.history
    players = {seat.seat: seat.name for seat in history.seats}
    if history.shown:
        yield "*** HANDS ***"
        for shown in history.shown:
            yield from _hand(shown, players[shown.seat], history)
    yield "*** POTS ***"
    for place, pot in enumerate(told.settlement.pots):
        yield from _pot(place, pot, players, history)
    yield "*** CHIPS ***"
    for seat in clockwise(history):
        final = seat.stack if seat.final is None else seat.final
        yield f"{seat.name}: {seat.stack} -> {final} ({_signed(final - seat.stack)})"
    if told.settlement.rake:
        yield f"house: {_signed(told.settlement.rake)}"


def _hand(shown: Shown, player: str, history: History) -> Iterator[str]:
    """The cards of a seat at the showdown, and the five that play for each half."""
    assert shown.hole is not None  # known of every hand that was played here
    yield f"{player} {'mucks, had' if shown.mucked else 'shows'} {_cards(shown.hole)}"
    hole, board = parse_cards(shown.hole).tolist(), parse_cards(history.board).tolist()
    yield f"  {shown.hi}: {_five(high_cards(hole, board))}"
    if history.game.low:
        low = low_cards(hole, board)
        yield f"  {shown.lo}: {_five(low)}" if low else "  no low"


def _pot(place: int, pot: Pot, players: Mapping[int, str], history: History) -> Iterator[str]:
    """A pot, who could win it, and who won how much of it with what."""
    name = f"Side pot {place}:" if place else "Main pot:"
    rake = f", rake {pot.rake}" if pot.rake else ""
    yield f"{name} {pot.amount}{rake}, for {', '.join(players[seat] for seat in pot.eligible)}"
    hands = {shown.seat: shown for shown in history.shown}
    best = hands[next(iter(pot.high))].hi if hands else "nobody else is left"
    half = f"high half, {best}" if pot.low else f"no low, {best}" if hands and history.game.low else best
    yield f"  {half}: {_shares(pot.high, players)}"
    if pot.low:
        yield f"  low half, {hands[next(iter(pot.low))].lo}: {_shares(pot.low, players)}"


def _shares(chips: Mapping[int, int], players: Mapping[int, str]) -> str:
    return ", ".join(f"{players[seat]} {amount}" for seat, amount in chips.items())


def _signed(chips: int) -> str:
    return f"{chips:+d}" if chips else "0"


def _cards(text: str) -> str:
    """Cards like "[As Kd]" of a text like "AsKd"."""
    return f"[{' '.join(text[start : start + 2] for start in range(0, len(text), 2))}]"


def _five(five: Five) -> str:
    return f"{_cards(format_cards(five.hole))} + {_cards(format_cards(five.board))}"
