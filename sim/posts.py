"""Before the first card: who posts what, and how the betting opens."""

import numpy as np

from sim.actions import PREFLOP
from sim.aligned import aligned_record
from sim.betting import clear_street, left_of, next_to_act
from sim.bits import count_bits
from sim.jit import jit
from sim.rules import (
    ABSENT_BLIND_IN_FULL,
    ANTE_FIRST,
    BY_DIFFERENCE,
    BY_STRADDLE,
    MAX_SEATS,
    SHORT_BLIND_IN_FULL,
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
    clear_street(state)


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
    state.to_act = next_to_act(state, last_blind)


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
