"""Replay of hands: posts, actions and amounts go through the same kernels as every other hand, and what they say is compared."""

from typing import NamedTuple

import numpy as np

from sim.betting import (
    CALLED,
    FLOP,
    FOLD,
    FOLDED,
    ILLEGAL,
    POSTS,
    PREFLOP,
    RAISED,
    RIVER,
    STATE,
    apply,
    legal,
    next_street,
    post,
    start_hand,
)
from sim.cards import BOARD_CARDS
from sim.digest import mix
from sim.evaluation import board_context, low, strength
from sim.jit import jit
from sim.pots import SETTLEMENT, best_of, build_pots, count_seats, halves, pay_out, return_uncalled, share_out
from sim.replay import checks
from sim.replay.facts import ALL_POTS, MATCHED, UNKNOWN
from sim.replay.rake_sharing import RAKE_SHARING, n_attempts, share_stated_rake
from sim.rules import MAX_HOLE_CARDS, MAX_SEATS

AS_FAR_AS_SHOWN, FULLY = 1, 2
MAX_DIFFERENCES = 64  # of one hand; more are not kept

VERDICT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("checked", np.int64),  # FULLY, or AS_FAR_AS_SHOWN: cards of the showdown or amounts are missing
                ("n_differences", np.int64),
                ("rake_sharing", np.int64),  # place in RAKE_SHARING of the rule that explains the amounts; -1: one pot, or no rake
                ("odd_chips_any", np.int64),  # 1: odd chips lie otherwise than the rules say, which this house was allowed
                ("digest", np.uint64),  # of the hand as replayed
            ],
            align=True,
        ),
    )
)
DIFFERENCE = np.dtype(
    (
        np.record,
        np.dtype(
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
            ],
            align=True,
        ),
    )
)
DESK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hand", np.int64),  # row
                ("street", np.int64),
                ("action", np.int64),
                ("n_differences", np.int64),  # of all hands so far
                ("first_difference", np.int64),  # of this hand
                ("digest", np.uint64),
                ("strength", np.int64, (MAX_SEATS,)),
                ("low", np.int64, (MAX_SEATS,)),
                ("paid", np.int64, (MAX_SEATS,)),  # chips the source says each seat collected
                ("paid_of", np.int64, (3, MAX_SEATS, MAX_SEATS)),  # the same by side, pot and seat
                ("one_figure", np.int64),  # 1: the source gives one figure over several pots
                ("board", np.uint8, (BOARD_CARDS,)),
                ("hole", np.uint8, (MAX_HOLE_CARDS,)),
                ("share", np.int64, (2, MAX_SEATS)),
            ],
            align=True,
        ),
    )
)


class Tables(NamedTuple):
    """The records that hands are replayed on."""

    state: np.record
    posts: np.record
    settlement: np.record
    desk: np.record


def new_tables() -> Tables:
    """Empty records."""
    return Tables(*(np.zeros(1, dtype)[0] for dtype in (STATE, POSTS, SETTLEMENT, DESK)))


@jit
def replay_hands(houses, lenient, facts, evaluation, tables, verdicts, differences):
    """Replay all hands of `facts`; returns the number of rows written to `differences`.

    houses  : (houses,) RULES whose house settings count; the numbers of the game are filled in for each hand
    lenient : (houses,) bool, odd chips may lie anywhere among the winners
    verdicts: (hands,) VERDICT; differences: (hands * MAX_DIFFERENCES,) DIFFERENCE
    """
    desk = tables.desk
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
        _post(rules, hand, facts.seats, tables, differences)
        if _act(rules, hand, facts.actions, tables, differences):
            _settle(rules, hand, facts, evaluation, lenient[hand.house], tables, verdict, differences)
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
def _differ(desk, differences, check, seat, expected, got, pot=-1, expected_to=-1):
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
def _compare(desk, differences, check, seat, expected, got):
    if expected != got:
        _differ(desk, differences, check, seat, expected, got)


@jit
def _post(rules, hand, seats, tables, differences):
    """Seat the players, take the posts, and compare what each put in."""
    state, posts, desk = tables.state, tables.posts, tables.desk
    desk.street = PREFLOP
    desk.action = -1
    desk.digest = np.uint64(0)
    start_hand(state, hand.n_seats, hand.button, seats[hand.first_seat : hand.first_seat + hand.n_seats].stack)
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
        _compare(desk, differences, checks.TIME_CHARGE, seat, state.charge[seat], facts.charge)
        _compare(desk, differences, checks.ANTE, seat, state.committed[seat] - state.bet[seat], facts.ante)
        _compare(desk, differences, checks.LIVE_POST, seat, state.bet[seat], facts.live)
        _compare(desk, differences, checks.DEAD_POST, seat, state.dead[seat], facts.dead)


@jit
def _act(rules, hand, actions, tables, differences):
    """Carry out every action. Returns whether the hand came to its end; a difference ends it, as what follows would rest on it."""
    state, desk = tables.state, tables.desk
    if desk.n_differences > desk.first_difference:
        return False
    for number in range(hand.n_actions):
        action = actions[hand.first_action + number]
        desk.action = number
        while state.street < action.street and state.to_act < 0 and state.n_live > 1:
            next_street(rules, state)
        desk.street = state.street
        if state.street < action.street and state.to_act >= 0:
            _differ(desk, differences, checks.ROUND_OPEN, state.to_act, state.to_act, action.seat)
            return False
        if state.to_act < 0 or state.street > action.street:
            _differ(desk, differences, checks.NO_DECISION, action.seat, UNKNOWN, action.seat)
            return False
        if state.to_act != action.seat:
            _differ(desk, differences, checks.TURN, action.seat, state.to_act, action.seat)
            return False
        if not _one_action(rules, action, tables, differences):
            return False
    desk.action = -1
    while state.to_act < 0 and state.n_live > 1 and state.street < RIVER:
        next_street(rules, state)
    desk.street = state.street
    if state.to_act >= 0:
        _differ(desk, differences, checks.ROUND_OPEN, state.to_act, state.to_act, UNKNOWN)
        return False
    n_board = state.street + 2 if state.street >= FLOP else 0
    _compare(desk, differences, checks.BOARD, -1, n_board, hand.n_board)
    return n_board == hand.n_board


@jit
def _one_action(rules, action, tables, differences):
    state, desk = tables.state, tables.desk
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
            _differ(desk, differences, checks.CALL, seat, bounds.call_to, action.to)
        elif bounds.min_raise_to == 0:
            _differ(desk, differences, checks.NO_RAISE, seat, bounds.call_to, action.to)
        else:
            check = checks.MIN_RAISE if action.to < bounds.min_raise_to else checks.MAX_RAISE
            _differ(desk, differences, check, seat, bounds.min_raise_to, action.to, -1, bounds.max_raise_to)
        return False
    if action.kind != MATCHED or kind > CALLED:
        _compare(desk, differences, checks.KIND, seat, kind, action.kind)
    if action.put != UNKNOWN:
        _compare(desk, differences, checks.PUT, seat, state.bet[seat] - before, action.put)
    if action.kind != FOLDED and action.all_in != UNKNOWN:
        _compare(desk, differences, checks.ALL_IN, seat, state.stack[seat] == 0, action.all_in)
    desk.digest = mix(mix(desk.digest, state.street << 6 | kind << 4 | seat), state.bet[seat])
    return True


@jit
def _settle(rules, hand, facts, evaluation, lenient, tables, verdict, differences):
    """Pay out, and compare the uncalled bet, the pots, and what each seat collected and has afterwards."""
    state, settlement, desk = tables.state, tables.settlement, tables.desk
    return_uncalled(state, settlement)
    build_pots(state, settlement)
    _compare_pots(hand, state, settlement, desk, differences)
    collected = _add_payments(hand, facts.payments, desk)
    taken = hand.rake
    if taken == UNKNOWN:
        taken = settlement.pot - collected if hand.n_payments else 0
    if hand.n_payments and settlement.pot - taken != collected:
        _differ(desk, differences, checks.CHIPS, -1, settlement.pot - taken, collected)
    if desk.n_differences > desk.first_difference or taken < 0 or taken > settlement.pot:
        return
    known = _evaluate(rules, hand, facts.seats, evaluation, state, desk)
    if not _winners_known(hand, facts.seats, state, settlement, desk):
        _compare_beaten(rules, state, settlement, desk, differences)
        return
    if known and hand.n_payments:
        verdict.checked = FULLY
    _pay(rules, hand, taken, lenient, tables, verdict, differences)
    for seat in range(hand.n_seats):
        final = facts.seats[hand.first_seat + seat].final
        if final != UNKNOWN:
            if known:
                verdict.checked = FULLY
            _compare(desk, differences, checks.FINAL, seat, state.stack[seat], final)
    verdict.digest = _digest(hand, facts.seats, state, settlement, desk)


@jit
def _compare_pots(hand, state, settlement, desk, differences):
    if hand.uncalled != UNKNOWN:
        _compare(desk, differences, checks.UNCALLED, settlement.uncalled_seat, settlement.uncalled, hand.uncalled)
    if settlement.uncalled > 0 and hand.uncalled > 0:
        _compare(desk, differences, checks.UNCALLED_SEAT, hand.uncalled_seat, settlement.uncalled_seat, hand.uncalled_seat)
    if hand.total_pot != UNKNOWN:
        _compare(desk, differences, checks.TOTAL_POT, -1, settlement.pot, hand.total_pot)
    if hand.n_pots:
        _compare(desk, differences, checks.N_POTS, -1, settlement.n_pots, hand.n_pots)
        for pot in range(min(hand.n_pots, settlement.n_pots)):
            if settlement.amount[pot] != hand.pots[pot]:
                _differ(desk, differences, checks.POT, -1, settlement.amount[pot], hand.pots[pot], pot)


@jit
def _add_payments(hand, payments, desk):
    """Sum the payments of the source by seat, and by side, pot and seat. Returns the total."""
    total = 0
    desk.one_figure = 0
    for seat in range(MAX_SEATS):
        desk.paid[seat] = 0
    for side in range(3):
        for pot in range(MAX_SEATS):
            for seat in range(hand.n_seats):
                desk.paid_of[side, pot, seat] = 0
    for number in range(hand.n_payments):
        payment = payments[hand.first_payment + number]
        total += payment.amount
        desk.paid[payment.seat] += payment.amount
        if payment.pot == ALL_POTS:
            desk.one_figure = 1
        else:
            desk.paid_of[payment.side, payment.pot, payment.seat] += payment.amount
    return total


@jit
def _evaluate(rules, hand, seats, evaluation, state, desk):
    """Strength and low of every live seat whose cards are known, 0 for the others. Returns whether all are known."""
    all_known = True
    for card in range(hand.n_board):
        desk.board[card] = hand.board[card]
    context = board_context(evaluation, desk.board, BOARD_CARDS if hand.n_board == BOARD_CARDS else 3)
    for seat in range(hand.n_seats):
        desk.strength[seat] = 0
        desk.low[seat] = 0
        if state.n_live == 1 or state.folded[seat]:
            continue
        facts = seats[hand.first_seat + seat]
        if not facts.known:
            all_known = False
            continue
        for card in range(rules.hole_cards):
            desk.hole[card] = facts.hole[card]
        desk.strength[seat] = strength(evaluation, context, desk.hole, rules.hole_cards)
        if rules.hi_lo:
            desk.low[seat] = low(evaluation, context, desk.hole, rules.hole_cards)
    return all_known


@jit
def _winners_known(hand, seats, state, settlement, desk):
    """Whether the cards decide every pot: no seat with unknown cards collected, and each pot has a seat with known cards."""
    if state.n_live == 1:
        return True
    known = 0
    for seat in range(hand.n_seats):
        if desk.strength[seat] > 0:
            known |= 1 << seat
        elif not state.folded[seat] and (desk.paid[seat] > 0 or hand.n_payments == 0):
            return False
    for pot in range(settlement.n_pots):
        if settlement.eligible[pot] & known == 0:
            return False
    return True


@jit
def _compare_beaten(rules, state, settlement, desk, differences):
    """A seat that collected must at least tie for the best of the known hands in some pot."""
    contenders = 0
    for pot in range(settlement.n_pots):
        eligible = settlement.eligible[pot]
        contenders |= best_of(desk.strength, eligible, state.n_seats)
        if rules.hi_lo:
            contenders |= best_of(desk.low, eligible, state.n_seats)
    for seat in range(state.n_seats):
        if desk.paid[seat] > 0 and desk.strength[seat] > 0 and not contenders >> seat & 1:
            _differ(desk, differences, checks.BEATEN, seat, 0, desk.paid[seat])


@jit
def _pay(rules, hand, taken, lenient, tables, verdict, differences):
    """Take the stated rake and pay out, by the first sharing of the rake over the pots that explains what was collected.

    If none does, the differences under the first one are noted.
    """
    state, settlement, desk = tables.state, tables.settlement, tables.desk
    one_way = settlement.n_pots == 1 or taken == 0 or hand.n_payments == 0
    paid = False
    for anywhere in range(2 if lenient else 1):
        for sharing in range(1 if one_way else len(RAKE_SHARING)):
            for attempt in range(n_attempts(sharing)):
                if paid:
                    _take_back(state, settlement)
                paid = True
                _take(state, settlement, taken, sharing, attempt)
                pay_out(rules, state, desk.strength, desk.low, settlement)
                if hand.n_payments == 0:
                    return
                if _odd_chips_elsewhere(state, settlement, desk) if anywhere else _as_collected(rules, state, settlement, desk):
                    verdict.rake_sharing = UNKNOWN if one_way else sharing
                    verdict.odd_chips_any = anywhere
                    return
    if not one_way:
        _take_back(state, settlement)
        _take(state, settlement, taken, 0, 0)
        pay_out(rules, state, desk.strength, desk.low, settlement)
    _note_payments(rules, state, settlement, desk, differences)


@jit
def _take_back(state, settlement):
    for seat in range(state.n_seats):
        state.stack[seat] -= settlement.won[seat]


@jit
def _take(state, settlement, taken, sharing, attempt):
    settlement.rake = 0
    for seat in range(state.n_seats):
        settlement.rake += state.charge[seat]
    for pot in range(settlement.n_pots):
        settlement.rake_of[pot] = 0
    share_stated_rake(settlement, taken, sharing, attempt)


@jit
def _share_pot(rules, state, settlement, desk, pot):
    """Chips of each seat from the high and from the low half of one pot, into `desk.share`."""
    high_half, low_half = halves(rules, settlement, pot)
    for seat in range(state.n_seats):
        desk.share[0, seat] = 0
        desk.share[1, seat] = 0
    share_out(rules, state, high_half, settlement.high_winners[pot], desk.share[0])
    if low_half:
        share_out(rules, state, low_half, settlement.low_winners[pot], desk.share[1])


@jit
def _difference_of(settlement, desk, pot, seat):
    """Which check of one pot and seat fails, -1: none.

    Many sites give one figure for both halves to a seat that won both, under the name of either: then the sum counts. And where they
    give two figures of one seat, the rake may be out of either half.
    """
    high, low_share = desk.share[0, seat], desk.share[1, seat]
    whole, paid_high, paid_low = desk.paid_of[0, pot, seat], desk.paid_of[1, pot, seat], desk.paid_of[2, pot, seat]
    if whole + paid_high + paid_low != high + low_share:
        return checks.COLLECTED_POT
    if whole == 0 and paid_high > 0 and paid_low > 0 and settlement.rake_of[pot] == 0:
        if paid_high != high:
            return checks.COLLECTED_HIGH
    return -1


@jit
def _as_collected(rules, state, settlement, desk):
    """Whether every seat collected what the settlement says: from each pot where the source tells them apart, else in sum."""
    for seat in range(state.n_seats):
        if settlement.won[seat] != desk.paid[seat]:
            return False
    if not desk.one_figure:
        for pot in range(settlement.n_pots):
            _share_pot(rules, state, settlement, desk, pot)
            for seat in range(state.n_seats):
                if _difference_of(settlement, desk, pot, seat) >= 0:
                    return False
    return True


@jit
def _odd_chips_elsewhere(state, settlement, desk):
    """Whether every seat collected its equal shares, rounded down or up: only odd chips lie elsewhere."""
    for seat in range(state.n_seats):
        least = most = 0
        for pot in range(settlement.n_pots):
            amount = settlement.amount[pot] - settlement.rake_of[pot]
            n_high, n_low = count_seats(settlement.high_winners[pot]), count_seats(settlement.low_winners[pot])
            n_halves = 2 if n_low else 1
            for winners, n_winners in ((settlement.high_winners[pot], n_high), (settlement.low_winners[pot], n_low)):
                if winners >> seat & 1:
                    least += amount // n_halves // n_winners
                    most += ((amount + n_halves - 1) // n_halves + n_winners - 1) // n_winners
        if not least <= desk.paid[seat] <= most:
            return False
    return True


@jit
def _note_payments(rules, state, settlement, desk, differences):
    before = desk.n_differences
    if not desk.one_figure:
        for pot in range(settlement.n_pots):
            _share_pot(rules, state, settlement, desk, pot)
            for seat in range(state.n_seats):
                check = _difference_of(settlement, desk, pot, seat)
                if check == checks.COLLECTED_HIGH:
                    _differ(desk, differences, check, seat, desk.share[0, seat], desk.paid_of[1, pot, seat], pot)
                elif check >= 0:
                    paid = desk.paid_of[0, pot, seat] + desk.paid_of[1, pot, seat] + desk.paid_of[2, pot, seat]
                    _differ(desk, differences, check, seat, desk.share[0, seat] + desk.share[1, seat], paid, pot)
    if desk.n_differences == before:
        for seat in range(state.n_seats):
            _compare(desk, differences, checks.COLLECTED, seat, settlement.won[seat], desk.paid[seat])


@jit
def _digest(hand, seats, state, settlement, desk):
    """As that of a run: actions, id, cards dealt, stacks and rake; cards that are not known count as no card."""
    digest = mix(desk.digest, hand.number)
    for card in range(hand.n_board):
        digest = mix(digest, hand.board[card])
    for seat in range(hand.n_seats):
        for card in range(hand.hole_cards):
            digest = mix(digest, seats[hand.first_seat + seat].hole[card] + 1)
        digest = mix(digest, state.stack[seat])
    return mix(digest, settlement.rake)
