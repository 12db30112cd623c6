"""Ranges as sets of classes of starting hands, their exact number of hands, and single hands in or out of a range."""

from functools import lru_cache
from itertools import permutations

import numpy as np

from sim.cards import N_RANKS, N_SUITS
from sim.hand_classes import class_of, representatives, weights
from sim.jit import jit
from sim.ranges.match import encode, match_hands, names_suits, ranks_only, suits_of, suits_only
from sim.ranges.syntax import parse
from sim.ranges.tree import SUIT_WORDS, Card, Chain, Leaf, Node, Pattern, Percent, RangeError, Union, Word, leaves
from sim.rankings import ALL_HANDS, SIX_HANDED, RankingError, percentile_table

OPPONENTS = SIX_HANDED  # of the ranking behind a percentage that names none
SUIT_ORDERS = tuple(permutations(range(N_SUITS)))


def compile_range(text: str, hole_cards: int, hi_lo: bool = False, opponents: int = OPPONENTS) -> np.ndarray:
    """(n_classes,) bool: which classes of starting hands are in the range.

    Percentages are of the ranking of this variant against so many opponents, unless they say 2h or 6h. Raises RangeError, also for
    an expression that names suits: hands of one class differ in nothing but the names of the suits.
    """
    evaluation = Evaluation(text, hole_cards, hi_lo, opponents)
    card = evaluation.named_suit()
    if card is not None:
        message = (
            f"names {suits_of(card)}; this range must be a set of classes of hands, which know no names of suits: "
            "use suit variables (AxKx), or :ds and :ss for the shape of the hand"
        )
        raise RangeError(text, card.position, message)
    return evaluation.mask()


def count_hands(text: str, hole_cards: int, hi_lo: bool = False, opponents: int = OPPONENTS) -> int:
    """Exact number of hands in the range; suits may be named."""
    masks = Evaluation(text, hole_cards, hi_lo, opponents).masks()
    n_hands = classes_of(hole_cards)[1]
    # A class's hands are its representative under the 24 orders of the suits, each hand as often as every other.
    return sum(int(n_hands[mask].sum()) for mask in masks.values()) // len(masks)


def contains(text: str, hands: np.ndarray, hi_lo: bool = False, opponents: int = OPPONENTS) -> np.ndarray:
    """(n,) bool: which of the hands, (n, hole_cards) uint8 card ids, are in the range; suits may be named."""
    return Evaluation(text, hands.shape[1], hi_lo, opponents, np.ascontiguousarray(hands)).mask()


@lru_cache(maxsize=3)
def classes_of(hole_cards: int) -> tuple[np.ndarray, np.ndarray]:
    """(n_classes, hole_cards) uint8 a hand of each class, and (n_classes,) int64 how many hands each has; read-only."""
    arrays = representatives(hole_cards), weights(hole_cards)
    for array in arrays:
        array.flags.writeable = False
    return arrays


@lru_cache(maxsize=6)
def groups_of(hole_cards: int, by_rank: bool) -> tuple[np.ndarray, np.ndarray]:
    """One hand of every group of classes with the same ranks, or else the same suits, and (n_classes,) int64 the group of each class."""
    hands = classes_of(hole_cards)[0]
    features = np.sort(hands >> 2 if by_rank else hands & 3, axis=1).astype(np.int64)
    _, first, inverse = np.unique(features @ 16 ** np.arange(hole_cards), return_index=True, return_inverse=True)
    return hands[first], inverse


class Evaluation:
    """An expression on hands of a game, (n, hole_cards) card ids: on the one that stands for each class if none are given."""

    def __init__(self, text: str, hole_cards: int, hi_lo: bool, opponents: int, hands: np.ndarray | None = None):
        self.text, self.root = text, parse(text).root
        self.hole_cards, self.hi_lo, self.opponents = hole_cards, hi_lo, opponents
        self.given = hands
        self.known: dict[bytes | str, np.ndarray] = {}  # masks of words and encoded patterns: many orders of suits ask for the same
        for leaf in leaves(self.root):
            self.check(leaf)

    @property
    def hands(self) -> np.ndarray:
        """The hands to tell, (n, hole_cards) card ids."""
        return classes_of(self.hole_cards)[0] if self.given is None else self.given

    def check(self, leaf: Leaf) -> None:
        """Raise RangeError for what these many hole cards cannot have."""
        if isinstance(leaf, Pattern) and len(leaf.alternatives[0]) > self.hole_cards:
            n_cards = len(leaf.alternatives[0])
            raise RangeError(self.text, leaf.position, f"{n_cards} cards; a hand of this variant has {self.hole_cards}")
        if isinstance(leaf, Word) and leaf.name == "rainbow" and self.hole_cards > N_SUITS:
            message = f"rainbow: {self.hole_cards} cards always share a suit; write wxyz for hands with all four suits"
            raise RangeError(self.text, leaf.position, message)

    def named_suit(self) -> Card | None:
        """The first card of the expression that names a suit, if any."""
        cards = (names_suits(leaf.alternatives) for leaf in leaves(self.root) if isinstance(leaf, Pattern))
        return next((card for card in cards if card is not None), None)

    def masks(self) -> dict[tuple[int, ...], np.ndarray]:
        """The mask under every order of the suits; under one only if no suit is named, as they are all the same."""
        return {order: self.mask(order) for order in (SUIT_ORDERS[:1] if self.named_suit() is None else SUIT_ORDERS)}

    def mask(self, suit_order: tuple[int, ...] = SUIT_ORDERS[0], node: Node | None = None) -> np.ndarray:
        """(n,) bool: which hands are in the range, with suit s of the expression read as suit_order[s]."""
        node = self.root if node is None else node
        if isinstance(node, Union):
            return np.logical_or.reduce([self.mask(suit_order, part) for part in node.parts])
        if isinstance(node, Chain):
            found = self.mask(suit_order, node.first)
            for operator, step in node.steps:
                other = self.mask(suit_order, step)
                found = found & other if operator == ":" else found & ~other
            return found
        return self.leaf(node, suit_order)

    def leaf(self, leaf: Leaf, suit_order: tuple[int, ...]) -> np.ndarray:
        """(n,) bool: which hands a pattern, word or percentage has."""
        if isinstance(leaf, Percent):
            return self.percent(leaf)
        if isinstance(leaf, Word):
            if leaf.name not in self.known:
                self.known[leaf.name] = has_shape(leaf.name, self.hands)
            return self.known[leaf.name]
        patterns, length = encode(leaf.alternatives, suit_order)
        key = patterns.tobytes()
        if key not in self.known:
            self.known[key] = self.matching(leaf.alternatives, suit_order)
        return self.known[key]

    def matching(self, alternatives: tuple[tuple[Card, ...], ...], suit_order: tuple[int, ...]) -> np.ndarray:
        """(n,) bool: which hands fit one of the alternatives of a pattern."""
        patterns, length = encode(alternatives, suit_order)
        if self.given is not None:
            return _matching(self.hands, patterns, length)
        # Classes with the same ranks (or suits) are tried once if nothing else is asked; else only those that fit by each alone.
        by_ranks, by_suits = ranks_only(alternatives), suits_only(alternatives)
        if alternatives in (by_ranks, by_suits):
            hands, group = groups_of(self.hole_cards, by_rank=alternatives == by_ranks)
            return _matching(hands, patterns, length)[group]
        found = self.matching(by_ranks, suit_order) & self.matching(by_suits, suit_order)
        rows = np.flatnonzero(found)
        found[rows] = _matching(self.hands[rows], patterns, length)
        return found

    def percent(self, leaf: Percent) -> np.ndarray:
        """(n,) bool: which hands have as large a part of all hands ranked above them as the percentages say."""
        opponents = self.opponents if leaf.opponents is None else leaf.opponents
        try:
            better = percentile_table(self.hole_cards, self.hi_lo, opponents)
        except RankingError as error:
            raise RangeError(self.text, leaf.position, str(error)) from error
        ranked = (better >= leaf.above / 100 * ALL_HANDS) & (better < leaf.upto / 100 * ALL_HANDS)
        if self.given is None:
            return ranked
        ids = np.zeros(len(self.hands), np.int64)
        _classes(self.hands, ids)
        return ranked[ids]


def _matching(hands: np.ndarray, patterns: np.ndarray, length: int) -> np.ndarray:
    found = np.zeros(len(hands), np.bool_)
    match_hands(hands, patterns, length, found)
    return found


@jit
def _classes(hands, ids):
    for i in range(hands.shape[0]):
        ids[i] = class_of(hands[i], hands.shape[1])


def has_shape(word: str, hands: np.ndarray) -> np.ndarray:
    """(n,) bool: which hands, (n, hole_cards) card ids, have the shape of suits or ranks that a key of WORDS names."""
    if word in SUIT_WORDS:
        counts = _counts(hands & 3, N_SUITS)
        shared = (counts >= 2).sum(axis=0)
        if word == "ds":
            return shared >= 2
        if word == "ss":
            return (shared == 1) & ((counts > 0).sum(axis=0) >= 3)
        return shared == 0
    counts = _counts(hands >> 2, N_RANKS)
    no_trips = (counts <= 2).all(axis=0)
    if word == "nt":
        return np.asarray(no_trips)
    return no_trips & ((counts == 2).sum(axis=0) == {"np": 0, "op": 1, "tp": 2}[word])


def _counts(features: np.ndarray, n_values: int) -> np.ndarray:
    """(n_values, n) int8: how many cards of each hand have each value."""
    return np.stack([(features == value).sum(axis=1, dtype=np.int8) for value in range(n_values)])
