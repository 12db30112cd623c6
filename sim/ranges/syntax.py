"""Range expressions of starting hands: text to a tree. What each construct means is docs/ranges.md.

Follows the generic syntax of ProPokerTools (propokertools.com/simulations/generic_syntax) where that is documented.
"""

import re
from dataclasses import replace
from typing import NoReturn

from sim.cards import RANKS, SUITS
from sim.ranges.spans import spread
from sim.ranges.tree import (
    ANY_RANK,
    ANY_SUIT,
    CARD_WORDS,
    RANK_VARIABLES,
    SUIT_VARIABLES,
    SUIT_WORDS,
    WORDS,
    Card,
    Chain,
    Expression,
    Node,
    Pattern,
    Percent,
    RangeError,
    Union,
    Word,
    cards_of,
    mask_of,
)

DEEPEST = 50  # parentheses in parentheses


def parse(text: str) -> Expression:
    """The tree of an expression. Raises RangeError."""
    return Expression(text, _Parser(text).whole())


class _Parser:
    """Recursive descent over the text: union of terms, terms of factors joined by `:` and `!`, factors, cards."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0
        self.depth = 0

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
        if self.peek() == ")":
            self.fail("a closing parenthesis without an opening one")
        if self.peek():
            self.fail(self.expected() if self.peek() in "@{}" else "expected , : or ! between two parts")
        return node

    def union(self) -> Node:
        parts = [self.term()]
        while self.take(","):
            parts.append(self.term())
        return Union(tuple(parts)) if len(parts) > 1 else parts[0]

    def term(self) -> Node:
        first, steps = self.factor(), []
        while operator := self.take(":!"):
            steps.append((operator, self.factor()))
        return Chain(first, tuple(steps)) if steps else first

    def factor(self) -> Node:
        self.skip_spaces()
        start = self.at
        node: Node
        if opening := self.take("!("):
            self.depth += 1
            if self.depth > DEEPEST:
                self.fail(f"more than {DEEPEST} parentheses or ! inside each other", start)
            if opening == "!":
                node = Chain(Pattern(((),), start), (("!", self.factor()),))
            else:
                node = self.union()
                if not self.peek():
                    self.fail("expected ) to close this one", start)
                if not self.take(")"):
                    self.fail("expected , : ! or )")
            self.depth -= 1
        elif self.peek().isdigit() and re.match(r"[\d.]+(-[\d.]+)?%", self.text[self.at :]):
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
            self.fail("expected a percentage with its sign, such as 20% or 5%-20%", start)
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
        cards = self.cards()
        parts: list[Node] = [Pattern(self.span(cards), start)] if cards else []
        while self.peek() == "$":
            parts.append(self.word())
        if not parts:
            self.fail(self.expected())
        return Chain(parts[0], tuple((":", part) for part in parts[1:])) if len(parts) > 1 else parts[0]

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
        if letter in "10":
            return f"{letter}: ranks are {RANKS[::-1]}, and a percentage ends with %"
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
        elif self.peek() == "$" and self.peek(2)[1:] in CARD_WORDS:
            card = Card(cards_of(mask_of(CARD_WORDS[self.peek(2)[1]]), ANY_SUIT), names_rank=True, position=start)
            self.at += 2
        elif letter := self.take(RANKS):
            card = Card(cards_of(mask_of(letter), ANY_SUIT), names_rank=True, position=start)
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
                ranks = mask_of(letter)
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
            if not self.take(",") and self.take("]"):
                break
        return Card(mask, names_rank=kind != "suits", names_suit=kind != "ranks", position=start)

    def span_in_list(self, letter: str) -> int:
        """Behind `T-` in a list: to the rank that follows, or to the deuce."""
        other = self.take(RANKS)
        if not other and self.peek() not in ("]", ","):
            self.fail("expected the other end of the span, a rank")
        low, high = sorted((RANKS.index(letter), RANKS.index(other or "2")))
        return (2 << high) - (1 << low)

    def span(self, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
        """The alternatives that `+`, `-` or `-KK` behind the cards makes of them; the cards alone if nothing follows."""
        mark = self.at
        sign = self.take("+-")
        if not sign:
            return (cards,)
        other = self.cards() if sign == "-" else ()
        if self.peek() and self.peek() in "+-":
            self.fail("one span per hand; put spans of single cards in brackets, such as [A-K][Q-J]")
        return spread(self.text, mark, cards, sign, other)
