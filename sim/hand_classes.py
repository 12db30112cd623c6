"""Suit-isomorphic classes of starting hands: hands that differ only in the names of the suits share one class id, 0..n_classes-1.

There are 16,432 / 134,459 / 962,988 classes of 4 / 5 / 6 cards. An id is computed, not looked up: each suit's ranks get a key (how many,
and their place among the sets of that many), the four keys are sorted, and the multiset of keys is numbered by the combinatorial number
system (Knuth, The Art of Computer Programming 4A, 7.2.1.3). Ids are the row numbers of the ranking files: do not change their order.
"""

from math import comb, prod

import numpy as np

from sim.cards import N_RANKS, N_SUITS
from sim.jit import jit

HAND_SIZES = (4, 5, 6)
SIZE_BIT = 11  # a key is size << 11 | place: there are at most 1716 sets of one size
LANE_BITS = 16  # four keys side by side in a uint64
PLACE_MASK, LANE_MASK = np.uint64((1 << SIZE_BIT) - 1), np.uint64((1 << LANE_BITS) - 1)


def _patterns(n_hole: int) -> list[tuple[int, ...]]:
    """The ways to divide cards among four suits, most cards first: for 4 cards (4,0,0,0), (3,1,0,0), (2,2,0,0), (2,1,1,0), (1,1,1,1)."""
    sizes = range(n_hole, -1, -1)
    return [(a, b, c, n_hole - a - b - c) for a in sizes for b in sizes for c in sizes if a >= b >= c >= n_hole - a - b - c >= 0]


def _n_multisets(size: int, count: int) -> int:
    """Number of multisets of `count` sets of `size` ranks."""
    return comb(comb(N_RANKS, size) + count - 1, count)


def _pattern_row(pattern: tuple[int, ...]) -> int:
    """Row of a pattern in _FIRST_CLASS: the second suit has at most 3 cards of 6, the third 2, the fourth 1."""
    first, second, third, fourth = pattern
    return ((first * 4 + second) * 3 + third) * 2 + fourth


def _n_classes_of(pattern: tuple[int, ...]) -> int:
    return prod(_n_multisets(size, pattern.count(size)) for size in set(pattern))


N_CLASSES = {n_hole: sum(map(_n_classes_of, _patterns(n_hole))) for n_hole in HAND_SIZES}
# Small enough to be compiled into every strategy that asks.
_PATTERNS = np.array([pattern for n_hole in HAND_SIZES for pattern in _patterns(n_hole)])
_PATTERN_FIRST = np.array(
    [sum(map(_n_classes_of, _patterns(n_hole)[:place])) for n_hole in HAND_SIZES for place in range(len(_patterns(n_hole)))]
)  # class id with which each of _PATTERNS begins
_FIRST_CLASS = np.zeros(_pattern_row((max(HAND_SIZES), 3, 2, 1)) + 1, np.int64)  # the same, by _pattern_row
_FIRST_CLASS[[_pattern_row(pattern) for pattern in _PATTERNS.tolist()]] = _PATTERN_FIRST
_BINOMIALS = np.array([[comb(n, k) for k in range(max(HAND_SIZES) + 1)] for n in range(N_RANKS + 1)], np.uint64)
_MULTISETS = np.array([[_n_multisets(size, count) for count in range(N_SUITS + 1)] for size in range(max(HAND_SIZES) + 1)])


@jit
def _sorted_keys(hole, n_hole):
    """Keys of the four suits, largest first, as uint64."""
    lanes = np.uint64(0)
    for i in range(n_hole):
        card = np.int64(hole[i])
        place = np.uint64(1)  # of this card among those of its suit, lowest rank first
        for j in range(n_hole):
            other = np.int64(hole[j])
            if (other ^ card) & 3 == 0 and other < card:
                place += np.uint64(1)
        key = np.uint64(1 << SIZE_BIT) + _BINOMIALS[np.uint64(card >> 2), place]
        lanes += key << np.uint64((card & 3) * LANE_BITS)
    a, b = lanes & LANE_MASK, (lanes >> np.uint64(LANE_BITS)) & LANE_MASK
    c, d = (lanes >> np.uint64(2 * LANE_BITS)) & LANE_MASK, lanes >> np.uint64(3 * LANE_BITS)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    return a, max(b, c), min(b, c), d


@jit
def _multiset_term(place, count):
    """C(place + count - 1, count): what the count-th smallest element of a multiset adds to its number."""
    if count == 1:
        return place
    if count == 2:
        return place * (place + 1) // 2
    if count == 3:
        return place * (place + 1) * (place + 2) // 6
    return place * (place + 1) * (place + 2) * (place + 3) // 24


@jit
def class_of(hole, n_hole):
    """Class id (int64) of hole[:n_hole], 4 to 6 card ids of any integer type in any order; about 50 ns."""
    keys = _sorted_keys(hole, n_hole)
    number, radix = np.int64(0), np.int64(1)
    row, scale = np.int64(0), np.int64(1)  # row is _pattern_row of the sizes
    last, count = np.int64(0), 0  # size of the suit before, and how many suits of that size there were
    for i in range(N_SUITS):
        key = keys[N_SUITS - 1 - i]
        size = np.int64(key >> np.uint64(SIZE_BIT))
        if size != last:
            radix *= _MULTISETS[last, count]
            last, count = size, 0
        count += 1
        number += radix * _multiset_term(np.int64(key & PLACE_MASK), count)
        row += size * scale
        scale *= 2 + i  # 2, 3, 4: one more than the most cards of the fourth, third and second suit
    return _FIRST_CLASS[row] + number


@jit
def _nth_multiset(number, size, count, places):
    """Inverse of the sum of _multiset_term: fill places[:count], largest first, with the places of sets of `size` ranks."""
    place = np.int64(_BINOMIALS[N_RANKS, size]) - 1
    for i in range(count):
        while _multiset_term(place, count - i) > number:
            place -= 1
        places[i] = place
        number -= _multiset_term(place, count - i)


@jit
def _write_suit(place, size, suit, hole, n_written):
    """Write the cards of one suit, highest first; returns how many cards are written then."""
    rank = N_RANKS - 1
    for left in range(size, 0, -1):
        while np.int64(_BINOMIALS[rank, left]) > place:
            rank -= 1
        place -= np.int64(_BINOMIALS[rank, left])
        hole[n_written] = rank * 4 + suit
        n_written += 1
    return n_written


@jit
def fill_representative(class_id, n_hole, hole):
    """Put one hand of a class into hole[:n_hole]: most cards in spades, then hearts, diamonds, clubs. Returns the number of its hands."""
    row = len(_PATTERNS) - 1
    while _PATTERNS[row].sum() != n_hole or _PATTERN_FIRST[row] > class_id:
        row -= 1
    pattern, number = _PATTERNS[row], class_id - _PATTERN_FIRST[row]
    places = np.zeros(N_SUITS, np.int64)
    last = N_SUITS
    while last > 0:  # group by group of suits of one size, the smallest first
        size = pattern[last - 1]
        first = last - 1
        while first > 0 and pattern[first - 1] == size:
            first -= 1
        _nth_multiset(number % _MULTISETS[size, last - first], size, last - first, places[first:])
        number //= _MULTISETS[size, last - first]
        last = first
    n_written = 0
    orders, equal = 24, 1  # suits that hold the same ranks make fewer different hands
    for i in range(N_SUITS):
        n_written = _write_suit(places[i], pattern[i], N_SUITS - 1 - i, hole, n_written)
        equal = equal + 1 if i > 0 and pattern[i] == pattern[i - 1] and places[i] == places[i - 1] else 1
        orders //= equal
    return orders


@jit
def _fill_all(n_hole, holes, weights):
    for class_id in range(holes.shape[0]):
        weights[class_id] = fill_representative(class_id, n_hole, holes[class_id])


def representative(class_id: int, n_hole: int) -> np.ndarray:
    """(n_hole,) uint8 cards of one hand of the class."""
    if not 0 <= class_id < N_CLASSES[n_hole]:
        raise ValueError(f"class {class_id} of {n_hole} cards; there are classes 0 to {N_CLASSES[n_hole] - 1}")
    hole = np.zeros(n_hole, np.uint8)
    fill_representative(class_id, n_hole, hole)
    return hole


def representatives(n_hole: int) -> np.ndarray:
    """(n_classes, n_hole) uint8 cards of one hand of each class."""
    return _all(n_hole)[0]


def weights(n_hole: int) -> np.ndarray:
    """(n_classes,) int64 number of hands of each class, 1 to 24."""
    return _all(n_hole)[1]


def _all(n_hole: int) -> tuple[np.ndarray, np.ndarray]:
    holes, counts = np.zeros((N_CLASSES[n_hole], n_hole), np.uint8), np.zeros(N_CLASSES[n_hole], np.int64)
    _fill_all(n_hole, holes, counts)
    return holes, counts
