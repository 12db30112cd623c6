"""Shown hands: ten awkward ones as golden texts, how hands are chosen, and that nothing but the seed is needed."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from awkward_hands import HANDS
from hydra.core.override_parser.overrides_parser import OverridesParser
from small_runs import OMAHA4, OMAHA5_HEADS_UP, small_spec

from jobs import cli
from jobs.quoting import quoted
from jobs.show import show
from sim.choose_hands import MOST_PLAYED_AGAIN, choose_hands, choose_where
from sim.hand_history import tell_hand
from sim.lineup import file_strategy
from sim.plan import Compute, SpecError
from sim.rules import Variant
from sim.runner import simulate
from sim.show import hand_text

GOLDEN = Path(__file__).parent / "golden" / "show"
INLINE = Compute("inline")
HI_LO = replace(OMAHA4, name="omaha4_hilo/pot_limit", variant=Variant("omaha4_hilo", 4, True))
SPEC = small_spec(hands=600, shard_hands=200, scenarios=(OMAHA4, OMAHA5_HEADS_UP, HI_LO))


def shown_text(name: str) -> str:
    """What tests/golden/show keeps of an awkward hand."""
    return hand_text(HANDS[name].told())


@pytest.mark.parametrize("name", HANDS)
def test_awkward_hands_read_as_they_should(name):
    """A change shows here, and must be meant: then run tests/golden/make_shown.py and read what it wrote."""
    assert shown_text(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_the_ten_awkward_kinds_are_there():
    kinds = {
        "four_pots", "quartered", "odd_chips", "short_all_ins", "dead_blind", "no_low", "walk", "heads_up", "straddle", "six_cards",
    }  # fmt: skip
    assert kinds <= set(HANDS) and {path.stem for path in GOLDEN.glob("*.txt")} == set(HANDS)


@pytest.fixture(scope="module")
def run_of(tmp_path_factory):
    """Runs of SPEC by record level, each played once."""
    played = {}

    def play(level: str) -> Path:
        if level not in played:
            played[level] = tmp_path_factory.mktemp("runs") / level
            assert simulate(replace(SPEC, records=level), INLINE, played[level]) == 0
        return played[level]

    return play


def printed(capsys, run: Path, **config) -> str:
    capsys.readouterr()
    assert show({"run": str(run), "hand": None, "where": None, "first": 10, "scenario": None} | config) == 0
    return capsys.readouterr().out


def refused(run: Path, **config) -> str:
    with pytest.raises(SpecError) as refusal:
        show({"run": str(run), "hand": None, "where": None, "first": 10, "scenario": None} | config)
    return str(refusal.value)


def test_the_seed_is_enough(run_of, capsys):
    texts = {printed(capsys, run_of(level), hand=[7, 123, "last", "biggest_pot"]) for level in ("full", "hands", "results", "none")}
    assert len(texts) == 1
    assert hand_text(tell_hand(OMAHA4, SPEC.seed, 123)) in texts.pop()


def test_a_condition_finds_the_same_hands_with_and_without_records(run_of, capsys):
    for condition in ("pot > 5000 and showdown", "split_pot or n_pots > 2", "strategy_0 = 'tight' and net_0 < 0"):
        with_records = printed(capsys, run_of("full"), where=condition, scenario=2)
        assert printed(capsys, run_of("none"), where=condition, scenario=2) == with_records


def test_names_stand_for_hands(run_of):
    run = run_of("full")
    frame = pl.read_parquet(run / "hands/variant=omaha4/**/*.parquet")
    biggest = frame.filter(pl.col("pot") == pl.col("pot").max())["hand_id"].min()
    assert choose_hands(run, SPEC, 0, ["last", "biggest_pot", 5]).hand_ids == [599, biggest, 5]


def test_without_hand_and_condition_the_last_hand_is_shown(run_of, capsys):
    assert printed(capsys, run_of("full")) == printed(capsys, run_of("full"), hand="last")


def test_the_last_hand_of_an_unfinished_run_is_the_last_one_played(tmp_path, capsys):
    run = tmp_path / "run"
    assert simulate(SPEC, INLINE, run) == 0
    (run / "_SUCCESS.json").unlink()
    for index in (6, 7, 8):  # the last range of all three scenarios
        (run / f"shards/00000{index}.json").unlink()
    assert choose_hands(run, SPEC, 0, ["last"]).hand_ids == [399]
    for path in (run / "shards").iterdir():
        path.unlink()
    assert "no shard" in refused(run)
    assert "#5" in printed(capsys, run, hand=5)


def test_a_condition_finds_the_first_ones_and_counts_all(run_of, capsys):
    run = run_of("full")
    frame = pl.read_parquet(run / "hands/variant=omaha4_hilo/**/*.parquet")
    expected = frame.filter((pl.col("pot") > 3000) & ((pl.col("outcome") & 16) != 0))["hand_id"].sort().to_list()
    chosen = choose_where(run, SPEC, 2, "pot > 3000 and quartered", 3)
    assert chosen.hand_ids == expected[:3] and chosen.of == len(expected) > 3
    assert f"{len(expected)} hands found; first=3 of them are printed" in printed(
        capsys, run, where="pot > 3000 and quartered", first=3, scenario=2
    )
    assert printed(capsys, run, where="pot < 0").endswith("0 hands found\n")


def test_the_scenario_is_chosen_by_name_or_place_and_named(run_of, capsys):
    run = run_of("full")
    assert printed(capsys, run, hand=3).startswith("scenario 0 of 3: omaha4/pot_limit\n")
    assert printed(capsys, run, hand=3, scenario=1) == printed(capsys, run, hand=3, scenario="omaha5/no_limit")
    assert "did you mean omaha5/no_limit?" in refused(run, scenario="omaha5/nolimit")
    assert "allowed: 0 to 2" in refused(run, scenario=3)


@pytest.mark.parametrize("condition", ["CAST(pot AS TINYINT) > 3", "CAST(strategy_0 AS INT) > 3"])
def test_a_condition_that_fails_on_the_values_is_not_blamed_on_the_files(run_of, condition):
    assert refused(run_of("full"), where=condition).startswith(f"where={condition}: ")


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("potx > 5", "no column potx; did you mean pot?"),
        ("pot >", "unable to parse"),
        ("pot", "is a value (Int64), not a condition"),
        ("pot > 'five'", "cannot compare string with numeric"),
        ("nonsense(pot) > 3", "unsupported function 'nonsense'"),
        ("pot > 3; drop table hands", "write an SQL condition"),
    ],
)
def test_a_bad_condition_is_refused_with_the_columns(run_of, condition, said):
    text = refused(run_of("full"), where=condition)
    assert text.startswith(f"where={condition}:") and said in text
    if "not a condition" not in said:
        assert "stack_0..stack_3" in text


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (600, "allowed: 0 to 599"),
        (-1, "allowed: 0 to 599"),
        ("lst", "did you mean last?"),
        (1.5, "a whole number"),
        (True, "a whole number"),
    ],
)
def test_a_bad_hand_is_refused(run_of, hand, said):
    assert said in refused(run_of("full"), hand=hand)


def test_hand_and_condition_together_are_refused(run_of):
    assert "leave out one of them" in refused(run_of("full"), hand=1, where="showdown")


def test_a_large_run_without_records_is_not_played_again_to_look_for_hands(tmp_path):
    large = small_spec(hands=MOST_PLAYED_AGAIN + 1, records="none", shard_hands=1_000_000)
    with pytest.raises(SpecError, match=r"hand=biggest_pot; .* records=none, .* too many to play again"):
        choose_hands(tmp_path, large, 0, ["biggest_pot"])
    with pytest.raises(SpecError, match=r"where=showdown; .* too many"):
        choose_where(tmp_path, large, 0, "showdown", 1)


def test_a_user_s_strategy_is_played_again_even_if_its_file_is_gone(tmp_path, capsys):
    file = tmp_path / "bot.py"
    file.write_text("def shark(view):\n    return view.call_to\n")
    own = replace(OMAHA5_HEADS_UP, lineup=(file_strategy("shark", "shark", file), OMAHA4.lineup[0]))
    run = tmp_path / "run"
    assert simulate(small_spec(hands=50, shard_hands=50, scenarios=(own,)), INLINE, run) == 0
    before = printed(capsys, run, hand=[1, 2])
    assert "shark" in before
    file.unlink()
    assert printed(capsys, run, hand=[1, 2]) == before


def test_a_run_of_other_code_is_noted(run_of, tmp_path, capsys):
    described = json.loads((run_of("none") / "run.json").read_text())
    described["code"]["files"]["betting.py"] = "0" * 16
    (tmp_path / "run.json").write_text(json.dumps(described))
    assert show({"run": str(tmp_path), "hand": 3, "where": None, "first": 10, "scenario": None}) == 0
    assert "sim/betting.py differs" in capsys.readouterr().err


def test_no_run_is_refused(tmp_path, capsys):
    config = {"run": str(tmp_path / "no"), "hand": 3, "where": None, "first": 10, "scenario": None}
    assert cli.outcome(lambda: show(config)) == 2
    assert "no such run directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    "condition", ["pot > 100 and (net_0 < 5)", "strategy_0 = 'tight'", "'a' = strategy_0", "a like '\\%'", "pot", "x\\", 'strategy_0 = "b"']
)
def test_a_condition_passes_hydra_as_it_was_typed(condition):
    (override,) = OverridesParser.create().parse_overrides([quoted(f"where={condition}")])
    assert override.value() == condition


def test_other_arguments_and_quoted_conditions_are_left_alone():
    for argument in ("hand=[1,2]", 'where="pot > 5"', "scenario=1", "where=null", "stakes.ante=a=b"):
        assert quoted(argument) == argument
    (override,) = OverridesParser.create().parse_overrides([quoted("scenario=variant=omaha5,stakes.ante=10")])
    assert override.value() == "variant=omaha5,stakes.ante=10"
