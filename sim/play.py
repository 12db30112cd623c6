"""A range of hands of one scenario, played into the columns of the record."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.actions import n_board_cards
from sim.betting import FOLD, legal
from sim.cards import deal
from sim.digest import hand_digest
from sim.evaluation import category
from sim.hand import ILLEGAL_INTENT, LOG_FULL, PLAYED, Table, log_actions, new_table, play_hand, seat_players
from sim.jit import jit
from sim.levels import FULL, HANDS
from sim.plan import Scenario
from sim.pots import net
from sim.records import MOST_COUNTED, NO_CATEGORY, Columns, allocate_columns
from sim.rules import BOARD_CARDS, STRUCTURES, compile_rules
from sim.strategies import Game, Ready, StrategyError, compile_lineup, prepare
from sim.strategies.percentile import ranking_at

MAX_ACTIONS = 2**27  # of a range of hands: 1.2 GB
ACTIONS_PER_HAND = 24  # room in the first action buffers; they grow when hands are longer


class Played(NamedTuple):
    """What a range of hands left behind."""

    columns: Columns
    n_actions: int
    digest: int  # of the hands, modulo 2**64, as their export and its replay count it; sums over ranges


def buffers(scenario: Scenario, n_hands: int, level: int) -> Columns:
    """Empty columns with room for `n_hands` of a scenario at a record level."""
    capacity = ACTIONS_PER_HAND * n_hands if level >= FULL else 0
    return allocate_columns(level, n_hands, scenario.n_seats, scenario.variant.hole_cards, capacity)


def play_range(scenario: Scenario, seed: int, first_hand: int, n_hands: int, level: int, columns: Columns | None = None) -> Played:
    """Play hands first_hand .. first_hand + n_hands - 1 of a scenario; `level` is a record level of `sim.records`.

    A hand depends on (scenario, seed, hand id) only. The button moves one seat with each hand id. `columns` : buffers of an earlier range
    to be overwritten, with room for the hands; None: new ones.
    Raises StrategyError with hand id, seat and legal bounds when a strategy does what it may not, and when it raises.
    """
    rules = compile_rules(scenario.variant, scenario.structure, scenario.stakes, scenario.house, scenario.rake)
    lineup = prepared_lineup(scenario)
    functions, sources, parameters = zip(*((ready.function, ready.source, ready.parameters) for ready in lineup), strict=True)
    keep_alive, strategies = compile_lineup(functions, sources, parameters)
    columns = columns or buffers(scenario, n_hands, level)
    table = new_table()
    ranking = ranking_at(scenario.variant.hole_cards, scenario.variant.hi_lo, scenario.n_seats)
    seat_players(table, strategies, starting_stacks(scenario), ranking, seed)
    done, digest = 0, 0
    while done < n_hands:
        log_actions(table, columns.act_code, columns.act_amount)
        try:
            with np.errstate(over="ignore"):  # with NUMBA_DISABLE_JIT=1 numpy warns when a digest wraps, as it is meant to
                status, done, played = _play_range(rules, seed, first_hand, done, n_hands, table, columns, level)
            digest = (digest + int(played)) % 2**64
        except Exception as error:
            raise StrategyError(_blame(table, sources, f"raised {type(error).__name__}: {error}")) from error
        if status == ILLEGAL_INTENT:
            raise StrategyError(_blame(table, sources, _illegal(rules, table)))
        if status == LOG_FULL:
            columns = _with_more_room(columns, done, n_hands)
    del keep_alive
    return Played(columns, int(table.log.n_actions), digest)


def prepared_lineup(scenario: Scenario) -> list[Ready]:
    """Function and parameters of each seat. Raises StrategyError for a file, ParameterError for a parameter."""
    variant, structure = scenario.variant, STRUCTURES[scenario.structure]
    game = Game(variant.hole_cards, variant.hi_lo, structure, scenario.n_seats, scenario.stakes.big_blind)
    prepared = {strategy: prepare(strategy, game) for strategy in dict.fromkeys(scenario.lineup)}
    return [prepared[strategy] for strategy in scenario.lineup]


def starting_stacks(scenario: Scenario) -> np.ndarray:
    """(seats,) int64 chips."""
    stacks = scenario.stakes.stacks
    return np.array(stacks if len(stacks) > 1 else stacks * scenario.n_seats, np.int64)


@jit
def _play_range(rules, seed, first_hand, start, n_hands, table, columns, level):
    """Play until the end of the range, or until a hand cannot be played. Returns (status, hands done, digest of those it played)."""
    n_seats, log = table.players.n_seats, table.log
    n_cards = BOARD_CARDS + n_seats * rules.hole_cards
    digest = np.uint64(0)
    for row in range(start, n_hands):
        hand_id = first_hand + row
        n_actions = log.n_actions
        deal(seed, hand_id, n_cards, table.cards.deck)
        status = play_hand(rules, hand_id % n_seats, hand_id, table)
        if status != PLAYED:
            log.n_actions = n_actions
            return status, row, digest
        digest += _digest(rules, table)
        _write_results(table, columns, row)
        if level >= HANDS:
            _write_cards(rules, table, columns, row)
        if level >= FULL:
            columns.act_offsets[row + 1] = log.n_actions
    return PLAYED, n_hands, digest


@jit
def _digest(rules, table):
    state, notes, cards = table.state, table.notes, table.cards
    rake = table.settlement.rake
    return hand_digest(notes.digest, notes.hand_id, cards.deck, n_board_cards(state.street), cards.hole, rules.hole_cards, state, rake)


@jit
def _write_results(table, columns, row):
    state, notes, settlement = table.state, table.notes, table.settlement
    showdown = state.n_live > 1
    columns.button[row] = state.button
    columns.street[row] = state.street
    columns.showdown[row] = showdown
    columns.n_flop[row] = notes.n_flop
    columns.pot[row] = settlement.pot
    columns.rake[row] = settlement.rake
    columns.n_pots[row] = settlement.n_pots
    columns.outcome[row] = notes.outcome
    columns.category[row] = NO_CATEGORY
    for seat in range(state.n_seats):
        columns.stack[seat, row] = table.players.stack[seat]
        columns.net[seat, row] = net(state, settlement, seat)
        columns.flags[seat, row] = notes.seat_flags[seat]
        columns.n_bets[seat, row] = min(notes.bets_later[seat], MOST_COUNTED)
        columns.n_calls[seat, row] = min(notes.calls_later[seat], MOST_COUNTED)
        if showdown and settlement.high_winners[0] >> seat & 1:
            columns.category[row] = category(notes.strength[seat])


@jit
def _write_cards(rules, table, columns, row):
    state, notes = table.state, table.notes
    n_board = n_board_cards(state.street)
    start = columns.board_offsets[row]
    for card in range(n_board):
        columns.board[start + card] = table.cards.deck[card]
    columns.board_offsets[row + 1] = start + n_board
    start = row * state.n_seats * rules.hole_cards
    for seat in range(state.n_seats):
        for card in range(rules.hole_cards):
            columns.hole[start + seat * rules.hole_cards + card] = table.cards.hole[seat, card]
        columns.strength[seat, row] = notes.strength[seat]
        columns.low[seat, row] = notes.low[seat]


def _with_more_room(columns: Columns, done: int, n_hands: int) -> Columns:
    """The same columns with longer action buffers: room for the rest at the rate so far, and at least twice as much as now."""
    used = int(columns.act_offsets[done])
    if len(columns.act_code) > MAX_ACTIONS:
        raise StrategyError(f"hands of more than {MAX_ACTIONS // n_hands:,} actions; give smaller stacks, larger blinds, or records=hands")
    capacity = max(2 * len(columns.act_code), int(used * 1.1 * n_hands / max(done, 1)))
    act_code, act_amount = np.zeros(capacity, np.uint8), np.zeros(capacity, np.int64)
    act_code[:used], act_amount[:used] = columns.act_code[:used], columns.act_amount[:used]
    return columns._replace(act_code=act_code, act_amount=act_amount)


def _blame(table: Table, sources: Sequence[str], what: str) -> str:
    seat = int(table.state.to_act)
    return f"hand {table.notes.hand_id}, seat {seat} ({sources[seat]}): {what}"


def _illegal(rules, table: Table) -> str:
    state, intent = table.state, int(table.notes.intent)
    seat = int(state.to_act)
    bounds = legal(rules, state)
    raises = f", a bet or raise to {bounds.min_raise_to}..{bounds.max_raise_to}" if bounds.min_raise_to else ", no bet or raise"
    street = ("before the flop", "on the flop", "on the turn", "on the river")[int(state.street)]
    calls = "check" if bounds.call_to == state.bet[seat] else "call"
    return f"illegal intent {intent} {street}; legal: {FOLD} (fold), {bounds.call_to} ({calls}){raises}"
