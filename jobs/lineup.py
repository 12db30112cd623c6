"""The strategies of a line-up: options of the config group `strategy`, built-in names, or `path/file.py:function`.

An entry `{strategy: tag, name: tag_2, parameters: {value: 0.7}}` is one of these with some parameters of its own.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

from sim.errors import meant, nearest
from sim.lineup import Parameters, Strategy, file_strategy
from sim.plan import Scenario, SpecError
from sim.rules import MAX_SEATS

from .values import check_keys, number_within, value_text, word

GROUP = "strategy"
OPTION_KEYS = ("name", "function", "file", "parameters")
ENTRY_KEYS = ("strategy", "name", "parameters")
FILE_ENTRY = re.compile(r"(?P<file>.+\.py):(?P<function>\w+)")
OWN = "or your own as path/file.py:function"


def line_ups(table: Any) -> list[Mapping[str, Any]]:
    """The section `table`, once for each line-up if it has a list of them."""
    lineups = table.get("lineup") if isinstance(table, Mapping) else None
    if not isinstance(lineups, list) or not lineups or not all(isinstance(lineup, list) for lineup in lineups):
        return [table]
    return [{**table, "lineup": lineup} for lineup in lineups]


def resolve_lineup(table: Mapping[str, Any], known: dict[str, Strategy]) -> tuple[Strategy, ...]:
    """One strategy per seat. `known` remembers what was resolved, for the other scenarios of a sweep."""
    check_keys(table, ("seats", "lineup"), "table.")
    seats = number_within("table.seats", table.get("seats"), 2, MAX_SEATS)
    entries = table.get("lineup")
    if isinstance(entries, str | Mapping):
        entries = [entries] * seats
    if not isinstance(entries, list) or not entries:
        raise SpecError("table.lineup", f"{value_text(entries)}; allowed: a strategy for each of the {seats} seats, or one name for all")
    if len(entries) != seats:
        raise SpecError(
            "table.lineup",
            f"{value_text(entries)}; {len(entries)} {'strategy' if len(entries) == 1 else 'strategies'} for {seats} seats (table.seats); "
            f"give one for each seat, or one name for all (table.lineup={value_text(entries[0])}), or take another table",
        )
    texts = [value_text(entry) for entry in entries]
    for text, entry in zip(texts, entries, strict=True):
        if text not in known:
            known[text] = _changed(entry) if isinstance(entry, Mapping) else _resolve(word("table.lineup", entry))
    return tuple(known[text] for text in texts)


def check_parameters(scenario: Scenario) -> None:
    """Prepare every strategy of a scenario, compile those of files. Raises SpecError for a file or a parameter that will not do."""
    from sim.play import prepared_lineup  # late, as in _built_in
    from sim.strategies import ParameterError, StrategyError, compile_strategy

    try:
        for strategy, ready in zip(scenario.lineup, prepared_lineup(scenario), strict=True):
            if strategy.file is not None:
                compile_strategy(ready.function, ready.parameters.dtype, ready.source)
    except ParameterError as error:
        raise SpecError(f"strategy {error.strategy} parameters.{error.key}", error.args[0]) from error
    except StrategyError as error:
        raise SpecError("table.lineup", str(error)) from error


def _changed(entry: Mapping[str, Any]) -> Strategy:
    """A strategy with a name or parameters of its own: an entry of the line-up that is a mapping."""
    check_keys(entry, ENTRY_KEYS, "table.lineup ")
    base = _resolve(word("table.lineup strategy", entry.get("strategy")))
    parameters = Parameters({**base.parameters.values(), **_parameters("table.lineup", entry.get("parameters"))})
    return replace(base, name=word("table.lineup name", entry.get("name", base.name)), parameters=parameters)


def _parameters(key: str, values: Any) -> dict[str, Any]:
    """The section `parameters` of a strategy; its names and values are checked by the strategy."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise SpecError(f"{key} parameters", f"{value_text(values)}; allowed: names and values")
    try:
        return Parameters(values).values()
    except (TypeError, ValueError) as error:  # nan, a date: nothing that run.json could hold
        raise SpecError(
            f"{key} parameters", f"{value_text(values)}; {error}; allowed: finite numbers, true, false, texts and lists"
        ) from error


def _resolve(entry: str) -> Strategy:
    options = GlobalHydra.instance().config_loader().get_group_options(GROUP)
    if entry in options:
        return _from_option(entry)
    if match := FILE_ENTRY.fullmatch(entry):
        return _from_file("table.lineup", entry, match["function"], Path(match["file"]).expanduser(), match["function"])
    if entry in _built_in():
        return Strategy(entry, entry)
    names = list(dict.fromkeys([*options, *_built_in()]))
    raise SpecError("table.lineup", f"{entry}: no such strategy; {meant(entry, names)}allowed: {', '.join(names)}, {OWN}")


def _from_option(option: str) -> Strategy:
    """The strategy that strategy/<option>.yaml describes, in the user's folder of configurations or in the project's."""
    key = f"{GROUP}/{option}.yaml"
    source = next(source for source in GlobalHydra.instance().config_loader().get_sources() if source.is_config(f"{GROUP}/{option}"))
    values: Any = OmegaConf.to_container(source.load_config(f"{GROUP}/{option}").config, resolve=True)
    if not isinstance(values, dict):
        raise SpecError(key, f"{value_text(values)}; allowed: the keys {', '.join(OPTION_KEYS)}")
    check_keys(values, OPTION_KEYS, f"{key} ")
    name = word(f"{key} name", values.get("name", option))
    function = word(f"{key} function", values.get("function", name))
    parameters = Parameters(_parameters(key, values.get("parameters")))
    if (file := values.get("file")) is not None:
        path = Path(word(f"{key} file", file)).expanduser()
        beside = Path(source.path) / GROUP / path
        return _from_file(f"{key} file", file, name, beside if beside.exists() else path, function, parameters)
    if function not in _built_in():
        raise SpecError(f"{key} function", f"{function}: not built in; give file too, or one of: {', '.join(_built_in())}")
    return Strategy(name, function, parameters=parameters)


def _from_file(key: str, shown: str, name: str, file: Path, function: str, parameters: Parameters = Parameters()) -> Strategy:
    """A user's strategy, once its file can be read and defines the function."""
    try:
        strategy = file_strategy(name, function, file, parameters)
        defined = _top_level_names(ast.parse(file.read_bytes(), str(file)))
    except OSError as error:
        raise SpecError(key, f"{shown}: cannot read {file.absolute()}: {error.strerror}") from error
    except (SyntaxError, ValueError) as error:
        where = f" line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise SpecError(key, f"{shown}: {file.absolute()}{where} is not Python: {error.args[0]}") from error
    if function not in defined and "*" not in defined:
        functions = [name for name, is_function in defined.items() if is_function]
        close = nearest(function, functions)
        hint = f"did you mean {close}?" if close else f"it defines: {', '.join(functions) or 'none'}"
        raise SpecError(key, f"{shown}: {file.absolute()} has no function {function}; {hint}")
    return strategy


def _top_level_names(module: ast.Module) -> dict[str, bool]:
    """Names of a file, and whether they are of a function in it; "*" if it imports all of another."""
    names: dict[str, bool] = {}
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            names[node.name] = True
        elif isinstance(node, ast.Assign):
            names |= {target.id: False for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: False for alias in node.names}
    return names


def _built_in() -> list[str]:
    """Names of the built-in strategies; imported late because they load the compiler."""
    from sim.strategies import STRATEGIES

    return list(STRATEGIES)
