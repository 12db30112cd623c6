"""Rake: after the uncalled bet went back, before the pots are split."""

from sim.actions import PREFLOP
from sim.jit import jit
from sim.rules import HALF_UP, POT_BY_POT, UP


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
