"""The showdown: in which order seats show, and who may muck. Seats are masks (bit = seat)."""

from sim.actions import RIVER
from sim.betting import left_of, live_from
from sim.jit import jit
from sim.rules import ANY_STREET


@jit
def show(rules, state, strength, low, settlement):
    """Order of showing, and who tables its cards: each seat that wins or ties some part of a pot so far (TDA 17)."""
    settlement.n_shown = 0
    settlement.shown = 0
    live = live_from(state, 0)
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
