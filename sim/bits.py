"""Masks: whole numbers, int64, whose bits are the members of a small set, such as ranks or seats."""

from sim.jit import jit


@jit
def count_bits(mask):
    """Number of members."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@jit
def highest_bit(mask):
    """Place of the highest member, the lowest possible one 0; -1 for none."""
    place = -1
    while mask:
        mask >>= 1
        place += 1
    return place
