"""Random numbers: the published vectors of Philox4x32-10, the plain-Python twin, exact bounded draws, independent streams.

Statistical tests have fixed seeds and ask for less than 5 standard deviations; each has a negative control that must be far beyond.
"""

from itertools import islice

import naive_rng
import numba
import numpy as np
import pytest
from chi_square import chi_square_z
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.jit import jit
from sim.rng import STREAM, STREAM_FIELDS, lemire, next_word, philox, random_below, random_unit, start_stream

large = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="too many draws for plain Python")

# Random123, tests/kat_vectors, philox4x32 10: counter, key, result
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]
WORDS = st.integers(0, 2**32 - 1)
IDS = st.integers(0, 2**64 - 1)


def plain(kernel):
    """The Python function of a kernel, also when compilation is switched off."""
    return getattr(kernel, "py_func", kernel)


def stream_of(seed, hand_id, purpose):
    """A started stream."""
    stream = np.zeros(1, STREAM)[0]
    start_stream(stream, np.uint64(seed), np.uint64(hand_id), purpose)
    return stream


def hexadecimal(words):
    """The words as a line of kat_vectors writes them."""
    return " ".join(f"{int(word):08x}" for word in words)


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN_ANSWERS)
def test_philox_gives_the_published_answers(counter, key, expected):
    counter, key = ([int(word, 16) for word in text.split()] for text in (counter, key))
    assert hexadecimal(philox(*counter, *key)) == expected
    assert hexadecimal(plain(philox)(*counter, *key)) == expected
    assert hexadecimal(naive_rng.philox(counter, key)) == expected


@settings(deadline=None)  # the first call compiles
@given(st.tuples(WORDS, WORDS, WORDS, WORDS), st.tuples(WORDS, WORDS))
def test_philox_compiled_plain_and_twin_agree(counter, key):
    expected = naive_rng.philox(counter, key)
    assert tuple(map(int, philox(*counter, *key))) == expected
    assert tuple(map(int, plain(philox)(*counter, *key))) == expected


@settings(deadline=None)  # the first call compiles
@given(IDS, IDS, st.integers(0, 10))
def test_stream_is_philox_of_seed_hand_purpose_and_block(seed, hand_id, purpose):
    stream = stream_of(seed, hand_id, purpose)
    got = [int(next_word(stream)) for _ in range(9)]
    assert got == list(islice(naive_rng.words(seed, hand_id, purpose), 9))
    assert stream.rng_draws == 9


# 2**31 + 1 rejects every second word, 3 * 2**30 every fourth.
@pytest.mark.parametrize("n", [1, 2, 3, 52, 10**9 + 7, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32])
def test_random_below_equals_twin_and_uses_as_many_words(n):
    stream, words = stream_of(7, 8, 9), naive_rng.words(7, 8, 9)
    for _ in range(100):
        got, expected = random_below(stream, n), naive_rng.below(words, n)
        assert got == expected
        assert 0 <= got < n
    assert next_word(stream) == next(words)  # so they used as many words
    plain_stream, words = stream_of(7, 8, 9), naive_rng.words(7, 8, 9)
    for _ in range(5):
        assert plain(random_below)(plain_stream, n) == naive_rng.below(words, n)


@pytest.mark.parametrize("n", [2**20 + 7, 3 * 2**22, 10**9 + 7, 2**31 + 1, 2**32 - 1])
def test_every_value_below_n_is_hit_by_equally_many_words(n):
    accepted_per_value, all_per_value = set(), set()
    for value in (0, 1, 2, n // 3, n // 2, n - 2, n - 1):
        words = range(-(-value * 2**32 // n), -(-(value + 1) * 2**32 // n))  # those with word * n // 2**32 == value
        draws = [lemire(np.uint64(word), np.uint64(n)) for word in words]
        assert {int(got) for got, _ in draws} <= {value}
        accepted_per_value.add(sum(bool(accepted) for _, accepted in draws))
        all_per_value.add(len(words))
    assert accepted_per_value == {2**32 // n}
    assert len(all_per_value) == 2  # negative control: without rejection some values have one word more


@jit
def _counts(draws, n, biased):
    """How often each value of 0..n-1 comes in `draws` draws, and each pair of values of neighbouring draws; biased: a byte modulo n."""
    stream_array = np.zeros(1, STREAM)
    stream = stream_array[0]
    start_stream(stream, 20_240_601, 1, 3)
    singles, pairs = np.zeros(n, np.int64), np.zeros((n, n), np.int64)
    last = 0
    for i in range(draws):
        value = np.int64(next_word(stream) & np.uint32(255)) % n if biased else random_below(stream, n)
        singles[value] += 1
        if i % 2:
            pairs[last, value] += 1
        last = value
    return singles, pairs


@large
def test_bounded_draws_are_uniform_and_neighbours_independent():
    n, draws = 52, 2_000_000
    singles, pairs = _counts(draws, n, False)
    assert abs(chi_square_z(singles, draws / n, n - 1)) < 5
    assert abs(chi_square_z(pairs, draws / 2 / n**2, n**2 - 1)) < 5
    singles, pairs = _counts(draws, n, True)  # negative control: 256 = 4 * 52 + 48, so 48 values come a quarter more often
    assert chi_square_z(singles, draws / n, n - 1) > 100
    assert chi_square_z(pairs, draws / 2 / n**2, n**2 - 1) > 50


@jit
def _purposes(hands, same):
    """Counts (8, 8) of the first draws below 8 of two purposes in one hand; same: the negative control that shares one stream."""
    streams = np.zeros(2, STREAM)
    counts = np.zeros((8, 8), np.int64)
    for hand_id in range(hands):
        start_stream(streams[0], 11, hand_id, 1)
        start_stream(streams[1], 11, hand_id, 1 if same else 2)
        counts[random_below(streams[0], 8), random_below(streams[1], 8)] += 1
    return counts


@large
def test_purposes_of_a_hand_are_independent_streams():
    hands = 500_000
    assert abs(chi_square_z(_purposes(hands, False), hands / 64, 63)) < 5
    assert chi_square_z(_purposes(hands, True), hands / 64, 63) > 100


def test_no_two_streams_of_neighbouring_seeds_hands_and_purposes_are_equal():
    """Case rng-004: worker seeds that are added up share streams; here every (seed, hand, purpose) has its own."""
    starts = {
        tuple(int(next_word(stream)) for _ in range(2))
        for seed in (0, 1, 2, 100, 101, 2**32, 2**63)
        for hand_id in (0, 1, 2, 7, 2**32)
        for purpose in range(11)
        for stream in [stream_of(seed, hand_id, purpose)]
    }
    assert len(starts) == 7 * 5 * 11


def test_random_unit_has_53_bits_of_two_words():
    stream, words = stream_of(1, 2, 3), naive_rng.words(1, 2, 3)
    for _ in range(200):
        got, high, low = random_unit(stream), next(words), next(words)
        assert got == ((high >> 5) * 2**26 + (low >> 6)) / 2**53
        assert 0 <= got < 1
    assert stream.rng_draws == 400


def test_any_record_with_the_fields_is_a_stream():
    record = np.zeros(1, np.dtype((np.record, np.dtype([("seat", np.int64), *STREAM_FIELDS, ("stack", np.int64, (2,))], align=True))))[0]
    record.seat, record.stack[1] = 4, 5
    start_stream(record, 3, 4, 5)
    twin = naive_rng.words(3, 4, 5)
    assert [random_below(record, 10) for _ in range(6)] == [naive_rng.below(twin, 10) for _ in range(6)]
    assert (record.seat, record.stack[1]) == (4, 5)
