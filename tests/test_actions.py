"""The byte of an action and what is read from it, in kernels, of arrays and in Polars."""

from itertools import product

import numba
import numpy as np
import polars as pl
import pytest

from sim.actions import ACTION_KINDS, STREETS, kind_of, n_board_cards, pack_action, seat_of, street_of
from sim.bits import count_bits, highest_bit
from sim.rules import MAX_SEATS

ACTIONS = list(product(range(len(STREETS)), range(len(ACTION_KINDS)), range(MAX_SEATS)))


def test_every_action_is_read_as_it_was_packed():
    codes = [pack_action(*action) for action in ACTIONS]
    assert [(street_of(code), kind_of(code), seat_of(code)) for code in codes] == ACTIONS
    assert len(set(codes)) == len(ACTIONS) and max(codes) < 256


def test_arrays_and_expressions_are_read_like_numbers():
    codes = np.array([pack_action(*action) for action in ACTIONS], np.uint8)
    frame = pl.DataFrame({"code": codes}).select(
        street=street_of(pl.col("code")), kind=kind_of(pl.col("code")), seat=seat_of(pl.col("code"))
    )
    for name, got in (("street", street_of(codes)), ("kind", kind_of(codes)), ("seat", seat_of(codes))):
        assert got.dtype == np.uint8 and frame.schema[name] == pl.UInt8
        assert np.array_equal(got, frame[name].to_numpy())
    assert list(zip(*frame.to_dict(as_series=False).values(), strict=True)) == ACTIONS


def test_kernels_pack_and_count_board_cards_like_python():
    packed = numba.njit(lambda street, kind, seat: (pack_action(street, kind, seat), n_board_cards(street)))
    for action in ACTIONS:
        assert packed(*action) == (pack_action(*action), n_board_cards(action[0]))
    assert [n_board_cards(street) for street in range(4)] == [0, 3, 4, 5]


@pytest.mark.parametrize("mask", [0, 1, 2, 0b1011, 1 << 12, (1 << 13) - 1, 1 << 51])
def test_members_of_a_mask(mask):
    assert count_bits(mask) == mask.bit_count()
    assert highest_bit(mask) == mask.bit_length() - 1
