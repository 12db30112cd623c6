"""The end of a replayed hand: uncalled bet, pots, rake, halves and odd chips against what the source says was paid."""

from sim.bits import count_bits
from sim.digest import hand_digest
from sim.evaluation import board_context, low, strength
from sim.jit import jit
from sim.pots import best_of, build_pots, halves, pay_out, return_uncalled, share_out
from sim.replay import checks
from sim.replay.desk import FULLY, compare, differ
from sim.replay.facts import ALL_POTS, UNKNOWN
from sim.replay.rake_sharing import RAKE_SHARING, n_attempts, share_stated_rake
from sim.rules import BOARD_CARDS, MAX_SEATS


@jit
def settle_hand(rules, hand, facts, evaluation, lenient, table, verdict, differences):
    """Pay out, and compare the uncalled bet, the pots, and what each seat collected and has afterwards."""
    state, settlement, desk = table.state, table.settlement, table.desk
    return_uncalled(state, settlement)
    build_pots(state, settlement)
    _compare_pots(hand, state, settlement, desk, differences)
    collected = _add_payments(hand, facts.payments, settlement.n_pots, desk)
    taken = hand.rake
    if taken == UNKNOWN:
        taken = settlement.pot - collected if hand.n_payments else 0
    if hand.n_payments and settlement.pot - taken != collected:
        differ(desk, differences, checks.CHIPS, -1, settlement.pot - taken, collected)
    if desk.n_differences > desk.first_difference or taken < 0 or taken > settlement.pot:
        return
    known = _evaluate(rules, hand, facts.seats, evaluation, state, desk)
    if not _winners_known(hand, facts.seats, state, settlement, desk):
        _compare_beaten(rules, state, settlement, desk, differences)
        return
    if known and hand.n_payments:
        verdict.checked = FULLY
    _pay(rules, hand, taken, lenient, table, verdict, differences)
    for seat in range(hand.n_seats):
        final = facts.seats[hand.first_seat + seat].final
        if final != UNKNOWN:
            if known:
                verdict.checked = FULLY
            compare(desk, differences, checks.FINAL, seat, state.stack[seat], final)
    holes = facts.seats[hand.first_seat : hand.first_seat + hand.n_seats]["hole"]
    verdict.digest = hand_digest(desk.digest, hand.number, hand.board, hand.n_board, holes, hand.hole_cards, state, settlement.rake)


@jit
def _compare_pots(hand, state, settlement, desk, differences):
    if hand.uncalled != UNKNOWN:
        compare(desk, differences, checks.UNCALLED, settlement.uncalled_seat, settlement.uncalled, hand.uncalled)
    if settlement.uncalled > 0 and hand.uncalled > 0:
        compare(desk, differences, checks.UNCALLED_SEAT, hand.uncalled_seat, settlement.uncalled_seat, hand.uncalled_seat)
    if hand.total_pot != UNKNOWN:
        compare(desk, differences, checks.TOTAL_POT, -1, settlement.pot, hand.total_pot)
    if hand.n_pots:
        compare(desk, differences, checks.N_POTS, -1, settlement.n_pots, hand.n_pots)
        for pot in range(min(hand.n_pots, settlement.n_pots)):
            if settlement.amount[pot] != hand.pots[pot]:
                differ(desk, differences, checks.POT, -1, settlement.amount[pot], hand.pots[pot], pot)


@jit
def _add_payments(hand, payments, n_pots, desk):
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
        if payment.pot == ALL_POTS or payment.pot >= n_pots:  # some sites part a pot that nobody needs parted
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
            differ(desk, differences, checks.BEATEN, seat, 0, desk.paid[seat])


@jit
def _pay(rules, hand, taken, lenient, table, verdict, differences):
    """Take the stated rake and pay out, by the first sharing of the rake over the pots that explains what was collected.

    If none does, the differences under the first one are noted.
    """
    state, settlement, desk = table.state, table.settlement, table.desk
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
            n_high, n_low = count_bits(settlement.high_winners[pot]), count_bits(settlement.low_winners[pot])
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
                    differ(desk, differences, check, seat, desk.share[0, seat], desk.paid_of[1, pot, seat], pot)
                elif check >= 0:
                    paid = desk.paid_of[0, pot, seat] + desk.paid_of[1, pot, seat] + desk.paid_of[2, pot, seat]
                    differ(desk, differences, check, seat, desk.share[0, seat] + desk.share[1, seat], paid, pot)
    if desk.n_differences == before:
        for seat in range(state.n_seats):
            compare(desk, differences, checks.COLLECTED, seat, settlement.won[seat], desk.paid[seat])
