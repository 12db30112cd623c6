"""A 64-bit digest of hands that does not depend on the order in which they are played.

Each hand's values are mixed into one word; the digest of many hands is the sum of their words modulo 2**64, so that the parts of any
division into shards add up to the same number. It tells runs apart; it is no cryptographic hash.
"""

import numpy as np

from sim.jit import jit

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd
SHIFT = np.uint64(32)


@jit
def mix(digest, value):
    """The digest (uint64) with one more integer in it. Multiply and fold, as SplitMix64 does."""
    product = (digest ^ np.uint64(value)) * MULTIPLIER + MULTIPLIER
    return product ^ (product >> SHIFT)
