"""Hands of a run written and read back: the run, what was written and the replay have the same digest."""

import numpy as np
import pytest
from replayed import SCENARIOS, replay_file
from small_runs import OMAHA4, OMAHA5_HEADS_UP, manifest, small_spec

from jobs import export as job
from sim.digest import hand_digest
from sim.export import export, histories_of
from sim.hand import new_table
from sim.hand_history import tell_hand
from sim.levels import NONE
from sim.plan import Compute
from sim.play import play_range
from sim.runner import simulate
from sim.stepping import Hand

SUFFIXES = {"phh": "phhs", "pokerstars": "txt", "json": "jsonl.gz"}


@pytest.mark.parametrize("form", SUFFIXES)
@pytest.mark.parametrize("name", SCENARIOS)
def test_run_written_and_replayed_has_the_same_digest(tmp_path, name, form):
    scenario = SCENARIOS[name]
    path = tmp_path / f"hands.{SUFFIXES[form]}"
    written = export(scenario, 5, range(400), form, path)
    totals = replay_file(path, scenario.house)
    assert (totals.differences, totals.malformed) == ([], [])
    assert (totals.sum().fully, totals.digest) == (400, written.digest)
    assert written.digest == play_range(scenario, 5, 0, 400, NONE).digest


@pytest.mark.parametrize("form", SUFFIXES)
def test_digest_of_simulate_is_that_of_export_and_replay(run_job, run_directory, tmp_path, form):
    """Through the jobs, of each scenario, against what the manifest of the run says."""
    for scenario in manifest(run_directory)["scenarios"]:
        out = tmp_path / f"{scenario['digest']}.{SUFFIXES[form]}"
        code, stdout, _ = run_job(f"run={run_directory}", f"out={out}", f"format={form}", f"scenario={scenario['name']}")
        assert code == 0 and stdout.endswith(f"; digest {scenario['digest']}\n")
        totals = replay_file(out)
        assert (totals.sum().fully, f"{totals.digest:016x}") == (scenario["hands"], scenario["digest"])


def test_digests_of_parts_written_add_up_to_that_of_the_run():
    parts = sum(digest for ids in (range(0, 40, 2), range(1, 40, 2)) for _, digest in histories_of(OMAHA4, 7, ids))
    assert parts % 2**64 == play_range(OMAHA4, 7, 0, 40, NONE).digest


def test_digest_tells_hands_apart(tmp_path):
    digests = {
        export(OMAHA4, seed, ids, "json", tmp_path / "a").digest for seed, ids in ((1, range(10)), (2, range(10)), (1, range(1, 11)))
    }
    assert len(digests) == 3


def test_the_digest_counts_each_card_dealt_and_none_other():
    table = new_table()
    table.state.n_seats = 6

    def digest(n_board=4, place=0, card=0):
        cards = np.arange(41)
        cards[place] = card
        with np.errstate(over="ignore"):
            return int(hand_digest(np.uint64(1), 2, cards[:5], n_board, cards[5:].reshape(6, 6), 6, table.state, 3))

    assert digest(place=4, card=50) == digest()
    changed = [digest(4, place, card) for place in range(41) if place != 4 for card in (-1, 51)]
    assert len({digest(), digest(5), *changed}) == 2 + len(changed)


def test_histories_are_those_of_single_hands():
    ids = [3, 4, 5, 9]
    parts = [history for part, _ in histories_of(OMAHA4, 7, ids) for history in part]
    assert parts == [tell_hand(OMAHA4, 7, hand_id).history for hand_id in ids]


@pytest.fixture(scope="module")
def run_directory(tmp_path_factory):
    run = tmp_path_factory.mktemp("runs") / "run"
    spec = small_spec(hands=300, shard_hands=100, scenarios=(OMAHA4, OMAHA5_HEADS_UP), records="results")
    assert simulate(spec, Compute("inline"), run) == 0
    return run


@pytest.fixture
def run_job(monkeypatch, capsys):
    def run(*arguments: str):
        monkeypatch.setattr("sys.argv", ["export", *arguments])
        code = job.main()
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_job_writes_hands_that_the_records_do_not_hold(run_job, run_directory, tmp_path):
    out = tmp_path / "hands.phhs"
    code, stdout, _ = run_job(f"run={run_directory}", f"out={out}")
    totals = replay_file(out)
    assert code == 0
    assert totals.sum().fully == 300
    assert stdout == f"300 hands of omaha4/pot_limit written to {out}; digest {totals.digest:016x}\n"


@pytest.mark.parametrize(
    ("arguments", "hands"),
    [
        (("first=7",), 7),
        (("hand=[1,last,biggest_pot]",), 3),
        (("where=showdown", "first=4"), 4),
        (("scenario=1", "hand=12"), 1),
        (("scenario=omaha5/no_limit", "first=2", "format=pokerstars"), 2),
    ],
)
def test_job_chooses_hands(run_job, run_directory, tmp_path, arguments, hands):
    out = tmp_path / "hands.out"
    code, stdout, stderr = run_job(f"run={run_directory}", f"out={out}", *arguments)
    assert (code, stderr) == (0, "")
    assert stdout.startswith(f"{hands} hand")
    assert replay_file(out).sum().fully == hands


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("format=xml",), "format=xml; allowed: phh, pokerstars, json"),
        (("hand=1", "first=3"), "hand=1; where or first is given too"),
        (("hand=99999",), "hand=99999; allowed: 0 to 299"),
        (("out=/nowhere/at/all.phhs",), "out=/nowhere/at/all.phhs; allowed: a new file"),
        (("out={folder}/one.phh",), "a .phh file holds one hand, these are 300"),
        (("run={folder}",), "is not a run directory"),
    ],
)
def test_job_refuses_in_one_line_and_writes_nothing(run_job, run_directory, tmp_path, arguments, message):
    given = [argument.replace("{folder}", str(tmp_path)) for argument in arguments]
    defaults = {"run": str(run_directory), "out": str(tmp_path / "hands.phhs")}
    for key, value in defaults.items():
        if not any(argument.startswith(f"{key}=") for argument in given):
            given.append(f"{key}={value}")
    code, stdout, stderr = run_job(*given)
    assert (code, stdout, stderr.count("\n")) == (2, "", 1)
    assert message in stderr
    assert list(tmp_path.iterdir()) == []


def test_job_does_not_write_over_a_file(run_job, run_directory, tmp_path):
    out = tmp_path / "hands.phhs"
    out.write_text("mine")
    assert run_job(f"run={run_directory}", f"out={out}")[0] == 2
    assert out.read_text() == "mine"
    assert run_job(f"run={run_directory}", f"out={out}", "overwrite=true", "hand=1")[0] == 0


def test_long_exports_say_how_far_they_are(tmp_path):
    told = []
    export(OMAHA4, 7, range(2500), "json", tmp_path / "a", told.append)
    assert told == [1000, 1000, 500]


def test_an_illegal_decision_among_many_is_told_as_one_by_itself():
    hand = Hand(stacks=(1000, 1000, 1000))
    with pytest.raises(ValueError, match=r"seat 1: 3 is illegal; legal: -1 \(fold\), 100 \(check or call\), a bet or raise to 200..400"):
        hand.act_all([100, 3])
    hand = Hand(stacks=(1000, 1000, 1000))
    with pytest.raises(ValueError, match="nobody is to act"):
        hand.act_all([-1, -1, 0])
