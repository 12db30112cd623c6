"""Histories of played hands: they say what the columns of the record say, and their chips add up."""

from dataclasses import replace

import pytest
from awkward_hands import HANDS
from test_play import ALL_GAMES, MIXED, UNEVEN, game_id, scenario

from sim.actions import pack_action
from sim.cards import format_cards
from sim.hand_history import history_of, player_names, tell_hand
from sim.levels import FULL
from sim.play import play_range
from sim.rules import House, Rake, Stakes

DID = {"fold": 0, "check": 1, "call": 2, "bet": 3, "raise": 3}
PAID_BEFORE = Stakes(small_blind=3, big_blind=7, ante=1, big_blind_ante=5, straddle=14, stacks=(500, 90, 33, 1000, 12, 8))
CHARGED = Rake(basis_points=500, caps=(5, 7, 9), time_charge=2)
SEED = 21


@pytest.mark.parametrize("game", ALL_GAMES, ids=game_id)
def test_a_history_says_what_the_record_says(game):
    played_game = scenario(*game)
    columns = play_range(played_game, SEED, 0, 12, FULL).columns
    for row in range(12):
        history = history_of(played_game, SEED, row)
        streets = [(street, action) for street, part in enumerate(history.streets) for action in part.actions]
        start, end = columns.act_offsets[row : row + 2]
        codes = [pack_action(street, DID[action.do], action.seat) for street, action in streets]
        assert codes == columns.act_code[start:end].tolist()
        assert [action.to for _, action in streets] == columns.act_amount[start:end].tolist()
        assert [seat.final - seat.stack for seat in history.seats] == columns.net[:, row].tolist()
        assert history.board == format_cards(columns.board[columns.board_offsets[row] : columns.board_offsets[row + 1]])
        assert (len(history.streets) - 1, len(history.pots)) == (columns.street[row], columns.n_pots[row])
        assert (history.total_pot, history.rake) == (columns.pot[row], columns.rake[row])
        width = 6 * game[0].hole_cards
        assert "".join(seat.hole for seat in history.seats) == format_cards(columns.hole[row * width : (row + 1) * width])


@pytest.mark.parametrize("order", ["blind_first", "ante_first"])
@pytest.mark.parametrize("game", ALL_GAMES[:6], ids=game_id)
def test_chips_of_a_history_add_up(game, order):
    """With everything that is paid before the cards, and stacks too short for it."""
    rotated = [PAID_BEFORE.stacks[turn:] + PAID_BEFORE.stacks[:turn] for turn in range(6)]
    for hand_id, stacks in enumerate(rotated * 3):
        stakes = replace(PAID_BEFORE, stacks=stacks)
        history = history_of(scenario(*game, stakes=stakes, house=House(big_blind_ante_order=order), rake=CHARGED), SEED, hand_id)
        charges = sum(post.amount for post in history.posts if post.kind == "time_charge")
        posted = sum(post.amount for post in history.posts) - charges
        put = sum(action.put for street in history.streets for action in street.actions)
        returned = history.uncalled.amount if history.uncalled else 0
        assert posted + put - returned == history.total_pot == sum(pot.amount for pot in history.pots)
        assert sum(share.amount for share in history.collected) == history.total_pot - history.rake
        assert history.rake == sum(pot.rake for pot in history.pots)
        for seat in history.seats:
            paid = sum(post.amount for post in history.posts if post.seat == seat.seat)
            paid += sum(action.put for street in history.streets for action in street.actions if action.seat == seat.seat)
            back = sum(share.amount for share in history.collected if share.seat == seat.seat)
            back += history.uncalled.amount if history.uncalled and history.uncalled.seat == seat.seat else 0
            assert seat.final == seat.stack - paid + back
            all_in = [post for post in history.posts if post.all_in and post.seat == seat.seat]
            all_in += [action for street in history.streets for action in street.actions if action.all_in and action.seat == seat.seat]
            assert bool(all_in) == (paid == seat.stack)


def test_the_bet_of_a_street_follows_from_posts_and_actions():
    for game in ALL_GAMES[:6]:
        history = history_of(scenario(*game, stakes=PAID_BEFORE), SEED, 3)
        bets = {seat.seat: 0 for seat in history.seats}
        for post in history.posts:
            bets[post.seat] += post.live
        for street in history.streets:
            for action in street.actions:
                bets[action.seat] += action.put
                assert bets[action.seat] == action.to
            bets = dict.fromkeys(bets, 0)


def test_every_seat_of_a_showdown_is_there_and_mucked_cards_are_marked():
    mucked = 0
    for hand_id in range(30):
        told = tell_hand(scenario(ALL_GAMES[4][0]), SEED, hand_id)
        assert [shown.seat for shown in told.history.shown] == list(told.settlement.order)
        assert {shown.seat for shown in told.history.shown if not shown.mucked} == set(told.settlement.shown)
        for shown in told.history.shown:
            assert shown.hole == told.history.seats[shown.seat].hole and shown.hi
            mucked += shown.mucked
    assert mucked > 0


def test_players_of_the_same_strategy_are_told_apart_by_their_seat():
    assert player_names(scenario(lineup=MIXED)) == ["tight", "loose_1", "call", "random", "min_raise", "loose_5"]
    assert [seat.name for seat in history_of(scenario(lineup=("call",) * 6), 1, 0).seats] == [f"call_{seat}" for seat in range(6)]


def test_house_rules_other_than_the_defaults_are_named():
    played_game = scenario(house=House(reopening="consecutive", odd_chips="all_to_high"), stakes=UNEVEN)
    assert history_of(played_game, 1, 0).house == {"reopening": "consecutive", "odd_chips": "all_to_high"}


def kinds(name):
    return [(post.seat, post.kind, post.amount, post.live, post.out_of_position, post.all_in) for post in HANDS[name].told().history.posts]


def test_a_missed_small_blind_is_dead_and_posted_with_the_big_blind():
    assert kinds("dead_blind") == [(0, "big_blind", 100, 100, False, False), (2, "small_and_big_blind", 150, 100, True, False)]


def test_posts_are_in_the_order_in_which_they_are_paid():
    assert [kind for _, kind, *_ in kinds("short_blind")] == ["time_charge"] * 3 + ["ante"] * 3 + ["small_blind", "big_blind"]
    assert kinds("short_blind")[-1] == (2, "big_blind", 70, 70, False, True)
    assert kinds("straddle")[-1] == (3, "straddle", 200, 200, False, False)


def test_streets_without_decisions_are_there():
    history = HANDS["four_pots"].told().history
    assert [(street.name, street.board, len(street.actions)) for street in history.streets] == [
        ("preflop", "", 5),
        ("flop", "8h5c2s", 0),
        ("turn", "8h5c2sKc", 0),
        ("river", "8h5c2sKc9d", 0),
    ]
