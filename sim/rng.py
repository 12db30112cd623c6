"""Counter-based random numbers: Philox4x32-10, keyed by the run's seed, counted by hand, purpose and block.

A number depends on (seed, hand_id, purpose, index) and on nothing else, so any hand can be replayed alone and no draw of a strategy
moves a card. Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC11), and its library Random123.
All arithmetic is on uint64 with masks: numba turns uint64 with a signed literal into float64, and numpy warns when a uint32 wraps.
"""

import numpy as np

from sim.aligned import aligned_record
from sim.jit import jit

DECK = 0  # purpose of the stream that deals; the strategy in seat s draws from purpose 1 + s

# A stream. Any record with fields of these names is one (a kernel takes fields by name), so a larger record can carry them itself.
STREAM_FIELDS = [
    ("rng_seed", np.uint64),
    ("rng_hand", np.uint64),
    ("rng_purpose", np.uint64),
    ("rng_draws", np.uint64),  # words used so far; word i is word i % 4 of block i // 4
]
STREAM = aligned_record(STREAM_FIELDS)

MULTIPLIER_0, MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
WORD = np.uint64(0xFFFFFFFF)
WORD_BITS = np.uint64(32)
TWO_TO_32 = np.uint64(2**32)
ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
FIVE, SIX, BITS_26 = np.uint64(5), np.uint64(6), np.uint64(26)


@jit
def _rounds(c0, c1, c2, c3, k0, k1):
    """Ten Philox rounds over uint64 that hold 32-bit words."""
    for _ in range(10):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0, c1 = (product_1 >> WORD_BITS) ^ c1 ^ k0, product_1 & WORD
        c2, c3 = (product_0 >> WORD_BITS) ^ c3 ^ k1, product_0 & WORD
        k0 = (k0 + WEYL_0) & WORD
        k1 = (k1 + WEYL_1) & WORD
    return c0, c1, c2, c3


@jit
def philox(c0, c1, c2, c3, k0, k1):
    """The four uint32 words of counter (c0, c1, c2, c3) under key (k0, k1); arguments are 32-bit words of any integer type."""
    w0, w1, w2, w3 = _rounds(np.uint64(c0), np.uint64(c1), np.uint64(c2), np.uint64(c3), np.uint64(k0), np.uint64(k1))
    return np.uint32(w0), np.uint32(w1), np.uint32(w2), np.uint32(w3)


@jit
def stream_block(seed, hand_id, purpose, block):
    """Four words, each in a uint64, of block `block` of the stream (seed, hand_id, purpose)."""
    seed, hand_id = np.uint64(seed), np.uint64(hand_id)
    return _rounds(hand_id & WORD, hand_id >> WORD_BITS, np.uint64(purpose), np.uint64(block), seed & WORD, seed >> WORD_BITS)


@jit
def lemire(word, n):
    """(value, accepted): a number below n from one 32-bit word; accepted is false when the word must be drawn again.

    1 <= n <= 2**32. Exact: each value is hit by the same number of accepted words.
    Source: Lemire, Fast random integer generation in an interval (2019), algorithm 5.
    """
    n = np.uint64(n)
    product = np.uint64(word) * n
    low = product & WORD
    # The threshold (2**32 mod n) is below n: the division is needed once in 2**32 / n draws.
    return product >> WORD_BITS, low >= n or low >= (TWO_TO_32 - n) % n


@jit
def start_stream(stream, seed, hand_id, purpose):
    """Set a record with STREAM_FIELDS to the first word of the stream (seed, hand_id, purpose)."""
    stream.rng_seed = np.uint64(seed)
    stream.rng_hand = np.uint64(hand_id)
    stream.rng_purpose = np.uint64(purpose)
    stream.rng_draws = ZERO


@jit
def _next_word(stream):
    draws = np.uint64(stream.rng_draws)
    stream.rng_draws = draws + ONE
    w0, w1, w2, w3 = stream_block(stream.rng_seed, stream.rng_hand, stream.rng_purpose, draws >> TWO)
    place = draws & THREE
    if place == ZERO:
        return w0
    if place == ONE:
        return w1
    if place == TWO:
        return w2
    return w3


@jit
def next_word(stream):
    """The next uint32 of the stream."""
    return np.uint32(_next_word(stream))


@jit
def random_below(stream, n):
    """A whole number of 0..n-1 (int64), 1 <= n <= 2**32, every value equally likely."""
    value, accepted = lemire(_next_word(stream), n)
    while not accepted:
        value, accepted = lemire(_next_word(stream), n)
    return np.int64(value)


@jit
def random_unit(stream):
    """A float64 in [0, 1), a multiple of 2**-53; uses two words."""
    high = _next_word(stream) >> FIVE
    low = _next_word(stream) >> SIX
    return np.float64((high << BITS_26) | low) * 2.0**-53
