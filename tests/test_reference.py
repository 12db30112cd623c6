"""The oracle against the concrete rule cases: betting, pots, hi/lo, blinds, showdown, rake; then random hands."""

import random

import pytest
from case_driver import (
    SOME_BOARD,
    SOME_HOLES,
    checked_settlement,
    decision,
    load_cases,
    plain_pots,
    play,
    play_case,
    rake_of,
    start,
)
from engines import ENGINES
from naive import cards_of, low_strength, strength
from reference import build_pots, take_rake

from sim.rules import House, Rake, Stakes, Variant

CASES = load_cases()
DECISION_KEYS = ("to_act", "to_call", "may_raise", "min_raise_to", "max_raise_to")
DECISIONS = [name for name, case in CASES.items() if "actions" in case["setup"] and any(key in case["expect"] for key in DECISION_KEYS)]
SETTLEMENTS = [name for name, case in CASES.items() if "holes" in case["setup"] and "final_stacks" in case["expect"]]


@pytest.fixture(params=ENGINES)
def engine(request):
    """Each engine in turn."""
    return ENGINES[request.param]


def hand_of(engine, name: str, **house):
    """The hand of a case after its actions, under house rules other than the defaults."""
    return play_case(engine, CASES[name]["setup"], house)


# --- decisions: areas 2 to 4 and 7 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DECISIONS)
def test_case_of_a_decision(engine, name):
    expect = dict(CASES[name]["expect"])
    house = {}
    if expect.get("option") == "treat_small_blind_as_big_blind":
        house["small_blind_as_big_blind"] = True
    got = decision(hand_of(engine, name, **house))
    expected = {key: expect[key] for key in DECISION_KEYS if key in expect}
    assert {key: got[key] for key in expected} == expected


@pytest.mark.parametrize("name", ["pl-009", "pl-010"])
def test_short_blind_at_true_value(engine, name):
    expected = CASES[name]["expect"]["if_counted_at_true_value"]["max_raise_to"]
    assert decision(hand_of(engine, name, short_blind="true_value"))["max_raise_to"] == expected
    assert decision(hand_of(engine, name))["max_raise_to"] != expected


def test_small_blind_as_big_blind_is_off_by_default(engine):
    assert decision(hand_of(engine, "pl-016"))["max_raise_to"] == CASES["pl-016"]["expect"]["without_option"]


def test_raise_inside_the_bounds_is_legal(engine):
    got = decision(hand_of(engine, "nl-002"))
    assert got["min_raise_to"] <= CASES["nl-002"]["expect"]["legal_raise_to"] <= got["max_raise_to"]


def test_minimum_raise_is_not_double_the_bet(engine):
    assert decision(hand_of(engine, "nl-001"))["min_raise_to"] != 600


@pytest.mark.parametrize("setting", ["big_blind", "difference"])
def test_straddle_minimum_raise_settings(engine, setting):
    expected = CASES["nl-023"]["expect"]["min_raise_to_under_WSOP_LA_161"]
    assert decision(hand_of(engine, "nl-023", straddle_min_raise=setting))["min_raise_to"] == expected


def test_fixed_limit_cap_of_four_raises(engine):
    got = decision(hand_of(engine, "fl-001", cap=5))
    assert got["min_raise_to"] == got["max_raise_to"] == CASES["fl-001"]["expect"]["cap_level_with_4_raises"]


def test_cap_reached_by_three_stays_when_one_folds(engine):
    for lifted in (False, True):
        hand = hand_of(engine, "fl-001", cap_off_heads_up=lifted)
        play(hand, [[2, "fold"]])
        assert not decision(hand)["may_raise"]


def test_cap_is_off_heads_up_if_the_house_says_so(engine):
    setup = dict(CASES["fl-001"]["setup"], cap_off_heads_up=True)
    hand = play(start(engine, setup), [[2, "fold"], [0, "raise_to", 20], [1, "raise_to", 30], [0, "raise_to", 40]])
    assert decision(hand)["min_raise_to"] == 50
    capped = play(
        start(engine, setup, {"cap_off_heads_up": False}), [[2, "fold"], [0, "raise_to", 20], [1, "raise_to", 30], [0, "raise_to", 40]]
    )
    assert not decision(capped)["may_raise"]


@pytest.mark.parametrize(("name", "expected"), [("nl-005", False), ("nl-021", True), ("nl-008", True), ("nl-013", False)])
def test_consecutive_short_all_ins(engine, name, expected):
    """WSOP T 96-a: short all-ins add up only when they follow each other; in nl-005 a call stands between them."""
    assert decision(hand_of(engine, name, reopening="consecutive"))["may_raise"] is expected


def test_big_blind_ante_order(engine):
    expect, setup = CASES["blind-005"]["expect"], CASES["blind-005"]["setup"]
    for order, key in (("blind_first", "blind_first_TDA_2024"), ("ante_first", "ante_first_TDA_2019")):
        hand = start(engine, setup, {"big_blind_ante_order": order})
        assert {"big_blind_live": hand.bet[1], "ante": hand.pot - sum(hand.bet)} == expect[key]
        assert decision(hand)["to_call"] == expect["to_call_for_others_either_way"]


def test_short_ante_wins_only_that_much_from_each(engine):
    expect = CASES["blind-004"]["expect"]
    hand = hand_of(engine, "blind-004")
    assert hand.pot == expect["in_pot_now"]
    assert build_pots([5, 5, 3, 5], 0, [False] * 4) == expect["ante_pots"]
    pots = checked_settlement(play(hand, [[3, "call"], [0, "call"], [1, "check"]]))["pots"]
    assert [(pot["amount"], pot["eligible"]) for pot in pots] == [(12, [0, 1, 2, 3]), (36, [0, 1, 3])]


def test_big_blind_short_of_the_small_blind(engine):
    expect = CASES["blind-002"]["expect"]
    result = checked_settlement(hand_of(engine, "blind-002"))
    assert result["uncalled"] == expect["uncalled_returned"]
    assert sum(pot["amount"] for pot in result["pots"]) == expect["contested_pot"]


def test_last_seat_with_chips_calls_only_what_is_there(engine):
    """Price 10, but the short big blind has 3 and the button is all-in for 7: the small blind cannot lose more than 7."""
    hand = engine(Variant(), "no_limit", Stakes(5, 10), House(), Rake(), [1000, 3, 7], 2)
    play(hand, [[2, "call"]])
    assert decision(hand) == {"to_act": 0, "to_call": 2, "may_raise": False, "min_raise_to": None, "max_raise_to": None}


def test_returning_player_posts_the_big_blind_live_and_the_small_blind_dead(engine):
    case = CASES["btn-005"]["setup"], CASES["btn-005"]["expect"]
    stakes = Stakes(case[0]["small_blind"], case[0]["big_blind"])
    posts = {"small_blind_seat": 1, "big_blind_seat": 2, "live": {4: case[1]["live"]}, "dead": {4: case[1]["dead"]}}
    hand = engine(Variant(), "no_limit", stakes, House(), Rake(), [1000] * 5, 0, posts)
    assert hand.pot == case[1]["pot_before_action_5_handed"]
    play(hand, [[3, "call"]])
    assert decision(hand) == {"to_act": 4, "to_call": 0, "may_raise": True, "min_raise_to": 20, "max_raise_to": 995}


@pytest.mark.parametrize("taken", [False, True])
def test_raise_below_the_minimum_to_the_most_that_anybody_can_call(engine, taken):
    """Seat 2 opens to 60, seat 1 has 70: the full raise is to 100, and 70 is the most that can be called."""
    house = House(raise_to_callers_stack=taken)
    hand = engine(Variant(), "no_limit", Stakes(10, 20), house, Rake(), [500, 70, 500], 2)
    play(hand, [[2, "raise_to", 60], [0, "call"], [1, "call"]])
    hand.next_street()
    assert hand.legal() == dict(call_to=0, min_raise_to=20, max_raise_to=440)  # the others can call more than seat 1
    play(hand, [[0, "fold"], [1, "check"]])
    assert hand.legal() == dict(call_to=0, min_raise_to=10 if taken else 20, max_raise_to=440)
    hand.act(10 if taken else 20)
    assert hand.legal()["call_to"] == 10


@pytest.mark.parametrize("taken", [False, True])
def test_raise_that_nobody_can_call_comes_back(engine, taken):
    hand = engine(Variant(), "no_limit", Stakes(10, 20), House(raise_nobody_can_call=taken), Rake(), [100, 60], 0)
    play(hand, [[0, "call"], [1, "raise_to", 60]])
    assert hand.legal() == dict(call_to=60, min_raise_to=100 if taken else None, max_raise_to=100 if taken else None)
    if taken:
        hand.act(100)
        assert checked_settlement(hand)["uncalled"] == {"seat": 0, "amount": 40}


# --- settlement: areas 5 and 6 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETTLEMENTS)
def test_case_of_a_settlement(engine, name):
    setup, expect = CASES[name]["setup"], CASES[name]["expect"]
    result = checked_settlement(hand_of(engine, name), setup)
    assert result["net"] == expect["net"]
    assert [stack + net for stack, net in zip(setup["stacks"], result["net"], strict=True)] == expect["final_stacks"]
    assert plain_pots(result) == expect["pots"]
    assert result["uncalled"] == expect.get("uncalled_returned")
    if "won_flag" in expect:
        won = [any(pot["high"].get(seat) or pot["low"].get(seat) for pot in result["pots"]) for seat in range(len(setup["stacks"]))]
        assert [bool(flag) for flag in won] == expect["won_flag"]
    if "rakeable_pot" in expect:
        assert sum(pot["amount"] for pot in result["pots"]) == expect["rakeable_pot"]
    if "pots_listed" in expect:
        assert len(result["pots"]) == expect["pots_listed"]


def test_chips_of_a_folded_seat_are_cut_into_layers(engine):
    amounts = [pot["amount"] for pot in checked_settlement(hand_of(engine, "sp-002"), CASES["sp-002"]["setup"])["pots"]]
    assert amounts != [250, 100]


def test_folded_top_layer_joins_the_last_live_pot():
    setup, expect = CASES["sp-019"]["setup"], CASES["sp-019"]["expect"]
    folded = [seat in setup["folded"] for seat in range(len(setup["contributions"]))]
    pots = build_pots(setup["contributions"], 0, folded)
    assert pots == expect["pots_if_dead_layer_joins_top_live_pot"]
    assert sum(pot["amount"] for pot in pots) == expect["sum_of_pots"]


@pytest.mark.parametrize(
    ("name", "high", "low"),
    [
        ("hl-004", {0: 202}, {1: 66, 2: 66, 3: 66}),
        ("hl-010", {1: 27, 2: 26}, {1: 52}),
        ("sp-012", {0: 28, 1: 26, 3: 26}, {}),
    ],
)
def test_odd_chips_all_to_the_high_hand(engine, name, high, low):
    (pot,) = checked_settlement(hand_of(engine, name, odd_chips="all_to_high"), CASES[name]["setup"])["pots"]
    assert (pot["high"], pot["low"]) == (high, low)


def test_dead_chips_belong_to_the_main_pot_and_never_come_back(engine):
    """The big-blind ante of 10 and a dead blind of 5 stay in the pot of a walk; only the live difference of the blinds returns."""
    posts = {"small_blind_seat": 0, "big_blind_seat": 1, "live": {}, "dead": {2: 5}}
    hand = engine(Variant(), "no_limit", Stakes(5, 10, big_blind_ante=10), House(), Rake(), [100] * 3, 2, posts)
    result = checked_settlement(play(hand, [[2, "fold"], [0, "fold"]]))
    assert result["uncalled"] == {"seat": 1, "amount": 5}
    assert [pot["amount"] for pot in result["pots"]] == [25]
    assert result["net"] == [-5, 10, -5]


# --- showdown: area 8 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sd-001", "sd-002"])
def test_case_of_the_showing_order(engine, name):
    expect = CASES[name]["expect"]
    order = checked_settlement(hand_of(engine, name))["order"]
    assert order[0] == expect["first_to_show"]
    assert order == expect["order"]


def test_last_aggressor_of_an_earlier_street_if_the_house_says_so(engine):
    assert checked_settlement(hand_of(engine, "sd-001", showing="last_aggressor_any_street"))["order"] == [1, 2, 0]


def test_all_hands_are_tabled_when_all_in(engine):
    expect = CASES["sd-003"]["expect"]
    assert checked_settlement(hand_of(engine, "sd-003", all_tabled_when_all_in=True))["shown"] == set(expect["all_tabled"])
    assert checked_settlement(hand_of(engine, "sd-003"))["shown"] == {0, 1}  # trips of seat 0, the side pot of seat 1; seat 2 may muck


def test_side_pot_shows_first_if_the_house_says_so(engine):
    expect = CASES["sd-004"]["expect"]
    result = checked_settlement(hand_of(engine, "sd-004", side_pot_shows_first=True))
    assert result["order"] == expect["side_pot_shows_before"]["seats"] + expect["side_pot_shows_before"]["then"]
    assert [{"amount": pot["amount"], "eligible": pot["eligible"]} for pot in result["pots"]] == expect["pots"]
    assert checked_settlement(hand_of(engine, "sd-004"))["order"] == [0, 1, 2]


def test_beaten_hand_mucks_and_wins_nothing(engine):
    expect = CASES["sd-005"]["expect"]
    result = checked_settlement(hand_of(engine, "sd-005"))
    assert result["shown"] == {CASES["sd-005"]["setup"]["showdown"][0][0]}
    assert [(pot["amount"], pot["high"]) for pot in result["pots"]] == [(expect["pot"], {expect["winner"]: expect["pot"]})]


def test_later_hand_shows_if_it_beats_what_was_shown(engine):
    setup = CASES["sd-005"]["setup"]
    holes = {"0": SOME_HOLES[1], "1": SOME_HOLES[0]}
    assert checked_settlement(hand_of(engine, "sd-005"), dict(setup, holes=holes))["shown"] == {0, 1}


def test_worse_high_shows_for_the_low_half(engine):
    setup = CASES["hl-004"]["setup"]
    result = checked_settlement(hand_of(engine, "hl-004"), setup)
    assert result["order"] == [0, 1, 2, 3]
    assert result["shown"] == {0, 1, 2, 3}


# --- rake: area 9 ----------------------------------------------------------------------------------------------------------------------


def test_no_flop_no_drop(engine):
    setup, expect = CASES["rk-001"]["setup"], CASES["rk-001"]["expect"]
    result = checked_settlement(hand_of(engine, "rk-001"))
    assert (result["rake"], result["net"]) == (expect["rake"], expect["net"])
    dropped = play_case(engine, setup, rake=Rake(500, caps=(15,), no_flop_no_drop=False))
    assert checked_settlement(dropped)["rake"] == 1  # 5 % of 25, the 25 uncalled chips left out


@pytest.mark.parametrize("scope", ["hand", "pot"])
def test_rake_cap_is_one_per_hand(engine, scope):
    setup, expect = CASES["rk-003"]["setup"], CASES["rk-003"]["expect"]
    setup = dict(setup, rake=dict(setup["rake"], scope=scope))
    result = checked_settlement(play_case(engine, setup), setup)
    assert [pot["amount"] for pot in result["pots"]] == expect["pots"]
    assert result["rake"] == expect["rake_total"] != expect["wrong_if_cap_per_pot"]
    assert [pot["rake"] for pot in result["pots"]] == [3, 0]  # a capped rake comes from the main pot first


@pytest.mark.parametrize(("rounding", "key"), [("down", "rounding_down"), ("half_up", "half_up")])
def test_rounding_of_the_rake(rounding, key):
    setup, expect = CASES["rk-004"]["setup"], CASES["rk-004"]["expect"]
    rake = rake_of({"percent": setup["percent"], "rounding": rounding})
    got = [take_rake(rake, [pot], 6, flop_dealt=True)[0] for pot in setup["pots"]]
    assert got == expect[key] != expect["half_even_python_round"]


def test_net_is_collected_minus_what_stayed_in(engine):
    """317 all-in called by 283: 34 come back, and 550 of the pot of 566 are collected after a rake of 16."""
    setup, expect = CASES["rk-006"]["setup"], CASES["rk-006"]["expect"]
    rake = Rake(500, caps=(2 * expect["bet"] - setup["collected"],))
    hand = engine(Variant(), "no_limit", Stakes(5, 10), House(), rake, [setup["hero_put_in"], expect["bet"]], 0)
    result = checked_settlement(play(hand, [[0, "raise_to", 317], [1, "call"]]))
    assert result["uncalled"] == {"seat": 0, "amount": setup["uncalled_returned"]}
    assert result["pots"][0]["high"] == {0: setup["collected"]}
    assert result["net"][0] == expect["net"]
    assert result["net"][0] not in expect["wrong"].values()


def test_rake_is_reckoned_on_the_hand_and_shared_over_the_pots():
    setup, expect = CASES["rk-007"]["setup"], CASES["rk-007"]["expect"]
    amounts = [pot["amount"] for pot in setup["pots"]]
    differ = expect["example_where_they_differ"]
    for scope, total, other in (("hand", "rake_total", "per_hand"), ("pot", "if_rounded_per_pot", "per_pot")):
        rake = rake_of(dict(setup["rake"], scope=scope))
        assert sum(take_rake(rake, amounts, 6, flop_dealt=True)) == expect[total]
        assert sum(take_rake(rake, differ["pots"], 6, flop_dealt=True)) == differ[other]


def test_rake_caps_by_players_dealt():
    rake = Rake(500, caps=(50, 100, 100, 150))
    assert [take_rake(rake, [10_000], players, flop_dealt=True)[0] for players in (2, 3, 4, 5, 6, 10)] == [50, 100, 100, 150, 150, 150]


def test_minimum_pot_step_and_time_charge(engine):
    assert take_rake(Rake(500, minimum_pot=100), [60, 39], 3, flop_dealt=True) == [0, 0]
    assert take_rake(Rake(500, minimum_pot=99), [60, 39], 3, flop_dealt=True) == [3, 1]
    assert take_rake(Rake(500, step=5, rounding="up"), [60, 41], 3, flop_dealt=True) == [6, 4]
    assert take_rake(Rake(500, step=5), [60, 41], 3, flop_dealt=True) == [3, 2]
    hand = engine(Variant(), "no_limit", Stakes(5, 10), House(), Rake(time_charge=3), [100, 2, 100], 2)
    assert hand.stack == [92, 0, 97]
    result = checked_settlement(play(hand, [[2, "fold"]]))
    assert (result["rake"], result["net"]) == (8, [-3, -2, -3])  # seat 1 has nothing for its blind, the 5 of seat 0 come back


# --- properties of random hands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("structure", ["fixed_limit", "pot_limit", "no_limit"])
def test_random_hands_keep_every_chip(engine, structure):
    """200 hands with every house rule drawn: they end, no stack is negative, nets and rake sum to zero."""
    rng = random.Random(structure)
    for _ in range(200):
        hand, stacks = random_hand(engine, rng, structure)
        while not hand.over:
            if hand.to_act is None:
                hand.next_street()
                continue
            legal = hand.legal()
            choices = [-1, legal["call_to"], legal["call_to"], legal["call_to"]]
            if legal["min_raise_to"] is not None:
                choices += [legal["min_raise_to"], rng.randint(legal["min_raise_to"], legal["max_raise_to"]), legal["max_raise_to"]]
            hand.act(rng.choice(choices))
            assert min(hand.stack) >= 0
            assert sum(hand.stack) + hand.pot == sum(stacks)
        deck = rng.sample(range(52), 5 + 4 * len(stacks))
        holes = {seat: deck[5 + 4 * seat : 9 + 4 * seat] for seat in range(len(stacks))}
        result = hand.settle(holes, deck[:5])
        assert sum(result["net"]) + result["rake"] == 0
        assert all(stack + net >= 0 for stack, net in zip(stacks, result["net"], strict=True))
        winners = {seat for pot in result["pots"] for half in (pot["high"], pot["low"]) for seat in half}
        assert not result["order"] or winners <= result["shown"]


def random_hand(engine, rng, structure):
    """A hand with two to six seats, uneven stacks and drawn stakes, house rules and rake."""
    stakes = Stakes(5, 10, ante=rng.choice([0, 0, 3]), big_blind_ante=rng.choice([0, 0, 10]), straddle=rng.choice([0, 0, 20]))
    house = House(
        reopening=rng.choice(["full_raise_in_total", "consecutive"]),
        cap_off_heads_up=rng.random() < 0.5,
        odd_chips=rng.choice(["high_first", "all_to_high"]),
        showing=rng.choice(["last_aggressor_river", "last_aggressor_any_street"]),
        big_blind_ante_order=rng.choice(["blind_first", "ante_first"]),
        side_pot_shows_first=rng.random() < 0.5,
    )
    rake = Rake(rng.choice([0, 450, 500]), caps=rng.choice([(), (3,), (2, 5)]), scope=rng.choice(["hand", "pot"]), step=rng.choice([1, 5]))
    stacks = [rng.choice([rng.randint(1, 30), rng.randint(20, 400)]) for _ in range(rng.randint(2, 6))]
    return engine(Variant(hi_lo=rng.random() < 0.5), structure, stakes, house, rake, stacks, rng.randrange(len(stacks))), stacks


def test_cards_without_a_case_are_a_legal_deal():
    assert len({card for text in (*SOME_HOLES, SOME_BOARD) for card in cards_of(text)}) == 29
    strengths = [strength(hole, SOME_BOARD) for hole in SOME_HOLES]
    assert strengths == sorted(set(strengths), reverse=True)
    assert not any(low_strength(hole, SOME_BOARD) for hole in SOME_HOLES)
