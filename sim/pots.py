"""Settlement of a hand: the uncalled bet, the pots, the rake, the halves, odd chips, and who shows.

Pots are built once from each seat's total and who folded; each is raked and split on its own. Seats of a pot are bit masks (bit = seat).
"""

import numpy as np

from sim.aligned import aligned_record
from sim.betting import left_of, live_from
from sim.bits import count_bits
from sim.jit import jit
from sim.rake import take_rake
from sim.rules import ALL_TO_HIGH, MAX_SEATS
from sim.showing import show

SETTLEMENT = aligned_record(
    [
        ("uncalled", np.int64),  # chips that went back to `uncalled_seat` before the pots were made
        ("uncalled_seat", np.int64),  # -1: none
        ("pot", np.int64),  # all pots together, before the rake
        ("rake", np.int64),  # chips for the house, time charge included
        ("n_pots", np.int64),
        ("n_shown", np.int64),  # seats in `order`; 0: no showdown
        ("shown", np.int64),  # mask: seats that table their cards
        ("order", np.int64, (MAX_SEATS,)),  # seats of the showdown in the order in which they show or muck
        ("won", np.int64, (MAX_SEATS,)),  # chips each seat collects
        ("amount", np.int64, (MAX_SEATS,)),  # per pot, main pot first: chips before the rake
        ("rake_of", np.int64, (MAX_SEATS,)),  # per pot: chips raked
        ("eligible", np.int64, (MAX_SEATS,)),  # per pot: mask of the live seats that can win it
        ("high_winners", np.int64, (MAX_SEATS,)),  # per pot: mask
        ("low_winners", np.int64, (MAX_SEATS,)),  # per pot: mask; 0: no low half
    ]
)


@jit
def settle(rules, state, strength, low, settlement):
    """Pay out a finished hand.

    strength : (seats,) int64, higher wins; read only at a showdown (more than one live seat)
    low      : (seats,) int64, higher wins, 0: no low
    Fills `settlement` and moves the chips to the stacks. Raises ValueError if a chip appeared or vanished.
    """
    return_uncalled(state, settlement)
    build_pots(state, settlement)
    take_rake(rules, state, settlement)
    pay_out(rules, state, strength, low, settlement)


@jit
def pay_out(rules, state, strength, low, settlement):
    """Split every pot, after its rake, over the best hands; the rest as in `settle`."""
    for seat in range(state.n_seats):
        settlement.won[seat] = 0
    showdown = state.n_live > 1
    for pot in range(settlement.n_pots):
        eligible = settlement.eligible[pot]
        settlement.high_winners[pot] = best_of(strength, eligible, state.n_seats) if showdown else eligible
        settlement.low_winners[pot] = best_of(low, eligible, state.n_seats) if showdown and rules.hi_lo else 0
        split_pot(rules, state, settlement, pot)
    if showdown:
        show(rules, state, strength, low, settlement)
    else:
        settlement.n_shown = 0
        settlement.shown = 0
    total = settlement.rake
    for seat in range(state.n_seats):
        state.stack[seat] += settlement.won[seat]
        total += net(state, settlement, seat)
    if total != 0:
        raise ValueError("chips appeared or vanished in a hand: net and rake do not sum to zero")


@jit
def net(state, settlement, seat):
    """Chips the seat won minus all it put in, time charge included."""
    return settlement.won[seat] - state.committed[seat] - state.dead[seat] - state.charge[seat]


@jit
def return_uncalled(state, settlement):
    """Give the part of the largest bet that nobody matched back to its seat. Dead chips are never returned."""
    largest, second, largest_seat = 0, 0, -1
    for seat in range(state.n_seats):
        committed = state.committed[seat]
        if committed > largest:
            largest, second, largest_seat = committed, largest, seat
        elif committed > second:
            second = committed
    settlement.uncalled = 0
    settlement.uncalled_seat = -1
    if largest > second and not state.folded[largest_seat]:
        settlement.uncalled = largest - second
        settlement.uncalled_seat = largest_seat
        state.committed[largest_seat] = second
        state.stack[largest_seat] += largest - second
        state.pot -= largest - second


@jit
def build_pots(state, settlement):
    """Main and side pots: one layer per different total of a live seat (TDA 21: all can be won from each at most what one put in).

    Dead chips belong to the main pot; folded chips above the last live total join the last pot.
    """
    dead = 0
    nothing_matched = False
    for seat in range(state.n_seats):
        dead += state.dead[seat]
        nothing_matched |= state.committed[seat] == 0 and not state.folded[seat]
    n_pots = 0
    if dead > 0 and nothing_matched:  # a seat all-in for its dead chips can win those only
        settlement.amount[0] = dead
        settlement.eligible[0] = live_from(state, 0)
        n_pots, dead = 1, 0
    below = 0
    while True:
        level = _next_level(state, below)
        if level == 0:
            break
        amount = 0
        for seat in range(state.n_seats):
            amount += min(state.committed[seat], level) - min(state.committed[seat], below)
        settlement.amount[n_pots] = amount + dead
        settlement.eligible[n_pots] = live_from(state, level)
        n_pots += 1
        dead = 0
        below = level
    for seat in range(state.n_seats):
        settlement.amount[n_pots - 1] += max(0, state.committed[seat] - below)
    settlement.n_pots = n_pots
    settlement.pot = state.pot


@jit
def _next_level(state, below):
    """Smallest total of a live seat above `below`; 0: none."""
    level = 0
    for seat in range(state.n_seats):
        committed = state.committed[seat]
        if not state.folded[seat] and committed > below and (level == 0 or committed < level):
            level = committed
    return level


@jit
def best_of(value, seats, n_seats):
    """Mask of the seats among `seats` with the highest value; 0 if that is 0."""
    best, winners = 0, 0
    for seat in range(n_seats):
        if seats >> seat & 1:
            if value[seat] > best:
                best, winners = value[seat], 1 << seat
            elif value[seat] == best and best > 0:
                winners |= 1 << seat
    return winners


@jit
def split_pot(rules, state, settlement, pot):
    """Divide one pot, after its rake, over the winners of its halves."""
    high_half, low_half = halves(rules, settlement, pot)
    share_out(rules, state, high_half, settlement.high_winners[pot], settlement.won)
    if low_half:
        share_out(rules, state, low_half, settlement.low_winners[pot], settlement.won)


@jit
def halves(rules, settlement, pot):
    """Chips for the high and the low winners of a pot, after its rake. The odd chip of a pot goes to the high half (TDA 20)."""
    amount = settlement.amount[pot] - settlement.rake_of[pot]
    low_winners = settlement.low_winners[pot]
    low_half = amount // 2 if low_winners else 0
    if rules.odd_chips == ALL_TO_HIGH and low_winners:  # what does not divide among the lows goes to the high hand too
        low_half -= low_half % count_bits(low_winners)
    return amount - low_half, low_half


@jit
def share_out(rules, state, chips, winners, won):
    """Add equal parts of `chips` to `won` of each winner.

    Odd chips go one each to the first winners left of the button (TDA 20), or all to the first of them (all_to_high).
    """
    n_winners = count_bits(winners)
    part = chips // n_winners if n_winners > 1 else chips
    odd = chips - part * n_winners
    seat = state.button
    for _ in range(state.n_seats):
        seat = left_of(state, seat)
        if winners >> seat & 1:
            extra = odd if rules.odd_chips == ALL_TO_HIGH else min(odd, 1)
            won[seat] += part + extra
            odd -= extra
