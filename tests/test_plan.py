"""The plan of a run: shards cover every hand once, and the spec survives run.json."""

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.lineup import Strategy, file_strategy
from sim.plan import (
    Compute,
    RunSpec,
    Scenario,
    SpecError,
    as_json,
    automatic_shard_hands,
    first_difference,
    make_shards,
    n_shards,
    restored,
)
from sim.rules import House, Rake, Stakes, Variant

SIX = (Strategy("tight", "tight"),) * 3 + (Strategy("call", "call"),) * 3


def scenario(name="omaha4/pot_limit", variant=Variant(), structure="pot_limit", stakes=Stakes(), lineup=SIX):
    return Scenario(name, variant, structure, stakes, House(), Rake(), lineup)


def spec(hands=1000, seed=1, scenarios=None, records="full", shard_hands=300):
    return RunSpec(hands, seed, scenarios or (scenario(),), records, shard_hands)


@given(hands=st.integers(1, 5000), shard_hands=st.integers(1, 700), n_scenarios=st.integers(1, 4))
def test_shards_cover_every_hand_of_every_scenario_once(hands, shard_hands, n_scenarios):
    run = spec(hands=hands, shard_hands=shard_hands, scenarios=tuple(scenario(name=str(place)) for place in range(n_scenarios)))
    shards = make_shards(run)
    assert [shard.index for shard in shards] == list(range(len(shards)))
    assert n_shards(run) == len(shards)
    for place in range(n_scenarios):
        got = [hand for shard in shards if shard.scenario == place for hand in range(shard.first_hand, shard.first_hand + shard.hands)]
        assert got == list(range(hands))
    assert max(shard.hands for shard in shards) <= shard_hands


def test_scenarios_play_a_range_of_hands_before_the_next_range():
    run = spec(scenarios=(scenario(name="a"), scenario(name="b")), hands=600)
    assert [(shard.first_hand, shard.scenario) for shard in make_shards(run)] == [(0, 0), (0, 1), (300, 0), (300, 1)]


def test_more_hands_only_add_shards_after_the_old_ones():
    two = (scenario(name="a"), scenario(name="b"))
    short, long = make_shards(spec(scenarios=two, hands=600)), make_shards(spec(scenarios=two, hands=900))
    assert long[: len(short)] == short


@pytest.mark.parametrize(
    ("hands", "expected"),
    [(1, 1), (49_999, 49_999), (50_001, 50_000), (400_000, 50_000), (1_000_000, 125_000), (1_000_001, 125_001), (10**9, 250_000)],
)
def test_automatic_shard_is_an_eighth_of_the_hands_within_50_000_and_250_000(hands, expected):
    assert automatic_shard_hands(hands) == expected


def test_spec_survives_json_and_its_text_is_canonical():
    own = Strategy("shark", "shark", "/some/where/shark.py", "ab" * 32)
    stakes = Stakes(15, 30, stacks=tuple(range(1000, 7000, 1000)))
    run = spec(
        seed=2**64 - 1, scenarios=(scenario("a", Variant("omaha5_hilo", 5, True), "no_limit", stakes, (own, *SIX[1:])), scenario("b"))
    )
    text = json.dumps(as_json(run))
    assert restored(json.loads(text), RunSpec) == run
    assert json.dumps(as_json(restored(json.loads(text), RunSpec))) == text
    assert text == json.dumps(json.loads(text), sort_keys=True)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda values: values.pop("seed"),
        lambda values: values.update(extra=1),
        lambda values: values.update(hands="1000"),
        lambda values: values.update(hands=True),
        lambda values: values.update(hands=0),
        lambda values: values["scenarios"][0]["stakes"].update(big_blind=-1),
    ],
)
def test_json_that_is_not_a_spec_is_refused(spoil):
    values = as_json(spec())
    spoil(values)
    with pytest.raises(SpecError):
        restored(values, RunSpec)
    with pytest.raises(SpecError):
        restored("not a spec", RunSpec)


def test_first_difference_names_the_leaf_and_both_values():
    old = spec()
    assert first_difference(old, spec()) is None
    assert first_difference(old, spec(seed=2)) == "seed: 1 -> 2"
    assert first_difference(old, spec(scenarios=(scenario(stakes=Stakes(ante=5)),))) == "scenarios.0.stakes.ante: 0 -> 5"
    assert first_difference(old, spec(scenarios=(scenario(lineup=SIX[:5]),))) == "scenarios.0.lineup.5.file: null -> (absent)"
    assert first_difference(spec(scenarios=(scenario(lineup=SIX[:5]),)), old) == "scenarios.0.lineup.5.file: (absent) -> null"


@pytest.mark.parametrize(("hole_cards", "most"), [(4, 10), (5, 9), (6, 7)])
def test_seats_times_hole_cards_plus_five_fit_the_deck(hole_cards, most):
    variant = Variant(f"omaha{hole_cards}", hole_cards)
    assert scenario(variant=variant, lineup=SIX[:1] * most).n_seats == most
    with pytest.raises(SpecError, match="table.seats"):
        scenario(variant=variant, lineup=SIX[:1] * (most + 1))


@pytest.mark.parametrize(
    ("key", "make"),
    [
        ("structure", lambda: scenario(structure="spread_limit")),
        ("table.seats", lambda: scenario(lineup=SIX[:1])),
        ("stakes.stacks", lambda: scenario(stakes=Stakes(stacks=(100, 100)))),
        ("stakes.straddle", lambda: scenario(stakes=Stakes(straddle=200), lineup=SIX[:2])),
        ("stakes.small_bet", lambda: scenario(structure="fixed_limit", stakes=Stakes(small_bet=99))),
        ("table.lineup", lambda: scenario(lineup=(Strategy("tight", "other", "/a.py", "0" * 64), *SIX))),
        ("hands", lambda: spec(hands=0)),
        ("seed", lambda: spec(seed=2**64)),
        ("seed", lambda: spec(seed=-1)),
        ("records", lambda: spec(records="some")),
        ("shard_hands", lambda: spec(shard_hands=0)),
        ("shard_hands", lambda: spec(hands=10**9, shard_hands=1)),
        ("sweep", lambda: dataclasses.replace(spec(), scenarios=())),
        ("sweep", lambda: spec(scenarios=(scenario(), scenario()))),
        ("compute.kind", lambda: Compute("slurm")),
        ("compute.cpus", lambda: Compute("ray", cpus=0)),
        ("compute.cpus", lambda: Compute("inline", cpus=2)),
        ("compute.address", lambda: Compute("inline", address="auto")),
    ],
)
def test_impossible_combination_is_refused_under_its_config_key(key, make):
    with pytest.raises(SpecError) as refused:
        make()
    assert refused.value.key == key
    assert str(refused.value).startswith(f"{key}=")


def test_file_strategy_keeps_absolute_path_and_digest_of_the_content(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_bytes(b"abc")
    monkeypatch.chdir(tmp_path)
    got = file_strategy("mine", "play", Path("mine.py"))
    # FIPS 180-2, appendix B.1: the digest of "abc"
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert got == Strategy("mine", "play", str(tmp_path / "mine.py"), expected, "abc")
