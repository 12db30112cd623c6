"""The range job: an expression as an argument, as a key or in a file gives one answer; what is wrong gives a line, a caret and code 2."""

import re
import sys

import pytest

from jobs import range as job
from sim.cards import parse_cards
from sim.ranges import contains, count_hands


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Runs `omaha-sim range` with arguments. Gives exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["omaha-sim range", *arguments])
        code = job.main()
        return code, *capsys.readouterr()

    return run


def test_hands_percent_classes_and_examples_are_printed(call):
    code, out, err = call("AA,KK:ds")
    first, second = out.splitlines()
    assert (code, err) == (0, "")
    assert first == "AA,KK:ds in omaha4: 7,819 of 270,725 hands (2.8882 %), 534 of 16,432 classes"
    examples = second.removeprefix("such as ").split("  ")
    assert len(set(examples)) == 8
    for hand in examples:
        assert contains("AA,KK:ds", parse_cards(hand)[None]).all()
    assert call("AA,KK:ds")[1] == out


@pytest.mark.parametrize("given", [["AA,KK:ds"], ["hands=AA,KK:ds"], ['hands="AA,KK:ds"'], ["hands='AA,KK:ds'"]])
@pytest.mark.parametrize("last", [True, False])
def test_an_expression_is_an_argument_by_itself_or_a_key(call, given, last):
    others = ["variant=omaha4_hilo", "examples=0"]
    code, out, _ = call(*(others + given if last else given + others))
    assert (code, out) == (
        0,
        f"AA,KK:ds in omaha4_hilo: {count_hands('AA,KK:ds', 4):,} of 270,725 hands (2.8882 %), 534 of 16,432 classes\n",
    )


@pytest.mark.parametrize("text", ["[A,K]", "!RR", "99", "*", "(AA)", "AA$ds", "TT+", "664-", "AA, KK : xxyy"])
def test_signs_that_mean_something_to_hydra_reach_the_language(call, text):
    for given in (text, f"hands={text}"):
        code, out, err = call(given, "examples=1")
        assert (code, err) == (0, "")
        assert out.startswith(f"{text} in omaha4: {count_hands(text, 4):,} of 270,725 hands")


def test_named_suits_are_counted_and_said_to_be_no_set_of_classes(call):
    code, out, _ = call("AsKs", "examples=3")
    assert code == 0
    assert out.startswith("AsKs in omaha4: 1,225 of 270,725 hands (0.4525 %), suits are named")
    assert re.fullmatch(r"such as (\w{8}  ){2}\w{8}", out.splitlines()[1])
    assert all({"As", "Ks"} <= {hand[at : at + 2] for at in (0, 2, 4, 6)} for hand in out.splitlines()[1].split()[2:])


def test_a_range_without_hands_has_no_examples(call):
    assert call("AAAA!A")[:2] == (0, "AAAA!A in omaha4: 0 of 270,725 hands (0.0000 %), 0 of 16,432 classes\n")


def test_a_mistake_is_shown_under_the_expression(call):
    code, out, err = call("AA,K[", "variant=omaha5")
    assert (code, out) == (2, "")
    assert err == "error: expected ] to close this list\n  AA,K[\n      ^\n"


def test_a_range_that_reaches_the_configuration_counts_if_no_other_is_given(call):
    assert call("++hands=TT+", "examples=0")[:2] == (0, "TT+ in omaha4: 34,445 of 270,725 hands (12.7232 %), 2,255 of 16,432 classes\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "no range given; quote it for the shell: omaha-sim range 'AA,KK:ds'"),
        (["AA", "KK"], "AA and KK: give one range, quoted for the shell: 'AA,KK:ds'"),
        (["AA", "hands=KK"], "AA and KK: give one range, quoted for the shell: 'AA,KK:ds'"),
        (["AA", "opponents=3"], "opponents=3; allowed: 1, 5"),
        (["AA", "opponents=9"], "opponents=9; allowed: 1 to 5"),
        (["AA", "examples=-1"], "examples=-1; allowed: 0 to 100"),
        (["AA", "variant=omaha7"], "variant=omaha7: no such option; did you mean omaha6? allowed: "),
        (["AA", "range=KK"], "range=KK: no such key; "),
        (["AA", "++hand=KK"], "hand=KK: no such key; did you mean hands? "),
        (["++hands=[AA,KK]"], "hands=[AA,KK]; in a configuration file a range is a text in quotes"),
    ],
)
def test_wrong_arguments_are_one_line(call, arguments, line):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {line}")
    assert err.count("\n") == 1


def test_help_and_the_resolved_configuration_are_no_ranges(call):
    code, out, err = call("--help")
    assert (code, err) == (0, "")
    assert "omaha-sim range HANDS" in out
    assert "$np" in out
    code, out, err = call("--cfg", "job", "AA")
    assert (code, err) == (0, "")
    assert "opponents: 5" in out
