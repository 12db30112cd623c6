"""Range expressions of starting hands: text to a small tree. What each construct means is docs/ranges.md; the tree knows no hole cards yet.

Follows the generic syntax of ProPokerTools (propokertools.com/simulations/generic_syntax) where that is documented.
"""

from dataclasses import dataclass, replace
from typing import NoReturn

from sim.cards import N_RANKS, RANKS, SUITS

SUIT_VARIABLES = "wxyz"
RANK_VARIABLES = "BEFGILMNOPRUV"  # every capital letter that is no rank and does not look like a suit or a suit variable
ANY_RANK = (1 << N_RANKS) - 1
ANY_SUIT = 15
ANY_CARD = (1 << 52) - 1
TWO_SPADES_HINT = "write *s*s for two spades"
SUIT_WORDS = {
    "ds": "double-suited: two or more cards in each of two suits, as xxyy",
    "ss": "single-suited: two or more cards in one suit only, and three suits or more, as xxyz!xxyy",
    "rainbow": "four cards of four suits",
}
RANK_WORDS = {
    "np": "no pair: every card of another rank",
    "op": "one pair: two cards of one rank, all others of ranks of their own",
    "tp": "two pairs: two cards of each of two ranks, all others of ranks of their own",
    "nt": "no rank three or four times",
}
WORDS = SUIT_WORDS | RANK_WORDS
CARD_WORDS = {
    "R": "AKQJT",
    "B": "AKQJ",
    "F": "KQJ",
    "N": "KQJT9",
    "M": "T987",
    "Z": "65432",
    "L": "A8765432",
    "W": "A5432",
}


@dataclass(eq=False)
class RangeError(ValueError):
    """An expression that means nothing; `position` is the place in `text`, from 0, that the message is about."""

    text: str
    position: int
    message: str

    def __str__(self) -> str:
        shown = " ".join(self.text.split())
        return f"{shown!r}, character {self.position + 1}: {self.message}"

    def picture(self) -> str:
        """The message over the expression with a caret under the place, three lines."""
        line = "".join(" " if letter.isspace() else letter for letter in self.text)
        return f"{self.message}\n  {line}\n  {' ' * self.position}^"


@dataclass(frozen=True)
class Card:
    """One card of a pattern."""

    cards: int = ANY_CARD  # 52-bit mask of the card ids it may be
    rank_variable: str = ""
    suit_variable: str = ""
    names_rank: bool = False  # rank variables take other ranks than this card's
    names_suit: bool = False  # suit variables take other suits than this card's
    position: int = 0


@dataclass(frozen=True)
class Pattern:
    """Hands with cards that fit every card of one of the alternatives, each card of the hand used once."""

    alternatives: tuple[tuple[Card, ...], ...]
    position: int


@dataclass(frozen=True)
class Word:
    """Hands of a shape of suits or ranks: a key of WORDS."""

    name: str
    position: int


@dataclass(frozen=True)
class Percent:
    """Hands ranked after the best `above` % and within the best `upto` %, against that many opponents (None: as the caller says)."""

    above: float
    upto: float
    opponents: int | None
    position: int


@dataclass(frozen=True)
class Union:
    """Hands of one part or the other."""

    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Both:
    """Hands of both parts."""

    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Without:
    """Hands of the left part that are not of the right one."""

    left: "Node"
    right: "Node"


Node = Pattern | Word | Percent | Union | Both | Without


@dataclass(frozen=True)
class Expression:
    """A parsed expression with its text, for messages."""

    text: str
    root: Node


def parse(text: str) -> Expression:
    """The tree of an expression. Raises RangeError."""
    return Expression(text, _Parser(text).whole())


def cards_of(ranks: int, suits: int) -> int:
    """52-bit mask of the cards with these ranks (13-bit mask) and suits (4-bit mask)."""
    return sum(suits << 4 * rank for rank in range(N_RANKS) if ranks >> rank & 1)


class _Parser:
    """Recursive descent over the text: union of terms, terms of factors joined by `:` and `!`, factors, cards."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        raise RangeError(self.text, self.at if position is None else position, message)

    def peek(self, length: int = 1) -> str:
        return self.text[self.at : self.at + length]

    def take(self, letters: str) -> str:
        """The next letter if it is one of these, else nothing."""
        if self.peek() and self.peek() in letters:
            self.at += 1
            return self.text[self.at - 1]
        return ""

    def skip_spaces(self) -> None:
        while self.peek().isspace():
            self.at += 1

    def whole(self) -> Node:
        node = self.union()
        if self.peek():
            self.fail("a closing parenthesis without an opening one" if self.peek() == ")" else "expected , : or ! between two parts")
        return node

    def union(self) -> Node:
        node = self.term()
        while self.take(","):
            node = Union(node, self.term())
        return node

    def term(self) -> Node:
        node = self.factor()
        while operator := self.take(":!"):
            node = (Both if operator == ":" else Without)(node, self.factor())
        return node

    def factor(self) -> Node:
        self.skip_spaces()
        start = self.at
        node: Node
        if self.take("!"):
            return Without(Pattern((() ,), start), self.factor())
        if self.take("("):
            node = self.union()
            if not self.take(")"):
                self.fail("expected ) to close this one" if not self.peek() else "expected , : ! or )", None if self.peek() else start)
        elif self.peek().isdigit() and "%" in self.number():
            node = self.percent()
        else:
            node = self.hand()
        self.skip_spaces()
        return node

    def number(self) -> str:
        """Digits from here on with a decimal point, and the percent sign if one follows."""
        end = self.at
        while self.text[end : end + 1].isdigit() or self.text[end : end + 1] == ".":
            end += 1
        return self.text[self.at : end + (self.text[end : end + 1] == "%")]

    def percentage(self) -> float:
        start, digits = self.at, self.number()
        self.at += len(digits)
        if not digits.endswith("%"):
            self.fail("expected a percentage such as 20%", start)
        try:
            value = float(digits[:-1])
        except ValueError:
            value = -1
        if not 0 <= value <= 100:
            self.fail(f"{digits}: expected a percentage from 0% to 100%", start)
        return value

    def percent(self) -> Percent:
        start = self.at
        above, upto = 0.0, self.percentage()
        if self.take("-"):
            above, upto = upto, self.percentage()
            if above >= upto:
                self.fail("expected the smaller percentage first, such as 5%-20%", start)
        opponents = None
        if self.peek(1).isdigit():
            if self.peek(2) not in ("2h", "6h"):
                self.fail("expected 2h or 6h, the players of the ranking, or the end of the percentage")
            opponents = int(self.peek()) - 1
            self.at += 2
        return Percent(above, upto, opponents, start)

    def hand(self) -> Node:
        """A word alone, or cards with a span behind them, and words joined to them by their $."""
        start = self.at
        end = start
        while self.text[end : end + 1].isalpha():
            end += 1
        word = self.text[start:end]
        if word in SUIT_WORDS and not (self.text[end : end + 1] and self.text[end] in "[*+-$" or self.text[end : end + 1].isdigit()):
            self.at = end
            return Word(word, start)
        node: Node | None = None
        cards = self.cards()
        if cards:
            node = Pattern(self.span(cards, start), start)
        while self.peek() == "$":
            word_node = self.word()
            node = Both(node, word_node) if node else word_node
        if node is None:
            self.fail(self.expected())
        return node

    def expected(self) -> str:
        """What may stand here, for whatever stands here instead."""
        letter = self.peek()
        what = "a card (rank, *, suit), a list [..], a percentage, ds, ss, rainbow or ("
        if not letter:
            return f"ends where {what} is expected"
        if letter in "akqjt":
            return f"{letter}: ranks are capital letters; write {letter.upper()}"
        if letter in "SHDCWXYZ":
            return f"{letter}: suits and suit variables are small letters; write {letter.lower()}"
        if letter in "{}":
            return "braces are not supported; write :$np for hands without a pair"
        if letter == "@":
            return "weights are not supported; a hand is in a range or not"
        return f"{letter}: expected {what}"

    def word(self) -> Word:
        """`$` and the name of a shape; classes of cards are for `cards`."""
        start = self.at
        end = start + 1
        while self.text[end : end + 1].isalnum():
            end += 1
        name = self.text[start + 1 : end]
        if name not in WORDS:
            allowed = ", ".join(f"${known}" for known in (*WORDS, *CARD_WORDS))
            self.fail(f"${name}: no such word; known are {allowed}", start)
        self.at = end
        return Word(name, start)

    def cards(self) -> tuple[Card, ...]:
        found = []
        while card := self.card():
            found.append(card)
        return tuple(found)

    def card(self) -> Card | None:
        """The next card of a pattern, or nothing if something else stands here."""
        start = self.at
        if self.take("["):
            card = self.list_of_cards(start)
        elif self.peek() == "$" and self.peek(2)[1:] in CARD_WORDS and not self.text[self.at + 2 : self.at + 3].isalnum():
            card = Card(cards_of(_mask(CARD_WORDS[self.peek(2)[1]]), ANY_SUIT), names_rank=True, position=start)
            self.at += 2
        elif letter := self.take(RANKS):
            card = Card(cards_of(_mask(letter), ANY_SUIT), names_rank=True, position=start)
        elif letter := self.take(RANK_VARIABLES):
            card = Card(rank_variable=letter, position=start)
        elif self.take("*") or (self.peek() and self.peek() in SUITS + SUIT_VARIABLES):
            card = Card(position=start)
        elif self.peek().isalpha():
            self.fail(self.expected())
        else:
            return None
        if not card.names_suit:
            card = self.suited(card)
        return card

    def suited(self, card: Card) -> Card:
        """The card with the suit or suit variable that follows it, if any."""
        if letter := self.take(SUITS):
            return replace(card, cards=card.cards & cards_of(ANY_RANK, 1 << SUITS.index(letter)), names_suit=True)
        if letter := self.take(SUIT_VARIABLES):
            return replace(card, suit_variable=letter)
        return card

    def list_of_cards(self, start: int) -> Card:
        """Behind `[`: ranks and spans of ranks, or suits, or whole cards, with commas between them if one wants them."""
        mask, kinds = 0, set()
        while True:
            self.skip_spaces()
            item = self.at
            suits, ranks, kind = ANY_SUIT, ANY_RANK, ""
            if letter := self.take(RANKS):
                kind = "ranks"
                ranks = _mask(letter)
                if letter_of_suit := self.take(SUITS):
                    kind, suits = "cards", 1 << SUITS.index(letter_of_suit)
                elif self.take("+"):
                    ranks = ANY_RANK & ~(ranks - 1)
                elif self.take("-"):
                    ranks = self.span_in_list(letter)
            elif letter := self.take(SUITS):
                kind, suits = "suits", 1 << SUITS.index(letter)
            elif not self.peek():
                self.fail("expected ] to close this list", start)
            else:
                self.fail("expected a rank, a span of ranks such as A-T, a suit or a card such as As; variables cannot be in a list")
            kinds.add(kind)
            if len(kinds) > 1:
                self.fail("a list has ranks, or suits, or cards, not a mixture", item)
            mask |= cards_of(ranks, suits)
            self.skip_spaces()
            self.take(",")
            self.skip_spaces()
            if self.text[self.at - 1] != "," and self.take("]"):
                break
        return Card(mask, names_rank=kind != "suits", names_suit=kind != "ranks", position=start)

    def span_in_list(self, letter: str) -> int:
        """Behind `T-` in a list: to the rank that follows, or to the deuce."""
        other = self.take(RANKS)
        if not other and self.peek() not in ("]", ","):
            self.fail("expected the other end of the span, a rank")
        low, high = sorted((RANKS.index(letter), RANKS.index(other or "2")))
        return (2 << high) - (1 << low)

    def span(self, cards: tuple[Card, ...], start: int) -> tuple[tuple[Card, ...], ...]:
        """The alternatives that `+`, `-` or `-KK` behind the cards make of them; the cards alone if nothing follows."""
        mark = self.at
        sign = self.take("+-")
        if not sign:
            return (cards,)
        for card in cards:
            if card.rank_variable or (card.names_rank and _single_rank(card) is None):
                self.fail("a span is of single ranks: no rank variables, lists or classes of cards in it", card.position)
        places = [_single_rank(card) for card in cards]
        ranks = [rank for rank in places if rank is not None]
        if not ranks:
            self.fail("nothing to span: no rank is named before this", mark)
        other = self.cards() if sign == "-" else ()
        if other:
            steps = self.steps(cards, other, mark)
            moving = [_single_rank(card) != _single_rank(end) for card, end in zip(cards, other, strict=True)]
        else:
            steps = N_RANKS - 1 - max(ranks) if sign == "+" else -min(ranks)
            moving = [True] * len(cards)
            if not steps:
                end = "an ace cannot go up; name both ends, such as AK-AT" if sign == "+" else "a deuce cannot go down; name both ends, such as A5-A2"
                self.fail(end, mark)
        if self.peek() and self.peek() in "+-":
            self.fail("one span per hand; put spans of single cards in brackets, such as [A-K][Q-J]")
        direction = 1 if steps > 0 else -1
        return tuple(
            tuple(_moved(card, direction * step) if moves else card for card, moves in zip(cards, moving, strict=True))
            for step in range(abs(steps) + 1)
        )

    def steps(self, cards: tuple[Card, ...], other: tuple[Card, ...], mark: int) -> int:
        """How far the cards move from one end of a span to the other. Raises RangeError unless all that move do so equally."""
        if len(cards) != len(other):
            self.fail(f"the two ends of a span have {len(cards)} and {len(other)} cards; give as many on both sides", mark)
        steps = 0
        for card, end in zip(cards, other, strict=True):
            first, last = _single_rank(card), _single_rank(end)
            if end.rank_variable or (end.names_rank and last is None) or (first is None) != (last is None):
                self.fail("a span is of single ranks, and both sides have the same places without a rank", end.position)
            if _suits(card) != _suits(end):
                self.fail("the two ends of a span have the same suits", end.position)
            if first is None or last is None or first == last:
                continue
            if steps and last - first != steps:
                self.fail("all cards of a span that move do so by as many ranks", end.position)
            steps = last - first
        if not steps:
            self.fail("the two ends of a span are the same", mark)
        return steps


def _mask(letters: str) -> int:
    return sum(1 << RANKS.index(letter) for letter in letters)


def _single_rank(card: Card) -> int | None:
    """The rank of a card that names one rank, else None."""
    ranks = [rank for rank in range(N_RANKS) if card.cards >> 4 * rank & ANY_SUIT]
    return ranks[0] if card.names_rank and len(ranks) == 1 else None


def _suits(card: Card) -> tuple[int, str]:
    """What a card says of its suit: 4-bit mask and variable."""
    return next(card.cards >> 4 * rank & ANY_SUIT for rank in range(N_RANKS) if card.cards >> 4 * rank & ANY_SUIT), card.suit_variable


def _moved(card: Card, steps: int) -> Card:
    """The card some ranks higher, or lower if negative; a card without a rank stays."""
    if not card.names_rank:
        return card
    return replace(card, cards=card.cards << 4 * steps if steps > 0 else card.cards >> -4 * steps)
