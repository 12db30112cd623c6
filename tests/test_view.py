"""The public part of a view: what a seat is shown before it acts, against a replay of the actions in plain Python."""

import numba
import numpy as np
import pytest
from test_play import ALL_GAMES, UNEVEN, game_id, play_deck, some_deck
from views import view_of

from sim.actions import kind_of, seat_of, street_of
from sim.strategies import (
    BB,
    BTN,
    CO,
    HJ,
    SB,
    UTG,
    aggressor_on,
    effective_stack,
    has_initiative,
    in_position,
    n_behind,
    n_callers,
    pot_odds,
    preflop_position,
    raises_on,
    stack_to_pot,
)

FEW = 10 if numba.config.DISABLE_JIT else 100
LINEUP = ("random", "loose", "random", "min_raise", "random", "tight")
FOLDED, CHECKED, CALLED, RAISED = range(4)


def shown_before_last_action(actions, seat):
    """What the view of a seat shows at its last decision, from the actions before it."""
    last = max(place for place, (code, _) in enumerate(actions) if seat_of(code) == seat)
    street = street_of(actions[last][0])
    raises, aggressors, callers, last_aggressor, folded = [0] * 4, [-1] * 4, set(), -1, set()
    on_street = 0
    for code, _ in actions[:last]:
        who, kind = seat_of(code), kind_of(code)
        if street_of(code) != on_street:
            on_street, callers = street_of(code), set()
        if kind == FOLDED:
            folded.add(who)
        if kind == CALLED:
            callers.add(who)
        if kind == RAISED:
            raises[on_street] += 1
            aggressors[on_street] = last_aggressor = who
            callers = set()
    if on_street != street:
        callers = set()
    return street, raises, aggressors, callers, last_aggressor, folded


@pytest.mark.parametrize("game", [ALL_GAMES[1], ALL_GAMES[5], ALL_GAMES[9]], ids=game_id)
def test_a_view_shows_the_actions_so_far(game):
    kinds = set()
    for hand_id in range(FEW):
        actions, _, _, views = play_deck(some_deck(hand_id), LINEUP, game=game, hand_id=hand_id, with_views=True)
        for seat in {seat_of(code) for code, _ in actions}:
            street, raises, aggressors, callers, last_aggressor, folded = shown_before_last_action(actions, seat)
            view = views[seat]
            assert view.street == street
            assert [raises_on(view, place) for place in range(4)] == raises
            assert [aggressor_on(view, place) for place in range(4)] == aggressors
            assert {other for other in range(6) if view.callers >> other & 1} == callers and n_callers(view) == len(callers)
            assert (view.last_aggressor, view.aggressor, view.n_raises) == (last_aggressor, aggressors[street], raises[street])
            assert {other for other in range(6) if view.folded[other]} == folded
            assert has_initiative(view) == (street > 0 and raises[street] == 0 and last_aggressor == seat)
            kinds.add((street, len(callers) > 0, raises[street] > 0))
    assert len(kinds) > (5 if FEW == 10 else 8), "most situations must come up, or the test shows little"


def test_what_a_seat_is_shown_of_itself():
    _, _, _, views = play_deck(some_deck(3), LINEUP, button=2, with_views=True)
    for seat in range(6):
        assert (views[seat].seat, views[seat].position, views[seat].n_seats) == (seat, (seat - 2) % 6, 6)
        assert (views[seat].small_blind, views[seat].big_blind) == (UNEVEN.small_blind, UNEVEN.big_blind)


@pytest.mark.parametrize(
    ("n_seats", "expected"),
    [
        (2, [BTN, BB]),
        (3, [BTN, SB, BB]),
        (4, [BTN, SB, BB, CO]),
        (6, [BTN, SB, BB, UTG, HJ, CO]),
        (9, [BTN, SB, BB, UTG, UTG, UTG, UTG, HJ, CO]),
    ],
)
def test_places_before_the_flop_count_from_the_button_backwards(n_seats, expected):
    places = []
    for position in range(n_seats):
        view = view_of("AsKsQsJs", n_seats=n_seats)
        view.position = position
        places.append(preflop_position(view))
    assert places == expected


def table_view(stacks, bets, folded=(), seat=0, button=2, pot=0, **more) -> np.record:
    """A view in `seat` of a table with these stacks behind and bets."""
    view = view_of("AsKsQsJs", "2c7dTh", n_seats=len(stacks))
    view.seat, view.button, view.pot = seat, button, pot or sum(bets)
    view.stacks[: len(stacks)], view.bets[: len(bets)] = stacks, bets
    for other in folded:
        view.folded[other] = 1
    view.current_bet, view.bet, view.stack = max(bets), bets[seat], stacks[seat]
    view.to_call = min(view.current_bet - view.bet, view.stack)
    view.call_to = view.bet + view.to_call
    for name, value in more.items():
        view[name] = value
    return view


def test_the_price_of_a_call_is_its_part_of_the_pot_with_it():
    assert pot_odds(table_view([900, 800], [0, 100], pot=200)) == 100 / 300
    assert pot_odds(table_view([900, 800], [0, 0], pot=200)) == 0


def test_stack_to_pot_counts_what_an_opponent_can_match():
    view = table_view([900, 300, 5_000], [0, 100, 0], folded=(2,), pot=200)
    assert effective_stack(view) == 400  # the call, and the 300 behind the bet
    assert stack_to_pot(view) == (400 - 100) / 300
    assert stack_to_pot(table_view([50, 300], [0, 100], pot=200)) == 0


@pytest.mark.parametrize("game", [ALL_GAMES[1], ALL_GAMES[5]], ids=game_id)
def test_seats_behind_are_those_that_act_until_the_next_raise(game):
    """Where a seat checks or calls and nobody raises after it, as many actions follow on the street as it has seats behind."""
    seen = set()
    for hand_id in range(3 * FEW):
        actions, _, _, views = play_deck(some_deck(hand_id), LINEUP, game=game, hand_id=hand_id, with_views=True)
        for seat in {seat_of(code) for code, _ in actions}:
            last = max(place for place, (code, _) in enumerate(actions) if seat_of(code) == seat)
            street = street_of(actions[last][0])
            after = [kind_of(code) for code, _ in actions[last + 1 :] if street_of(code) == street]
            decided_early = sum(not folded for folded in views[seat].folded[:6]) - after.count(FOLDED) < 2
            if kind_of(actions[last][0]) in (CHECKED, CALLED) and RAISED not in after and not decided_early:
                assert n_behind(views[seat]) == len(after)
                seen.add((street, len(after)))
    assert len(seen) > (3 if FEW == 10 else 5), "most situations must come up, or the test shows little"


def test_in_position_is_last_to_act_of_those_with_chips():
    assert in_position(table_view([900] * 3, [0] * 3, seat=2, button=2))
    assert not in_position(table_view([900] * 3, [0] * 3, seat=1, button=2))
    assert in_position(table_view([900] * 3, [0] * 3, seat=1, button=2, folded=(2,)))
    assert in_position(table_view([900, 900, 0], [0] * 3, seat=1, button=2))
