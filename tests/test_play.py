"""Hands in ranges: chips, cards and bounds hold in every variant and structure, and a hand depends on nothing but seed, id and scenario."""

import json
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np
import pytest

from sim.actions import kind_of, seat_of, street_of
from sim.betting import FOLD
from sim.cards import deal
from sim.hand import log_actions, new_table, play_hand, seat_players
from sim.levels import FULL, HANDS, NONE, RESULTS
from sim.lineup import Strategy
from sim.plan import Scenario
from sim.play import play_range, prepared_lineup
from sim.rules import STRUCTURES, House, Rake, Stakes, Variant, compile_rules
from sim.stepping import Hand
from sim.strategies import STRATEGIES, compile_lineup
from sim.strategies.percentile import ranking_at

GOLDEN = Path(__file__).parent / "golden" / "digests.json"
PLAIN = bool(numba.config.DISABLE_JIT)
FEW = 20 if PLAIN else 300  # hands, where each is looked at in Python
VARIANTS = [Variant(f"omaha{n}{'_hilo' * hi_lo}", n, hi_lo) for n in (4, 5, 6) for hi_lo in (False, True)]
MIXED = ("tight", "loose", "call", "random", "min_raise", "loose")
UNEVEN = Stakes(small_blind=3, big_blind=7, ante=1, stacks=(500, 90, 33, 1000, 12, 8))
RAKED = Rake(basis_points=500, caps=(5, 7, 9))
ALL_GAMES = [(variant, structure) for variant in VARIANTS for structure in STRUCTURES]


def scenario(variant=VARIANTS[0], structure="pot_limit", lineup=MIXED, stakes=UNEVEN, house=House(), rake=RAKED) -> Scenario:
    return Scenario("test", variant, structure, stakes, house, rake, tuple(Strategy(name, name) for name in lineup))


def game_id(game):
    return f"{game[0].name}-{game[1]}"


def golden_digest(game) -> str:
    """Digest of the 2,000 hands of a game that tests/golden/digests.json keeps."""
    return f"{play_range(scenario(*game), 20, 0, 2_000, NONE).digest:016x}"


@pytest.mark.parametrize("game", ALL_GAMES, ids=game_id)
def test_nets_sum_to_minus_the_rake_and_no_stack_is_below_zero(game):
    columns = play_range(scenario(*game), 5, 0, FEW * 10, NONE).columns
    assert (columns.net.sum(axis=0) + columns.rake == 0).all()
    assert (columns.stack + columns.net >= 0).all()
    assert (columns.rake >= 0).all() and columns.rake.sum() > 0


@pytest.mark.parametrize("game", ALL_GAMES, ids=game_id)
def test_recorded_actions_replay_within_the_legal_bounds_to_the_same_chips(game):
    """Every action of the record, stepped through by hand, is legal and leads to the recorded net."""
    spec = scenario(*game)
    columns = play_range(spec, 9, 100, FEW // 5, FULL).columns
    for row in range(FEW // 5):
        hand_id = 100 + row
        hand = Hand(*game, spec.stakes, spec.house, spec.rake, seats=6, button=hand_id % 6, seed=9, hand_id=hand_id)
        for place in range(columns.act_offsets[row], columns.act_offsets[row + 1]):
            code, amount = int(columns.act_code[place]), int(columns.act_amount[place])
            while hand.to_act is None:
                hand.next_street()
            assert (hand.street, hand.to_act) == (street_of(code), seat_of(code))
            bounds, kind = hand.legal(), kind_of(code)
            if kind == 3:
                assert bounds.min_raise_to <= amount <= bounds.max_raise_to
            hand.act(FOLD if kind == 0 else amount)
        assert list(hand.settle().net) == columns.net[:, row].tolist()


@pytest.mark.parametrize("hole_cards", (4, 5, 6))
def test_cards_of_a_hand_are_distinct(hole_cards):
    columns = play_range(scenario(Variant("test", hole_cards)), 1, 0, FEW, HANDS).columns
    width = 6 * hole_cards
    for row in range(FEW):
        board = columns.board[columns.board_offsets[row] : columns.board_offsets[row + 1]]
        cards = [*board.tolist(), *columns.hole[row * width : (row + 1) * width].tolist()]
        assert len(set(cards)) == len(cards) and max(cards) < 52


def test_four_cards_of_a_seat_are_the_first_of_its_five_and_six():
    holes = {}
    for hole_cards in (4, 5, 6):
        columns = play_range(scenario(Variant("test", hole_cards), lineup=("call",) * 6), 3, 0, FEW, HANDS).columns
        holes[hole_cards] = columns.hole[: FEW * 6 * hole_cards].reshape(FEW, 6, hole_cards)
        boards = columns.board.reshape(FEW, 5)
        assert (boards == holes.setdefault("board", boards)).all()
    assert (holes[4] == holes[6][:, :, :4]).all() and (holes[5] == holes[6][:, :, :5]).all()


def test_ranges_join_to_the_same_hands_and_the_same_digest():
    whole = play_range(scenario(), 2, 1000, FEW, FULL)
    parts = [play_range(scenario(), 2, 1000 + start, FEW // 4, FULL) for start in range(0, FEW, FEW // 4)]
    assert sum(part.digest for part in parts) % 2**64 == whole.digest
    for name in ("button", "pot", "outcome", "category"):
        assert np.concatenate([getattr(part.columns, name) for part in parts]).tolist() == getattr(whole.columns, name).tolist()
    for name in ("net", "flags", "strength", "low"):
        assert np.concatenate([getattr(part.columns, name) for part in parts], axis=1).tolist() == getattr(whole.columns, name).tolist()
    actions = [part.columns.act_amount[: part.n_actions] for part in parts]
    assert np.concatenate(actions).tolist() == whole.columns.act_amount[: whole.n_actions].tolist()


def test_the_record_level_changes_no_hand():
    digests = {play_range(scenario(), 2, 0, FEW, level).digest for level in (NONE, RESULTS, HANDS, FULL)}
    assert len(digests) == 1


def test_the_digest_sees_a_changed_hand():
    base = play_range(scenario(), 2, 0, FEW, NONE).digest
    assert play_range(scenario(), 3, 0, FEW, NONE).digest != base
    assert play_range(scenario(rake=Rake()), 2, 0, FEW, NONE).digest != base
    assert play_range(scenario(lineup=("tight", *MIXED[1:5], "call")), 2, 0, FEW, NONE).digest != base


def test_action_buffers_grow_with_long_hands():
    """Minimum raises of deep stacks make hands far longer than the first buffers have room for."""
    deep = scenario(structure="no_limit", lineup=("min_raise",) * 6, stakes=Stakes(small_blind=1, big_blind=2, stacks=(400,)))
    played = play_range(deep, 1, 0, 10, FULL)
    lengths = np.diff(played.columns.act_offsets)
    assert lengths.min() > 100 and lengths.sum() == played.n_actions
    alone = play_range(deep, 1, 7, 1, FULL)
    start, end = played.columns.act_offsets[7:9]
    assert alone.columns.act_code[: alone.n_actions].tolist() == played.columns.act_code[start:end].tolist()


@pytest.mark.skipif(PLAIN, reason="too many hands for plain Python")
@pytest.mark.parametrize("game", ALL_GAMES, ids=game_id)
def test_hands_are_those_of_the_golden_digests(game):
    """A change of any rule, strategy or random number shows here, and must be meant: then run tests/golden/make_digests.py."""
    assert golden_digest(game) == json.loads(GOLDEN.read_text(encoding="utf-8"))[game_id(game)]


# --- one hand with cards of our own -------------------------------------------------------------------------------------------------------


def play_deck(deck, lineup, button=0, stacks=UNEVEN.stacks, game=ALL_GAMES[4], hand_id=0, with_views=False):
    """(actions, net of each seat, flags, views at the end if asked for) of one hand with these cards.

    lineup : names of strategies without parameters, or a scenario
    """
    if isinstance(lineup, Scenario):
        game, ready = (lineup.variant, lineup.structure), prepared_lineup(lineup)
        functions, lineup, records = zip(*((one.function, one.source, one.parameters) for one in ready), strict=True)
    else:
        functions, records = [STRATEGIES[name] for name in lineup], None
    rules = compile_rules(*game, UNEVEN)
    keep_alive, addresses = compile_lineup(functions, lineup, records)
    table = new_table()
    ranking = ranking_at(game[0].hole_cards, game[0].hi_lo, len(lineup))
    seat_players(table, addresses, np.array(stacks, np.int64), ranking, seed=1)
    codes, amounts = np.zeros(10_000, np.uint8), np.zeros(10_000, np.int64)
    log_actions(table, codes, amounts)
    table.cards.deck[:] = deck
    assert play_hand(rules, button, hand_id, table) == 0
    n = table.log.n_actions
    seats = range(len(lineup))
    actions = [(int(code), int(to)) for code, to in zip(codes[:n], amounts[:n], strict=True)]
    net = [int(table.state.stack[seat]) - stacks[seat] for seat in seats]
    result = actions, net, [int(table.notes.seat_flags[seat]) for seat in seats]
    return (*result, list(table.players.views)) if with_views else result


def some_deck(hand_id):
    deck = np.zeros(52, np.uint8)
    deal(np.uint64(77), hand_id, 52, deck)
    return deck


def with_holes(deck, holes):
    """The deck with the hole cards of six seats replaced; holes: (6, hole cards)."""
    changed = deck.copy()
    n_hole = holes.shape[1]
    changed[5 : 5 + 6 * n_hole] = holes.T.reshape(-1)
    return changed


def holes_of(deck, n_hole):
    return deck[5 : 5 + 6 * n_hole].reshape(n_hole, 6).T.copy()


CARD_BLIND_TO_CHANCE = ("tight", "call", "min_raise", "tight", "max_raise", "fold_or_check")  # none of them draws random numbers


@pytest.mark.parametrize("game", [(VARIANTS[0], "fixed_limit"), (VARIANTS[3], "pot_limit"), (VARIANTS[5], "no_limit")], ids=game_id)
def test_turning_the_table_turns_the_results(game):
    for hand_id in range(FEW // 5):
        deck, n_hole = some_deck(hand_id), game[0].hole_cards
        actions, net, flags = play_deck(deck, CARD_BLIND_TO_CHANCE, button=0, game=game)
        turned = with_holes(deck, np.roll(holes_of(deck, n_hole), 1, axis=0))
        lineup, stacks = np.roll(CARD_BLIND_TO_CHANCE, 1).tolist(), np.roll(UNEVEN.stacks, 1).tolist()
        actions_2, net_2, flags_2 = play_deck(turned, lineup, button=1, stacks=stacks, game=game)
        assert net_2 == np.roll(net, 1).tolist()
        assert flags_2 == np.roll(flags, 1).tolist()
        assert [(code >> 4, (code & 15) + 1) for code, _ in actions] == [(code >> 4, (code & 15) or 6) for code, _ in actions_2]


def test_permuting_suits_changes_nothing():
    for hand_id in range(FEW // 5):
        deck = some_deck(hand_id)
        permuted = (deck & ~np.uint8(3)) | np.array([2, 0, 3, 1], np.uint8)[deck & 3]
        assert play_deck(permuted, MIXED) == play_deck(deck, MIXED)


@pytest.mark.parametrize("watched", ("tight", "loose", "random"))
def test_a_seat_decides_without_knowing_the_cards_of_others_or_those_to_come(watched):
    """Seat 0 is watched; nobody else looks at cards, so with other cards every action must stay until the board differs."""
    lineup = (watched, "call", "random", "min_raise", "random", "call")
    different = 0
    for hand_id in range(FEW):
        deck = some_deck(hand_id)
        other = deck.copy()
        unseen = [
            2 + 2,
            *(place for place in range(5, 52) if not (place < 5 + 24 and (place - 5) % 6 == 0)),
        ]  # the river and all but seat 0's
        other[unseen] = np.random.default_rng(hand_id).permutation(deck[unseen])
        game = (VARIANTS[0], "pot_limit")
        actions, net, _ = play_deck(deck, lineup, game=game, hand_id=hand_id)
        actions_2, net_2, _ = play_deck(other, lineup, game=game, hand_id=hand_id)
        before_river = [action for action in actions if street_of(action[0]) < 3]
        assert [action for action in actions_2 if street_of(action[0]) < 3] == before_river
        different += net != net_2
    assert different > FEW // 10, "the changed cards must matter for the result, or the test shows nothing"


def test_a_seat_that_cannot_act_is_all_in_from_its_post():
    stakes = replace(UNEVEN, stacks=(100, 2, 100, 100, 100, 100))
    columns = play_range(scenario(lineup=("fold_or_check",) * 6, stakes=stakes, rake=Rake()), 1, 0, 6, RESULTS).columns
    # Button 0: seat 1 pays the ante with one chip and the small blind with its last. Everybody folds, 6 of the big blind's 8 come back,
    # and the two play for 2 each and four antes.
    assert (columns.showdown[0], columns.n_pots[0], columns.pot[0]) == (1, 1, 8)
