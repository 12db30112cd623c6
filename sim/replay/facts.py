"""Many hands as arrays of integers, which the replay kernel reads: one row per hand, and rows of its seats, actions and payments.

Seats are 0..n-1 clockwise, amounts chips.
"""

from typing import NamedTuple

import numpy as np

from sim.aligned import aligned_record
from sim.rules import BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS

UNKNOWN = -1  # a card, an amount or a seat that the source does not say
ALL_POTS = -1
WHOLE_POT, HIGH_HALF, LOW_HALF = 0, 1, 2
MATCHED = 4  # a check or a call, the source does not say which; the other kinds of action are those of sim.actions


def _record(*fields: tuple) -> np.dtype:
    return aligned_record([(name, np.int64, *shape) for name, *shape in fields])


HAND = _record(
    ("n_seats",),
    ("first_seat",),  # rows of the other tables
    ("n_actions",),
    ("first_action",),
    ("n_payments",),
    ("first_payment",),
    ("house",),  # place in the list of houses
    ("hole_cards",),
    ("hi_lo",),
    ("structure",),
    ("small_blind",),
    ("big_blind",),
    ("small_bet",),
    ("big_bet",),
    ("ante",),
    ("big_blind_ante",),
    ("time_charge",),
    ("button",),  # seat; for an empty seat the last occupied one before it
    ("small_blind_seat",),  # UNKNOWN: nobody
    ("big_blind_seat",),
    ("straddle_seat",),
    ("n_board",),
    ("board", (BOARD_CARDS,)),  # card ids
    ("uncalled_seat",),
    ("uncalled",),  # chips; UNKNOWN: not stated
    ("total_pot",),  # UNKNOWN: not stated
    ("rake",),  # fees included; UNKNOWN: not stated
    ("n_pots",),  # pots whose amounts are stated; 0: not stated
    ("pots", (MAX_SEATS,)),  # chips before the rake, main pot first
    ("number",),  # the id where it is a number, else 0: for the digest
)
SEAT = _record(
    ("stack",),
    ("owed_live",),  # what the seat is to post as part of its bet
    ("owed_dead",),
    ("charge",),  # what it posted: time charge, ante, live, dead
    ("ante",),
    ("live",),
    ("dead",),
    ("final",),  # chips after the hand; UNKNOWN: not stated
    ("known",),  # 1: all hole cards are known
    ("hole", (MAX_HOLE_CARDS,)),
)
ACTION = _record(("street",), ("seat",), ("kind",), ("chips",), ("to",), ("all_in",))
PAYMENT = _record(("seat",), ("amount",), ("pot",), ("side",))


class Facts(NamedTuple):
    """Many hands as arrays."""

    hands: np.ndarray  # (hands,) HAND
    seats: np.ndarray  # (seats of all hands,) SEAT
    actions: np.ndarray  # (actions of all hands,) ACTION
    payments: np.ndarray  # (payments of all hands,) PAYMENT
