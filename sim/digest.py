"""A 64-bit digest of hands that does not depend on the order in which they are played.

Each hand's values are mixed into one word; the digest of many hands is the sum of their words modulo 2**64, so that the parts of any
division into shards add up to the same number. It tells runs apart; it is no cryptographic hash.
"""

import numpy as np

from sim.jit import jit

MULTIPLIER_LOW, MULTIPLIER_HIGH = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)  # those of Philox, odd
START = np.uint64(0x9E3779B97F4A7C15)  # so that zeros count
WORD, WORD_BITS = np.uint64(0xFFFFFFFF), np.uint64(32)


@jit
def mix(digest, value):
    """The digest (uint64) with one more integer, at least 0, in it: both halves multiplied and swapped, as in a Philox round."""
    word = digest ^ np.uint64(value) ^ START
    low, high = (word & WORD) * MULTIPLIER_LOW, (word >> WORD_BITS) * MULTIPLIER_HIGH
    return high ^ (low << WORD_BITS | low >> WORD_BITS)
