"""From the composed configuration to the run spec. The only place that knows which key of `conf/` means which field of `sim`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sim.lineup import Strategy
from sim.plan import LINE_UP, MAX_HANDS, MAX_SEED, MAX_SHARD_HANDS, Compute, RunSpec, Scenario, SpecError, automatic_shard_hands
from sim.rules import House, Rake, Stakes, Variant

from .errors import ConfigError
from .lineup import check_parameters, line_ups, resolve_lineup
from .sweep import RUN_KEYS, SCENARIO_KEYS, cells, check_choices
from .values import basis_points, check_keys, fill, number_within, value_text, word

KEYS = (*SCENARIO_KEYS, *RUN_KEYS)


def run_spec(config: dict[str, Any], overrides: list[str]) -> tuple[RunSpec, Compute]:
    """The spec of a composed `simulate` configuration, and where to work on it.

    overrides: what the user gave on the command line; the cells of a sweep are composed from these and their own.
    Raises SpecError or ConfigError, with the sweep cell named. Hydra must be initialised.
    """
    check_choices(overrides)
    _check_complete(config)
    # Before the line-up, whose strategies take a while to load.
    hands = number_within("hands", config["hands"], 1, MAX_HANDS)
    seed = number_within("seed", config["seed"], 0, MAX_SEED)
    shard_hands = automatic_shard_hands(hands)
    if config["shard_hands"] is not None:
        shard_hands = number_within("shard_hands", config["shard_hands"], 1, MAX_SHARD_HANDS)
    compute = fill(Compute, "compute", config["compute"])
    known: dict[str, Strategy] = {}
    scenarios = []
    for name, cell in cells(config, overrides):
        try:
            scenarios += _scenarios(name, cell, known)
        except SpecError as error:
            if name is None:
                raise
            raise SpecError(error.key, f"{error.args[0]} (sweep cell {name})") from error
    spec = RunSpec(
        hands=hands,
        seed=seed,
        scenarios=tuple(scenarios),
        records=_named("records", "level", config["records"]),
        shard_hands=shard_hands,
    )
    return spec, compute


def _scenarios(name: str | None, config: Mapping[str, Any], known: dict[str, Strategy]) -> list[Scenario]:
    """The scenarios of a cell: one for each line-up of its table."""
    tables = line_ups(config.get("table"))
    made = [scenario(name, {**config, "table": table}, known) for table in tables]
    if len(made) > 1:
        made = [replace(one, name=f"{one.name}{LINE_UP}{number}") for number, one in enumerate(made, start=1)]
    for one in made:
        check_parameters(one)
    return made


def scenario(name: str | None, config: Mapping[str, Any], known: dict[str, Strategy]) -> Scenario:
    """One scenario of a composed configuration; without a name it is called variant/structure."""
    _check_complete(config)
    variant = fill(Variant, "variant", config["variant"])
    structure = _named("structure", "name", config["structure"])
    return Scenario(
        name=name or f"{variant.name}/{structure}",
        variant=variant,
        structure=structure,
        stakes=fill(Stakes, "stakes", config["stakes"]),
        house=fill(House, "house", config["house"]),
        rake=_rake(config["rake"]),
        lineup=resolve_lineup(config["table"], known),
    )


def _check_complete(config: Mapping[str, Any]) -> None:
    if config.get("experiment"):  # its keys are to be those of the whole
        raise ConfigError(f"experiment={value_text(config['experiment'])}: put '# @package _global_' into the first line of its file")
    check_keys(config, KEYS)
    if missing := [key for key in KEYS if key not in config]:
        raise ConfigError(f"{missing[0]}: missing; allowed: to set it, not to delete it")


def _rake(values: Any) -> Rake:
    """The section `rake`, whose `percent` is basis points in the library."""
    if not isinstance(values, Mapping) or "basis_points" in values:
        raise SpecError("rake", f"{value_text(values)}; allowed: an option of this group, with its rate in percent")
    rest = {key: value for key, value in values.items() if key != "percent"}
    return fill(Rake, "rake", rest | {"basis_points": basis_points("rake.percent", values.get("percent", 0))})


def _named(group: str, key: str, values: Any) -> str:
    """The one value of the groups that only choose a name."""
    if not isinstance(values, Mapping):
        raise SpecError(group, f"{value_text(values)}; allowed: an option of this group")
    check_keys(values, (key,), f"{group}.")
    return word(f"{group}.{key}", values.get(key))
