"""The betting of one hand: who acts, what is legal, and the only way chips move.

`legal` and `apply` serve everything: strategies, replay of real hands, stepping through a hand, tests. An illegal action is refused, never
repaired. Amounts are totals of a seat's street ("raise to"), never differences.
"""

from typing import NamedTuple

import numpy as np

from sim.actions import CALLED, CHECKED, FLOP, FOLDED, PREFLOP, RAISED
from sim.aligned import aligned_record
from sim.bits import count_bits, lowest_bit
from sim.jit import jit
from sim.rules import (
    ABSENT_BLIND_IN_FULL,
    ANTE_FIRST,
    BY_DIFFERENCE,
    BY_STRADDLE,
    CONSECUTIVE,
    FIXED_LIMIT,
    MAX_SEATS,
    POT_LIMIT,
    SHORT_BLIND_IN_FULL,
)

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

POSTS = aligned_record(
    [
        ("small_blind_seat", np.int64),  # -1: nobody, e.g. a dead small blind
        ("big_blind_seat", np.int64),
        ("straddle_seat", np.int64),  # -1: nobody
        ("live", np.int64, (MAX_SEATS,)),  # chips each seat is to post as part of its bet: blinds, straddle, a newcomer's post
        ("dead", np.int64, (MAX_SEATS,)),  # chips each seat is to post into the middle: missed blinds
    ]
)


class Legal(NamedTuple):
    """What the seat to act may do. Folding is always legal."""

    call_to: int  # its total bet after a check or call; less than the current bet when that takes its last chip
    min_raise_to: int  # 0: it may not raise
    max_raise_to: int


@jit
def start_hand(state, n_seats, button, stacks):
    """An empty table: every seat has its stack, nothing is posted. stacks: (n_seats,) int64 chips, each above 0."""
    state.n_seats = n_seats
    state.button = button
    state.street = PREFLOP
    state.to_act = -1
    state.n_live = n_seats
    state.n_able = n_seats
    state.able = (1 << n_seats) - 1
    state.pot = 0
    state.last_aggressor = -1
    for seat in range(n_seats):
        state.stack[seat] = stacks[seat]
        state.committed[seat] = 0
        state.dead[seat] = 0
        state.charge[seat] = 0
        state.folded[seat] = 0
    _clear_street(state)


@jit
def standard_posts(rules, state, posts):
    """Blinds and straddle left of the button; heads-up the button is the small blind (TDA 34-B)."""
    n_seats = state.n_seats
    heads_up = n_seats == 2
    small_blind_seat = state.button if heads_up else left_of(state, state.button)
    big_blind_seat = left_of(state, small_blind_seat)
    straddle_seat = left_of(state, big_blind_seat)
    for seat in range(n_seats):
        posts.live[seat] = 0
        posts.dead[seat] = 0
    posts.small_blind_seat = small_blind_seat
    posts.big_blind_seat = big_blind_seat
    posts.straddle_seat = -1
    posts.live[small_blind_seat] = rules.small_blind
    posts.live[big_blind_seat] = rules.big_blind
    # A straddle is voluntary and must be posted whole.
    if rules.straddle > 0 and not heads_up and state.stack[straddle_seat] >= rules.time_charge + rules.ante + rules.straddle:
        posts.straddle_seat = straddle_seat
        posts.live[straddle_seat] = rules.straddle


@jit
def post(rules, state, posts):
    """Take time charge, antes, blinds and other posts, each as far as the stack goes, and open the betting before the flop."""
    n_seats = state.n_seats
    for seat in range(n_seats):
        charge = min(rules.time_charge, state.stack[seat])
        state.stack[seat] -= charge
        state.charge[seat] = charge
        ante = min(rules.ante, state.stack[seat])
        state.stack[seat] -= ante
        state.committed[seat] += ante
        state.pot += ante
    for seat in range(n_seats):
        dead = posts.dead[seat]
        if seat == posts.big_blind_seat:
            if rules.big_blind_ante_order == ANTE_FIRST:  # TDA RP-11 of 2019
                _post_dead(state, seat, rules.big_blind_ante)
            else:
                dead += rules.big_blind_ante
        live = min(posts.live[seat], state.stack[seat])
        state.stack[seat] -= live
        state.bet[seat] = live
        state.committed[seat] += live
        state.pot += live
        _post_dead(state, seat, dead)
    state.able = 0
    price = rules.big_blind  # a short or missing big blind does not lower it (WSOP LA 150)
    for seat in range(n_seats):
        price = max(price, state.bet[seat])
        state.able |= (state.stack[seat] > 0) << seat
    state.n_able = count_bits(state.able)
    state.waiting = state.able
    state.small_blind_seat = posts.small_blind_seat
    state.big_blind_seat = posts.big_blind_seat
    state.current_bet = price
    state.full_bet = price
    state.reopen_to = price
    state.n_bets = 1
    state.last_raise = rules.big_blind
    last_blind = posts.big_blind_seat
    if posts.straddle_seat >= 0:
        last_blind = posts.straddle_seat
        state.n_bets = 2
        if rules.straddle_min_raise == BY_STRADDLE:
            state.last_raise = price
        elif rules.straddle_min_raise == BY_DIFFERENCE:
            state.last_raise = price - rules.big_blind
    if last_blind < 0:
        last_blind = posts.small_blind_seat if posts.small_blind_seat >= 0 else state.button
    state.missing_blinds = _missing_blinds(rules, state)
    state.to_act = _next_to_act(state, last_blind)


@jit
def next_street(rules, state):
    """Open the betting of the next street; the minimum bet is the big blind on every street (Robert's Rules)."""
    state.street += 1
    _clear_street(state)
    state.waiting = state.able
    state.last_raise = rules.big_blind
    state.to_act = _next_to_act(state, state.button)


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
    state.to_act = _next_to_act(state, seat)
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
def _clear_street(state):
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
def _post_dead(state, seat, chips):
    dead = min(chips, state.stack[seat])
    state.stack[seat] -= dead
    state.dead[seat] += dead
    state.pot += dead


@jit
def _missing_blinds(rules, state):
    """TDA 54-B: before the flop a pot-limit maximum counts short blinds in full (short_blind=true_value: as posted)."""
    missing = 0
    absent = state.small_blind_seat < 0
    if absent and rules.absent_small_blind == ABSENT_BLIND_IN_FULL:
        missing += rules.small_blind
    if not absent and rules.short_blind == SHORT_BLIND_IN_FULL:
        missing += max(0, rules.small_blind - state.bet[state.small_blind_seat])
    if rules.small_blind_as_big_blind and (not absent or rules.absent_small_blind == ABSENT_BLIND_IN_FULL):  # WSOP LA 187
        missing += rules.big_blind - rules.small_blind
    if state.big_blind_seat >= 0 and rules.short_blind == SHORT_BLIND_IN_FULL:
        missing += max(0, rules.big_blind - state.bet[state.big_blind_seat])
    return missing


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
def _next_to_act(state, after):
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
