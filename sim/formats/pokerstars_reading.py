"""PokerStars text read: see `pokerstars`. Lines of chat, of players who come and go, and of translations of the cards are left out."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sim.formats import pokerstars_patterns as patterns
from sim.formats.history import Action, Collected, Game, History, Post, Seat, Shown, Street, Uncalled
from sim.formats.pokerstars import SIGNS


class TextError(ValueError):
    """What is wrong with a hand, and on which of its lines (from 0)."""

    def __init__(self, line: int, message: str):
        super().__init__(message)
        self.line = line


def read(lines: Iterable[bytes]) -> Iterator[tuple[int, History | str]]:
    """(line on which the hand starts, the hand), or (line, what is wrong there)."""
    for first, block in _hands(lines):
        try:
            yield first, _Hand(block).history()
        except TextError as error:
            yield first + error.line, str(error)


def _hands(lines: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Each hand's first line number and lines. What comes before the first hand is one block, so that a file of something else is named."""
    first = 1
    block: list[bytes] = []
    for number, line in enumerate(lines, 1):
        line = line.strip(b"\xef\xbb\xbf\r\n \t")
        if line.startswith(b"PokerStars ") and patterns.START.match(line.decode("utf-8", "replace")):
            if any(block):
                yield first, block
            first, block = number, []
        if not block and not line:
            first = number + 1
            continue
        block.append(line)
    if any(block):
        yield first, block


def _compact(text: str) -> str:
    return text.replace(" ", "")


class _Hand:
    """Reads the lines of one hand."""

    def __init__(self, lines: Sequence[bytes]):
        self.lines: list[str] = []
        last = max(number for number, line in enumerate(lines) if line)
        for number, line in enumerate(lines[: last + 1]):
            try:
                self.lines.append(line.decode("utf-8"))
            except UnicodeDecodeError as error:
                raise TextError(number, f"not UTF-8 text ({error.reason} at byte {error.start})") from None
        self.stacks: dict[int, int] = {}
        self.names: dict[str, int] = {}
        self.holes: dict[str, str] = {}
        self.posts: list[Post] = []
        self.streets: list[tuple[str, str, list[Action]]] = [("preflop", "", [])]
        self.bets: dict[int, int] = {}
        self.shown: list[Shown] = []
        self.collected: list[Collected] = []
        self.uncalled: Uncalled | None = None
        self.total: int | None = None
        self.rake: int | None = None
        self.fees = 0
        self.board = ""
        self.cents = False
        self.head: dict[str, Any] = {}

    def history(self) -> History:
        """The hand. Raises TextError."""
        self.head = self._head()
        part = ""
        for number, line in enumerate(self.lines[1:], 1):
            try:
                if line.startswith("***"):
                    part = self._section(line, number)
                elif part == "SUMMARY":
                    self._summary(line)
                elif line:
                    self._line(line, number)
            except KeyError as error:
                raise TextError(number, f"{error.args[0]!r} is no player of the hand: {line!r}") from None
        if part != "SUMMARY":
            raise TextError(len(self.lines) - 1, "the hand is cut off: it has no summary")
        return self._build(self.head)

    def _head(self) -> dict[str, Any]:
        match = patterns.START.match(self.lines[0])
        if not match:
            raise TextError(0, f"not a PokerStars hand: {self.lines[0][:60]!r}")
        identifier, rest = match.groups()
        game = patterns.GAME.search(rest)
        if not game:
            name = rest.split(" (")[0].split(" - ")[0]
            raise TextError(0, f"unknown game {name!r}; known: Omaha and Omaha Hi/Lo of 4, 5 or 6 cards in Limit, Pot Limit and No Limit")
        stakes = patterns.STAKES.search(rest, game.end())
        if not stakes:
            raise TextError(0, f"no stakes in {rest[:80]!r}")
        values = stakes.groups()[:7] if stakes[2] is not None else stakes.groups()[7:]
        self.cents = bool(values[0])
        small, big = self._money(values[0:3]), self._money(values[3:6])
        tournament = patterns.TOURNAMENT.search(rest)
        played_at = patterns.PLAYED_AT.search(rest)
        currency = values[6] or {sign: code for code, sign in SIGNS.items()}.get(values[0], "")
        return dict(
            id=identifier,
            hole_cards=int(game[1] or 4),
            low="8-or-better" if game[2] else None,
            structure=patterns.STRUCTURES[game[3]],
            small=small,
            big=big,
            currency=currency if self.cents else "",
            tournament=tournament[1] if tournament else "",
            played_at=played_at[1] if played_at else "",
        )

    def _money(self, groups: Sequence[str | None]) -> int:
        """The amount of a match of MONEY, in cents or chips."""
        _, whole, decimals = groups
        number = int((whole or "0").replace(",", ""))
        return number * 100 + int((decimals or "0").ljust(2, "0")) if self.cents else number

    def _section(self, line: str, number: int) -> str:
        match = patterns.STREET.match(line)
        name = match[1] if match else line
        if name.startswith(("FIRST", "SECOND", "THIRD")):
            raise TextError(number, "a board that was run more than once is not supported")
        if match and name in ("FLOP", "TURN", "RIVER"):
            board = "".join(_compact(cards) for cards in re.findall(r"\[([^\]]+)\]", match[2]))
            self.streets.append((name.lower(), board, []))
            self.bets = {}
        return name

    def _line(self, line: str, number: int) -> None:
        if match := patterns.SEAT.match(line):
            if not match[6].strip().startswith("out of hand"):
                self.stacks[int(match[1])] = self._money(match.groups()[2:5])
                self.names[match[2]] = int(match[1])
        elif match := patterns.DEALT.match(line):
            self.holes[match[1]] = _compact(match[2])
        elif match := patterns.UNCALLED.match(line):
            self.uncalled = Uncalled(self.names[match[4]], self._money(match.groups()[0:3]))
        elif (match := patterns.COLLECTED.match(line)) and match[1] in self.names:
            from_pot = {"pot": "all", "main pot": "main"}.get(match[5], f"side{match[6] or 1}")
            self.collected.append(Collected(self.names[match[1]], self._money(match.groups()[1:4]), from_pot))
        elif name := self._speaker(line):
            self._say(name, line[len(name) + 2 :], number)

    def _speaker(self, line: str) -> str | None:
        """The player whose line it is. Names may hold colons, and one may begin with another: the longest counts."""
        name = max((name for name in self.names if line.startswith(name)), key=len, default="")
        return name if line.startswith(f"{name}: ") and name else None

    def _say(self, name: str, what: str, number: int) -> None:
        seat = self.names[name]
        if match := patterns.VERB.match(what):
            self._act(seat, match, number)
        elif match := patterns.POST.match(what):
            self._post(seat, patterns.POST_KINDS[match[1]], self._money(match.groups()[1:4]), bool(match[5]))
        elif match := patterns.SHOWS.match(what):
            cards = _compact(match[1])
            if len(cards) > 2:
                self.shown.append(Shown(seat, cards, match[2] or match[4], match[3]))
        elif what.startswith("mucks hand"):
            self.shown.append(Shown(seat, None, mucked=True))
        elif not patterns.LEFT_OUT.match(what):
            raise TextError(number, f"unknown action of {name}: {what!r}")

    def _post(self, seat: int, kind: str, amount: int, all_in: bool) -> None:
        live = 0 if kind in ("ante", "dead", "big_blind_ante", "time_charge") else amount
        again = any(post.kind == kind for post in self.posts) and kind in ("small_blind", "big_blind")
        if kind == "small_and_big_blind":
            live = max(0, amount - min(amount, self._small_blind()))
        out_of_position = again or kind in ("small_and_big_blind", "dead")
        self.posts.append(Post(seat, kind, amount, live, out_of_position=out_of_position, all_in=all_in))  # type: ignore[arg-type]
        self.bets[seat] = self.bets.get(seat, 0) + live

    def _small_blind(self) -> int:
        return self._blinds(self.head)[0]

    def _act(self, seat: int, match: re.Match[str], number: int) -> None:
        verb, bet = match[1].split(" ")[0], self.bets.get(seat, 0)
        groups = match.groups()
        put = 0
        if verb == "calls":
            put = self._money(groups[1:4])
        elif verb == "bets":
            put = self._money(groups[4:7])
        elif verb == "raises":
            put = self._money(groups[10:13]) - bet
        do = {"folds": "fold", "checks": "check", "calls": "call", "bets": "bet", "raises": "raise"}[verb]
        if put < 0:
            raise TextError(number, f"a raise to less than the {bet} that are in already: {match[0]!r}")
        self.bets[seat] = bet + put
        self.streets[-1][2].append(Action(seat, do, put, bet + put, all_in=bool(match[14])))  # type: ignore[arg-type]

    def _summary(self, line: str) -> None:
        if match := patterns.TOTAL.match(line):
            self.total = self._money(match.groups()[0:3])
            for what, *amount in patterns.TAKEN.findall(match[4]):
                if what == "Rake":
                    self.rake = self._money(amount)
                else:
                    self.fees += self._money(amount)
        elif match := patterns.BOARD.match(line):
            self.board = _compact(match[1])
        elif line.startswith("Seat "):
            _, _, rest = line.partition(": ")
            name = max((name for name in self.names if rest.startswith(name)), key=len, default=None)
            if name and (match := patterns.MUCKED.match(rest[len(name) :])):
                self._mucked(self.names[name], _compact(match[1]))

    def _mucked(self, seat: int, cards: str) -> None:
        """A mucked hand, of which the line of the showdown says nothing."""
        for place, shown in enumerate(self.shown):
            if shown.seat == seat:
                self.shown[place] = Shown(seat, cards, mucked=True)
                return
        self.shown.append(Shown(seat, cards, mucked=True))

    def _blinds(self, head: dict[str, Any]) -> tuple[int, int]:
        """Small and big blind; the header of a fixed-limit game has the bets, so its blinds are what was posted."""
        if head["structure"] != "fixed_limit":
            return head["small"], head["big"]
        return self._posted("small_blind", head["small"] // 2), self._posted("big_blind", head["small"])

    def _posted(self, kind: str, otherwise: int) -> int:
        """The largest blind of a kind that was posted in full."""
        return max((post.amount for post in self.posts if post.kind == kind and not post.all_in), default=otherwise)

    def _build(self, head: dict[str, Any]) -> History:
        if self.total is None:
            raise TextError(len(self.lines) - 1, "the summary has no line 'Total pot'")
        button = next((match for line in self.lines[1:3] if (match := patterns.BUTTON.search(line))), None)
        if not button:
            raise TextError(1, "no line says which seat is the button")
        table = next((match[1] for line in self.lines[1:3] if (match := patterns.TABLE.match(line))), "")
        active = {post.seat for post in self.posts} | {action.seat for _, _, actions in self.streets for action in actions}
        small_blind, big_blind = self._blinds(head)
        fixed = head["structure"] == "fixed_limit"
        return History(
            id=head["id"],
            game=Game(
                hole_cards=head["hole_cards"],
                low=head["low"],
                structure=head["structure"],
                small_blind=small_blind,
                big_blind=max(1, big_blind),
                ante=max((post.amount for post in self.posts if post.kind == "ante"), default=0),
                small_bet=head["small"] if fixed else None,
                big_bet=head["big"] if fixed else None,
            ),
            button=int(button[1]),
            # Who neither posts nor acts was not dealt in; those who sit out a tournament hand are.
            seats=tuple(Seat(seat, self.stacks[seat], self.holes.get(name), name) for name, seat in self.names.items() if seat in active),
            posts=tuple(self.posts),
            streets=tuple(Street(name, board, tuple(actions)) for name, board, actions in self.streets),  # type: ignore[arg-type]
            board=self.board or self.streets[-1][1],
            uncalled=self.uncalled,
            shown=tuple(self.shown),
            collected=tuple(self.collected),
            total_pot=self.total,
            rake=self.rake,
            fees=self.fees,
            unit="cent" if self.cents else "chip",
            currency=head["currency"],
            site="pokerstars",
            table=table,
            tournament=head["tournament"],
            played_at=head["played_at"],
        )
