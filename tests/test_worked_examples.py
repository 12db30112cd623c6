"""The worked examples of the rule texts (rulebooks' own numbers): bets, order of play, ends of a hand, missed blinds."""

import pytest
from case_driver import check_down, checked_settlement, decision, play
from engines import ENGINES

from sim.rules import House, Rake, Stakes, Variant


@pytest.fixture(params=ENGINES)
def engine(request):
    """Each engine in turn."""
    return ENGINES[request.param]


def game(engine, structure: str, stakes: Stakes, seats: int = 3, stack: int = 10_000, button: int | None = None, **house):
    """A hand with equal stacks; the button is the last seat unless it is given, so that seat 0 is the small blind."""
    return engine(Variant(), structure, stakes, House(**house), Rake(), [stack] * seats, seats - 1 if button is None else button)


def test_fixed_limit_two_four_before_the_flop(engine):
    hand = game(engine, "fixed_limit", Stakes(1, 2, small_bet=2, big_bet=4), seats=5)
    play(hand, [[2, "call"], [3, "raise_to", 4], [4, "raise_to", 6]])
    assert decision(hand) == {"to_act": 0, "to_call": 5, "may_raise": True, "min_raise_to": 8, "max_raise_to": 8}
    play(hand, [[0, "raise_to", 8]])
    assert decision(hand) == {"to_act": 1, "to_call": 6, "may_raise": False, "min_raise_to": None, "max_raise_to": None}


def test_fixed_limit_bets_of_each_street(engine):
    hand = game(engine, "fixed_limit", Stakes(1, 2, small_bet=2, big_bet=4))
    play(hand, [[2, "call"], [0, "call"], [1, "check"]])
    for street, bet in (("flop", 2), ("turn", 4), ("river", 4)):
        play(hand, [street])
        assert (decision(hand)["min_raise_to"], decision(hand)["max_raise_to"]) == (bet, bet)
        play(hand, [[0, "check"], [1, "check"], [2, "check"]])


def test_fixed_limit_small_blind_is_its_own_number(engine):
    hand = game(engine, "fixed_limit", Stakes(10, 15, small_bet=15, big_bet=30))
    assert hand.bet == [10, 15, 0]
    assert decision(hand) == {"to_act": 2, "to_call": 15, "may_raise": True, "min_raise_to": 30, "max_raise_to": 30}


@pytest.mark.parametrize("structure", ["fixed_limit", "pot_limit", "no_limit"])
def test_big_blind_has_the_option(engine, structure):
    hand = play(game(engine, structure, Stakes(1, 2)), [[2, "call"], [0, "call"]])
    assert (decision(hand)["to_act"], decision(hand)["to_call"], decision(hand)["min_raise_to"]) == (1, 0, 4)


@pytest.mark.parametrize("structure", ["pot_limit", "no_limit"])
def test_blinds_of_one_and_two(engine, structure):
    hand = game(engine, structure, Stakes(1, 2))
    assert (decision(hand)["to_call"], decision(hand)["min_raise_to"]) == (2, 4)
    play(hand, [[2, "call"], [0, "call"], [1, "check"], "flop", [0, "bet", 5]])
    assert decision(hand)["min_raise_to"] == 10


def pot_of_a_hundred(engine):
    """Ten seats have put in 10 each; the flop is dealt."""
    hand = game(engine, "pot_limit", Stakes(5, 10), seats=10)
    return play(hand, [*([seat, "call"] for seat in range(2, 10)), [0, "call"], [1, "check"], "flop"])


def test_pot_limit_after_the_flop(engine):
    hand = pot_of_a_hundred(engine)
    assert decision(hand) == {"to_act": 0, "to_call": 0, "may_raise": True, "min_raise_to": 10, "max_raise_to": 100}
    play(hand, [[0, "bet", 100]])
    assert decision(hand) == {"to_act": 1, "to_call": 100, "may_raise": True, "min_raise_to": 200, "max_raise_to": 400}


def test_pot_limit_raise_of_less_than_the_pot(engine):
    hand = play(pot_of_a_hundred(engine), [[0, "bet", 40]])
    assert (decision(hand)["min_raise_to"], decision(hand)["max_raise_to"]) == (80, 220)
    play(hand, [[1, "raise_to", 100]])
    assert decision(hand)["min_raise_to"] == 160


def test_pot_limit_before_the_flop(engine):
    hand = game(engine, "pot_limit", Stakes(50, 100), seats=4)
    assert decision(hand)["max_raise_to"] == 350
    play(hand, [[2, "call"]])
    assert decision(hand)["max_raise_to"] == 450


@pytest.mark.parametrize("structure", ["pot_limit", "no_limit"])
def test_no_limit_on_the_number_of_raises(engine, structure):
    hand = game(engine, structure, Stakes(1, 2), seats=2, stack=1000)
    for _ in range(100):
        hand.act(decision(hand)["min_raise_to"])
    assert decision(hand)["may_raise"]
    assert decision(hand)["max_raise_to"] <= 1000


def test_order_of_play(engine):
    hand = game(engine, "pot_limit", Stakes(50, 100), seats=4)
    assert hand.to_act == 2
    play(hand, [[2, "call"], [3, "call"], [0, "call"], [1, "check"], "flop"])
    assert hand.to_act == 0
    play(hand, [[0, "check"], [1, "bet", 100], [2, "call"], [3, "call"], [0, "fold"], "turn"])
    assert hand.to_act == 1


def test_everybody_folds_to_the_big_blind(engine):
    hand = play(game(engine, "pot_limit", Stakes(50, 100), seats=4), [[2, "fold"], [3, "fold"], [0, "fold"]])
    assert hand.over
    result = checked_settlement(hand)
    assert result["net"] == [-50, 50, 0, 0]
    assert (hand.street, result["order"], result["shown"]) == (0, [], set())


def test_bet_that_nobody_calls_takes_the_pot(engine):
    hand = play(
        game(engine, "pot_limit", Stakes(50, 100)),
        [[2, "call"], [0, "call"], [1, "check"], "flop", [0, "bet", 200], [1, "fold"], [2, "fold"]],
    )
    result = checked_settlement(hand)
    assert (hand.over, hand.street, result["order"]) == (True, 1, [])
    assert result["net"] == [200, -100, -100]


def test_winner_of_four_hundred_is_up_three_hundred(engine):
    hand = game(engine, "pot_limit", Stakes(50, 100), seats=4, stack=1000)
    play(hand, [[2, "call"], [3, "call"], [0, "call"], [1, "check"]])
    result = checked_settlement(hand)
    assert [(pot["amount"], pot["high"]) for pot in result["pots"]] == [(400, {0: 400})]
    assert result["net"] == [300, -100, -100, -100]


def test_all_in_player_does_not_stop_the_others(engine):
    hand = engine(Variant(), "no_limit", Stakes(5, 10), House(), Rake(), [50, 1000, 1000], 2)
    play(hand, [[2, "raise_to", 50], [0, "call"], [1, "call"], "flop", [1, "bet", 100], [2, "call"], "turn", [1, "bet", 200], [2, "fold"]])
    assert hand.over
    result = checked_settlement(hand)
    assert [(pot["amount"], pot["eligible"]) for pot in result["pots"]] == [(150, [0, 1]), (200, [1])]
    assert result["uncalled"] == {"seat": 1, "amount": 200}
    assert set(result["order"]) == {0, 1}


def test_newcomer_posts_a_live_big_blind_and_plays_at_once(engine):
    posts = {"small_blind_seat": 0, "big_blind_seat": 1, "live": {3: 2}, "dead": {}}
    hand = engine(Variant(), "fixed_limit", Stakes(1, 2, 2, 4), House(), Rake(), [100] * 5, 4, posts)
    play(hand, [[2, "fold"]])
    assert decision(hand) == {"to_act": 3, "to_call": 0, "may_raise": True, "min_raise_to": 4, "max_raise_to": 4}


def test_both_missed_blinds_are_two_live_and_one_dead(engine):
    posts = {"small_blind_seat": 0, "big_blind_seat": 1, "live": {3: 2}, "dead": {3: 1}}
    hand = engine(Variant(), "fixed_limit", Stakes(1, 2, 2, 4), House(), Rake(), [100] * 5, 4, posts)
    assert (hand.bet[3], hand.stack[3], hand.pot) == (2, 97, 6)


def test_free_checks_end_on_the_river(engine):
    hand = check_down(play(game(engine, "pot_limit", Stakes(5, 10)), [[2, "call"], [0, "call"]]))
    assert (hand.over, hand.street) == (True, 3)
