"""What a strategy sees: the table in front of its seat, its own cards, the legal bounds, and nothing else.

A strategy is a function of one View, and of its parameters if it has any, that returns an intent: FOLD, or its seat's total bet on this
street. `view.call_to` checks or calls, anything from `view.min_raise_to` to `view.max_raise_to` bets or raises (both are 0 when it may
not). Amounts are chips. What more can be worked out from a View is in the other files of this folder, and costs only whoever asks.
"""

import numpy as np

from sim import evaluation
from sim.actions import PREFLOP, n_board_cards
from sim.aligned import aligned_record
from sim.betting import FOLD
from sim.jit import jit
from sim.rng import STREAM_FIELDS, random_below, random_unit, start_stream
from sim.rules import BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS
from sim.strategies.memory import TABLES_AT, tables_at

VIEW = aligned_record(
    [
        ("seat", np.int64),  # own seat
        ("position", np.int64),  # seats from the button: 0 the button, 1 the small blind (heads-up the button is both)
        ("n_seats", np.int64),  # players dealt in
        ("n_live", np.int64),  # seats that have not folded
        ("n_able", np.int64),  # live seats with chips behind
        ("button", np.int64),  # its seat
        ("street", np.int64),  # 0 before the flop, 1 flop, 2 turn, 3 river
        ("structure", np.int64),  # 0 fixed limit, 1 pot limit, 2 no limit
        ("hi_lo", np.int64),  # 1: eight-or-better for half the pot
        ("small_blind", np.int64),  # of the stakes
        ("big_blind", np.int64),  # of the stakes
        ("pot", np.int64),  # every chip in the middle, this street's bets included
        ("current_bet", np.int64),  # largest bet of the street
        ("bet", np.int64),  # own bet of the street
        ("stack", np.int64),  # own chips behind
        ("to_call", np.int64),  # chips that a call costs
        ("call_to", np.int64),  # intent: check or call
        ("min_raise_to", np.int64),  # smallest bet or raise; 0: not allowed
        ("max_raise_to", np.int64),  # largest bet or raise; 0: not allowed
        ("n_raises", np.int64),  # bets and raises on this street so far
        ("aggressor", np.int64),  # seat of the last bet or raise of this street; -1: none
        ("last_aggressor", np.int64),  # seat of the last bet or raise of the hand; -1: none
        ("callers", np.int64),  # bit s: seat s called the bet as it stands; before the first raise, limped
        ("raises", np.int64),  # 16 bits per street: bets and raises so far; see raises_on
        ("aggressors", np.int64),  # 4 bits per street: 1 + seat of the last bet or raise, or 0; see aggressor_on
        ("n_hole", np.int64),  # own hole cards
        ("n_board", np.int64),  # board cards so far: 0, 3, 4 or 5
        ("bets", np.int64, (MAX_SEATS,)),  # per seat: chips put in on this street
        ("stacks", np.int64, (MAX_SEATS,)),  # per seat: chips behind
        ("committed", np.int64, (MAX_SEATS,)),  # per seat: antes and bets of the hand
        ("folded", np.int64, (MAX_SEATS,)),  # per seat: 1 after a fold
        *STREAM_FIELDS,  # own random numbers, see random_below and random_unit
        ("rollouts", np.int64),  # blocks of random numbers used by equity
        ("tables", np.uint64, (TABLES_AT.size,)),  # where the evaluation tables lie; for made_strength and others
        ("ranking", np.uint64),  # where the ranking of starting hands lies; for percentile; 0: there is none
        ("hand_class", np.int64),  # class of the own hole cards; -1: not asked for yet
        ("hole", np.int64, (MAX_HOLE_CARDS,)),  # own cards, n_hole of them; a card is rank * 4 + suit
        ("board", np.int64, (BOARD_CARDS,)),  # n_board cards, then -1
    ]
)

__all__ = [
    "FOLD", "VIEW", "made_category", "made_low", "made_strength", "may_raise", "new_hand", "pot_sized", "random_below", "random_unit",
    "see_table", "take_seat",
]  # fmt: skip


@jit
def take_seat(view, seat, seed):
    """Give a seat its stream of random numbers for the run."""
    start_stream(view, seed, 0, 1 + seat)


@jit
def new_hand(rules, view, seat, n_seats, button, hand_id):
    """Start a hand anew for a seat: nothing of the last one, and nothing that a strategy wrote into its view, is left in these fields.

    The own hole cards are dealt to `view.hole` by the caller.
    """
    view.seat = seat
    view.n_seats = n_seats
    view.button = button
    view.position = seat - button if seat >= button else seat - button + n_seats
    view.structure = rules.structure
    view.hi_lo = rules.hi_lo
    view.small_blind = rules.small_blind
    view.big_blind = rules.big_blind
    view.n_hole = rules.hole_cards
    view.n_board = 0
    for card in range(BOARD_CARDS):
        view.board[card] = -1
    view.hand_class = -1
    view.rollouts = 0
    view.rng_hand = np.uint64(hand_id)
    view.rng_draws = np.uint64(0)


@jit
def see_table(state, bounds, notes, deck, view):
    """Show the seat to act the board so far (the first cards of `deck`), the public state and its legal bounds.

    notes : a record with the fields raises, aggressors and callers of VIEW
    """
    seat = state.to_act
    n_board = n_board_cards(state.street)
    for card in range(view.n_board, n_board):
        view.board[card] = deck[card]
    view.n_board = n_board
    view.n_live = state.n_live
    view.n_able = state.n_able
    view.street = state.street
    view.pot = state.pot
    view.current_bet = state.current_bet
    view.bet = state.bet[seat]
    view.stack = state.stack[seat]
    view.to_call = bounds.call_to - state.bet[seat]
    view.call_to = bounds.call_to
    view.min_raise_to = bounds.min_raise_to
    view.max_raise_to = bounds.max_raise_to
    view.n_raises = state.n_raises
    view.aggressor = state.aggressor
    view.last_aggressor = state.last_aggressor
    view.callers = notes.callers
    view.raises = notes.raises
    view.aggressors = notes.aggressors
    for other in range(state.n_seats):
        view.bets[other] = state.bet[other]
        view.stacks[other] = state.stack[other]
        view.committed[other] = state.committed[other]
        view.folded[other] = state.folded[other]


@jit
def may_raise(view):
    """Whether a bet or raise is allowed."""
    return view.min_raise_to > 0


@jit
def pot_sized(view, percent):
    """Intent: a bet or raise of `percent` of the pot after the call, within the bounds; call where no raise is allowed."""
    if view.min_raise_to == 0:
        return view.call_to
    raise_to = view.current_bet + (view.pot + view.to_call) * percent // 100
    return min(max(raise_to, view.min_raise_to), view.max_raise_to)


@jit
def made_strength(view):
    """Strength 1..7462 of the own hand on the board so far, higher wins (sim.evaluation); 0 before the flop."""
    if view.street == PREFLOP:
        return 0
    tables = tables_at(view.tables)
    return evaluation.strength(tables, evaluation.board_context(tables, view.board, view.n_board), view.hole, view.n_hole)


@jit
def made_category(view):
    """Category of the own hand on the board so far: 0 high card, 1 pair ... 9 royal flush (names in sim.evaluation); -1 before the flop."""
    return evaluation.category(made_strength(view)) if view.street > PREFLOP else -1


@jit
def made_low(view):
    """Low 1..56 of the own hand on the board so far, higher wins; 0: none."""
    if view.street == PREFLOP:
        return 0
    tables = tables_at(view.tables)
    return evaluation.low(tables, evaluation.board_context(tables, view.board, view.n_board), view.hole, view.n_hole)
