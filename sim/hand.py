"""One hand from the posts to the settlement, played by strategies."""

from typing import NamedTuple

import numpy as np

from sim import flags
from sim.actions import CALLED, FLOP, FOLDED, PREFLOP, RAISED, RIVER, pack_action
from sim.aligned import aligned_record
from sim.betting import ILLEGAL, STATE, apply_within, legal, next_street
from sim.bits import count_bits
from sim.digest import mix_action
from sim.evaluation import board_context, low, strength
from sim.jit import jit
from sim.posts import POSTS, post, standard_posts, start_hand
from sim.pots import SETTLEMENT, settle
from sim.rules import BOARD_CARDS, MAX_HOLE_CARDS, MAX_SEATS, N_CARDS
from sim.strategies.memory import TABLES_AT, call_strategy, put_int64, put_uint8, tables_at
from sim.strategies.view import VIEW, new_hand, see_table, take_seat

PLAYED, ILLEGAL_INTENT, LOG_FULL = 0, 1, 2  # what play_hand returns

NOTES = aligned_record(
    [
        ("hand_id", np.int64),
        ("intent", np.int64),  # the last one a strategy returned, for the error message
        ("n_flop", np.int64),  # seats that saw the flop; 0: none dealt
        ("outcome", np.int64),  # bits of flags.OUTCOME_FLAGS
        ("digest", np.uint64),  # of the actions so far
        ("callers", np.int64),  # bit s: seat s called the bet as it stands; before the first raise, limped
        ("raises", np.int64),  # 16 bits per street: bets and raises
        ("aggressors", np.int64),  # 4 bits per street: 1 + seat of the last bet or raise; 0: none
        ("seat_flags", np.int64, (MAX_SEATS,)),  # bits of flags.SEAT_FLAGS
        ("bets_later", np.int64, (MAX_SEATS,)),  # bets and raises after the flop was dealt
        ("calls_later", np.int64, (MAX_SEATS,)),  # calls after the flop was dealt
        ("strength", np.int64, (MAX_SEATS,)),  # 0: not at the showdown
        ("low", np.int64, (MAX_SEATS,)),  # 0: none, or not at the showdown
    ]
)


CARDS = aligned_record(
    [
        ("deck", np.uint8, (N_CARDS,)),  # five board cards, then hole cards one round at a time, seat by seat
        ("hole", np.uint8, (MAX_SEATS, MAX_HOLE_CARDS)),  # per seat
        ("tables", np.uint64, (TABLES_AT.size,)),  # where the evaluation tables lie
    ]
)


PLAYERS = aligned_record(
    [
        ("n_seats", np.int64),
        ("stack", np.int64, (MAX_SEATS,)),  # chips at the start of every hand
        ("strategy", np.int64, (MAX_SEATS,)),  # address of its function
        ("parameters", np.int64, (MAX_SEATS,)),  # address of their record
        ("views", VIEW, (MAX_SEATS,)),
    ]
)

# Addresses, not arrays: counting references to arrays took a tenth of the time of a hand.
LOG = aligned_record(
    [
        ("code", np.uint64),  # address of (room,) uint8: sim.actions.pack_action
        ("amount", np.uint64),  # address of (room,) int64 chips: the seat's total bet of the street after the action
        ("room", np.int64),  # actions; 0: none are kept
        ("n_actions", np.int64),  # so far
    ]
)


class Table(NamedTuple):
    """The records that hands are played on, used again for each hand."""

    state: np.record  # STATE
    posts: np.record  # POSTS
    settlement: np.record  # SETTLEMENT
    notes: np.record  # NOTES
    cards: np.record  # CARDS
    players: np.record  # PLAYERS
    log: np.record  # LOG


def new_table() -> Table:
    """An empty table; `seat_players` before the first hand."""
    table = Table(*(np.zeros(1, dtype)[0] for dtype in (STATE, POSTS, SETTLEMENT, NOTES, CARDS, PLAYERS, LOG)))
    table.cards["tables"] = TABLES_AT
    table.players["views"]["tables"] = TABLES_AT
    return table


def seat_players(table: Table, strategies: np.ndarray, stacks: np.ndarray, ranking: int, seed: int) -> None:
    """Seat the players of a run.

    strategies : (seats, 2) int64 addresses of each seat's function and parameters; stacks : (seats,) int64 chips
    ranking : address of the ranking of starting hands for the game; 0: none
    """
    players, n_seats = table.players, len(stacks)
    players["n_seats"] = n_seats
    players["stack"][:n_seats] = stacks
    players["strategy"][:n_seats], players["parameters"][:n_seats] = strategies.T
    players["views"]["ranking"] = ranking
    for seat in range(n_seats):
        take_seat(players["views"][seat], seat, seed)


def log_actions(table: Table, codes: np.ndarray, amounts: np.ndarray) -> None:
    """Let the actions of the coming hands go to `codes` (actions,) uint8 and `amounts` (actions,) int64, which the caller keeps alive.

    They go on after those that are there; empty arrays keep none. What the numbers mean: LOG.
    """
    assert codes.dtype == np.uint8 and amounts.dtype == np.int64 and len(codes) == len(amounts)  # kernels write there unchecked
    table.log["code"], table.log["amount"], table.log["room"] = codes.ctypes.data, amounts.ctypes.data, len(codes)


@jit
def play_hand(rules, button, hand_id, table):
    """Play one hand with the cards in `table.cards.deck`.

    Leaves the result in `table`. Returns PLAYED; ILLEGAL_INTENT with the state as it was before the intent in `table.notes`;
    or LOG_FULL when the log has no room for the hand's actions. What a strategy raises goes through.
    """
    state = table.state
    start_hand(state, table.players.n_seats, button, table.players.stack)
    _deal_hole_cards(rules, hand_id, table)
    standard_posts(rules, state, table.posts)
    post(rules, state, table.posts)
    for street in range(PREFLOP, RIVER + 1):
        if street > PREFLOP:
            next_street(rules, state)
            _note_street(table.state, table.notes)
        status = _betting_round(rules, table)
        if status != PLAYED:
            return status
        if state.n_live == 1:
            break
    _settle(rules, table)
    return PLAYED


@jit
def _deal_hole_cards(rules, hand_id, table):
    notes, n_seats, deck = table.notes, table.state.n_seats, table.cards.deck
    notes.hand_id = hand_id
    notes.outcome = 0
    notes.n_flop = 0
    notes.digest = np.uint64(0)
    notes.callers = 0
    notes.raises = 0
    notes.aggressors = 0
    for seat in range(n_seats):
        notes.seat_flags[seat] = 0
        notes.bets_later[seat] = 0
        notes.calls_later[seat] = 0
        view = table.players.views[seat]
        new_hand(rules, view, seat, n_seats, table.state.button, hand_id)
        for card in range(rules.hole_cards):
            dealt = deck[BOARD_CARDS + card * n_seats + seat]
            table.cards.hole[seat, card] = dealt  # the view's copy is the strategy's own: what it writes there changes nothing
            view.hole[card] = dealt


@jit
def _note_street(state, notes):
    saw = flags.SAW_FLOP << (state.street - FLOP)
    notes.callers = 0
    if state.street == FLOP:
        notes.n_flop = state.n_live
    for seat in range(state.n_seats):
        if not state.folded[seat]:
            notes.seat_flags[seat] |= saw


@jit
def _betting_round(rules, table):
    state, notes, players, log = table.state, table.notes, table.players, table.log
    while state.to_act >= 0:
        if 0 < log.room <= log.n_actions:
            return LOG_FULL
        seat = state.to_act
        view = players.views[seat]
        bounds = legal(rules, state)
        see_table(state, bounds, notes, table.cards.deck, view)
        notes.intent = call_strategy(players.strategy[seat], view, players.parameters[seat])
        three_bet_chance = state.n_raises == 1 and bounds.min_raise_to > 0
        kind = apply_within(rules, state, bounds, notes.intent)
        if kind == ILLEGAL:
            return ILLEGAL_INTENT
        _note_action(state, notes, seat, kind, three_bet_chance)
        if log.room > 0:
            put_uint8(log.code, log.n_actions, pack_action(state.street, kind, seat))
            put_int64(log.amount, log.n_actions, state.bet[seat])
            log.n_actions += 1
    if state.street == PREFLOP:
        for seat in range(state.n_seats):
            if state.stack[seat] == 0:
                notes.seat_flags[seat] |= flags.ALL_IN_PREFLOP
    return PLAYED


@jit
def _note_action(state, notes, seat, kind, three_bet_chance):
    notes.seat_flags[seat] |= flags.ACTED
    if kind == FOLDED:
        notes.seat_flags[seat] |= flags.FOLDED
    if state.street == PREFLOP:
        if kind == CALLED or kind == RAISED:
            notes.seat_flags[seat] |= flags.VPIP
        if kind == RAISED:
            notes.seat_flags[seat] |= flags.PFR
        if three_bet_chance:
            notes.seat_flags[seat] |= flags.THREE_BET_CHANCE
            if kind == RAISED:
                notes.seat_flags[seat] |= flags.THREE_BET
    elif kind == RAISED:
        notes.bets_later[seat] += 1
    elif kind == CALLED:
        notes.calls_later[seat] += 1
    if kind == RAISED:
        if state.n_raises < 1 << 16:
            notes.raises += 1 << 16 * state.street
        notes.aggressors += (seat + 1 - (notes.aggressors >> 4 * state.street & 15)) << 4 * state.street
        notes.callers = 0
    elif kind == CALLED:
        notes.callers |= 1 << seat
    notes.digest = mix_action(notes.digest, state.street, kind, seat, state.bet[seat])


@jit
def _settle(rules, table):
    state, notes, settlement = table.state, table.notes, table.settlement
    showdown = state.n_live > 1
    tables = tables_at(table.cards.tables)
    if showdown:
        context = board_context(tables, table.cards.deck, BOARD_CARDS)
    for seat in range(state.n_seats):
        notes.strength[seat] = 0
        notes.low[seat] = 0
        if showdown and not state.folded[seat]:
            notes.strength[seat] = strength(tables, context, table.cards.hole[seat], rules.hole_cards)
            if rules.hi_lo:
                notes.low[seat] = low(tables, context, table.cards.hole[seat], rules.hole_cards)
        if state.stack[seat] == 0:
            notes.seat_flags[seat] |= flags.ALL_IN
            notes.outcome |= flags.HAND_ALL_IN
    settle(rules, state, notes.strength, notes.low, settlement)
    for seat in range(state.n_seats):
        if settlement.won[seat] > 0:
            notes.seat_flags[seat] |= flags.WON
    if showdown:
        _note_showdown(rules, state, notes, settlement)
    elif state.street == PREFLOP:
        for seat in range(state.n_seats):
            if not state.folded[seat] and notes.seat_flags[seat] & flags.ACTED == 0:
                notes.seat_flags[seat] |= flags.WALK


@jit
def _note_showdown(rules, state, notes, settlement):
    for seat in range(state.n_seats):
        if not state.folded[seat]:
            notes.seat_flags[seat] |= flags.SHOWDOWN
        if settlement.shown >> seat & 1:
            notes.seat_flags[seat] |= flags.SHOWN
    for pot in range(settlement.n_pots):
        high_winners, low_winners = settlement.high_winners[pot], settlement.low_winners[pot]
        high_tied, low_tied = count_bits(high_winners) > 1, count_bits(low_winners) > 1
        if high_tied or low_tied or (low_winners and low_winners != high_winners):
            notes.outcome |= flags.SPLIT_POT
        for seat in range(state.n_seats):
            wins_high, wins_low = high_winners >> seat & 1, low_winners >> seat & 1
            if wins_high:
                notes.seat_flags[seat] |= flags.WON_HIGH
            if wins_low:
                notes.seat_flags[seat] |= flags.WON_LOW
            # All that the seat gets of this pot is a tied share of one half.
            if low_winners and wins_high != wins_low and (high_tied if wins_high else low_tied):
                notes.seat_flags[seat] |= flags.QUARTERED
                notes.outcome |= flags.HAND_QUARTERED
            if pot == 0 and rules.hi_lo and high_winners == 1 << seat and (low_winners == 0 or low_winners == high_winners):
                notes.seat_flags[seat] |= flags.SCOOPED
                notes.outcome |= flags.HAND_SCOOPED
    if settlement.low_winners[0]:
        notes.outcome |= flags.LOW_MADE
