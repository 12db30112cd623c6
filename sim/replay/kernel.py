"""Replay of hands: posts, actions and amounts go through the same kernels as every other hand, and what they say is compared."""

import numpy as np

from sim.actions import CALLED, FOLDED, PREFLOP, RAISED, RIVER, n_board_cards
from sim.betting import FOLD, ILLEGAL, apply, legal, next_street
from sim.digest import mix_action
from sim.jit import jit
from sim.posts import post, start_hand
from sim.replay import checks
from sim.replay.desk import AS_FAR_AS_SHOWN, compare, differ
from sim.replay.facts import MATCHED, UNKNOWN
from sim.replay.settling import settle_hand


@jit
def replay_hands(houses, lenient, facts, evaluation, table, verdicts, differences):
    """Replay all hands of `facts`; returns the number of rows written to `differences`.

    houses  : (houses,) RULES whose house settings count; the numbers of the game are filled in for each hand
    lenient : (houses,) bool, odd chips may lie anywhere among the winners
    verdicts: (hands,) VERDICT; differences: (hands * MAX_DIFFERENCES,) DIFFERENCE
    """
    desk = table.desk
    desk.n_differences = 0
    for row in range(facts.hands.shape[0]):
        hand, verdict = facts.hands[row], verdicts[row]
        desk.hand = row
        desk.first_difference = desk.n_differences
        verdict.rake_sharing = UNKNOWN
        verdict.odd_chips_any = 0
        verdict.checked = AS_FAR_AS_SHOWN
        verdict.digest = np.uint64(0)
        rules = houses[hand.house]
        _set_game(rules, hand)
        _post(rules, hand, facts.seats, table, differences)
        if _act(rules, hand, facts.actions, table, differences):
            settle_hand(rules, hand, facts, evaluation, lenient[hand.house], table, verdict, differences)
        verdict.n_differences = desk.n_differences - desk.first_difference
    return desk.n_differences


@jit
def _set_game(rules, hand):
    rules.hole_cards = hand.hole_cards
    rules.hi_lo = hand.hi_lo
    rules.structure = hand.structure
    rules.small_blind = hand.small_blind
    rules.big_blind = hand.big_blind
    rules.small_bet = hand.small_bet
    rules.big_bet = hand.big_bet
    rules.ante = hand.ante
    rules.big_blind_ante = hand.big_blind_ante
    rules.time_charge = hand.time_charge


@jit
def _post(rules, hand, seats, table, differences):
    """Seat the players, take the posts, and compare what each put in."""
    state, posts, desk = table.state, table.posts, table.desk
    desk.street = PREFLOP
    desk.action = -1
    desk.digest = np.uint64(0)
    start_hand(state, hand.n_seats, hand.button, seats[hand.first_seat : hand.first_seat + hand.n_seats]["stack"])
    posts.small_blind_seat = hand.small_blind_seat
    posts.big_blind_seat = hand.big_blind_seat
    posts.straddle_seat = hand.straddle_seat
    for seat in range(hand.n_seats):
        facts = seats[hand.first_seat + seat]
        posts.live[seat] = facts.owed_live
        posts.dead[seat] = facts.owed_dead
    post(rules, state, posts)
    for seat in range(hand.n_seats):
        facts = seats[hand.first_seat + seat]
        compare(desk, differences, checks.TIME_CHARGE, seat, state.charge[seat], facts.charge)
        compare(desk, differences, checks.ANTE, seat, state.committed[seat] - state.bet[seat], facts.ante)
        compare(desk, differences, checks.LIVE_POST, seat, state.bet[seat], facts.live)
        compare(desk, differences, checks.DEAD_POST, seat, state.dead[seat], facts.dead)


@jit
def _act(rules, hand, actions, table, differences):
    """Carry out every action. Returns whether the hand came to its end; a difference ends it, as what follows would rest on it."""
    state, desk = table.state, table.desk
    if desk.n_differences > desk.first_difference:
        return False
    for number in range(hand.n_actions):
        action = actions[hand.first_action + number]
        desk.action = number
        while state.street < action.street and state.to_act < 0 and state.n_live > 1:
            next_street(rules, state)
        desk.street = state.street
        if state.street < action.street and state.to_act >= 0:
            differ(desk, differences, checks.ROUND_OPEN, state.to_act, state.to_act, action.seat)
            return False
        if state.to_act < 0 or state.street > action.street:
            differ(desk, differences, checks.NO_DECISION, action.seat, UNKNOWN, action.seat)
            return False
        if state.to_act != action.seat:
            differ(desk, differences, checks.TURN, action.seat, state.to_act, action.seat)
            return False
        if not _one_action(rules, action, table, differences):
            return False
    desk.action = -1
    while state.to_act < 0 and state.n_live > 1 and state.street < RIVER:
        next_street(rules, state)
    desk.street = state.street
    if state.to_act >= 0:
        differ(desk, differences, checks.ROUND_OPEN, state.to_act, state.to_act, UNKNOWN)
        return False
    n_board = n_board_cards(state.street)
    compare(desk, differences, checks.BOARD, -1, n_board, hand.n_board)
    return n_board == hand.n_board


@jit
def _one_action(rules, action, table, differences):
    state, desk = table.state, table.desk
    seat = action.seat
    bounds = legal(rules, state)
    before = state.bet[seat]
    to = action.to
    if action.kind == FOLDED:
        to = FOLD
    elif to == UNKNOWN:
        to = bounds.call_to
    kind = apply(rules, state, to)
    if kind == ILLEGAL:
        if action.kind != RAISED:
            differ(desk, differences, checks.CALL, seat, bounds.call_to, action.to)
        elif bounds.min_raise_to == 0:
            differ(desk, differences, checks.NO_RAISE, seat, bounds.call_to, action.to)
        else:
            check = checks.MIN_RAISE if action.to < bounds.min_raise_to else checks.MAX_RAISE
            differ(desk, differences, check, seat, bounds.min_raise_to, action.to, -1, bounds.max_raise_to)
        return False
    if action.kind != MATCHED or kind > CALLED:
        compare(desk, differences, checks.KIND, seat, kind, action.kind)
    if action.chips != UNKNOWN:
        compare(desk, differences, checks.PUT, seat, state.bet[seat] - before, action.chips)
    if action.kind != FOLDED and action.all_in != UNKNOWN:
        compare(desk, differences, checks.ALL_IN, seat, state.stack[seat] == 0, action.all_in)
    desk.digest = mix_action(desk.digest, state.street, kind, seat, state.bet[seat])
    return True
