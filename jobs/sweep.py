"""The cells of a sweep: every combination of the axes' values, composed by Hydra from the user's overrides and the cell's own."""

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

from hydra import compose
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf

from sim.errors import meant
from sim.plan import SpecError

from .errors import ConfigError, explain
from .folders import CONF
from .values import value_text

SCENARIO_KEYS = ("variant", "structure", "stakes", "table", "house", "rake")  # may differ between the scenarios of a run
RUN_KEYS = ("hands", "seed", "out", "resume", "shard_hands", "records", "compute", "sweep")  # belong to the run as a whole
AXES = (*SCENARIO_KEYS, "experiment")
PLAIN = re.compile(r"[A-Za-z_][\w./-]*")
NOT_TEXT = ("null", "true", "false", "nan", "inf")
MAX_SCENARIOS = 32_767  # the records number them in 16 bits


def cells(config: dict[str, Any], overrides: list[str]) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """(name, configuration) of each scenario, the last axis running fastest; (None, the given one) without a sweep."""
    axes = config["sweep"]
    if not axes:
        yield None, config
        return
    _check_axes(axes, overrides)
    for values in itertools.product(*axes.values()):
        cell = dict(zip(axes, values, strict=True))
        name = ",".join(f"{key}={value_text(value)}" for key, value in cell.items())
        own = [f"{key}={_override_value(value)}" for key, value in cell.items()]
        try:
            composed = compose("simulate", [*overrides, *own])
            resolved: Any = OmegaConf.to_container(composed, resolve=True)
        except Exception as error:  # whatever Hydra makes of a value, the line names the cell
            raise ConfigError(f"{explain(error, 'simulate', own)} (sweep cell {name})") from error
        for key in RUN_KEYS:
            if resolved.get(key) != config[key]:
                raise SpecError(
                    key, f"{value_text(resolved.get(key))}; differs from the run's {value_text(config[key])} (sweep cell {name})"
                )
        yield name, resolved


def check_choices(overrides: list[str]) -> None:
    """Raises ConfigError where several options of a group are given: Hydra would merge them into one."""
    for override in OverridesParser.create().parse_overrides(overrides):
        key = override.key_or_group
        if (CONF / key).is_dir() and isinstance(override.value(), list):
            example = "sweep={variant:[omaha4,omaha5]}" if key == "sweep" else f"sweep={{{key}:[...]}}"
            raise ConfigError(f"{override.input_line}: give one option; for several scenarios in one run write '{example}'")


def _check_axes(axes: Any, overrides: list[str]) -> None:
    if not isinstance(axes, dict):
        raise SpecError("sweep", f"{value_text(axes)}; allowed: {{key:[values],...}} or an option of this group")
    given = {override.key_or_group: override.input_line for override in OverridesParser.create().parse_overrides(overrides)}
    for key, values in axes.items():
        head = str(key).split(".")[0]
        if head in RUN_KEYS:
            raise SpecError(f"sweep.{key}", f"{value_text(values)}; is the same for all scenarios of a run; allowed: {', '.join(AXES)}")
        if head not in AXES:
            raise SpecError(
                f"sweep.{key}", f"{value_text(values)}: no such key; {meant(head, AXES)}allowed: {', '.join(AXES)}, and keys within them"
            )
        if not isinstance(values, list) or not values:
            raise SpecError(f"sweep.{key}", f"{value_text(values)}; allowed: a list of values, such as [{value_text(values or 'a')}]")
        if repeated := [value for place, value in enumerate(values) if value in values[:place]]:
            raise SpecError(f"sweep.{key}", f"{value_text(values)}; {value_text(repeated[0])} is there twice; leave out one of them")
        if key in given:
            raise SpecError(f"sweep.{key}", f"{value_text(values)}; {given[key]} is given too; leave out one of them")
    if (number := math.prod(map(len, axes.values()))) > MAX_SCENARIOS:
        raise SpecError("sweep", f"{value_text(axes)}; makes {number} scenarios; allowed: at most {MAX_SCENARIOS}")


def _override_value(value: Any) -> str:
    """A value in Hydra's grammar, so that it comes back as it was."""
    if isinstance(value, str) and not (PLAIN.fullmatch(value) and value.lower() not in NOT_TEXT):
        return "'" + value.replace("'", r"\'") + "'"
    if isinstance(value, list):
        return f"[{','.join(_override_value(item) for item in value)}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{_override_value(item)}" for name, item in value.items()) + "}"
    return value_text(value)
