"""The Poker Hand History format (PHH 0.0.2): one TOML document a hand (.phh), or numbered tables (.phhs).

The standard has two codes of Omaha, pot limit with four cards (PO) and fixed limit hi/lo with four cards (FO/8). Every other game is
written under a code of our own, "omaha-sim:" and then structure letter, O, number of cards above four, and /8 for hi/lo, as in
"omaha-sim:NO5/8", with the table `_variant` that says what it is; it has the fields of the standard code of its structure.

Players are numbered from the first seat left of the button to the button. Heads-up, antes and blinds stand in reverse order, as the
standard says. Further fields of ours, each left out where the standard's fields say the same:
_small_blind, _big_blind: nominal blinds; _posts: all posts one by one, for what the two arrays cannot say; _button: an empty seat;
_uncalled: [player, amount]; _pots: amounts before the rake; _pot_rakes; _rake; _fees; _site; _tournament; _played_at; _house:
settings of the house other than the defaults; _mucked: players whose cards of the showdown are known though they did not show;
_tags; _notes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

from sim.formats.history import Game, History, Post, Seat, clockwise
from sim.rules import bet_sizes

STANDARD = {"PO": (4, None, "pot_limit"), "FO/8": (4, "8-or-better", "fixed_limit")}
LETTERS = {"fixed_limit": "F", "pot_limit": "P", "no_limit": "N"}
EXTENSION = "omaha-sim:"
LIVE = ("small_blind", "big_blind", "straddle")
UNKNOWN_CARD = "??"


def write(histories: Iterable[History], *, numbered: bool) -> Iterator[str]:
    """The text of each hand; `numbered`: as the tables of a .phhs file, else a single .phh document."""
    for number, history in enumerate(histories, 1):
        head = f"[{number}]\n" if numbered else ""
        yield head + write_hand(history) + ("\n" if numbered else "")


def write_hand(history: History) -> str:
    """One hand as TOML, without the header of a table."""
    cents = history.unit == "cent"
    return "".join([f"{key} = {_toml(value, cents)}\n" for key, value in fields(history).items()])


class Amount(int):
    """An amount, which a hand in cents writes with two decimals."""


def fields(history: History) -> dict[str, Any]:
    """The fields of one hand, in the order in which they are written."""
    game = history.game
    seats = _from_the_small_blind(history)
    player = {seat.seat: number for number, seat in enumerate(seats, 1)}
    antes, blinds = _forced_bets(history, player)
    found: dict[str, Any] = {"variant": variant_code(game)}
    if variant_code(game) not in STANDARD:
        found["_variant"] = {"hole_cards": game.hole_cards, "low": game.low or "", "structure": game.structure}
    found["ante_trimming_status"] = len(set(antes)) == 1
    found["antes"] = antes
    found["blinds_or_straddles"] = blinds
    if game.structure == "fixed_limit":
        bets = bet_sizes(game.big_blind, game.small_bet, game.big_bet)
        found |= zip(("small_bet", "big_bet"), map(Amount, bets), strict=True)
    else:
        found["min_bet"] = Amount(game.big_blind)
    found["starting_stacks"] = [Amount(seat.stack) for seat in seats]
    found["actions"] = list(_actions(history, seats, player))
    found["hand"] = int(history.id) if history.id.isdecimal() and len(history.id) < 19 else history.id
    found["seats"] = [seat.seat for seat in seats]
    if any(seat.name for seat in seats):
        found["players"] = [seat.name for seat in seats]
    if history.table:
        found["table"] = history.table
    if history.currency:
        found["currency"] = history.currency
    if all(seat.final is not None for seat in seats):
        found["finishing_stacks"] = [Amount(seat.final or 0) for seat in seats]
    if history.collected:
        won = {seat.seat: 0 for seat in seats}
        for paid in history.collected:
            won[paid.seat] += paid.amount
        found["winnings"] = [Amount(won[seat.seat]) for seat in seats]
    return found | _own_fields(history, seats, player, antes, blinds)


def variant_code(game: Game) -> str:
    """A code of the standard, or one of ours."""
    for code, standard in STANDARD.items():
        if standard == (game.hole_cards, game.low, game.structure):
            return code
    cards = str(game.hole_cards) if game.hole_cards > 4 else ""
    return f"{EXTENSION}{LETTERS[game.structure]}O{cards}{'/8' if game.low else ''}"


def _from_the_small_blind(history: History) -> list[Seat]:
    """The seats from the first one left of the button to the button."""
    seats = clockwise(history)
    after = [seat for seat in seats if seat.seat > history.button]
    return after + [seat for seat in seats if seat.seat <= history.button]


def _forced_bets(history: History, player: Mapping[int, int]) -> tuple[list[Amount], list[Amount]]:
    """The antes and blinds that the hand asks for, by player; what was posted short of them shows in the stacks."""
    n = len(player)
    antes, blinds = [0] * n, [0] * n
    for post in history.posts:
        place = player[post.seat] - 1
        if post.kind == "ante":
            antes = [history.game.ante or max(antes[0], post.amount)] * n
        elif post.kind == "big_blind_ante":
            antes[place] += post.amount
        elif post.kind in LIVE and not post.out_of_position:
            nominal = {"small_blind": history.game.small_blind, "big_blind": history.game.big_blind}
            blinds[place] = nominal.get(post.kind, post.amount)
    if n == 2:
        antes.reverse()
        blinds.reverse()
    return [Amount(ante) for ante in antes], [Amount(blind) for blind in blinds]


def _actions(history: History, seats: Sequence[Seat], player: Mapping[int, int]) -> Iterator[str]:
    unknown = UNKNOWN_CARD * history.game.hole_cards
    holes = {seat.seat: seat.hole for seat in seats}
    for seat in seats:
        yield f"d dh p{player[seat.seat]} {seat.hole or unknown}"
    board = ""
    for street in history.streets:
        if len(street.board) > len(board):
            yield f"d db {street.board[len(board) :]}"
            board = street.board
        for action in street.actions:
            if action.do == "fold":
                yield f"p{player[action.seat]} f"
            elif action.do in ("bet", "raise"):
                yield f"p{player[action.seat]} cbr {_decimal(action.to or 0, history.unit == 'cent')}"
            else:
                yield f"p{player[action.seat]} cc"
    for shown in history.shown:
        cards = shown.hole or holes[shown.seat]
        yield f"p{player[shown.seat]} sm{'' if shown.mucked or cards is None else ' ' + cards}"


def _own_fields(
    history: History, seats: Sequence[Seat], player: Mapping[int, int], antes: Sequence[int], blinds: Sequence[int]
) -> dict[str, Any]:
    game = history.game
    found: dict[str, Any] = {}
    stacks = [seat.stack for seat in seats]
    if game.small_blind != blinds[0]:
        found["_small_blind"] = Amount(game.small_blind)
    if game.big_blind != (blinds[1] or (game.small_bet if game.structure == "fixed_limit" else game.big_blind)):
        found["_big_blind"] = Amount(game.big_blind)
    told = sorted((post.seat, post.kind, post.amount, post.live) for post in history.posts)
    derived = posts_of_arrays(antes, blinds, stacks, [seat.seat for seat in seats])
    if told != sorted((post.seat, post.kind, post.amount, post.live) for post in derived):
        found["_posts"] = [_post_table(post, player) for post in history.posts]
    if history.button != seats[-1].seat:
        found["_button"] = history.button
    if history.uncalled is not None:
        found["_uncalled"] = [player[history.uncalled.seat], Amount(history.uncalled.amount)]
    if len(history.pots) > 1:
        found["_pots"] = [Amount(pot.amount) for pot in history.pots]
        if all(pot.rake is not None for pot in history.pots):
            found["_pot_rakes"] = [Amount(pot.rake or 0) for pot in history.pots]
    if history.rake is not None:
        found["_rake"] = Amount(history.rake)
    if history.fees:
        found["_fees"] = Amount(history.fees)
    for key in ("site", "tournament", "played_at"):
        if getattr(history, key):
            found[f"_{key}"] = getattr(history, key)
    if history.house:
        found["_house"] = dict(history.house)
    if mucked := [player[shown.seat] for shown in history.shown if shown.mucked and shown.hole]:
        found["_mucked"] = mucked
    for key in ("tags", "notes"):
        if getattr(history, key):
            found[f"_{key}"] = list(getattr(history, key))
    return found


def _post_table(post: Post, player: Mapping[int, int]) -> dict[str, Any]:
    table = {"player": player[post.seat], "kind": post.kind, "amount": Amount(post.amount), "live": Amount(post.live)}
    switches = {"out_of_position": post.out_of_position, "all_in": post.all_in}
    return table | {key: value for key, value in switches.items() if value}


def _decimal(amount: int, cents: bool) -> str:
    return f"{amount // 100}.{amount % 100:02d}" if cents else str(amount)


def _toml(value: Any, cents: bool) -> str:
    if isinstance(value, str):
        return encode_basestring(value).replace("\x7f", "\\u007f")  # a JSON string is a TOML string but for this
    if isinstance(value, Amount):
        return _decimal(value, cents)
    if isinstance(value, list):
        return f"[{', '.join([_toml(item, cents) for item in value])}]"
    if isinstance(value, dict):
        return f"{{{', '.join([f'{key} = {_toml(item, cents)}' for key, item in value.items()])}}}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def posts_of_arrays(antes: Sequence[int], blinds: Sequence[int], stacks: Sequence[int], numbers: Sequence[int]) -> list[Post]:
    """What the two arrays make the players post, each as far as its stack goes."""
    n = len(stacks)
    if n == 2:
        antes, blinds = list(reversed(antes)), list(reversed(blinds))
    uniform = len(set(antes)) == 1
    big_blind_place = 0 if n == 2 else 1
    posts: list[Post] = []
    for place in range(n):
        left = stacks[place]
        small_blind_place = n - 1 if n == 2 else 0
        ante = min(antes[place], left)
        if uniform and ante:
            posts.append(Post(numbers[place], "ante", ante, 0, all_in=ante == left))
            left -= ante
        live = min(abs(blinds[place]), left)
        if live:
            kind = {small_blind_place: "small_blind", big_blind_place: "big_blind"}.get(place, "straddle")
            newcomer = blinds[place] < 0
            kind = "big_blind" if newcomer else kind
            posts.append(Post(numbers[place], kind, live, live, out_of_position=newcomer, all_in=live == left))  # type: ignore[arg-type]
            left -= live
        if not uniform and antes[place] and left:
            dead = min(antes[place], left)
            posts.append(Post(numbers[place], "big_blind_ante" if place == big_blind_place else "dead", dead, 0, all_in=dead == left))
    return posts
