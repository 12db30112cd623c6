"""The configuration: every option composes, every wrong value is one clear line, and Hydra leaves no traces."""

import dataclasses
import itertools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from jobs import cli, simulate
from jobs.compose import run_spec
from jobs.folders import CONF
from jobs.values import whole_number
from sim.lineup import Parameters
from sim.plan import Compute, SpecError
from sim.rules import STRUCTURES, House, Rake, Stakes, Variant
from sim.run_directory import resume_command
from sim.strategies import STRATEGIES

ROOT = Path(__file__).parent.parent
OPTIONS = sorted((path.parent.name, path.stem) for path in CONF.glob("*/*.yaml"))
GROUPS = ("variant", "structure", "stakes", "table", "strategy", "house", "rake", "records", "compute", "sweep", "experiment")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(folder, monkeypatch, capsys):
    """Runs `simulate` with arguments up to the point where it would play. Gives exit code, the (spec, compute, out, resume), stderr."""

    def run(*arguments):
        played = []

        def job(config):
            spec, compute = run_spec(config, cli.given_overrides())
            played.append((spec, compute, *simulate.run_directory(config)))
            return 0

        monkeypatch.setattr(sys, "argv", ["omaha-sim simulate", *arguments])
        code = cli.run("simulate", job)
        return code, played, capsys.readouterr().err

    return run


@pytest.fixture
def spec(call):
    """The spec that arguments give."""

    def run(*arguments):
        code, played, stderr = call(*arguments)
        assert (code, stderr) == (0, "")
        return played[0][0]

    return run


@pytest.fixture
def refused(call, folder):
    """The line that refuses arguments, once it is sure that it is one, that the exit code is 2 and that nothing was written."""

    def run(*arguments):
        before = sorted(folder.rglob("*"))
        code, played, stderr = call(*arguments)
        assert (code, played) == (2, [])
        assert stderr.startswith("error: ")
        assert stderr.count("\n") == 1
        assert sorted(folder.rglob("*")) == before
        return stderr.removeprefix("error: ").rstrip("\n")

    return run


def options(group):
    return [option for name, option in OPTIONS if name == group]


def test_groups_are_those_of_the_manual():
    assert {group for group, _ in OPTIONS} == set(GROUPS)
    assert options("variant") == sorted(f"omaha{cards}{low}" for cards in (4, 5, 6) for low in ("", "_hilo"))
    assert options("structure") == sorted(STRUCTURES)
    # Parameter files of the range player have names of their own.
    assert set(options("strategy")) >= set(STRATEGIES) - {"range_player"}


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_every_option_of_every_group_composes(spec, group, option):
    run = spec(f"table.lineup={option}" if group == "strategy" else f"{group}={option}")
    if group == "variant":
        assert run.scenarios[0].variant == Variant(option, int(option[5]), option.endswith("_hilo"))
    if group == "structure":
        assert run.scenarios[0].structure == option
    if group == "records":
        assert run.records == option
    if group == "strategy":
        assert {strategy.name for strategy in run.scenarios[0].lineup} == {option}


@pytest.mark.parametrize(
    ("group", "base", "kind"),
    [("stakes", "default", Stakes), ("house", "default", House), ("rake", "none", Rake), ("compute", "inline", Compute)],
)
def test_options_are_differences_from_a_base_that_has_every_key_at_the_library_default(group, base, kind):
    content = {option: yaml.safe_load((CONF / group / f"{option}.yaml").read_text()) for option in options(group)}
    fields = {field.name: field.default for field in dataclasses.fields(kind)}
    if kind is Rake:
        fields = {"percent": 0} | {key: value for key, value in fields.items() if key != "basis_points"}
    expected = {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    if kind is Stakes:
        expected["stacks"] = expected["stacks"][0]
    assert content[base] == expected
    for option in content.keys() - {base}:
        assert content[option].keys() <= fields.keys()
        assert all(content[base][key] != value for key, value in content[option].items())


def test_defaults_are_a_million_hands_of_six_handed_pot_limit_omaha(call):
    code, [(run, compute, out, resume)], stderr = call()
    assert (code, stderr) == (0, "")
    assert (run.hands, run.records, run.shard_hands, resume) == (1_000_000, "full", 125_000, False)
    assert compute == Compute("ray")
    assert re.fullmatch(r"runs/\d{8}-\d{6}-[0-9a-f]{4}", str(out))
    (game,) = run.scenarios
    assert (game.name, game.variant, game.structure, game.n_seats) == ("omaha4/pot_limit", Variant(), "pot_limit", 6)
    assert (game.stakes, game.house, game.rake) == (Stakes(), House(), Rake())
    assert len(set(game.lineup)) > 1


def test_two_runs_never_share_their_default_folder():
    outs = {simulate.run_directory({"out": None, "resume": False})[0] for _ in range(20)}
    assert len(outs) == 20


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1000000", 10**6),
        ("1_000_000", 10**6),
        ("1e6", 10**6),
        ("1E6", 10**6),
        ("10M", 10**7),
        ("10m", 10**7),
        ("2.5k", 2500),
        ("1G", 10**9),
    ],
)
def test_hands_as_people_write_them(spec, text, expected):
    assert spec(f"hands={text}").hands == expected


@pytest.mark.parametrize(
    "value", [True, None, "ten", "1.5", 1.5, float("nan"), float("inf"), "1e-3", "1k5", "", "0x10", "1e999", [1], {"a": 1}]
)
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(SpecError, match="allowed: a whole number"):
        whole_number("hands", value)


def test_small_and_big_blind_are_independent(spec):
    (game,) = spec("structure=fixed_limit", "stakes=limit_15_30").scenarios
    assert (game.stakes.small_blind, game.stakes.big_blind, game.stakes.small_bet, game.stakes.big_bet) == (10, 15, 15, 30)


def test_rake_percent_is_exact_in_basis_points(spec):
    assert spec("rake=pokerstars_micro").scenarios[0].rake == Rake(450, (50, 100, 100, 150))
    assert spec("rake=percent", "rake.percent=4.15").scenarios[0].rake.basis_points == 415


def test_one_name_seats_everybody(spec):
    (game,) = spec("table.seats=9", "table.lineup=tight").scenarios
    assert [strategy.name for strategy in game.lineup] == ["tight"] * 9


def test_one_stack_per_seat(spec):
    assert spec("table=heads_up", "stakes.stacks=[5k,1e4]").scenarios[0].stakes.stacks == (5000, 10_000)


def test_out_and_resume(call):
    Path("runs/mine").mkdir(parents=True)
    _, [(_, _, out, resume)], _ = call("out=runs/mine", "resume=true")
    assert (str(out), resume) == ("runs/mine", True)


def test_out_takes_any_path_as_it_is_typed(call):
    for name in ("a b,c=d", "[x]{y}", 'it\'s "1"', "$HOME;&", "größe/ü", "007", "back\\slash\\", "a\\'b"):
        code, played, stderr = call(f"out={name}", "hands=10")
        assert (code, stderr) == (0, "") and str(played[0][2]) == name
    assert str(call("out='in quotes'")[1][0][2]) == "in quotes"


def test_letters_beyond_ascii_need_no_quotes(spec, folder):
    (folder / "grün.py").write_text("def ok(view):\n    return 0\n")
    for lineup in ("grün.py:ok", "[grün.py:ok,'grün.py:ok']", "[{strategy: grün.py:ok, name: gräf},{strategy: grün.py:ok, name: gräf}]"):
        (game,) = spec("table=heads_up", f"table.lineup={lineup}").scenarios
        assert {Path(strategy.file).name for strategy in game.lineup} == {"grün.py"}


def test_the_resume_command_is_accepted_as_it_is_printed(call, folder):
    run = folder / "a b,c='d' [ü] ${e} $HOME"
    run.mkdir()
    command = resume_command(run, ["python", "-m", "jobs.simulate", "hands=10", "out=was there"])
    program, arguments = shlex.split(command)[:3], shlex.split(command)[3:]
    code, played, stderr = call(*arguments)
    assert (program, code, stderr) == (["python", "-m", "jobs.simulate"], 0, "")
    assert played[0][2:] == (run, True)


def test_each_run_of_a_multirun_has_its_own_folder_in_out(call):
    code, played, _ = call("--multirun", "seed=1,2", "out=there")
    assert code == 0 and [str(out) for _, _, out, _ in played] == ["there/0", "there/1"]


REFUSED = [
    (["out=gone", "resume=true"], "resume=true; there is no gone to go on with; "),
    (["hands=1e30"], "hands=1e+30; allowed: 1 to "),
    (["sweep=[variant]"], "sweep=[variant]: no such option; did you mean variants? allowed: depths, "),
    (["sweep=[variants,depths]"], "sweep=[variants,depths]: give one option; "),
    # a typo in a key, an option, a value
    (["varaint=omaha5"], "varaint=omaha5: no such key; did you mean variant?"),
    (["variant=plo5"], "variant=plo5: no such option; did you mean omaha5? allowed: omaha4, omaha4_hilo, omaha5, "),
    (["variant=5"], "variant=5: no such option; allowed: omaha4, "),
    (["variant=null"], "variant=null: no such option; allowed: omaha4, "),
    (["structure=potlimit"], "structure=potlimit: no such option; did you mean pot_limit? allowed: fixed_limit, no_limit, pot_limit"),
    (["structure.name=spread"], "structure=spread; allowed: fixed_limit, pot_limit, no_limit"),
    (["experiment=quick_lok"], "experiment=quick_lok: no such option; did you mean quick_look? allowed: "),
    (["table.seat=5"], "table.seat=5: no such key; did you mean table.seats?"),
    (["stake.ante=5"], "stake.ante=5: no such key; did you mean stakes.ante?"),
    (["big_blind=100"], "big_blind=100: no such key; did you mean stakes.big_blind?"),
    (["rake.zzz=1"], "rake.zzz=1: no such key; allowed: rake.percent, rake.caps, "),
    (["hands.foo=3"], "hands.foo=3: no such key; did you mean hands?"),
    (["+foo=bar"], "foo=bar: no such key; allowed: variant, structure, "),
    (["++table.foo=bar"], "table.foo=bar: no such key; allowed: seats, lineup"),
    (["+hands=5"], "hands=5: the key exists; leave out the +"),
    (["+variant=omaha5"], "variant=omaha5: the key exists; leave out the +"),
    (["~hands"], "hands: missing; "),
    (["~variant"], "variant: missing; "),
    (["strategy=tight"], "strategy=tight: not chosen like this; name strategies in table.lineup, such as table.lineup=tight"),
    # a value of the wrong type or out of range
    (["table.seats=99"], "table.seats=99; allowed: 2 to 10"),
    (["table.seats=six"], "table.seats=six; allowed: a whole number, "),
    (["stakes.big_blind=ten"], "stakes.big_blind=ten; allowed: a whole number, "),
    (["stakes.big_blind=true"], "stakes.big_blind=true; allowed: a whole number, "),
    (["stakes.big_blind=nan"], "stakes.big_blind=nan; allowed: a whole number, "),
    (["stakes.small_blind=101"], "stakes.small_blind=101; allowed: 0 to 100"),
    (["stakes.straddle=50"], "stakes.straddle=50; give 0 (off) or more than the big blind (100)"),
    (["stakes.stacks=[]"], "stakes.stacks=[]; give one stack for all seats, or one per seat"),
    (["hands=-5"], "hands=-5; allowed: 1 to "),
    (["hands=0"], "hands=0; allowed: 1 to "),
    (["hands=1.5"], "hands=1.5; allowed: a whole number, "),
    (["hands=inf"], "hands=inf; allowed: a whole number, "),
    (["hands=true"], "hands=true; allowed: a whole number, "),
    (["seed=-1"], "seed=-1; allowed: 0 to 18446744073709551615"),
    (["variant.name=../x"], "variant.name=../x; allowed: letters, digits and _ . -, a letter or digit first"),
    (["seed=18446744073709551616"], "seed=18446744073709551616; allowed: 0 to 18446744073709551615"),
    (["shard_hands=0"], "shard_hands=0; allowed: 1 to 1000000"),
    (["resume=maybe"], "resume=maybe; allowed: true, false"),
    (["rake.percent=five"], "rake.percent=five; allowed: a percentage from 0 to 100 with at most two decimals"),
    (["rake.percent=5.125"], "rake.percent=5.125; allowed: a percentage "),
    (["rake.percent=101"], "rake.percent=101; allowed: a percentage "),
    (["rake.rounding=nearest"], "rake.rounding='nearest'; allowed: down, half_up, up"),
    (["house.reopening=never"], "house.reopening='never'; allowed: full_raise_in_total, consecutive"),
    (["house.cap_off_heads_up=1"], "house.cap_off_heads_up=1; allowed: true, false"),
    (["records.level=all"], "records=all; allowed: full, hands, results, none"),
    (["compute.kind=slurm"], "compute.kind=slurm; allowed: inline, ray"),
    (["compute.cpus=0"], "compute.cpus=0; allowed: 1 to "),
    (["variant.hole_cards=9"], "variant.hole_cards=9; allowed: 4 to 6"),
    # values that do not go together
    (
        ["variant=omaha6", "table.seats=8", "table.lineup=call"],
        "table.seats=8; 8 x 6 hole cards + 5 board cards = 53, the deck has 52; omaha6 allows 2 to 7",
    ),
    (
        ["table.seats=9"],
        "table.lineup=[tight,loose,tight,loose,tight,loose]; 6 strategies for 9 seats (table.seats); give one for each seat, or one name",
    ),
    (["table.lineup=[tight]"], "table.lineup=[tight]; 1 strategy for 6 seats (table.seats)"),
    (["stakes.stacks=[1000,2000]"], "stakes.stacks=[1000, 2000]; give one stack for all seats, or one per seat (6)"),
    (["table=heads_up", "stakes=straddle"], "stakes.straddle=200; heads-up nobody sits left of the big blind"),
    (["compute=inline", "compute.cpus=4"], "compute.cpus=4; compute=inline is one process; take compute=local"),
    (["hands=1e9", "shard_hands=1"], "shard_hands=1; makes 1000000000 shards of 1000000000 hands; allowed: at most "),
    (["resume=true"], "resume=true; name the run to go on with: out=PATH"),
    # strategies
    (["table.lineup=tihgt"], "table.lineup=tihgt: no such strategy; did you mean tight? allowed: call, "),
    (["table.lineup=5"], "table.lineup=5; allowed: a strategy for each of the 6 seats, or one name for all"),
    (["table.lineup=gone.py:play"], "table.lineup=gone.py:play: cannot read "),
    # syntax
    (["hands"], "hands: not an override; write hands=value"),
    (["=5"], "=5: not an override; write key=value"),
    (["sweep={variant:["], "sweep={variant:[: brackets or quotes do not match; quote the whole for the shell: "),
    (["seed=a=b"], "seed=a=b: the value has characters with a meaning of their own; quote it: 'seed=\"a=b\"'"),
    (
        ["variant=omaha4,omaha5"],
        "variant=omaha4,omaha5: for one run per value add --multirun; for several scenarios in one run write 'sweep={variant:",
    ),
    (
        ["variant=[omaha4,omaha5]"],
        "variant=[omaha4,omaha5]: give one option; for several scenarios in one run write 'sweep={variant:[...]}'",
    ),
    (["table.lineup=tight,loose"], "table.lineup=tight,loose: write a list as 'table.lineup=[tight,loose]'; "),
    (["--variant", "omaha5"], "--variant: no such flag; keys are written without dashes: variant=value; see --help"),
    (["--config-dir", "nowhere"], "--config-dir="),
    (["hydra.searchpath=[file:///nowhere]"], "provider=hydra.searchpath in command-line, path=/nowhere is not available."),
    (["--config-name", "nope"], "nope: no such configuration file"),
    (["stakes.ante=${nothing.here}"], "Interpolation key 'nothing.here' not found"),
    # sweeps
    (["sweep={varaint:[omaha4,omaha5]}"], "sweep.varaint=[omaha4,omaha5]: no such key; did you mean variant? allowed: "),
    (["sweep={hands:[1,2]}"], "sweep.hands=[1,2]; is the same for all scenarios of a run; allowed: variant, structure, "),
    (["sweep={compute.cpus:[1,2]}"], "sweep.compute.cpus=[1,2]; is the same for all scenarios of a run"),
    (["sweep={variant:omaha4}"], "sweep.variant=omaha4; allowed: a list of values, such as [omaha4]"),
    (["sweep={variant:[]}"], "sweep.variant=[]; allowed: a list of values"),
    (["sweep={variant:[omaha4,omaha4]}"], "sweep.variant=[omaha4,omaha4]; omaha4 is there twice"),
    (["sweep={variant:[omaha4,plo5]}"], "variant=plo5: no such option; did you mean omaha5? allowed: "),
    (["sweep=variants", "variant=omaha5"], "sweep.variant=[omaha4,"),
    (["sweep=variant"], "sweep=variant: no such option; did you mean variants? allowed: "),
    (["sweep=5"], "sweep=5: no such option; allowed: "),
    (["sweep={experiment:[quick_look]}"], "hands=100000; differs from the run's 1000000 (sweep cell experiment=quick_look)"),
]


@pytest.mark.parametrize(("arguments", "expected"), REFUSED, ids=[" ".join(arguments) for arguments, _ in REFUSED])
def test_wrong_configuration_is_one_line_that_names_key_value_and_what_is_allowed(refused, arguments, expected):
    assert refused(*arguments).startswith(expected)


@pytest.mark.parametrize(
    ("arguments", "cell"),
    [
        (["sweep={variant:[omaha4,omaha6]}", "table=full_ring"], "variant=omaha6"),
        (["sweep={stakes.antee:[0,10]}"], "stakes.antee=0"),
        (["sweep={stakes.ante:[0,x],variant:[omaha4]}"], "stakes.ante=x,variant=omaha4"),
        (["sweep={variant:[omaha4,plo5]}"], "variant=plo5"),
    ],
)
def test_wrong_cell_of_a_sweep_is_named(refused, arguments, cell):
    assert refused(*arguments).endswith(f" (sweep cell {cell})")


def test_sweep_is_the_product_of_its_axes_in_order(spec):
    run = spec("sweep={variant:[omaha4,omaha5_hilo],structure:[pot_limit,no_limit]}", "stakes.ante=7", "hands=1k")
    assert [game.name for game in run.scenarios] == [
        f"variant={variant},structure={structure}"
        for variant, structure in itertools.product(("omaha4", "omaha5_hilo"), ("pot_limit", "no_limit"))
    ]
    assert [(game.variant.name, game.structure) for game in run.scenarios] == list(
        itertools.product(("omaha4", "omaha5_hilo"), ("pot_limit", "no_limit"))
    )
    assert {game.stakes.ante for game in run.scenarios} == {7}
    assert run.hands == 1000


def test_axes_are_groups_or_keys_within_them(spec):
    run = spec("sweep={stakes.ante:[0,10],table:[six_max,heads_up]}", "table.lineup=call")
    assert [(game.name, game.stakes.ante, game.n_seats) for game in run.scenarios] == [
        ("stakes.ante=0,table=six_max", 0, 6),
        ("stakes.ante=0,table=heads_up", 0, 2),
        ("stakes.ante=10,table=six_max", 10, 6),
        ("stakes.ante=10,table=heads_up", 10, 2),
    ]


def test_values_of_an_axis_may_be_lists_and_texts(spec, folder):
    (folder / "my bot.py").write_text("def shark(view):\n    return 0\n")
    run = spec("table=heads_up", "sweep={table.lineup:[tight,[call,'my bot.py:shark']],house.cap_off_heads_up:[true,false]}")
    assert [[strategy.name for strategy in game.lineup] for game in run.scenarios] == [["tight", "tight"]] * 2 + [["call", "shark"]] * 2
    assert [game.house.cap_off_heads_up for game in run.scenarios] == [True, False] * 2
    assert run.scenarios[2].name == "table.lineup=[call,my bot.py:shark],house.cap_off_heads_up=true"


def test_sweep_variants_is_all_six_in_all_three_structures(spec):
    games = {(game.variant.name, game.structure) for game in spec("sweep=variants").scenarios}
    assert games == set(itertools.product(options("variant"), options("structure")))


def test_axes_in_braces_join_those_of_a_preset(spec):
    run = spec("sweep=hole_cards", "sweep={structure:[pot_limit,no_limit]}")
    assert len(run.scenarios) == 6


def test_experiment_is_a_difference_from_the_defaults(call):
    _, [(run, compute, _, _)], _ = call("experiment=quick_look", "seed=5")
    assert (run.hands, run.records, run.seed, compute.kind) == (100_000, "results", 5, "inline")
    for path in (CONF / "experiment").glob("*.yaml"):
        assert f"omaha-sim simulate experiment={path.stem}\n" in path.read_text()


@pytest.fixture
def own(folder):
    """A user's own folder of configurations, with a strategy file beside its option."""
    files = {
        "stakes/mine.yaml": "small_blind: 5\nbig_blind: 10\n",
        "stakes/typo.yaml": "smal_blind: 5\n",
        "stakes/broken.yaml": "small_blind: [1\nbig_blind: 3\n",
        "stakes/list.yaml": "- 3\n",
        "table/mine.yaml": "seats: 3\nlineup: [shark, tight, call]\n",
        "table/half.yaml": "seats: 3\nlineup: null\n",
        "strategy/shark.yaml": "function: bite\nfile: bots.py\n",
        "strategy/bots.py": "def bite(view):\n    return 0\n",
        "strategy/lost.yaml": "function: bite\nfile: gone.py\n",
        "strategy/typo.yaml": "function: bit\nfile: bots.py\n",
        "strategy/unknown.yaml": "function: tigth\n",
        "strategy/syntax.yaml": "function: f\nfile: syntax.py\n",
        "strategy/syntax.py": "x = 1\ndef f(:\n",
        "strategy/key.yaml": "functoin: tight\n",
    }
    for name, text in files.items():
        path = folder / "my_conf" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "my_conf"


def test_own_configurations_hold_only_what_differs_and_can_be_overridden(spec, own):
    (game,) = spec("stakes=mine", "--config-dir", "my_conf", "stakes.ante=1").scenarios
    assert game.stakes == Stakes(5, 10, ante=1)


def test_own_configurations_reach_the_cells_of_a_sweep(spec, own):
    run = spec("--config-dir", "my_conf", "sweep={stakes:[default,mine]}")
    assert [game.stakes.big_blind for game in run.scenarios] == [100, 10]
    run = spec(f"hydra.searchpath=[file://{own}]", "sweep={stakes:[default,mine]}")
    assert [game.stakes.big_blind for game in run.scenarios] == [100, 10]


def test_own_strategy_is_named_in_the_lineup_and_found_beside_its_option(spec, own):
    (game,) = spec("--config-dir", "my_conf", "table=mine").scenarios
    assert [strategy.name for strategy in game.lineup] == ["shark", "tight", "call"]
    assert (game.lineup[0].function, game.lineup[0].file) == ("bite", str(own / "strategy" / "bots.py"))
    assert len(game.lineup[0].sha256) == 64


def test_own_strategy_without_any_configuration(spec, own):
    (game,) = spec("table=heads_up", "table.lineup=[tight,my_conf/strategy/bots.py:bite]").scenarios
    assert (game.lineup[1].name, game.lineup[1].file) == ("bite", str(own / "strategy" / "bots.py"))


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("stakes=typo", "stakes.smal_blind=5: no such key; did you mean small_blind? allowed: small_blind, "),
        ("stakes=broken", "{own}/stakes/broken.yaml line 2: not valid YAML: "),
        ("stakes=list", "In 'stakes/list': "),
        ("table=half", "table.lineup=null; allowed: a strategy for each of the 3 seats, or one name for all"),
        ("table.lineup=lost", "strategy/lost.yaml file=gone.py: cannot read "),
        ("table.lineup=typo", "strategy/typo.yaml file=bots.py: {own}/strategy/bots.py has no function bit; did you mean bite?"),
        ("table.lineup=unknown", "strategy/unknown.yaml function=tigth: not built in; give file too, or one of: fold_or_check, "),
        ("table.lineup=syntax", "strategy/syntax.yaml file=syntax.py: {own}/strategy/syntax.py line 2 is not Python: "),
        ("table.lineup=key", "strategy/key.yaml functoin=tight: no such key; did you mean function? allowed: name, function, file"),
        (
            "table.lineup=my_conf/strategy/bots.py:bit",
            "table.lineup=my_conf/strategy/bots.py:bit: {own}/strategy/bots.py has no function bit; did you mean bite?",
        ),
    ],
)
def test_fault_in_an_own_file_is_one_line(refused, own, override, expected):
    assert refused("--config-dir", "my_conf", override).startswith(expected.format(own=own))


def test_multirun_is_a_run_for_each_value_and_hydra_writes_only_below_runs(call, folder):
    code, played, stderr = call("--multirun", "seed=1,2,3", "hands=100")
    assert code == 0
    assert re.findall(r"#(\d) : (seed=\d)", stderr) == [("0", "seed=1"), ("1", "seed=2"), ("2", "seed=3")]
    assert [run.seed for run, *_ in played] == [1, 2, 3]
    assert len({out for _, _, out, _ in played}) == 3
    assert [path.name for path in folder.iterdir()] == ["runs"]
    assert [path.name for path in (folder / "runs").iterdir()] == [".multirun"]


def test_runs_of_a_multirun_are_all_composed_before_the_first_starts(call):
    code, played, stderr = call("--multirun", "variant=omaha4,plo5")
    assert (code, played) == (2, [])
    assert stderr.startswith("error: variant=omaha4,plo5: no such option; did you mean omaha5? allowed: ")


def test_failed_run_ends_a_multirun(call):
    code, played, stderr = call("--multirun", "hands=1,x,3")
    assert code == 2
    assert [run.hands for run, *_ in played] == [1]
    assert "\nerror: hands=x; " in stderr


def test_hydra_writes_nothing(call, folder):
    assert call("hands=10")[0] == 0
    assert list(folder.iterdir()) == []


def test_exit_code_of_the_job_is_that_of_the_command(folder, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["omaha-sim simulate"])
    assert cli.run("simulate", lambda config: 130) == 130


def test_fault_of_the_job_itself_is_not_taken_for_one_of_its_configuration(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["omaha-sim simulate"])

    def job(config):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cli.run("simulate", job)


def test_missing_value_is_named(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["omaha-sim aggregate"])
    assert cli.run("aggregate", lambda config: 0) == 2
    assert capsys.readouterr().err == "error: run: missing; give run=...\n"


def test_help_explains_each_group_and_names_every_option_in_a_screenful(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["omaha-sim simulate", "--help"])
    assert simulate.main() == 0
    text = capsys.readouterr().out
    for group in GROUPS:
        assert re.search(rf"^  {group} +\w", text, re.MULTILINE)
        (listed,) = re.findall(rf"^{group}: (.*)$", text, re.MULTILINE)
        assert sorted(listed.split(", ")) == options(group)
    for key in yaml.safe_load((CONF / "simulate.yaml").read_text()).keys() - {"defaults", "hydra"}:
        assert f"{key}=" in text
    for group, base in (("stakes", "default"), ("table", "six_max"), ("rake", "none")):
        (line,) = re.findall(rf"^  {group} +(.*)$", text, re.MULTILINE)
        assert set(yaml.safe_load((CONF / group / f"{base}.yaml").read_text())) <= set(re.findall(r"\w+", line))
    assert len(text.splitlines()) <= 50


def test_examples_of_the_help_are_accepted(spec, own, folder, monkeypatch):
    text = (CONF / "simulate.yaml").read_text()
    (folder / "my_bot.py").write_text("def shark(view):\n    return 0\n")
    examples = [line.split("(")[0].split()[2:] for line in text.split("Examples:")[1].splitlines() if line.strip().startswith("omaha-sim ")]
    assert len(examples) >= 5
    for arguments in examples:
        if "--multirun" not in arguments:
            spec(*(argument.strip("'") for argument in arguments))


def main(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["omaha-sim", *arguments])
    return cli.main()


def test_command_alone_lists_its_jobs(monkeypatch, capsys):
    assert main(monkeypatch) == main(monkeypatch, "--help") == 0
    text = capsys.readouterr().out
    for name, line in cli.JOBS.items():
        assert f"  {name:<10} {line}\n" in text


@pytest.mark.parametrize(
    ("argument", "expected"),
    [("simulat", "did you mean simulate? "), ("hands=5", "omaha-sim simulate hands=5? "), ("zzz", "")],
)
def test_unknown_job_is_refused_with_the_nearest(monkeypatch, capsys, argument, expected):
    assert main(monkeypatch, argument) == 2
    assert capsys.readouterr().err == f"error: {argument}: no such job; {expected}allowed: {', '.join(cli.JOBS)}\n"


def test_every_job_has_a_file_and_a_configuration():
    for name in cli.JOBS:
        assert (ROOT / "jobs" / f"{name}.py").is_file()
        assert (CONF / f"{name}.yaml").is_file()


def test_job_hands_its_arguments_on(folder, monkeypatch, capsys):
    assert main(monkeypatch, "simulate", "varaint=omaha5") == 2
    assert capsys.readouterr().err == "error: varaint=omaha5: no such key; did you mean variant?\n"


def test_help_and_errors_do_not_wait_for_heavy_libraries(folder):
    code = (
        "import sys\nfrom jobs import cli\n"
        "for arguments in (['simulate', '--help'], ['simulate', 'hands=-1'], ['simulate', 'varaint=omaha5'], ['nope'], []):\n"
        "    sys.argv = ['omaha-sim', *arguments]\n    cli.main()\n"
        "print('loaded', sorted({'ray', 'numba', 'polars', 'pyarrow', 'rich'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True
    )
    assert done.stdout.splitlines()[-1] == "loaded []"


def test_module_and_console_command_refuse_alike_from_any_folder(folder):
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    module = subprocess.run([sys.executable, "-m", "jobs.simulate", "variant=plo5"], capture_output=True, text=True, env=env)
    shim = [sys.executable, "-c", "import sys; from sim.cli import main; sys.exit(main())", "simulate", "variant=plo5"]
    command = subprocess.run(shim, capture_output=True, text=True, env=env)
    assert module.returncode == command.returncode == 2
    assert module.stdout == command.stdout == ""
    assert module.stderr == command.stderr
    assert module.stderr.startswith("error: variant=plo5: no such option; ")
    assert list(folder.iterdir()) == []


def test_constraints_are_exact_versions_of_everything_the_project_asks_for():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line) for line in lines)
    pinned = {re.sub(r"[._]", "-", line.split("==")[0].lower()) for line in lines}
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    assert {re.match(r"[a-z0-9-]+", requirement)[0] for requirement in wanted} <= pinned


# Line-ups with parameters, and lists of line-ups


def test_an_archetype_is_the_range_player_with_the_parameters_of_its_file(spec):
    (game,) = spec("table=heads_up", "table.lineup=[tag,call]").scenarios
    tag = game.lineup[0]
    assert (tag.name, tag.function) == ("tag", "range_player")
    assert tag.parameters == Parameters(yaml.safe_load((CONF / "strategy" / "tag.yaml").read_text())["parameters"])


def test_an_entry_of_a_line_up_may_change_parameters(spec):
    (game,) = spec("table=heads_up", "table.lineup=[tag,{strategy: tag, name: bold, parameters: {bluff: 0.5, open: 'AA,30%'}}]").scenarios
    tag, bold = game.lineup
    assert bold.name == "bold" and bold.parameters.values() == {**tag.parameters.values(), "bluff": 0.5, "open": "AA,30%"}


def test_a_list_of_line_ups_is_a_scenario_for_each(spec):
    run = spec("table=archetypes", "structure=no_limit")
    names = [scenario.name for scenario in run.scenarios]
    assert names == [f"omaha4/no_limit,lineup={number}" for number in range(1, 8)]
    table = yaml.safe_load((CONF / "table" / "archetypes.yaml").read_text())
    assert [[strategy.name for strategy in scenario.lineup] for scenario in run.scenarios] == table["lineup"]


def test_a_sweep_plays_every_line_up_in_each_of_its_cells(spec):
    run = spec("table=archetypes", "sweep={structure:[pot_limit,no_limit]}")
    names = [scenario.name for scenario in run.scenarios]
    assert len(names) == 14 and names[0] == "structure=pot_limit,lineup=1" and names[-1] == "structure=no_limit,lineup=7"


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("{strategy: tag, parameters: {opne: 0.3}}", "strategy tag parameters.opne=0.3; no such parameter; did you mean open? "),
        ("{strategy: tag, parameters: {open: {UTG: 2}}}", "strategy tag parameters.open.UTG=2; allowed: a number from 0 to 1"),
        ("{strategy: tag, parameters: {call: 'AA,KX'}}", "strategy tag parameters.call='AA,KX', character 5: "),
        ("{strategy: tag, parameters: 7}", "table.lineup parameters=7; allowed: names and values"),
        ("{strategy: tga}", "table.lineup=tga: no such strategy; did you mean tag? "),
        ("{strategy: tag, parameter: {}}", "table.lineup parameter={}: no such key; did you mean parameters? "),
        ("{strategy: call, parameters: {a: 1}}", "strategy call parameters.a=1; no such parameter; this strategy has none"),
    ],
)
def test_a_wrong_entry_of_a_line_up_is_one_line_and_nothing_is_written(call, folder, entry, line):
    code, played, stderr = call("table=heads_up", f"table.lineup=[random,{entry}]")
    assert code == 2 and not played and stderr.startswith(f"error: {line}") and stderr.count("\n") == 1
    assert not list(folder.iterdir())


def test_a_file_that_does_not_compile_is_one_line_and_nothing_is_written(call, folder):
    (folder / "mine.py").write_text("def mine(view):\n    return view.call_too\n")
    code, played, stderr = call("table=heads_up", "table.lineup=[call,mine.py:mine]")
    assert (code, played) == (2, []) and stderr.count("\n") == 1
    assert "mine.py:mine: does not compile: line 2: a view has no field call_too; did you mean call_to?" in stderr
    assert [path.name for path in folder.iterdir() if path.suffix] == ["mine.py"]
