"""Settlement of a hand: the uncalled bet, the pots, the rake, the halves, odd chips, and who shows.

Pots are built once from each seat's total and who folded; each is raked and split on its own. Seats of a pot are bit masks (bit = seat).
"""

import numpy as np

from sim.actions import PREFLOP, RIVER
from sim.aligned import aligned_record
from sim.betting import left_of
from sim.bits import count_bits
from sim.jit import jit
from sim.rules import ALL_TO_HIGH, ANY_STREET, HALF_UP, MAX_SEATS, POT_BY_POT, UP

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
        settlement.eligible[0] = _live_from(state, 0)
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
        settlement.eligible[n_pots] = _live_from(state, level)
        n_pots += 1
        dead = 0
        below = level
    for seat in range(state.n_seats):
        settlement.amount[n_pots - 1] += max(0, state.committed[seat] - below)
    settlement.n_pots = n_pots
    settlement.pot = state.pot


@jit
def _live_from(state, level):
    """Mask of the live seats that committed at least `level` chips."""
    seats = 0
    for seat in range(state.n_seats):
        if not state.folded[seat] and state.committed[seat] >= level:
            seats |= 1 << seat
    return seats


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
def take_rake(rules, state, settlement):
    """Rake after the uncalled bet and before the split; one cap per hand, by the players dealt."""
    n_pots = settlement.n_pots
    for pot in range(n_pots):
        settlement.rake_of[pot] = 0
    settlement.rake = 0
    for seat in range(state.n_seats):
        settlement.rake += state.charge[seat]
    if rules.rake_basis_points == 0 or settlement.pot < rules.rake_minimum_pot:
        return
    if rules.no_flop_no_drop and state.street == PREFLOP:
        return
    cap = rules.rake_caps[state.n_seats]
    if rules.rake_scope == POT_BY_POT:
        for pot in range(n_pots):
            rake_pot(settlement, pot, min(_percent(rules, settlement.amount[pot]), cap))
            cap -= settlement.rake_of[pot]
        return
    total = min(_percent(rules, settlement.pot), settlement.pot)
    if n_pots == 1:
        rake_pot(settlement, 0, min(total, cap))
    elif total > cap:
        _capped_rake(rules, settlement, cap)
    else:
        _shared_rake(rules, settlement, total)


@jit
def _percent(rules, chips):
    """Rake on `chips`, rounded to a multiple of the step."""
    unit = 10_000 * rules.rake_step
    exact = chips * rules.rake_basis_points
    if rules.rake_rounding == HALF_UP:
        steps = (2 * exact + unit) // (2 * unit)
    elif rules.rake_rounding == UP:
        steps = (exact + unit - 1) // unit
    else:
        steps = exact // unit
    return steps * rules.rake_step


@jit
def rake_pot(settlement, pot, chips):
    """Take chips from one pot, as far as there are any left in it. Returns how many."""
    chips = min(chips, settlement.amount[pot] - settlement.rake_of[pot])
    settlement.rake_of[pot] += chips
    settlement.rake += chips
    return chips


@jit
def _capped_rake(rules, settlement, cap):
    """A capped rake comes from the main pot first: each pot pays at most its own percentage, what rounding leaves over the first pots."""
    left = cap
    for pot in range(settlement.n_pots):
        left -= rake_pot(settlement, pot, min(left, settlement.amount[pot] * rules.rake_basis_points // 10_000))
    for pot in range(settlement.n_pots):
        left -= rake_pot(settlement, pot, left)


@jit
def _shared_rake(rules, settlement, total):
    """Below the cap each pot pays its share: whole chips first, then one each by the largest remainder, earlier pots first.

    The share is the percentage of the pot; where the total was rounded to larger steps those do not add up, and it is a part of the total.
    """
    weight, unit = (rules.rake_basis_points, 10_000) if rules.rake_step == 1 else (total, settlement.pot)
    share_rake(settlement, total, weight, unit)


@jit
def share_rake(settlement, total, weight, unit):
    """Take `total` chips from the pots: of each its weight / unit in whole chips, then one each by the largest remainder."""
    left = total
    for pot in range(settlement.n_pots):
        left -= rake_pot(settlement, pot, settlement.amount[pot] * weight // unit)
    taken = 0  # mask of the pots that paid their odd chip
    while left > 0:
        largest, largest_pot = -1, -1
        for pot in range(settlement.n_pots):
            remainder = settlement.amount[pot] * weight % unit
            if remainder > largest and not taken >> pot & 1:
                largest, largest_pot = remainder, pot
        taken |= 1 << largest_pot
        left -= rake_pot(settlement, largest_pot, 1)


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


@jit
def show(rules, state, strength, low, settlement):
    """Order of showing, and who tables its cards: each seat that wins or ties some part of a pot so far (TDA 17)."""
    settlement.n_shown = 0
    settlement.shown = 0
    live = _live_from(state, 0)
    first = _first_to_show(rules, state, live)
    asked = 0  # mask of the seats in `order`
    if rules.side_pot_shows_first:  # WSOP LA 145
        for pot in range(settlement.n_pots - 1, 0, -1):
            asked = _ask_to_show(state, settlement, first, settlement.eligible[pot], asked)
    _ask_to_show(state, settlement, first, live, asked)
    all_tabled = rules.all_tabled_when_all_in and state.n_able < 2  # TDA 16
    for place in range(settlement.n_shown):
        seat = settlement.order[place]
        if place == 0 or all_tabled or _wins_so_far(rules, strength, low, settlement, seat):
            settlement.shown |= 1 << seat


@jit
def _first_to_show(rules, state, live):
    """The aggressor that the house looks at, if he is still in, else the first live seat left of the button."""
    aggressor = state.last_aggressor if rules.showing == ANY_STREET else (state.aggressor if state.street == RIVER else -1)
    if aggressor >= 0 and live >> aggressor & 1:
        return aggressor
    return left_of(state, state.button)


@jit
def _ask_to_show(state, settlement, first, seats, asked):
    """Append those of `seats` that were not asked yet to the order, clockwise from `first`. Returns the mask of all asked."""
    seat = first
    for _ in range(state.n_seats):
        if (seats & ~asked) >> seat & 1:
            settlement.order[settlement.n_shown] = seat
            settlement.n_shown += 1
        seat = left_of(state, seat)
    return asked | seats


@jit
def _wins_so_far(rules, strength, low, settlement, seat):
    for pot in range(settlement.n_pots):
        if settlement.eligible[pot] >> seat & 1:
            rivals = settlement.shown & settlement.eligible[pot]
            if _at_least_equal(strength, seat, rivals) or (rules.hi_lo and low[seat] > 0 and _at_least_equal(low, seat, rivals)):
                return True
    return False


@jit
def _at_least_equal(value, seat, rivals):
    rival = 0
    while rivals:
        if rivals & 1 and value[rival] > value[seat]:
            return False
        rivals >>= 1
        rival += 1
    return True
