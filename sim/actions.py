"""Streets and kinds of action: their numbers in kernels, their names in records and files, and the byte that records an action.

Kernels compile these functions, Python calls them as they are; those that read a byte take arrays and Polars expressions too.
"""

from sim.jit import jit_inside

STREETS = ("preflop", "flop", "turn", "river")
PREFLOP, FLOP, TURN, RIVER = range(len(STREETS))

ACTION_KINDS = ("fold", "check", "call", "raise")  # a bet is the first raise of a street
FOLDED, CHECKED, CALLED, RAISED = range(len(ACTION_KINDS))


@jit_inside
def n_board_cards(street):
    """Board cards dealt by the end of a street: 0, 3, 4 or 5."""
    return street + 2 if street > PREFLOP else 0


@jit_inside
def pack_action(street, kind, seat):
    """The byte of an action, 0..255."""
    return street << 6 | kind << 4 | seat


def street_of(code):
    """The street of an action's byte."""
    return code // 64


def kind_of(code):
    """The kind of an action's byte."""
    return code // 16 % 4


def seat_of(code):
    """The seat of an action's byte."""
    return code % 16
