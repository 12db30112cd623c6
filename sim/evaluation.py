"""Strength of Omaha hands, high and low: exactly two hole cards with exactly three board cards.

Strength is 1..7462, higher wins, equal ties (7462 royal flush, 1 seven-high); low is 1..56, higher wins (56 is 5-4-3-2-A), 0 none.
One table row per board serves all players: a hand is the best of its pairs of hole cards in that row, a low is one look-up.
Indices into tables are unsigned, which spares numba the check for negative ones.
"""

from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from sim.cards import N_RANKS
from sim.jit import jit

CATEGORIES = (
    "high card", "pair", "two pair", "trips", "straight", "flush", "full house", "quads", "straight flush", "royal flush",
)  # fmt: skip
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)

N_STRENGTHS = 7462
N_LOWS = 56
LOW_RANKS = "A2345678"  # bit 0..7 of a low mask
N_HOLE_PAIRS = N_RANKS * (N_RANKS + 1) // 2  # unordered pairs of hole ranks, equal ranks included
N_SMALL_BOARDS = 1 + 13 + 91  # multisets of fewer than three ranks


# One record, not a tuple of arrays: kernels take it as a single pointer with the shapes compiled in. With a tuple of arrays the counting of
# references alone took four times as long as the look-ups.
TABLES_DTYPE = np.dtype(
    [
        ("add_rank", np.uint16, (2380, 13)),  # multiset of up to 4 board ranks, with one more rank; 0 is the empty one
        ("ranks", np.uint16, (8463, N_HOLE_PAIRS)),  # best strength without flushes, by multiset of 3..5 board ranks x hole ranks
        ("flush_row", np.uint16, (8192,)),  # row of `flush` by mask of board ranks in one suit; 0 when fewer than three
        ("flush", np.uint16, (2289, N_HOLE_PAIRS)),  # best flush or straight flush, by that row x hole ranks; row 0 is all zero
        ("low", np.uint8, (256, 256)),  # best low by low mask of the board x low mask of the hole cards; 0 = none
    ],
    align=True,
)


class BoardContext(NamedTuple):
    """What strength and low need to know of a board."""

    row: np.uint64  # of tables.ranks
    flush_suit: np.uint64
    flush_row: np.uint64  # of tables.flush; 0 = no suit has three board cards
    low_mask: np.uint64


def _rank_class(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Category, then ranks in order of importance, of five ranks sorted upwards, not all of one suit. Tuples compare as hands do."""
    by_importance = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    shape = tuple(ranks.count(rank) for rank in by_importance)
    if shape == (1, 1, 1, 1, 1):
        if ranks[4] - ranks[0] == 4:
            return STRAIGHT, ranks[4]
        if ranks == (0, 1, 2, 3, 12):  # the wheel: its ace is low
            return STRAIGHT, 3
    category = {
        (1, 1, 1, 1, 1): HIGH_CARD, (2, 1, 1, 1): PAIR, (2, 2, 1): TWO_PAIR, (3, 1, 1): TRIPS, (3, 2): FULL_HOUSE, (4, 1): QUADS,
    }[shape]  # fmt: skip
    return category, *by_importance


def _strengths() -> tuple[dict[tuple[int, ...], int], dict[tuple[int, ...], int]]:
    """Strength 1..7462 by five ranks sorted upwards: of different suits, and of one suit."""
    classes: dict[tuple[tuple[int, ...], bool], tuple[int, ...]] = {}
    for ranks in combinations_with_replacement(range(N_RANKS), 5):
        if ranks[0] != ranks[4]:  # five of a kind need a fifth suit
            classes[ranks, False] = _rank_class(ranks)
    for different in combinations(range(N_RANKS), 5):
        category, *order = classes[different, False]
        classes[different, True] = (FLUSH if category == HIGH_CARD else STRAIGHT_FLUSH, *order)
    mixed: dict[tuple[int, ...], int] = {}
    suited: dict[tuple[int, ...], int] = {}
    for value, (five, one_suit) in enumerate(sorted(classes, key=classes.__getitem__), start=1):
        (suited if one_suit else mixed)[five] = value
    return mixed, suited


def _drop_one(sets: list[tuple[int, ...]], smaller: dict[tuple[int, ...], int]) -> list[list[int]]:
    """For each place i, the numbers in `smaller` of the sets without their element i."""
    return [[smaller[items[:i] + items[i + 1 :]] for items in sets] for i in range(len(sets[0]))]


def _rank_tables(strength: dict[tuple[int, ...], int], pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """add_rank and ranks of TABLES_DTYPE."""
    sizes = [list(combinations_with_replacement(range(N_RANKS), size)) for size in range(6)]
    number = {ranks: n for n, ranks in enumerate(ranks for size in sizes for ranks in size)}
    add_rank = [[number[tuple(sorted((*ranks, rank)))] for rank in range(N_RANKS)] for size in sizes[:5] for ranks in size]
    best = np.array([[strength.get(tuple(sorted(board + pair)), 0) for pair in pairs] for board in sizes[3]])
    rows = [best]
    for size in (4, 5):  # a larger board offers the best of its boards with one card fewer
        smaller = {ranks: n for n, ranks in enumerate(sizes[size - 1])}
        best = np.maximum.reduce([best[drop] for drop in _drop_one(sizes[size], smaller)])
        rows.append(best)
    return np.array(add_rank, np.uint16), np.concatenate(rows).astype(np.uint16)


def _flush_tables(strength: dict[tuple[int, ...], int], pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """flush_row and flush of TABLES_DTYPE. A pair that repeats a board rank cannot be dealt; what stands there means nothing."""
    flush_row = np.zeros(1 << N_RANKS, np.uint16)
    best = np.array([[strength.get(tuple(sorted(board + pair)), 0) for pair in pairs] for board in combinations(range(N_RANKS), 3)])
    rows = [np.zeros((1, N_HOLE_PAIRS), int), best]
    n_rows = 1
    for size in (3, 4, 5):
        sets = list(combinations(range(N_RANKS), size))
        if size > 3:
            smaller = {ranks: n for n, ranks in enumerate(combinations(range(N_RANKS), size - 1))}
            best = np.maximum.reduce([best[drop] for drop in _drop_one(sets, smaller)])
            rows.append(best)
        flush_row[[sum(1 << rank for rank in ranks) for ranks in sets]] = np.arange(n_rows, n_rows + len(sets))
        n_rows += len(sets)
    return flush_row, np.concatenate(rows).astype(np.uint16)


def _low_masks() -> list[int]:
    """The 56 lows as masks of LOW_RANKS, worst first: compared from the highest card down, so the larger mask is the worse low."""
    return sorted((sum(1 << rank for rank in ranks) for ranks in combinations(range(8), 5)), reverse=True)


def _low_table() -> np.ndarray:
    """Low of TABLES_DTYPE."""
    low = np.zeros((256, 256), np.uint8)
    masks = np.arange(256)
    for value, five in enumerate(_low_masks(), start=1):
        for pair in combinations([rank for rank in range(8) if five >> rank & 1], 2):
            hole = sum(1 << rank for rank in pair)
            board = five - hole
            # In upward order of lows, so that the best one stays.
            low[np.ix_(masks & board == board, masks & hole == hole)] = value
    return low


def build_tables() -> np.record:
    """All tables as one record of TABLES_DTYPE, 2.1 MB, in about a tenth of a second."""
    mixed, suited = _strengths()
    pairs = [(low, high) for high in range(N_RANKS) for low in range(high + 1)]  # the order of _pair_index
    tables = np.recarray(1, TABLES_DTYPE)[0]
    tables.add_rank, tables.ranks = _rank_tables(mixed, pairs)
    tables.flush_row, tables.flush = _flush_tables(suited, pairs)
    tables.low = _low_table()
    return tables


@jit
def _pair_index(a, b):
    """Column of two hole ranks in tables.ranks and tables.flush; a, b : uint64 in any order."""
    high, low = max(a, b), min(a, b)
    return ((high * (high + np.uint64(1))) >> np.uint64(1)) + low


@jit
def _low_mask(rank_mask):
    """Mask of LOW_RANKS (ace 1, deuce 2, ... eight 128) from a mask of ranks, both uint64."""
    return ((rank_mask << np.uint64(1)) & np.uint64(0xFE)) | ((rank_mask >> np.uint64(12)) & np.uint64(1))


@jit
def board_context(tables, board, n_board):
    """BoardContext of board[:n_board], uint8 cards; n_board is 3, 4 or 5."""
    node = np.uint64(0)
    suits = np.uint64(0)  # four masks of ranks, 16 bits apart
    for i in range(n_board):
        card = np.uint64(board[i])
        rank, suit = card >> np.uint64(2), card & np.uint64(3)
        node = np.uint64(tables.add_rank[node, rank])
        suits |= np.uint64(1) << ((suit << np.uint64(4)) | rank)
    flush_suit, flush_row = np.uint64(0), np.uint64(0)
    rank_mask = np.uint64(0)
    for place in range(4):
        mask = (suits >> (np.uint64(place) << np.uint64(4))) & np.uint64(0x1FFF)
        rank_mask |= mask
        row = np.uint64(tables.flush_row[mask])
        if row != np.uint64(0):
            flush_suit, flush_row = np.uint64(place), row
    return BoardContext(node - np.uint64(N_SMALL_BOARDS), flush_suit, flush_row, _low_mask(rank_mask))


@jit
def _best_flush(tables, context, hole, n_hole):
    best = np.int64(0)
    for i in range(1, n_hole):
        first = np.uint64(hole[i])
        if first & np.uint64(3) != context.flush_suit:
            continue
        for j in range(i):
            second = np.uint64(hole[j])
            if second & np.uint64(3) == context.flush_suit:
                pair = _pair_index(first >> np.uint64(2), second >> np.uint64(2))
                best = max(best, np.int64(tables.flush[context.flush_row, pair]))
    return best


@jit
def strength(tables, context, hole, n_hole):
    """Strength 1..7462 of hole[:n_hole] (uint8 cards, at least two) on the board of `context`."""
    best = np.int64(0)
    for i in range(1, n_hole):
        first = np.uint64(hole[i]) >> np.uint64(2)
        for j in range(i):
            pair = _pair_index(first, np.uint64(hole[j]) >> np.uint64(2))
            best = max(best, np.int64(tables.ranks[context.row, pair]))
    if context.flush_row != np.uint64(0):
        best = max(best, _best_flush(tables, context, hole, n_hole))
    return best


@jit
def low(tables, context, hole, n_hole):
    """Low 1..56 of hole[:n_hole] on the board of `context`, eight or better; 0 = none."""
    rank_mask = np.uint64(0)
    for i in range(n_hole):
        rank_mask |= np.uint64(1) << (np.uint64(hole[i]) >> np.uint64(2))
    return np.int64(tables.low[context.low_mask, _low_mask(rank_mask)])


@jit
def category(strength):
    """Index into CATEGORIES of a strength 1..7462."""
    for index in range(ROYAL_FLUSH, HIGH_CARD, -1):
        if strength >= WEAKEST[index]:
            return index
    return HIGH_CARD


def low_name(low: int) -> str:
    """Text like "8-6-4-2-A" of a low 1..56; empty for 0."""
    if not low:
        return ""
    mask = _low_masks()[low - 1]
    return "-".join(LOW_RANKS[rank] for rank in reversed(range(8)) if mask >> rank & 1)


@jit
def _evaluate_many(tables, boards, holes, strengths, lows):
    n_board, n_hole = boards.shape[1], holes.shape[1]
    for i in range(boards.shape[0]):
        context = board_context(tables, boards[i], n_board)
        strengths[i] = strength(tables, context, holes[i], n_hole)
        lows[i] = low(tables, context, holes[i], n_hole)


def evaluate_many(boards: np.ndarray, holes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Strengths (n,) uint16 and lows (n,) uint8 of holes (n, 2..6) on boards (n, 3..5), both uint8 cards, row by row."""
    strengths, lows = np.zeros(len(boards), np.uint16), np.zeros(len(boards), np.uint8)
    _evaluate_many(TABLES, boards, holes, strengths, lows)
    return strengths, lows


# The lowest strength of each category: there are 1277 high cards, 2860 pairs, 858 two pairs and so on.
WEAKEST = (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7462)
TABLES = build_tables()
