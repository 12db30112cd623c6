"""Plain-Python twins of sim.rng and the deal: whole numbers of any size, nothing taken from the project.

Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC11), section 3.3; Lemire (2019), algorithm 5.
"""

MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
WEYL = 0x9E3779B9, 0xBB67AE85


def philox(counter, key):
    """Four words of Philox4x32-10."""
    a, b, c, d = counter
    for i in range(10):
        key_0, key_1 = ((word + i * weyl) % 2**32 for word, weyl in zip(key, WEYL, strict=True))
        high_0, low_0 = divmod(a * MULTIPLIERS[0], 2**32)
        high_1, low_1 = divmod(c * MULTIPLIERS[1], 2**32)
        a, b, c, d = high_1 ^ b ^ key_0, low_1, high_0 ^ d ^ key_1, low_0
    return a, b, c, d


def words(seed, hand_id, purpose):
    """All words of a stream, one by one."""
    block = 0
    while True:
        yield from philox((hand_id % 2**32, hand_id >> 32, purpose, block), (seed % 2**32, seed >> 32))
        block += 1


def below(stream, n):
    """A number below n: a word takes the n-th part of 2**32 that it falls in, unless it lies in the unfair start of that part."""
    while True:
        value, rest = divmod(next(stream) * n, 2**32)
        if rest >= 2**32 % n:
            return value


def shuffle(cards, draw):
    """Fisher-Yates from the front: each place takes one of the cards not placed yet; draw(n) gives a number below n."""
    left, placed = list(cards), []
    while left:
        chosen = draw(len(left))
        placed.append(left[chosen])
        left[chosen] = left[0]
        left.pop(0)
    return placed


def deal(seed, hand_id):
    """The 52 cards of a hand's deck in order."""
    stream = words(seed, hand_id, 0)
    return shuffle(range(52), lambda n: below(stream, n))
