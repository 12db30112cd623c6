"""The betting of one hand: who acts, what is legal, and the only way chips move once the posts are made.

`legal` and `apply` serve everything: strategies, replay of real hands, stepping through a hand, tests. An illegal action is refused, never
repaired. Amounts are totals of a seat's street ("raise to"), never differences.
"""

from typing import NamedTuple

import numpy as np

from sim.actions import CALLED, CHECKED, FLOP, FOLDED, RAISED
from sim.aligned import aligned_record
from sim.bits import lowest_bit
from sim.jit import jit
from sim.rules import CONSECUTIVE, FIXED_LIMIT, MAX_SEATS, POT_LIMIT

FOLD = -1  # the intent of a seat that gives up; every other intent is its total bet of the street
ILLEGAL = -1  # what `apply` returns, with the state untouched, for an intent outside the legal bounds

STATE = aligned_record(
    [
        ("n_seats", np.int64),
        ("button", np.int64),  # seat
        ("small_blind_seat", np.int64),  # -1: nobody is the small blind
        ("big_blind_seat", np.int64),  # -1: nobody is the big blind
        ("street", np.int64),  # 0 before the flop to 3 river
        ("to_act", np.int64),  # seat; -1: the betting of the street is over
        ("n_live", np.int64),  # seats that have not folded
        ("n_able", np.int64),  # live seats with chips behind
        ("able", np.int64),  # their mask (bit = seat)
        ("waiting", np.int64),  # mask of those that still owe a decision on the bet as it stands
        ("acted", np.int64),  # mask of the seats that acted on this street
        ("pot", np.int64),  # every chip in the middle, this street's bets included
        ("missing_blinds", np.int64),  # chips that the pot-limit maximum counts before the flop though nobody posted them
        ("current_bet", np.int64),  # what a call must match
        ("last_raise", np.int64),  # the last full bet or raise, on top of what it raised; first the big blind
        ("full_bet", np.int64),  # fixed limit: the last bet that counts as a full one
        ("n_bets", np.int64),  # fixed limit: full bets of the street, the big blind included
        ("capped", np.int64),  # fixed limit: 1 once the cap was reached with more than two live seats
        ("n_raises", np.int64),  # bets and raises of the street that players made, short all-ins included
        ("short_run", np.int64),  # chips of the short all-in raises that directly follow each other
        ("reopen_to", np.int64),  # the bet at which betting was last opened again for everybody
        ("aggressor", np.int64),  # seat of the last bet or raise of the street; -1: none
        ("last_aggressor", np.int64),  # the same over the whole hand
        ("stack", np.int64, (MAX_SEATS,)),  # chips behind
        ("bet", np.int64, (MAX_SEATS,)),  # chips put in on this street, live blinds included
        ("committed", np.int64, (MAX_SEATS,)),  # antes and bets of the hand: what others must match
        ("dead", np.int64, (MAX_SEATS,)),  # dead blinds and the big-blind ante: nobody matches them
        ("charge", np.int64, (MAX_SEATS,)),  # time charge paid to the house
        ("folded", np.int64, (MAX_SEATS,)),
    ]
)


class Legal(NamedTuple):
    """What the seat to act may do. Folding is always legal."""

    call_to: int  # its total bet after a check or call; less than the current bet when that takes its last chip
    min_raise_to: int  # 0: it may not raise
    max_raise_to: int


@jit
def next_street(rules, state):
    """Open the betting of the next street; the minimum bet is the big blind on every street (Robert's Rules)."""
    state.street += 1
    clear_street(state)
    state.waiting = state.able
    state.last_raise = rules.big_blind
    state.to_act = next_to_act(state, state.button)


@jit
def legal(rules, state):
    """The legal bounds of the seat to act, in chips of this street's total bet. Returns Legal."""
    seat = state.to_act
    bet = state.bet[seat]
    all_in = bet + state.stack[seat]
    call_to = min(_price(state, seat), all_in)
    if not _may_raise(rules, state, seat):
        return Legal(call_to, 0, 0)
    if rules.structure == FIXED_LIMIT:
        # A bet of less than half is completed, not raised (WSOP LA 129).
        raise_to = min(state.full_bet + bet_size(rules, state), all_in)
        return Legal(call_to, raise_to, raise_to)
    min_raise_to = state.current_bet + state.last_raise
    max_raise_to = all_in
    if rules.structure == POT_LIMIT:
        pot = state.pot + state.missing_blinds
        # Call, then raise by the pot: own bet + pot + 2 x call. A pot below the minimum bet does not forbid the minimum bet.
        max_raise_to = min(all_in, max(min_raise_to, bet + pot + 2 * (state.current_bet - bet)))
    if rules.raise_to_callers_stack:
        callable_to = _largest_callable(state, seat)
        if callable_to > state.current_bet:
            min_raise_to = min(min_raise_to, callable_to)
    return Legal(call_to, min(min_raise_to, all_in), max_raise_to)


@jit
def apply(rules, state, to):
    """Carry out the intent of the seat to act: FOLD, or its total bet of the street.

    Returns the kind of action (FOLDED, CHECKED, CALLED, RAISED), or ILLEGAL with the state untouched.
    """
    return apply_within(rules, state, legal(rules, state), to)


@jit
def apply_within(rules, state, bounds, to):
    """`apply` for who has asked for the legal bounds before."""
    seat = state.to_act
    if to == FOLD:
        kind = FOLDED
        state.folded[seat] = 1
        state.n_live -= 1
        _disable(state, seat)
    elif to == bounds.call_to:
        kind = CALLED if to > state.bet[seat] else CHECKED
        if kind == CALLED:
            state.short_run = 0
        _put_in(state, seat, to)
    elif bounds.min_raise_to > 0 and bounds.min_raise_to <= to <= bounds.max_raise_to:
        kind = RAISED
        _put_in(state, seat, to)
        _raise_to(rules, state, seat, to)
    else:
        return ILLEGAL
    state.acted |= 1 << seat
    state.waiting &= ~(1 << seat)
    state.to_act = next_to_act(state, seat)
    return kind


@jit
def left_of(state, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < state.n_seats else 0


@jit
def bet_size(rules, state):
    """Fixed limit: chips of one bet on this street."""
    return rules.small_bet if state.street <= FLOP else rules.big_bet


@jit
def clear_street(state):
    """No bets, and nobody has acted."""
    for seat in range(state.n_seats):
        state.bet[seat] = 0
    state.acted = 0
    state.current_bet = 0
    state.full_bet = 0
    state.n_bets = 0
    state.capped = 0
    state.n_raises = 0
    state.short_run = 0
    state.reopen_to = 0
    state.missing_blinds = 0
    state.aggressor = -1


@jit
def _largest_other_bet(state, seat):
    largest = 0
    for other in range(state.n_seats):
        if other != seat and not state.folded[other]:
            largest = max(largest, state.bet[other])
    return largest


@jit
def _largest_callable(state, seat):
    """The largest total of the street that another live seat can still match."""
    largest = 0
    for other in range(state.n_seats):
        if other != seat and not state.folded[other] and state.stack[other] > 0:
            largest = max(largest, state.bet[other] + state.stack[other])
    return largest


@jit
def _price(state, seat):
    """What a call must match: the current bet, or less when only all-in seats are left and the big blind among them was short."""
    if state.n_able == 1:
        return min(state.current_bet, max(state.bet[seat], _largest_other_bet(state, seat)))
    return state.current_bet


@jit
def next_to_act(state, after):
    """First seat clockwise that still owes a decision; -1 when the betting of the street is over."""
    if state.n_live < 2 or state.n_able == 0:
        return -1
    if state.n_able == 1:  # nobody can answer a bet: it decides only if it has something to call
        seat = lowest_bit(state.able)
        return seat if state.bet[seat] < _largest_other_bet(state, seat) else -1
    if state.waiting == 0:
        return -1
    later = state.waiting >> (after + 1)
    return after + 1 + lowest_bit(later) if later else lowest_bit(state.waiting)


@jit
def _may_raise(rules, state, seat):
    if state.bet[seat] + state.stack[seat] <= state.current_bet or (state.n_able < 2 and not rules.raise_nobody_can_call):
        return False
    fixed = rules.structure == FIXED_LIMIT
    if fixed and rules.cap > 0 and state.n_bets >= rules.cap:
        if state.capped or not rules.cap_off_heads_up or state.n_live > 2:
            return False
    if not state.acted >> seat & 1:
        return True
    if rules.reopening == CONSECUTIVE:  # WSOP T 96-a
        return state.bet[seat] < state.reopen_to
    facing = state.current_bet - state.bet[seat]
    if fixed:
        return 2 * facing >= bet_size(rules, state)  # half-bet rule (TDA 47-B, WSOP LA 129)
    return facing >= state.last_raise  # TDA 47-A


@jit
def _put_in(state, seat, to):
    chips = to - state.bet[seat]
    state.bet[seat] = to
    state.committed[seat] += chips
    state.pot += chips
    state.stack[seat] -= chips
    if chips > 0 and state.stack[seat] == 0:
        _disable(state, seat)


@jit
def _disable(state, seat):
    """The seat has no decision left in this hand: it folded, or its last chip is in."""
    state.n_able -= 1
    state.able &= ~(1 << seat)


@jit
def _raise_to(rules, state, seat, to):
    if rules.structure == FIXED_LIMIT:
        if 2 * (to - state.full_bet) >= bet_size(rules, state):
            state.full_bet = to
            state.reopen_to = to
            state.n_bets += 1
            if rules.cap > 0 and state.n_bets >= rules.cap and state.n_live > 2:
                state.capped = 1
    else:
        raised_by = to - state.current_bet
        if raised_by >= state.last_raise:
            state.last_raise = raised_by
            state.reopen_to = to
            state.short_run = 0
        else:
            state.short_run += raised_by
            if state.short_run >= state.last_raise:
                state.reopen_to = to
                state.short_run = 0
    state.current_bet = to
    state.waiting = state.able
    state.n_raises += 1
    state.aggressor = seat
    state.last_aggressor = seat


@jit
def live_from(state, level):
    """Mask of the live seats that committed at least `level` chips."""
    seats = 0
    for seat in range(state.n_seats):
        if not state.folded[seat] and state.committed[seat] >= level:
            seats |= 1 << seat
    return seats
