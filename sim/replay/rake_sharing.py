"""How a stated rake comes out of several pots. Sites differ, and a history states only the sum."""

from sim.jit import jit
from sim.rake import rake_pot, share_rake

# In the order in which a replay tries them; the place is the number in the kernel.
RAKE_SHARING = ("shared", "main_pot_first", "side_pots_rounded_down", "running_total", "by_percentage", "capped_by_pot")
SHARED, MAIN_POT_FIRST, SIDE_POTS_ROUNDED_DOWN, RUNNING_TOTAL, BY_PERCENTAGE, CAPPED_BY_POT = range(len(RAKE_SHARING))
MAX_BASIS_POINTS = 1_000


@jit
def n_attempts(sharing):
    """How many ways there are to follow a rule: one, or one for each percentage that a history does not state."""
    return MAX_BASIS_POINTS if sharing >= BY_PERCENTAGE else 1


@jit
def share_stated_rake(settlement, chips, sharing, attempt):
    """Take `chips` from the pots of the settlement.

    shared                 : each pot its part of the sum in whole chips, then one each by the largest remainder (below the cap)
    main_pot_first         : all from the main pot, what it lacks from the next (a capped rake)
    side_pots_rounded_down : each side pot its part of the sum, rounded down; the rest from the main pot (Bovada)
    running_total          : main pot, main and first side pot, ... together pay their part, rounded to the nearest chip (PokerStars)
    by_percentage          : each pot `attempt` + 1 basis points in whole chips, then one each by largest remainder (ours)
    capped_by_pot          : from the main pot first, but from each pot at most its own percentage, `attempt` + 1 basis points
    """
    n_pots = settlement.n_pots
    left = chips
    if sharing == SHARED:
        share_rake(settlement, chips, chips, settlement.pot)
    elif sharing == MAIN_POT_FIRST:
        for pot in range(n_pots):
            left -= rake_pot(settlement, pot, left)
    elif sharing == SIDE_POTS_ROUNDED_DOWN:
        for pot in range(1, n_pots):
            left -= rake_pot(settlement, pot, settlement.amount[pot] * chips // settlement.pot)
        rake_pot(settlement, 0, left)
    elif sharing == RUNNING_TOTAL:
        amount, paid = 0, 0
        for pot in range(n_pots):
            amount += settlement.amount[pot]
            paid += rake_pot(settlement, pot, (2 * amount * chips + settlement.pot) // (2 * settlement.pot) - paid)
    elif sharing == BY_PERCENTAGE:
        whole = 0
        for pot in range(n_pots):
            whole += settlement.amount[pot] * (attempt + 1) // 10_000
        if whole <= chips <= whole + n_pots:  # otherwise this percentage does not give the stated sum, and nothing is taken
            share_rake(settlement, chips, attempt + 1, 10_000)
    else:
        for pot in range(n_pots):
            left -= rake_pot(settlement, pot, min(left, settlement.amount[pot] * (attempt + 1) // 10_000))
        for pot in range(n_pots):
            left -= rake_pot(settlement, pot, left)
