"""What a hand is called, and which five cards it is: from the strengths and lows of `evaluation` to words and cards."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from sim.cards import N_RANKS
from sim.evaluation import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    N_STRENGTHS,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    category,
    evaluate_many,
    low_name,
)

RANK_NAMES = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
WHEEL = (0, 1, 2, 3, 12)


class Five(NamedTuple):
    """Five cards that play, by id, each part in the order dealt."""

    hole: tuple[int, ...]  # two
    board: tuple[int, ...]  # three


def high_name(strength: int) -> str:
    """Text like "two pair, aces and nines" of a strength 1..7462; empty for 0."""
    if strength == 0:
        return ""
    first, second, *_ = [RANK_NAMES[rank] for rank in important_ranks(strength)]
    return {
        HIGH_CARD: f"high card {first}",
        PAIR: f"a pair of {_plural(first)}",
        TWO_PAIR: f"two pair, {_plural(first)} and {_plural(second)}",
        TRIPS: f"three of a kind, {_plural(first)}",
        STRAIGHT: f"a straight, {first} high",
        FLUSH: f"a flush, {first} high",
        FULL_HOUSE: f"a full house, {_plural(first)} full of {_plural(second)}",
        QUADS: f"four of a kind, {_plural(first)}",
        STRAIGHT_FLUSH: f"a straight flush, {first} high",
    }.get(int(category(strength)), "a royal flush")


def low_text(low: int) -> str:
    """Text like "8-6-4-2-A low" of a low 1..56; empty for 0."""
    return f"{low_name(low)} low" if low else ""


def important_ranks(strength: int) -> tuple[int, ...]:
    """The different ranks 0..12 of a strength 1..7462, those that decide first in front; a wheel's five is first, its ace last."""
    ranks = tuple(sorted(int(rank) for rank in _examples()[strength]))
    if ranks == WHEEL and int(category(strength)) in (STRAIGHT, STRAIGHT_FLUSH):
        return 3, 2, 1, 0, 12
    count = Counter(ranks)
    return tuple(sorted(count, key=lambda rank: (count[rank], rank), reverse=True))


def high_cards(hole: Sequence[int], board: Sequence[int]) -> Five:
    """The five cards of the best high hand; of equal ones the first in the order dealt."""
    fives, strengths, _ = _all_fives(hole, board)
    return fives[int(np.argmax(strengths))]


def low_cards(hole: Sequence[int], board: Sequence[int]) -> Five | None:
    """The five cards of the best eight-or-better low, None if there is none."""
    fives, _, lows = _all_fives(hole, board)
    return fives[int(np.argmax(lows))] if lows.any() else None


def _all_fives(hole: Sequence[int], board: Sequence[int]) -> tuple[list[Five], np.ndarray, np.ndarray]:
    """Every two hole cards with every three board cards, and the strengths and lows of those five alone."""
    fives = [Five(two, three) for two in combinations(map(int, hole), 2) for three in combinations(map(int, board), 3)]
    boards, holes = (np.array(cards, np.uint8) for cards in ([five.board for five in fives], [five.hole for five in fives]))
    return fives, *evaluate_many(boards, holes)


@lru_cache
def _examples() -> np.ndarray:
    """(7463, 5) ranks of five cards with each strength; row 0 means nothing."""
    ranks = [five for five in combinations_with_replacement(range(N_RANKS), 5) if five[0] != five[4]]
    different = [five for five in ranks if len(set(five)) == 5]
    # Equal ranks get suits of their own, five different ones are never of one suit; then the flushes.
    mixed = [[rank * 4 + place % 4 for place, rank in enumerate(five)] for five in ranks]
    suited = [[rank * 4 for rank in five] for five in different]
    cards = np.array(mixed + suited, np.uint8)
    strengths, _ = evaluate_many(cards[:, :3].copy(), cards[:, 3:].copy())
    examples = np.zeros((N_STRENGTHS + 1, 5), np.uint8)
    examples[strengths] = cards // 4
    return examples


def _plural(rank: str) -> str:
    return "sixes" if rank == "six" else f"{rank}s"
