"""Prices, depths and places at the table, from the public part of a View."""

from sim.actions import PREFLOP
from sim.bits import count_bits
from sim.jit import jit
from sim.strategies.parameters import BB, BTN, SB, UTG


@jit
def preflop_position(view):
    """UTG, HJ, CO, BTN, SB or BB, by the number of players behind; heads-up BTN or BB."""
    if view.position == 0:
        return BTN
    if view.n_seats == 2:
        return BB
    if view.position <= 2:
        return SB if view.position == 1 else BB
    return max(UTG, BTN - (view.n_seats - view.position))


@jit
def pot_odds(view):
    """Price of a call: its part of the pot with the call in it, 0 to 1; the equity that a call needs."""
    return view.to_call / (view.pot + view.to_call)


@jit
def effective_stack(view):
    """Chips behind that can still be played for: the own, or the most that a live opponent has."""
    most = 0
    for other in range(view.n_seats):
        if other != view.seat and not view.folded[other]:
            most = max(most, view.stacks[other] + view.bets[other] - view.bet)
    return max(0, min(view.stack, most))


@jit
def stack_to_pot(view):
    """Chips behind that can still be played for, after a call, in pots: 0 all-in, 1 one pot-sized bet, above 10 deep."""
    return max(0, effective_stack(view) - view.to_call) / (view.pot + view.to_call)


@jit
def n_callers(view):
    """Seats that called the bet as it stands; before the first raise, limpers."""
    return count_bits(view.callers)


@jit
def raises_on(view, street):
    """Bets and raises on a street so far, 0 before the flop to 3 river."""
    return view.raises >> 16 * street & 0xFFFF


@jit
def aggressor_on(view, street):
    """Seat of the last bet or raise on a street; -1: none."""
    return (view.aggressors >> 4 * street & 15) - 1


@jit
def n_behind(view):
    """Opponents with a decision still to come on this street if this seat checks or calls; 0: it closes the street."""
    end = view.aggressor  # does not act again; without a bet the first seat to act does not
    if end < 0:
        first = view.button + 1
        if view.street == PREFLOP:  # after the big blind, or the straddle
            first += 1 + (view.n_seats > 2) + (view.current_bet > view.big_blind)
        end = first % view.n_seats
    count = 0
    other = (view.seat + 1) % view.n_seats
    while other != end and other != view.seat:
        count += not view.folded[other] and view.stacks[other] > 0
        other = (other + 1) % view.n_seats
    return count


@jit
def in_position(view):
    """Whether this seat acts after all opponents with chips on the streets after the flop."""
    place = (view.seat - view.button - 1) % view.n_seats  # 0 acts first
    for other in range(view.n_seats):
        if not view.folded[other] and view.stacks[other] > 0 and (other - view.button - 1) % view.n_seats > place:
            return False
    return True


@jit
def has_initiative(view):
    """Whether this seat made the last bet or raise of the hand, on an earlier street, and nobody has bet on this one."""
    return view.n_raises == 0 and view.last_aggressor == view.seat and view.street > PREFLOP
