"""PHH read: see `phh`. What a hand leaves unsaid, such as the amount of a call, is left to the rules."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from sim.actions import STREETS
from sim.formats.history import Action, Collected, Game, History, Post, Pot, Seat, Shown, Street, Uncalled, pot_name
from sim.formats.phh import EXTENSION, LETTERS, STANDARD, posts_of_arrays

OTHER_GAMES = ("FT", "NT", "NS", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")
TABLE_LINE = re.compile(rb"\s*\[(\d+)\]\s*(?:#.*)?$")


class FieldError(ValueError):
    """A field that cannot be understood; the message begins with its name."""


def read(lines: Iterable[bytes]) -> Iterator[tuple[int, History | str]]:
    """(first line, the hand) or (line, what is wrong) for each hand of a .phh or .phhs file."""
    for first, text in _documents(lines):
        try:
            document = tomllib.loads(text.decode("utf-8"), parse_float=Decimal)
        except UnicodeDecodeError as error:
            yield first + text[: error.start].count(b"\n"), f"not UTF-8 text ({error.reason})"
        except tomllib.TOMLDecodeError as error:
            yield _line_of(first, error), f"not TOML: {error}"
        else:
            try:
                yield first, _history(document, str(first))
            except FieldError as error:
                yield first, str(error)


def _documents(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The text of each hand, without the header of its table, so that a broken hand does not take the others with it."""
    first = 1
    block: list[bytes] = []
    for number, line in enumerate(lines, 1):
        if TABLE_LINE.match(line):
            if any(_says_something(row) for row in block):
                yield first, b"".join(block)
            first, block = number + 1, []
        else:
            block.append(line if number > 1 else line.removeprefix(b"\xef\xbb\xbf"))
    if any(_says_something(row) for row in block):
        yield first, b"".join(block)


def _says_something(line: bytes) -> bool:
    return bool(line.split(b"#")[0].strip())


def _line_of(first: int, error: Exception) -> int:
    match = re.search(r"line (\d+)", str(error))
    return first + int(match[1]) - 1 if match else first


def _history(document: dict[str, Any], name: str) -> History:
    """The hand of a TOML document. Raises FieldError."""
    game = _game_of(document)
    cents = _in_cents(document)
    starting = _amounts(document, "starting_stacks", cents)
    n = len(starting)
    antes, blinds = _amounts(document, "antes", cents, n), _amounts(document, "blinds_or_straddles", cents, n, negative=True)
    numbers = _list(document, "seats", n) if "seats" in document else list(range(1, n + 1))
    if not all(isinstance(number, int) and 0 <= number < 256 for number in numbers) or len(set(numbers)) < n:
        raise FieldError(f"seats: {numbers}; allowed: different numbers from 0 to 255")
    names = [str(player) for player in _list(document, "players", n)] if "players" in document else [""] * n
    finals = _amounts(document, "finishing_stacks", cents, n) if "finishing_stacks" in document else [None] * n
    streets, holes, shown = _play(_list(document, "actions"), numbers, cents, document.get("_mucked", []))
    big_blind = _chips(document, "_big_blind", cents, default=_big_blind(document, blinds, cents))
    posts = posts_of_arrays(antes, blinds, starting, numbers)
    if "_posts" in document:
        posts = [_post_of(table, numbers, cents) for table in _list(document, "_posts")]
    uncalled = None
    if "_uncalled" in document:
        place, amount = _list(document, "_uncalled", 2)
        uncalled = Uncalled(_player(numbers, place), _scaled("_uncalled", amount, cents))
    pots = _amounts(document, "_pots", cents) if "_pots" in document else []
    pot_rakes: Sequence[int | None] = _amounts(document, "_pot_rakes", cents, len(pots)) if "_pot_rakes" in document else [None] * len(pots)
    won = _amounts(document, "winnings", cents, n) if "winnings" in document else []
    rake = _chips(document, "_rake", cents) if "_rake" in document else None
    if rake is None and not won and all(final is not None for final in finals):
        rake = sum(starting) - sum(final or 0 for final in finals)
        if rake < 0:
            raise FieldError(f"finishing_stacks: {-rake} chips more than the starting stacks")
    small_bet = _chips(document, "small_bet", cents) if game[2] == "fixed_limit" else None
    try:
        return History(
            id=str(document.get("hand", name)),
            game=Game(
                *game,  # type: ignore[arg-type]
                small_blind=_chips(document, "_small_blind", cents, default=abs(blinds[0])),
                big_blind=big_blind,
                ante=max(antes) if len(set(antes)) == 1 else 0,
                small_bet=small_bet,
                big_bet=_chips(document, "big_bet", cents) if game[2] == "fixed_limit" else None,
            ),
            button=document.get("_button", numbers[-1]),
            seats=tuple(
                Seat(number, stack, holes.get(place), names[place], finals[place])
                for place, (number, stack) in enumerate(zip(numbers, starting, strict=True))
            ),
            posts=tuple(posts),
            streets=tuple(streets),
            board=streets[-1].board,
            uncalled=uncalled,
            uncalled_stated=uncalled is not None or document["variant"].startswith(EXTENSION) or "_rake" in document,
            shown=tuple(shown),
            pots=tuple(Pot(pot_name(place), amount, taken) for place, (amount, taken) in enumerate(zip(pots, pot_rakes, strict=True))),
            collected=tuple(Collected(number, amount) for number, amount in zip(numbers, won, strict=False) if amount),
            total_pot=None,
            rake=rake,
            fees=_chips(document, "_fees", cents, default=0),
            unit="cent" if cents else "chip",
            currency=str(document.get("currency", "")),
            site=str(document.get("_site", "")),
            table=str(document.get("table", "")),
            tournament=str(document.get("_tournament", "")),
            played_at=str(document.get("_played_at", "")),
            house=dict(document.get("_house", {})),
            tags=tuple(document.get("_tags", ())),
            notes=tuple(document.get("_notes", ())),
        )
    except (TypeError, AttributeError) as error:
        raise FieldError(f"hand: {error}") from None


def _game_of(document: dict[str, Any]) -> tuple[int, str | None, str]:
    """(hole cards, low, structure)."""
    code = document.get("variant")
    if code in STANDARD:
        return STANDARD[code]
    own = document.get("_variant")
    if isinstance(code, str) and code.startswith(EXTENSION) and isinstance(own, dict):
        game = own.get("hole_cards"), own.get("low") or None, own.get("structure")
        if game[0] in (4, 5, 6) and game[1] in (None, "8-or-better") and game[2] in LETTERS:
            return game  # type: ignore[return-value]
        raise FieldError(f"_variant: {own}; allowed: hole_cards 4, 5 or 6, low '' or '8-or-better', structure {', '.join(LETTERS)}")
    known = f"known: {', '.join(STANDARD)}, and {EXTENSION}... with _variant"
    other = "a game without Omaha rules" if code in OTHER_GAMES else "unknown game"
    raise FieldError(f"variant: {code!r}; {other}; {known}" if code is not None else f"variant: missing; {known}")


def _in_cents(document: dict[str, Any]) -> bool:
    """Whether some amount is written with decimals: then all of them are money, and are read as cents."""
    keys = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings", "min_bet", "small_bet", "big_bet")
    found = [document.get(key) for key in keys]
    values = [item for value in found for item in (value if isinstance(value, list) else [value])]
    actions = document.get("actions")
    texts = actions if isinstance(actions, list) else []
    in_actions = any(isinstance(text, str) and re.match(r"\s*p\d+ cbr \d*\.\d", text) for text in texts)
    return in_actions or any(isinstance(value, Decimal) for value in values)


def _list(document: dict[str, Any], key: str, length: int | None = None) -> list[Any]:
    value = document.get(key)
    if not isinstance(value, list):
        raise FieldError(f"{key}: {'missing' if value is None else 'not an array'}")
    if length is not None and len(value) != length:
        raise FieldError(f"{key}: {len(value)} values for {length} players")
    return value


def _amounts(document: dict[str, Any], key: str, cents: bool, length: int | None = None, *, negative: bool = False) -> list[int]:
    return [_scaled(key, value, cents, negative=negative) for value in _list(document, key, length)]


def _chips(document: dict[str, Any], key: str, cents: bool, default: int | None = None) -> int:
    if key not in document:
        if default is None:
            raise FieldError(f"{key}: missing")
        return default
    return _scaled(key, document[key], cents)


def _scaled(key: str, value: Any, cents: bool, *, negative: bool = False) -> int:
    """An amount as chips or cents."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite():
        raise FieldError(f"{key}: {value} is no amount of chips")
    amount = Decimal(value) * (100 if cents else 1)
    if amount != int(amount) or (amount < 0 and not negative) or abs(amount) > 2**31:
        raise FieldError(f"{key}: {value} is no amount of {'money with two decimals' if cents else 'chips'}")
    return int(amount)


def _big_blind(document: dict[str, Any], blinds: Sequence[int], cents: bool) -> int:
    """The second forced bet, which is the minimum bet of pot and no limit; in fixed limit the small bet where there is none."""
    key = "min_bet" if "min_bet" in document else "small_bet"
    return abs(blinds[1]) or _chips(document, key, cents)


def _player(numbers: Sequence[int], place: Any) -> int:
    """The seat of a player's number."""
    if not isinstance(place, int) or not 1 <= place <= len(numbers):
        raise FieldError(f"actions: p{place} does not play; players: p1 to p{len(numbers)}")
    return numbers[place - 1]


def _post_of(table: Any, numbers: Sequence[int], cents: bool) -> Post:
    if not isinstance(table, dict):
        raise FieldError("_posts: not an array of tables")
    amount, live = (_chips(table, key, cents) for key in ("amount", "live"))
    seat = _player(numbers, table.get("player"))
    return Post(seat, table.get("kind"), amount, live, bool(table.get("out_of_position")), bool(table.get("all_in")))  # type: ignore[arg-type]


def _play(
    texts: Sequence[Any], numbers: Sequence[int], cents: bool, mucked: Sequence[int]
) -> tuple[list[Street], dict[int, str], list[Shown]]:
    """The streets, the hole cards by place, and who showed."""
    streets: list[tuple[str, list[Action]]] = [("", [])]
    holes: dict[int, str] = {}
    shown: list[Shown] = []
    for number, text in enumerate(texts):
        words = str(text).split("#")[0].split()
        match words:
            case []:
                pass
            case ["d", "dh", player, *cards]:
                place = _place(player, numbers, text)
                holes[place] = holes.get(place, "") + "".join(cards)
            case ["d", "db", *cards]:
                streets.append((streets[-1][0] + "".join(cards), []))
            case [player, "f"]:
                streets[-1][1].append(Action(_seat(player, numbers, text), "fold", None, None, None))
            case [player, "cc"]:
                streets[-1][1].append(Action(_seat(player, numbers, text), "check_or_call", None, None, None))
            case [player, "cbr", amount]:
                try:
                    to = _scaled(f"actions[{number}]", Decimal(amount), cents)
                except ArithmeticError:
                    raise FieldError(f"actions[{number}]: {amount!r} is no amount") from None
                streets[-1][1].append(Action(_seat(player, numbers, text), "raise", None, to, None))
            case [player, "sm", *cards]:
                place = _place(player, numbers, text)
                told = "".join(cards)
                if told and "?" not in told and told != "-":
                    if "?" in holes.get(place, "?"):
                        holes[place] = told
                    shown.append(Shown(numbers[place], told))
                elif told == "-" or place + 1 in mucked:
                    shown.append(Shown(numbers[place], holes.get(place), mucked=told != "-"))
                else:
                    shown.append(Shown(numbers[place], None, mucked=True))
            case _:
                raise FieldError(f"actions[{number}]: {text!r} is no action of an Omaha hand")
    if len(streets) > len(STREETS):
        raise FieldError(f"actions: the board is dealt {len(streets) - 1} times; a hand has a flop, a turn and a river")
    holes = {place: cards for place, cards in holes.items() if cards and "?" not in cards}
    named = zip(STREETS, streets, strict=False)
    return [Street(name, board, tuple(actions)) for name, (board, actions) in named], holes, shown  # type: ignore[arg-type]


def _place(player: str, numbers: Sequence[int], text: Any) -> int:
    if not re.fullmatch(r"p\d+", player) or not 1 <= int(player[1:]) <= len(numbers):
        raise FieldError(f"actions: {text!r}: {player} does not play; players: p1 to p{len(numbers)}")
    return int(player[1:]) - 1


def _seat(player: str, numbers: Sequence[int], text: Any) -> int:
    return numbers[_place(player, numbers, text)]
