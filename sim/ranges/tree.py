"""The tree of a range expression: what it says, before any number of hole cards is known; and the error that points into its text."""

from dataclasses import dataclass

from sim.cards import N_RANKS, N_SUITS, RANKS
from sim.rules import N_CARDS

SUIT_VARIABLES = "wxyz"
RANK_VARIABLES = "BEFGILMNOPRUV"  # every capital letter that is no rank and does not look like a suit or a suit variable
ANY_RANK = (1 << N_RANKS) - 1
ANY_SUIT = (1 << N_SUITS) - 1
ANY_CARD = (1 << N_CARDS) - 1
SHOWN = 40  # characters of an expression on each side of its mistake
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
        line, start = self._on_one_line(), max(0, self.position - SHOWN)
        end = self.position + SHOWN
        shown = f"{'...' if start else ''}{line[start:end]}{'...' if end < len(line) else ''}"
        return f"'{shown}', character {self.position + 1}: {self.message}"

    def picture(self) -> str:
        """The message over the expression with a caret under the place, three lines."""
        return f"{self.message}\n  {self._on_one_line()}\n  {' ' * self.position}^"

    def _on_one_line(self) -> str:
        return "".join(" " if letter.isspace() else letter for letter in self.text)


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
    """Hands that `above` % of all hands or more, but less than `upto` %, are ranked above, against that many opponents (None: as asked)."""

    above: float
    upto: float
    opponents: int | None
    position: int


@dataclass(frozen=True)
class Union:
    """Hands of any of the parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True)
class Chain:
    """Hands of the first part that are, one step after the other, also in the next (":") or not in it ("!")."""

    first: "Node"
    steps: tuple[tuple[str, "Node"], ...]


Leaf = Pattern | Word | Percent
Node = Leaf | Union | Chain


@dataclass(frozen=True)
class Expression:
    """A parsed expression with its text, for messages."""

    text: str
    root: Node


def cards_of(ranks: int, suits: int) -> int:
    """52-bit mask of the cards with these ranks (13-bit mask) and suits (4-bit mask)."""
    return sum(suits << 4 * rank for rank in range(N_RANKS) if ranks >> rank & 1)


def leaves(node: Node) -> list[Leaf]:
    """Patterns, words and percentages of a tree, from left to right."""
    if isinstance(node, Union):
        return [leaf for part in node.parts for leaf in leaves(part)]
    if isinstance(node, Chain):
        return leaves(node.first) + [leaf for _, step in node.steps for leaf in leaves(step)]
    return [node]


def mask_of(ranks: str) -> int:
    """13-bit mask of ranks written like "AKQ"."""
    return sum(1 << RANKS.index(rank) for rank in ranks)
