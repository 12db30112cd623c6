"""Replay: real hands without a difference, and every kind of wrong hand found where it is wrong."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from msgspec.structs import replace
from replayed import HAND, REAL_HANDS, SHOWN, one_difference, replay_hands

from jobs import replay as job
from sim.formats.history import Action, Collected, Post, Pot, Seat, Street, Uncalled
from sim.formats.reading import read_file
from sim.pots import SETTLEMENT
from sim.replay import checks
from sim.replay.houses import HouseChoice, HouseRules
from sim.replay.rake_sharing import RAKE_SHARING, share_stated_rake
from sim.replay.replay import replay
from sim.rules import House

SHORT_RIVER = replace(HAND.streets[3], board=HAND.board[:8])
POKERNOW = House(straddle_min_raise="difference", raise_to_callers_stack=True, raise_nobody_can_call=True)
SITES = {
    "bovada": HouseRules("bovada", House(odd_chips="all_to_high")),
    "pokernow": HouseRules("pokernow", POKERNOW),
    "ongame": HouseRules("ongame", odd_chips_anywhere=True),
    "winning": HouseRules("winning", odd_chips_anywhere=True),
}


def real_hands(name: str):
    path = REAL_HANDS / name
    if not path.exists():
        pytest.skip(f"no {name} beside the repository")
    return read_file(path)


def with_actions(history, street: int, *actions: Action):
    """The history with other actions on one street."""
    streets = list(history.streets)
    streets[street] = replace(streets[street], actions=actions)
    return replace(history, streets=tuple(streets))


# --- real hands ------------------------------------------------------------------------------------------------------------------------


def test_every_real_hand_is_reproduced_to_the_chip():
    totals = replay(real_hands("real_hands.jsonl.gz"), HouseChoice(HouseRules("default"), SITES))
    together = totals.sum()
    assert (totals.differences, totals.malformed) == ([], [])
    assert (together.hands, together.fully, together.as_far_as_shown) == (1200, 1144, 56)
    assert len(totals.sites) == 17
    assert totals.settings_needed == {
        ("bovada", "odd_chips"): 2,
        ("pokernow", "raise_nobody_can_call"): 1,
        ("pokernow", "raise_to_callers_stack"): 73,
    }
    assert totals.odd_chips_anywhere == {"ongame": 1, "winning": 1}
    assert totals.rake_sharing == {"shared": 20, "side_pots_rounded_down": 3, "main_pot_first": 2, "running_total": 1}


def test_every_real_hand_of_the_volume_file_is_reproduced_to_the_chip():
    totals = replay(real_hands("real_hands_volume.jsonl.gz"), HouseChoice(HouseRules("default"), SITES))
    together = totals.sum()
    assert (totals.differences, totals.malformed) == ([], [])
    assert (together.hands, together.fully, together.as_far_as_shown) == (4285, 3722, 563)


def test_strict_rules_differ_in_the_known_exceptions_only():
    """Under the default rules alone, without the hands of one platform's house rule, what differs are odd chips and a raise given back."""
    totals = replay(real_hands("real_hands.jsonl.gz"), HouseChoice(HouseRules("default")), ("raise_capped_at_callers_stack",))
    assert totals.tags_left_out == {"raise_capped_at_callers_stack": 73}
    differing = {difference.hand_id for difference in totals.differences}
    assert Counter(hand_id.split("-")[0] for hand_id in differing) == {"bovada": 2, "ongame": 1, "winning": 1, "pokernow": 1}
    fields = {difference.field.split(",")[0] for difference in totals.differences}
    assert fields == {"collected", "raise"}


# --- hands that are right ---------------------------------------------------------------------------------------------------------------


def test_hand_without_a_showdown_is_checked_fully():
    assert replay_hands(HAND).sum().fully == 1


def test_showdown_with_all_cards_is_checked_fully():
    totals = replay_hands(SHOWN)
    assert (totals.differences, totals.sum().fully) == ([], 1)


def test_mucked_loser_is_checked_as_far_as_shown():
    """Seat 4 scoops, as seat 2 mucks unseen: a hand that is not shown wins nothing."""
    seats = (replace(SHOWN.seats[0], hole=None), *SHOWN.seats[1:])
    hand = replace(SHOWN, seats=seats, shown=SHOWN.shown[1:], collected=(Collected(4, 97),))
    totals = replay_hands(hand)
    assert (totals.differences, totals.sum().as_far_as_shown) == ([], 1)


def test_winner_whose_cards_are_unknown_is_not_held_against_the_hand():
    seats = (SHOWN.seats[0], replace(SHOWN.seats[1], hole=None), SHOWN.seats[2])
    totals = replay_hands(replace(SHOWN, seats=seats, shown=SHOWN.shown[:1]))
    assert (totals.differences, totals.sum().as_far_as_shown) == ([], 1)


def test_amounts_that_a_source_leaves_out_are_left_to_the_rules():

    def left_out(action: Action) -> Action:
        return Action(action.seat, "check_or_call", None, None, None) if action.do in ("call", "check") else action

    streets = tuple(replace(street, actions=tuple(map(left_out, street.actions))) for street in SHOWN.streets)
    assert replay_hands(replace(SHOWN, streets=streets, rake=None, total_pot=None)).differences == []


def test_button_on_an_empty_seat_is_the_last_player_before_it():
    assert replay_hands(replace(SHOWN, button=9)).differences == []
    assert replay_hands(replace(SHOWN, button=1)).differences == []  # seat 7 comes before seat 1


def test_seats_may_come_in_any_order():
    assert replay_hands(replace(SHOWN, seats=SHOWN.seats[::-1])).differences == []


def test_seat_without_chips_for_its_blind_is_the_blind_all_the_same():
    """An ante of 1 takes the whole stack of seat 4, left of the small blind: the others bet as if its big blind were there."""
    hand = replace(
        HAND,
        game=replace(HAND.game, ante=1),
        seats=(Seat(2, 200, "As2s3h4d"), Seat(4, 1, "KdKhQcJc"), Seat(7, 150, "6d6h5c5h")),
        posts=(*(Post(seat, "ante", 1, 0) for seat in (2, 4, 7)), Post(2, "small_blind", 5, 5)),
        streets=(Street("preflop", "", (Action(7, "raise", 43, 43), Action(2, "fold", 0, 5))), *SHOWN.streets[1:]),
        uncalled=Uncalled(7, 38),
    )  # the most: 10 + pot 8 + missing big blind 10 + call 10 = 38, and 5 less where the blind is not there
    assert one_difference(hand)[:2] == ("raise, action 1", 7)
    assert one_difference(hand)[2:] == ("to 20..38", "to 43")


# --- hands that are wrong ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (replace(SHOWN, posts=(Post(2, "small_blind", 4, 4), SHOWN.posts[1])), ("live post", 2, "5", "4")),
        (replace(SHOWN, posts=(*SHOWN.posts, Post(7, "ante", 1, 0))), ("ante", 2, "1", "0")),
        (with_actions(SHOWN, 0, Action(2, "call", 5, 10)), ("seat to act, action 1", 2, "seat 7", "seat 2")),
        (with_actions(SHOWN, 0, Action(7, "call", 9, 9)), ("check or call, action 1", 7, "to 10", "to 9")),
        (with_actions(SHOWN, 0, Action(7, "raise", 19, 19)), ("raise, action 1", 7, "to 20..35", "to 19")),
        (with_actions(SHOWN, 0, Action(7, "raise", 36, 36)), ("raise, action 1", 7, "to 20..35", "to 36")),
        (with_actions(SHOWN, 0, Action(7, "raise", 10, 10)), ("action, action 1", 7, "call", "bet or raise")),
        (with_actions(SHOWN, 0, Action(7, "call", 9, 10)), ("chips put in, action 1", 7, "10", "9")),
        (with_actions(SHOWN, 0, Action(7, "call", 10, 10, True)), ("all-in, action 1", 7, "no", "yes")),
        (with_actions(SHOWN, 0, *SHOWN.streets[0].actions[:2]), ("end of the round, action 3", 4, "seat 4", "seat 2")),
        (
            with_actions(SHOWN, 0, *SHOWN.streets[0].actions, Action(7, "check", 0, 10)),
            ("seat to act, action 4", 7, "nobody", "seat 7"),
        ),
        (with_actions(SHOWN, 3, SHOWN.streets[3].actions[0]), ("end of the round", 4, "seat 4", "end of the hand")),
        (replace(HAND, board=HAND.board[:8], streets=(*HAND.streets[:3], SHORT_RIVER)), ("board cards", None, "5", "4")),
        (replace(HAND, uncalled=Uncalled(4, 61)), ("uncalled bet", 4, "60", "61")),
        (replace(HAND, uncalled=Uncalled(2, 60)), ("uncalled bet, seat", 2, "seat 4", "seat 2")),
        (replace(SHOWN, total_pot=101), ("total pot", None, "100", "101")),
        (replace(SHOWN, pots=(Pot("main", 99),)), ("pot, main pot", None, "100", "99")),
        (replace(SHOWN, pots=(Pot("main", 60), Pot("side1", 40))), ("number of pots", None, "1", "2")),
        (replace(SHOWN, collected=(Collected(4, 48, "main"), Collected(2, 48, "main"))), ("chips", None, "97", "96")),
        (replace(SHOWN, seats=(replace(SHOWN.seats[0], final=204), *SHOWN.seats[1:])), ("final stack", 2, "203", "204")),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(changed, expected):
    differences = replay_hands(changed).differences
    first = differences[0]
    assert (first.field, first.seat, first.expected, first.got) == expected


def test_odd_chip_of_the_pot_goes_to_the_high_half():
    wrong = replace(SHOWN, collected=(Collected(4, 48, "main", "high"), Collected(2, 49, "main", "low")))
    assert [(row.seat, row.expected, row.got) for row in replay_hands(wrong).differences] == [(2, "48", "49"), (4, "49", "48")]
    anywhere = replay_hands(wrong, rules=HouseRules("odd", odd_chips_anywhere=True))
    assert (anywhere.differences, anywhere.odd_chips_anywhere) == ([], {"odd": 1})


def test_odd_chips_anywhere_allow_no_more_than_odd_chips():
    wrong = replace(SHOWN, collected=(Collected(4, 47, "main", "high"), Collected(2, 50, "main", "low")))
    assert replay_hands(wrong, rules=HouseRules("odd", odd_chips_anywhere=True)).differences


def test_known_hand_that_other_known_hands_beat_cannot_collect():
    """Seat 7 stays in unseen and collects, and so does seat 2, which seat 4 beats: no board without a low helps it."""
    board = "KcQs8hTd9c"
    streets = tuple(replace(street, board=board[: len(street.board)]) for street in SHOWN.streets)
    flop = (Action(2, "bet", 15, 15), Action(4, "call", 15, 15), Action(7, "call", 15, 15))
    checks_ = (Action(2, "check", 0, 0), Action(4, "check", 0, 0), Action(7, "check", 0, 0))
    streets = (streets[0], replace(streets[1], actions=flop), *(replace(street, actions=checks_) for street in streets[2:]))
    hand = replace(SHOWN, board=board, streets=streets, total_pot=75, collected=(Collected(7, 36), Collected(2, 36)))
    assert one_difference(hand) == ("collected", 2, "0", "36")


def test_differences_end_a_hand_at_the_first_wrong_action():
    hand = with_actions(SHOWN, 0, Action(7, "raise", 36, 36), Action(2, "raise", 400, 405))
    assert len(replay_hands(hand).differences) == 1


def test_settings_that_hands_need_are_counted():
    wrong_under_default = replace(SHOWN, collected=(Collected(4, 97),), streets=SHOWN.streets, house={"odd_chips": "all_to_high"})
    totals = replay_hands(wrong_under_default)
    assert totals.differences  # a scoop is wrong under any house
    fine = replay_hands(replace(SHOWN, house={"odd_chips": "all_to_high"}))
    assert (fine.differences, fine.settings_needed) == ([], {})


def test_house_that_a_history_states_must_exist():
    (malformed,) = replay_hands(replace(SHOWN, house={"odd_chips": "to_me"})).malformed
    assert malformed.message.startswith("hand 7: house: ")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (replace(SHOWN, board="Kc7s8h5dKd"), "streets: the board of the river is Kc7s8h5d9c, that of the hand Kc7s8h5dKd"),
        (replace(SHOWN, seats=(replace(SHOWN.seats[0], hole="AsAsKh4d"), *SHOWN.seats[1:])), "shown: seat 2 shows"),
        (replace(HAND, seats=(replace(HAND.seats[0], hole="AsAs3h4d"), *HAND.seats[1:])), "cards: As is there twice"),
        (replace(HAND, seats=(replace(HAND.seats[0], hole="As1s3h4d"), *HAND.seats[1:])), "cards: '1s' in 'As1s3h4d' is not a card"),
        (replace(HAND, seats=(replace(HAND.seats[0], hole="As2s3h"), *HAND.seats[1:])), "seats: seat 2 holds 3 cards (As2s3h)"),
        (replace(HAND, seats=(replace(HAND.seats[0], stack=0), *HAND.seats[1:])), "seats: seat 2 is dealt in with no chips"),
        (replace(HAND, seats=(HAND.seats[0], HAND.seats[0], HAND.seats[1])), "seats: [2, 2, 4]; a seat is there twice"),
        (replace(HAND, seats=HAND.seats[:1]), "seats: 1 players; allowed: 2 to 10"),
        (replace(HAND, posts=(Post(3, "small_blind", 5, 5),)), "posts: seat 3 is not dealt in; seats: 2, 4, 7"),
        (replace(HAND, uncalled=Uncalled(3, 60)), "uncalled: seat 3 is not dealt in"),
        (replace(HAND, collected=(Collected(4, 97, "middle"),)), "collected: 'middle' is no pot"),
        (replace(HAND, rake=None, collected=(Collected(4, 101),)), "collected: 101 chips of a pot of 100"),
        (with_actions(HAND, 0, Action(9, "fold", 0, 0)), "streets: seat 9 is not dealt in"),
    ],
)
def test_histories_that_describe_no_hand_are_malformed(changed, message):
    totals = replay_hands(changed, HAND)
    (malformed,) = totals.malformed
    assert malformed.place == "memory:1"
    assert malformed.message.startswith(f"hand 7: {message}")
    assert totals.sum().fully == 1  # the rest goes on


def test_hands_with_a_tag_are_left_out_and_counted():
    totals = replay_hands(replace(HAND, tags=("odd_house",), uncalled=None), HAND, skip=("odd_house",))
    assert (totals.differences, totals.sum().left_out, totals.sum().fully) == ([], 1, 1)


def test_every_check_has_its_text():
    numbers = {value for name, value in vars(checks).items() if name.isupper() and isinstance(value, int)}
    assert set(checks.CHECKS) == numbers


# --- rake of several pots ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sharing", "pots", "rake", "expected"),
    [
        ("shared", (100, 50), 10, (7, 3)),  # 6.67 and 3.33
        ("main_pot_first", (100, 50), 10, (10, 0)),
        ("main_pot_first", (4, 50), 10, (4, 6)),
        ("side_pots_rounded_down", (108, 518), 31, (6, 25)),  # 5.35 and 25.65
        ("running_total", (137, 45, 72), 12, (6, 3, 3)),  # 6.47, 8.60, 12
    ],
)
def test_rules_of_sharing_a_rake(sharing, pots, rake, expected):
    settlement = np.zeros(1, SETTLEMENT)[0]
    settlement["n_pots"], settlement["pot"] = len(pots), sum(pots)
    settlement["amount"][: len(pots)] = pots
    share_stated_rake(settlement, rake, RAKE_SHARING.index(sharing), 0)
    assert tuple(settlement["rake_of"][: len(pots)].tolist()) == expected
    assert settlement["rake"] == rake


def test_a_capped_rake_takes_at_most_its_percentage_of_each_pot():
    settlement = np.zeros(1, SETTLEMENT)[0]
    settlement["n_pots"], settlement["pot"] = 3, 600
    settlement["amount"][:3] = (200, 200, 200)
    share_stated_rake(settlement, 15, RAKE_SHARING.index("capped_by_pot"), 499)  # 5 %: 10 of each pot
    assert settlement["rake_of"][:3].tolist() == [10, 5, 0]


# --- the job ----------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def run_job(monkeypatch, capsys):
    """Run the job with arguments: (exit code, lines of stdout, lines of stderr)."""

    def run(*arguments: str):
        monkeypatch.setattr("sys.argv", ["replay", *arguments])
        code = job.main()
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return run


def lines_file(path, *histories):
    from sim.formats.cases import write

    path.write_text("".join(write(histories)))
    return path


def test_job_says_what_was_checked(run_job, tmp_path):
    code, out, err = run_job(f"files={lines_file(tmp_path / 'a.jsonl', HAND, SHOWN)}")
    assert (code, err) == (0, [])
    assert out[-1].startswith("2 hands: 2 checked fully, 0 as far as shown, 0 not at all (0 malformed), no difference; digest ")


def test_job_exits_with_1_and_saves_the_differences(run_job, tmp_path):
    wrong = replace(SHOWN, total_pot=101)
    path = lines_file(tmp_path / "a.jsonl", HAND, wrong)
    for name, read in (("out.csv", pl.read_csv), ("out.parquet", pl.read_parquet)):
        code, out, err = run_job(f"files={path}", f"out={tmp_path / name}")
        assert (code, err) == (1, [])
        row = read(tmp_path / name).rows(named=True)[0]
        assert (str(row["hand_id"]), row["place"], row["street"], row["field"]) == ("7", f"{path}:2", "river", "total pot")
        assert (str(row["expected"]), str(row["got"])) == ("100", "101")
        assert row["rule"].startswith("all chips put in")
        assert "1 differ" in out[-1]


def test_one_unusable_file_does_not_hide_the_others(run_job, tmp_path):
    code, out, err = run_job(f"files=[{tmp_path / 'none'},{lines_file(tmp_path / 'a.jsonl', HAND)}]")
    assert (code, err) == (2, [f"error: {tmp_path / 'none'}: No such file or directory"])
    assert out[-1].startswith("1 hand: 1 checked fully")


def test_malformed_hands_are_named_and_do_not_fail_the_rest(run_job, tmp_path):
    path = lines_file(tmp_path / "a.jsonl", HAND, replace(HAND, seats=HAND.seats[:1]), SHOWN)
    code, out, err = run_job(f"files={path}")
    assert (code, err) == (0, [f"{path}:2: hand 7: seats: 1 players; allowed: 2 to 10"])
    assert out[-1].startswith("3 hands: 2 checked fully, 0 as far as shown, 1 not at all (1 malformed), no difference")


def test_house_of_the_site_or_as_given(run_job, tmp_path):
    house_rule = replace(SHOWN, site="bovada")
    path = lines_file(tmp_path / "a.jsonl", house_rule)
    assert run_job(f"files={path}")[0] == run_job(f"files={path}", "house=auto")[0] == 0
    assert run_job(f"files={path}", "house=wsop", "house.odd_chips=all_to_high")[0] == 0
    code, _, err = run_job(f"files={path}", "house=casino")
    assert code == 2 and "house=casino: no such option" in err[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("files=/nowhere/a.jsonl",), "/nowhere/a.jsonl: No such file or directory"),
        (("files=[]",), "files=[]; allowed: one file or more"),
        (("files=a", "format=xml"), "format=xml; allowed: auto, json, phh, pokerstars"),
        (("files=a", "out=differences.xls"), "out=differences.xls; allowed: a file NAME.parquet or NAME.csv"),
        (("files=a", "sites={bovada:casino}"), "house=casino: no such option"),
    ],
)
def test_unusable_arguments_are_one_line(run_job, arguments, message):
    code, out, err = run_job(*arguments)
    assert (code, out, len(err)) == (2, [], 1)
    assert message in err[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [({"button": 99}, "button: 99; the seats of a table are 0 to 10"), ({"seats": (Seat(11, 100), *HAND.seats[1:])}, "seats: 11")],
)
def test_a_seat_that_no_table_has_is_malformed(run_job, tmp_path, change, said):
    path = lines_file(tmp_path / "a.jsonl", HAND, replace(HAND, **change))
    _, out, err = run_job(f"files={path}")
    assert said in err[0] and "1 not at all (1 malformed)" in out[-1]
