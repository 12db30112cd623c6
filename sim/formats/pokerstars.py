"""PokerStars text, Omaha games in English: cash and tournament. Money is whole cents, tournament and play chips are chips.

Written as the site writes it, from public hand histories. What it has no line for is written as one of our own, which only
`pokerstars_reading` understands: `pays time charge`, `posts big blind ante`, `posts dead blind`.
"""

from collections.abc import Iterable, Iterator, Sequence

from sim.formats.history import Action, Collected, History, Post, Seat, clockwise
from sim.rules import bet_sizes

STRUCTURE_TEXT = {"fixed_limit": "Limit", "pot_limit": "Pot Limit", "no_limit": "No Limit"}
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥"}
POST_TEXT = {
    "ante": "posts the ante",
    "small_blind": "posts small blind",
    "big_blind": "posts big blind",
    "small_and_big_blind": "posts small & big blinds",
    "straddle": "posts straddle",
    "dead": "posts dead blind",
    "big_blind_ante": "posts big blind ante",
    "time_charge": "pays time charge",
}
ALL_IN = " and is all-in"
NO_BET = " (didn't bet)"
FOLDED_ON = ("before Flop", "on the Flop", "on the Turn", "on the River")


def write(histories: Iterable[History]) -> Iterator[str]:
    """The text of each hand, with the empty lines that part hands."""
    for history in histories:
        yield write_hand(history) + "\n\n"


def write_hand(history: History) -> str:
    """One hand."""
    money = _Money(history)
    names = player_names(history)
    lines = [_header(history, money), _table(history)]
    lines += [f"Seat {seat.seat}: {names[seat.seat]} ({money(seat.stack)} in chips)" for seat in clockwise(history)]
    lines += [f"{names[post.seat]}: {POST_TEXT[post.kind]} {money(post.amount)}{ALL_IN * post.all_in}" for post in history.posts]
    lines.append("*** HOLE CARDS ***")
    lines += [f"Dealt to {names[seat.seat]} {_cards(seat.hole)}" for seat in clockwise(history) if seat.hole]
    bets = _live_posts(history.posts)
    last = max((place for place, street in enumerate(history.streets) if street.actions), default=0)
    for place, street in enumerate(history.streets):
        if street.name != "preflop":
            lines.append(_street(street.name, street.board))
            bets = {}
        for action in street.actions:
            lines.append(f"{names[action.seat]}: {_action(action, bets, money)}")
            if action.to is not None:
                bets[action.seat] = action.to
        if place == last and history.uncalled is not None:
            lines.append(f"Uncalled bet ({money(history.uncalled.amount)}) returned to {names[history.uncalled.seat]}")
    if history.shown:
        lines.append("*** SHOW DOWN ***")
    for shown in history.shown:
        if shown.mucked or shown.hole is None:
            lines.append(f"{names[shown.seat]}: mucks hand")
        else:
            lines.append(f"{names[shown.seat]}: shows {_cards(shown.hole)}{_hand_name(shown.hi, shown.lo)}")
    lines += [f"{names[paid.seat]} collected {money(paid.amount)} from {_pot_name(paid.pot, history)}" for paid in history.collected]
    lines.append("*** SUMMARY ***")
    lines += _summary(history, names, money)
    return "\n".join(lines)


def player_names(history: History) -> dict[int, str]:
    """Names by seat; those that the source leaves out, or gives to several players, become "Player 3"."""
    given = [seat.name for seat in history.seats]
    return {seat.seat: seat.name if seat.name and given.count(seat.name) == 1 else f"Player {seat.seat}" for seat in history.seats}


class _Money:
    """Amounts as the hand writes them."""

    def __init__(self, history: History):
        self.sign = SIGNS.get(history.currency, "$") if history.unit == "cent" else ""
        self.code = (history.currency or "USD") if history.unit == "cent" else ""

    def __call__(self, amount: int, *, cents: bool = False) -> str:
        """An amount; `cents`: with decimals even if it is whole."""
        if not self.sign:
            return str(amount)
        if amount % 100 == 0 and not cents:
            return f"{self.sign}{amount // 100}"
        return f"{self.sign}{amount // 100}.{amount % 100:02d}"


def game_name(history: History) -> str:
    """Like "5 Card Omaha Hi/Lo Pot Limit"."""
    game = history.game
    cards = f"{game.hole_cards} Card " if game.hole_cards > 4 else ""
    return f"{cards}Omaha{' Hi/Lo' if game.low else ''} {STRUCTURE_TEXT[game.structure]}"


def _header(history: History, money: _Money) -> str:
    game = history.game
    small, big = game.small_blind, game.big_blind
    if game.structure == "fixed_limit":  # the header of a fixed-limit game has the bets, not the blinds
        small, big = bet_sizes(game.big_blind, game.small_bet, game.big_bet)
    played_at = history.played_at or "2000/01/01 0:00:00 ET"
    if history.tournament:
        return (
            f"PokerStars Hand #{history.id}: Tournament #{history.tournament}, {game_name(history)} - Level I ({small}/{big}) - {played_at}"
        )
    code = f" {money.code}" if money.code else ""
    return f"PokerStars Hand #{history.id}:  {game_name(history)} ({money(small, cents=True)}/{money(big, cents=True)}{code}) - {played_at}"


def _table(history: History) -> str:
    last = max(seat.seat for seat in history.seats)
    size = next(size for size in (2, 6, 8, 9, 10, 256) if size >= max(last, history.button, len(history.seats)))
    play = " (Play Money)" if history.unit == "chip" and not history.tournament else ""
    return f"Table '{history.table or 'table'}' {size}-max{play} Seat #{history.button} is the button"


def _cards(text: str) -> str:
    """Cards like "[As Kd]" of a text like "AsKd"."""
    return f"[{' '.join(text[start : start + 2] for start in range(0, len(text), 2))}]"


def _street(name: str, board: str) -> str:
    if name == "flop":
        return f"*** FLOP *** {_cards(board)}"
    return f"*** {name.upper()} *** {_cards(board[:-2])} {_cards(board[-2:])}"


def _live_posts(posts: Sequence[Post]) -> dict[int, int]:
    bets: dict[int, int] = {}
    for post in posts:
        bets[post.seat] = bets.get(post.seat, 0) + post.live
    return bets


def _action(action: Action, bets: dict[int, int], money: _Money) -> str:
    if action.do == "fold":
        return "folds"
    if action.to is None or action.put is None:
        raise ValueError("PokerStars text needs the amount of every call")
    if action.do == "check" or action.put == 0:
        return "checks"
    all_in = ALL_IN if action.all_in else ""
    largest = max(bets.values(), default=0)
    if action.do in ("call", "check_or_call"):
        return f"calls {money(action.put)}{all_in}"
    if largest == 0:
        return f"bets {money(action.to)}{all_in}"
    return f"raises {money(action.to - largest)} to {money(action.to)}{all_in}"


def _hand_name(high: str | None, low: str | None) -> str:
    if low:
        return f" (HI: {high}; LO: {low})" if high else f" (LO: {low})"
    return f" ({high})" if high else ""


def _pot_name(pot: str, history: History) -> str:
    sides = {paid.pot for paid in history.collected} | {stated.name for stated in history.pots}
    several = any(name.startswith("side") for name in sides)
    if pot == "main" and several:
        return "main pot"
    if not pot.startswith("side"):
        return "pot"
    return "side pot" if "side2" not in sides else f"side pot-{pot.removeprefix('side')}"


def _summary(history: History, names: dict[int, str], money: _Money) -> Iterator[str]:
    total = history.total_pot
    taken = (history.rake or 0) + history.fees
    if total is None:
        total = sum(paid.amount for paid in history.collected) + taken
    pots = ""
    if len(history.pots) > 1 and all(pot.rake is not None for pot in history.pots):  # the site writes them without the rake
        named = [(_pot_name(pot.name, history).capitalize(), pot.amount - (pot.rake or 0)) for pot in history.pots]
        pots = "".join(f" {name} {money(amount)}." for name, amount in named)
    fees = f" | Fees {money(history.fees)}" if history.fees else ""
    yield f"Total pot {money(total)}{pots} | Rake {money(history.rake or 0)}{fees}"
    if history.board:
        yield f"Board {_cards(history.board)}"
    folded = {action.seat: place for place, street in enumerate(history.streets) for action in street.actions if action.do == "fold"}
    collected = _collected_by_seat(history.collected)
    for seat in clockwise(history):
        what = _ending(history, seat, folded, collected, money)
        yield f"Seat {seat.seat}: {names[seat.seat]}{_position(history, seat.seat)} {what}"


def _collected_by_seat(payments: Sequence[Collected]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for paid in payments:
        sums[paid.seat] = sums.get(paid.seat, 0) + paid.amount
    return sums


def _position(history: History, seat: int) -> str:
    text = " (button)" if seat == history.button else ""
    for post in history.posts:
        if post.seat == seat and not post.out_of_position and post.kind in ("small_blind", "big_blind"):
            text += f" ({post.kind.replace('_', ' ')})"
    return text


def _ending(history: History, seat: Seat, folded: dict[int, int], collected: dict[int, int], money: _Money) -> str:
    """How the hand ended for a seat, as the summary says it."""
    number, won = seat.seat, collected.get(seat.seat, 0)
    if number in folded:
        put_in = any(post.seat == number and post.live for post in history.posts) or any(
            action.seat == number and action.put for street in history.streets for action in street.actions
        )
        return f"folded {FOLDED_ON[folded[number]]}{'' if put_in else NO_BET}"
    for shown in history.shown:
        if shown.seat == number and shown.hole is not None:
            if shown.mucked:
                return f"mucked {_cards(shown.hole)}"
            name = _hand_name(shown.hi, shown.lo).strip().removeprefix("(").removesuffix(")")
            ending = f"won ({money(won)})" if won else "lost"
            return f"showed {_cards(shown.hole)} and {ending}{f' with {name}' if name else ''}"
    return f"collected ({money(won)})" if won else "mucked"
