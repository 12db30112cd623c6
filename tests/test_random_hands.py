"""Random hands on the kernels and on the independent reference engine: the same bounds at each decision, the same chips at the end."""

import random

import pytest
from engines import KernelHand
from reference import ReferenceHand

from sim import rules
from sim.rules import House, Rake, Stakes, Variant

N_QUICK, N_SLOW = 1_000, 5_000  # hands per structure


def random_rules(rng: random.Random, structure: str):
    """Rules, stacks and button with everything that may vary varied, most often in small numbers so that chips are short and odd."""
    variant = Variant("random", rng.choice((4, 4, 5, 6)), rng.random() < 0.5)
    seats = rng.randint(2, min(10, 47 // variant.hole_cards))
    big_blind = rng.choice((2, 3, 10, 20))
    small_bet = big_blind + rng.choice((0, 0, big_blind // 2))
    stakes = Stakes(
        small_blind=rng.randint(0, big_blind),
        big_blind=big_blind,
        small_bet=small_bet,
        big_bet=2 * small_bet + rng.choice((0, 0, 1)),
        ante=rng.choice((0, 0, 0, 1, 3)),
        big_blind_ante=rng.choice((0, 0, 0, big_blind)),
        straddle=rng.choice((0, 0, 0, 2 * big_blind, 2 * big_blind + 1)),
    )
    settings = {key: rng.choice(allowed) if rng.random() < 0.4 else allowed[0] for key, allowed in rules.HOUSE_SETTINGS.items()}
    switches = ("small_blind_as_big_blind", "cap_off_heads_up", "side_pot_shows_first", "all_tabled_when_all_in")
    switches += ("raise_to_callers_stack", "raise_nobody_can_call")
    house = House(**settings, cap=rng.choice((4, 4, 5, 0)), **{key: rng.random() < 0.25 for key in switches})
    caps = rng.choice(((), (3,), (2, 5, 9), (0, 4)))
    rake = Rake(
        basis_points=rng.choice((0, 250, 500, 1000)),
        caps=caps,
        no_flop_no_drop=rng.random() < 0.7,
        rounding=rng.choice(rules.ROUNDING),
        step=rng.choice((1, 1, 1, 5)),
        scope=rng.choice(rules.RAKE_SCOPE),
        minimum_pot=rng.choice((0, 0, 30)),
        time_charge=rng.choice((0, 0, 0, 1)),
    )
    largest = rng.choice((3, 10, 40, 200)) * big_blind
    stacks = [rng.randint(2, max(2, largest)) for _ in range(seats)]
    return (variant, structure, stakes, house, rake), stacks, rng.randrange(seats)


def random_posts(rng: random.Random, seats: int, button: int):
    """Now and then a hand with a missing small blind, a newcomer's live post or a returning player's dead one."""
    if seats < 4 or rng.random() < 0.7:
        return None
    small, big, other = ((button + step) % seats for step in (1, 2, 3))
    return {
        "small_blind_seat": rng.choice((small, None)),
        "big_blind_seat": big,
        "live": {other: rng.choice((2, 10))} if rng.random() < 0.5 else {},
        "dead": {other: rng.choice((1, 5))} if rng.random() < 0.5 else {},
    }


def random_intent(rng: random.Random, legal: dict, to_call: int) -> int:
    """Fold seldom and only to a bet, call often, raise to either bound or between."""
    roll = rng.random()
    if roll < 0.12 and to_call > 0:
        return -1
    if roll < 0.6 or legal["min_raise_to"] is None:
        return legal["call_to"]
    low, high = legal["min_raise_to"], legal["max_raise_to"]
    return rng.choice((low, low, high, rng.randint(low, high)))


def play_both(rng: random.Random, structure: str) -> None:
    """One random hand on both engines."""
    setup, stacks, button = random_rules(rng, structure)
    posts = random_posts(rng, len(stacks), button)
    kernel, reference = (engine(*setup, stacks, button, posts) for engine in (KernelHand, ReferenceHand))
    while True:
        assert (kernel.to_act, kernel.street, kernel.over) == (reference.to_act, reference.street, reference.over)
        assert (kernel.bet, kernel.stack, kernel.pot) == (list(reference.bet), list(reference.stack), reference.pot)
        if reference.over:
            break
        if reference.to_act is None:
            kernel.next_street()
            reference.next_street()
            continue
        legal = reference.legal()
        assert kernel.legal() == legal
        intent = random_intent(rng, legal, legal["call_to"] - reference.bet[reference.to_act])
        kernel.act(intent)
        reference.act(intent)
    n_hole = setup[0].hole_cards
    deck = rng.sample(range(52), 5 + n_hole * len(stacks))
    holes = {seat: deck[5 + n_hole * seat : 5 + n_hole * (seat + 1)] for seat in range(len(stacks))}
    got, expected = kernel.settle(holes, deck[:5]), reference.settle(holes, deck[:5])
    assert sum(got["net"]) + got["rake"] == 0
    assert min(kernel.stack) >= 0
    assert got == expected


@pytest.mark.parametrize("structure", rules.STRUCTURES)
def test_random_hands_equal_the_reference(structure):
    for hand in range(N_QUICK):
        play_both(random.Random(f"{structure} {hand}"), structure)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("structure", rules.STRUCTURES)
def test_many_random_hands_equal_the_reference(structure):
    for hand in range(N_QUICK, N_QUICK + N_SLOW):
        play_both(random.Random(f"{structure} {hand}"), structure)
