"""A hand to step through: what no hand can have is refused in one line, and nothing moves."""

import pytest

from sim.rules import Variant
from sim.stepping import Hand, Posts

OMAHA6 = Variant("omaha6", 6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"variant": OMAHA6, "seats": 8}, "number of stacks 8; give a whole number from 2 to 7"),
        ({"variant": Variant("omaha5", 5), "seats": 10}, "number of stacks 10; give a whole number from 2 to 9"),
        ({"seats": 11}, "number of stacks 11; give a whole number from 2 to 10"),
        ({"stacks": (100,)}, "number of stacks 1; "),
        ({"stacks": (100, 2.5)}, "stack 2.5; give a whole number from 1 to "),
        ({"stacks": (100, 0)}, "stack 0; "),
        ({"button": 6}, "button 6; give a whole number from 0 to 5"),
        ({"button": -1}, "button -1; "),
        ({"seed": -1}, "seed -1; "),
        ({"hand_id": "7"}, "hand_id '7'; "),
        ({"posts": Posts(0, 0)}, "posted by different seats"),
        ({"posts": Posts(7, 1)}, "seat 7; give a whole number from 0 to 5"),
        ({"posts": Posts(0, 1, dead={2: -5})}, "post -5; "),
        ({"posts": Posts(0, 1, live={9: 100})}, "seat 9; "),
    ],
)
def test_what_no_hand_can_have_is_refused(arguments, said):
    with pytest.raises(ValueError) as refused:
        Hand(**arguments)
    assert said in str(refused.value)


def test_seven_seats_of_six_cards_use_47_cards():
    hand = Hand(OMAHA6, seats=7)
    assert len({card for seat in range(7) for card in (hand.hole(seat)[i : i + 2] for i in range(0, 12, 2))}) == 42


@pytest.mark.parametrize("to", [250.5, "x", None, 2**70])
def test_an_intent_is_a_whole_number(to):
    hand = Hand(seats=2)
    before = repr(hand)
    with pytest.raises(ValueError, match="intent .*; give a whole number"):
        hand.act(to)
    with pytest.raises(ValueError, match="intent .*; give a whole number"):
        hand.act_all([to])
    assert repr(hand) == before


@pytest.mark.parametrize(
    ("holes", "board", "said"),
    [
        ({0: "AsAhAdAc", 1: "AsAhAdAc"}, None, "As is there twice"),
        ({0: "AsAhAdAc"}, None, "holes has no cards of seat 1"),
        ({0: "AsAhAd", 1: "KsKhKdKc"}, None, "seat 0: 'AsAhAd'; give 4 cards"),
        (None, "2c3c4c", "board: '2c3c4c'; give 5 cards"),
        ({0: "AsAhAdAc", 1: "KsKhKdKc"}, "2c3c4cAs9d", "As is there twice"),
    ],
)
def test_cards_that_are_given_must_be_all_there_and_once(holes, board, said):
    hand = Hand(seats=2, stacks=(1000, 1000))
    hand.act(300)
    hand.act(900)
    hand.act(1000)
    hand.call()
    before = repr(hand)
    with pytest.raises(ValueError) as refused:
        hand.settle(holes, board)
    assert said in str(refused.value) and repr(hand) == before
    assert sum(hand.settle({0: "AsAhAdAc", 1: "KsKhKdKc"}, "2c3c4c9d9h").net) == 0
