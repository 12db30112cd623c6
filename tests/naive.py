"""Slow, obvious twins of evaluation: try every two hole cards with every three board cards and keep the best five.

A card is rank * 4 + suit, ranks 0..12 (deuce..ace), suits c d h s. Nothing here knows the project's tables or kernels.
Sources: WSOP Live Action 2024, Section VIII (exactly two and three) and Omaha High-Low a-b (eight or better, ace low).
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

RANKS, SUITS = "23456789TJQKA", "cdhs"
CATEGORIES = (
    "high card", "pair", "two pair", "trips", "straight", "flush", "full house", "quads", "straight flush", "royal flush",
)  # fmt: skip
ACE = 12


class High(NamedTuple):
    """A five-card hand; compare by `key`, higher is better."""

    category: int  # place in CATEGORIES
    ranks: tuple[int, ...]  # of the five cards in the order in which they count; -1 for the ace of a wheel
    cards: tuple[int, ...]  # two hole cards, then three of the board

    @property
    def key(self) -> tuple[int, tuple[int, ...]]:
        """What two hands are compared by: suits and the choice of equal cards do not matter."""
        return self.category, self.ranks


class Low(NamedTuple):
    """A qualifying low; compare by `key`, higher is better."""

    ranks: tuple[int, ...]  # 8..1, the ace is 1, from the highest card down: the lower tuple is the better low
    cards: tuple[int, ...]

    @property
    def key(self) -> tuple[int, ...]:
        """The ranks negated, so that the better low is the larger tuple."""
        return tuple(-rank for rank in self.ranks)


def cards_of(cards) -> list[int]:
    """Card ids of a text like "AsKd", or of any sequence of ids."""
    if isinstance(cards, str):
        return [RANKS.index(rank) * 4 + SUITS.index(suit) for rank, suit in zip(cards[::2], cards[1::2], strict=True)]
    return [int(card) for card in cards]


def five_card_key(ranks: tuple[int, ...], flush: bool) -> tuple[int, tuple[int, ...]]:
    """Category and ranks in the order in which they count, for five ranks (any order)."""
    count = Counter(ranks)
    ordered = tuple(sorted(ranks, key=lambda rank: (count[rank], rank), reverse=True))
    if ordered == (ACE, 3, 2, 1, 0):
        ordered = (3, 2, 1, 0, -1)
    straight = len(count) == 5 and ordered[0] - ordered[4] == 4
    shape = sorted(count.values(), reverse=True)
    if straight and flush:
        name = "royal flush" if ordered[0] == ACE else "straight flush"
    elif shape == [4, 1]:
        name = "quads"
    elif shape == [3, 2]:
        name = "full house"
    elif flush:
        name = "flush"
    elif straight:
        name = "straight"
    elif shape == [3, 1, 1]:
        name = "trips"
    elif shape == [2, 2, 1]:
        name = "two pair"
    elif shape == [2, 1, 1, 1]:
        name = "pair"
    else:
        name = "high card"
    return CATEGORIES.index(name), ordered


def candidates(hole, board):
    """All hands that may be played: two hole cards with three board cards, as tuples of five card ids."""
    for two in combinations(cards_of(hole), 2):
        for three in combinations(cards_of(board), 3):
            yield two + three


def best_high(hole, board) -> High:
    """The best high hand. `hole` and `board` (three to five cards) are texts or card ids."""
    hands = []
    for five in candidates(hole, board):
        category, ranks = five_card_key(tuple(card // 4 for card in five), len({card % 4 for card in five}) == 1)
        hands.append(High(category, ranks, five))
    return max(hands, key=lambda hand: hand.key)


def best_low(hole, board) -> Low | None:
    """The best eight-or-better low, None if there is none."""
    lows = []
    for five in candidates(hole, board):
        values = {1 if card // 4 == ACE else card // 4 + 2 for card in five}
        if len(values) == 5 and max(values) <= 8:
            lows.append(Low(tuple(sorted(values, reverse=True)), five))
    return max(lows, key=lambda low: low.key, default=None)


@lru_cache
def high_classes() -> dict[tuple[int, tuple[int, ...]], int]:
    """All distinct five-card hands, the worst is 1, the royal flush 7462."""
    keys = {five_card_key(ranks, flush=True) for ranks in combinations(range(13), 5)}
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) <= 4:
            keys.add(five_card_key(ranks, flush=False))
    return {key: place for place, key in enumerate(sorted(keys), 1)}


@lru_cache
def low_classes() -> dict[tuple[int, ...], int]:
    """All distinct lows, 87654 is 1, 5432A is 56."""
    keys = [Low(tuple(sorted(values, reverse=True)), ()).key for values in combinations(range(1, 9), 5)]
    return {key: place for place, key in enumerate(sorted(keys), 1)}


def strength(hole, board) -> int:
    """1..7462, higher wins."""
    return high_classes()[best_high(hole, board).key]


def low_strength(hole, board) -> int:
    """1..56, higher wins; 0 for no low."""
    low = best_low(hole, board)
    return low_classes()[low.key] if low else 0
