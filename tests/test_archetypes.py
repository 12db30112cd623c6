"""The archetypes among themselves, alone among TAGs, and TAG against weak players: style within its bands, money where it belongs.

The targets are those of archetypes.json; percentages are of some 100,000 hands each, so that chance moves them by 0.2 points at most.
"""

import json
import math
from dataclasses import replace
from pathlib import Path

import numba
import polars as pl
import pytest
import yaml
from views import ARCHETYPES, CONF, game_of

from sim.levels import RESULTS
from sim.play import play_range
from sim.records import to_table
from sim.rules import STRUCTURES, Variant
from sim.statistics import finish, partial, pool_line_ups, stack_tables

TARGETS = Path(__file__).parent / "cases" / "archetypes.json"
LINEUPS = yaml.safe_load((CONF.parent / "table" / "archetypes.yaml").read_text(encoding="utf-8"))["lineup"]
VARIANTS = [Variant(f"omaha{n}{'_hilo' * hi_lo}", n, hi_lo) for n in (4, 5, 6) for hi_lo in (False, True)]
STYLE = {"vpip": "vpip", "pfr": "pfr", "three_bet": "3bet"}  # statistic: name of its target

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="too many hands for plain Python")


@pytest.fixture(scope="module")
def targets():
    return {name: kind["plo_6max_target"] for name, kind in json.loads(TARGETS.read_text(encoding="utf-8"))["archetypes"].items()}


def tables_of(names, hands, variant=Variant(), structure="pot_limit", name="test"):
    game = replace(game_of(names, variant, structure), name=name)
    columns = play_range(game, 1, 0, hands, RESULTS).columns
    frame = pl.DataFrame(to_table(columns, RESULTS, 0, 0, hands, [strategy.name for strategy in game.lineup]))
    return finish(partial(frame, game), game)


def among_themselves(hands, variant=Variant(), structure="pot_limit"):
    """{archetype: its row}, over all line-ups of table=archetypes."""
    tables = [tables_of(names, hands, variant, structure, f"test,lineup={place}") for place, names in enumerate(LINEUPS)]
    return {row["strategy"]: row for row in pool_line_ups(stack_tables(tables).strategies).rows(named=True)}


def alone(name, hands):
    """The row of one archetype in a field of TAGs; of a TAG, of all of them."""
    rows = tables_of([name, *["tag"] * 5], hands).strategies.rows(named=True)
    return next(row for row in rows if row["strategy"] == name)


def outside(row, target, tolerance):
    """The statistics of a row that are further from their target than the tolerance."""
    return {name: (round(row[name], 1), target[key]) for name, key in STYLE.items() if abs(row[name] - target[key]) > tolerance}


def test_every_archetype_has_every_other_at_its_table_and_to_its_left():
    neighbours = {(names[place], names[(place + 1) % 6]) for names in LINEUPS for place in range(6)}
    for name in ARCHETYPES:
        assert sum(name in names for names in LINEUPS) == 6
        assert len({right for left, right in neighbours if left == name}) >= 4
    assert all(sorted(names) == sorted(set(names)) for names in LINEUPS)


@pytest.mark.parametrize("hands", [20_000, pytest.param(1_000_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)])])
def test_style_among_themselves_is_within_three_points(targets, hands):
    rows = among_themselves(hands)
    assert set(rows) == set(targets)
    assert not {name: far for name, row in rows.items() if (far := outside(row, targets[name], 3))}
    assert rows["calling_station"]["afq"] < rows["tag"]["afq"] < rows["maniac"]["afq"]
    assert rows["rock"]["wtsd"] < rows["tag"]["wtsd"] < rows["calling_station"]["wtsd"]


@pytest.mark.parametrize("hands", [20_000, pytest.param(1_000_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)])])
def test_style_alone_among_tags_is_within_six_points(targets, hands):
    assert not {name: far for name in ARCHETYPES if (far := outside(alone(name, hands), targets[name], 6))}


def test_the_bands_tell_archetypes_apart(targets):
    """Negative control: no archetype fits the target of another."""
    rows = among_themselves(2_000)
    assert all(outside(rows[name], targets[other], 3) for name in ARCHETYPES for other in ARCHETYPES if name != other)


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_same_parameters_keep_their_style_in_every_game(targets, variant, structure):
    """Preflop style within four points of the pot-limit targets; the order of aggression and of showdowns everywhere."""
    rows = among_themselves(4_000, variant, structure)
    assert not {name: far for name, row in rows.items() if (far := outside(row, targets[name], 4))}
    assert rows["calling_station"]["afq"] < rows["tag"]["afq"] < rows["maniac"]["afq"]
    assert rows["rock"]["wtsd"] < rows["tag"]["wtsd"] < rows["calling_station"]["wtsd"]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_tag_beats_stations_random_players_and_maniacs(variant):
    names = ["tag", "calling_station", "maniac", "random", "calling_station", "maniac"]
    row = next(row for row in tables_of(names, 60_000, variant).strategies.rows(named=True) if row["strategy"] == "tag")
    assert row["bb_per_100_low"] > 0
    assert math.isfinite(row["bb_per_100_high"])
