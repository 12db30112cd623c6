"""The records of a replay: what the kernels keep of the hand at hand, and what they find."""

from typing import NamedTuple

import numpy as np

from sim.aligned import aligned_record
from sim.betting import STATE
from sim.jit import jit
from sim.posts import POSTS
from sim.pots import SETTLEMENT
from sim.rules import BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS

AS_FAR_AS_SHOWN, FULLY = 1, 2
MAX_DIFFERENCES = 64  # of one hand; more are not kept

VERDICT = aligned_record(
    [
        ("checked", np.int64),  # FULLY, or AS_FAR_AS_SHOWN: cards of the showdown or amounts are missing
        ("n_differences", np.int64),
        ("rake_sharing", np.int64),  # place in RAKE_SHARING of the rule that explains the amounts; -1: one pot, or no rake
        ("odd_chips_any", np.int64),  # 1: odd chips lie otherwise than the rules say, which this house was allowed
        ("digest", np.uint64),  # of the hand as replayed; 0: it was not settled
    ]
)
DIFFERENCE = aligned_record(
    [
        ("hand", np.int64),  # row
        ("street", np.int64),
        ("seat", np.int64),  # -1: none
        ("check", np.int64),  # number in `checks`
        ("pot", np.int64),  # of checks.OF_A_POT
        ("action", np.int64),  # number within the hand; -1: none
        ("expected", np.int64),
        ("expected_to", np.int64),  # upper bound of a raise
        ("got", np.int64),
    ]
)
DESK = aligned_record(
    [
        ("hand", np.int64),  # row
        ("street", np.int64),
        ("action", np.int64),
        ("n_differences", np.int64),  # of all hands so far
        ("first_difference", np.int64),  # of this hand
        ("digest", np.uint64),  # of the actions so far
        ("strength", np.int64, (MAX_SEATS,)),
        ("low", np.int64, (MAX_SEATS,)),
        ("paid", np.int64, (MAX_SEATS,)),  # chips the source says each seat collected
        ("paid_of", np.int64, (3, MAX_SEATS, MAX_SEATS)),  # the same by side, pot and seat
        ("one_figure", np.int64),  # 1: the source gives one figure over several pots
        ("board", np.uint8, (BOARD_CARDS,)),
        ("hole", np.uint8, (MAX_HOLE_CARDS,)),
        ("share", np.int64, (2, MAX_SEATS)),
    ]
)


class ReplayTable(NamedTuple):
    """The records that hands are replayed on."""

    state: np.record
    posts: np.record
    settlement: np.record
    desk: np.record


def new_replay_table() -> ReplayTable:
    """An empty table."""
    return ReplayTable(*(np.zeros(1, dtype)[0] for dtype in (STATE, POSTS, SETTLEMENT, DESK)))


@jit
def differ(desk, differences, check, seat, expected, got, pot=-1, expected_to=-1):
    """Note a difference of the hand on the desk."""
    if desk.n_differences - desk.first_difference >= MAX_DIFFERENCES:
        return
    difference = differences[desk.n_differences]
    difference.hand = desk.hand
    difference.street = desk.street
    difference.seat = seat
    difference.check = check
    difference.pot = pot
    difference.action = desk.action
    difference.expected = expected
    difference.expected_to = expected_to
    difference.got = got
    desk.n_differences += 1


@jit
def compare(desk, differences, check, seat, expected, got):
    """Note a difference if there is one."""
    if expected != got:
        differ(desk, differences, check, seat, expected, got)
