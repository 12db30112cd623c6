"""The digest of hands as a replay counts it, made from the columns of a run: actions, cards dealt, final stacks and rake.

Unlike the digest of a run it leaves out cards that were never dealt, which no history can hold.
"""

import numpy as np

from sim.digest import mix
from sim.jit import jit
from sim.records import Columns


def digest_of_columns(columns: Columns, first_hand: int, n_hands: int, hole_cards: int) -> int:
    """Digest of hands first_hand .. first_hand + n_hands - 1 in full records, modulo 2**64; sums over ranges."""
    with np.errstate(over="ignore"):
        return int(_digest(columns, first_hand, n_hands, hole_cards))


@jit
def _digest(columns, first_hand, n_hands, hole_cards):
    n_seats = columns.stack.shape[0]
    total = np.uint64(0)
    for row in range(n_hands):
        digest = np.uint64(0)
        for action in range(columns.act_offsets[row], columns.act_offsets[row + 1]):
            digest = mix(mix(digest, columns.act_code[action]), columns.act_amount[action])
        digest = mix(digest, first_hand + row)
        for card in range(columns.board_offsets[row], columns.board_offsets[row + 1]):
            digest = mix(digest, columns.board[card])
        for seat in range(n_seats):
            for card in range(hole_cards):
                digest = mix(digest, columns.hole[(row * n_seats + seat) * hole_cards + card] + 1)
            digest = mix(digest, columns.stack[seat, row] + columns.net[seat, row])
        total += mix(digest, columns.rake[row])
    return total
