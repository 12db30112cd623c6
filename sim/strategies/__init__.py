"""Strategies by name, the building blocks that they are made of, and how a line-up of them is prepared.

To add one: write `@jit def name(view)`, or `name(view, p)`, in a file of this folder and add a line to STRATEGIES; configurations accept
the name then. If it has parameters, add its module to WITH_PARAMETERS: its `prepare` is a function of the configured parameters and the
game that checks them and returns the record that the strategy gets as `p`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.jit import jit
from sim.lineup import Strategy
from sim.strategies import equity_player, hutchison, range_player
from sim.strategies.compiling import NO_PARAMETERS, Ready, compile_lineup, compile_strategy
from sim.strategies.draws import counterfeit_outs, flush_outs, low_outs, straight_outs
from sim.strategies.equity import equity, equity_against
from sim.strategies.errors import StrategyError
from sim.strategies.estimate import draw_chance, estimated_share
from sim.strategies.fixtures import call, fold_or_check, max_raise, min_raise, random
from sim.strategies.holdings import high_rivals, low_rivals, n_better, n_better_low, n_holdings
from sim.strategies.hutchison import hutchison_low_points, hutchison_points
from sim.strategies.loose import loose
from sim.strategies.own import load_function
from sim.strategies.parameters import BB, BTN, CO, HJ, SB, UTG, Game, ParameterError, check_names, fill, hand_range, plain_record
from sim.strategies.percentile import hand_class, in_range, percentile
from sim.strategies.situation import (
    aggressor_on,
    effective_stack,
    has_initiative,
    in_position,
    n_behind,
    n_callers,
    pot_odds,
    preflop_position,
    raises_on,
    stack_to_pot,
)
from sim.strategies.starting_hands import points
from sim.strategies.tight import tight
from sim.strategies.view import FOLD, made_category, made_low, made_strength, may_raise, pot_sized, random_below, random_unit

Prepare = Callable[[Mapping[str, Any], Game], np.record]

STRATEGIES: dict[str, Callable] = {
    "fold_or_check": fold_or_check,
    "call": call,
    "min_raise": min_raise,
    "max_raise": max_raise,
    "random": random,
    "tight": tight,
    "loose": loose,
    "range_player": range_player.range_player,
    "equity_player": equity_player.equity_player,
    "hutchison": hutchison.hutchison,
}

# Those with parameters: their modules, with `prepare` and the declaration PARAMETERS.
WITH_PARAMETERS = {"range_player": range_player, "equity_player": equity_player, "hutchison": hutchison}

# What can be asked of a view, by what it is about. Nothing is worked out unless it is called.
BLOCKS: dict[str, tuple[Callable, ...]] = {
    "Starting hands": (percentile, in_range, hand_class, points, hutchison_points, hutchison_low_points),
    "Made hands": (made_strength, made_category, made_low, n_better, n_better_low, high_rivals, low_rivals, n_holdings),
    "Draws": (flush_outs, straight_outs, low_outs, counterfeit_outs, draw_chance),
    "Share of the pot": (estimated_share, equity, equity_against),
    "Prices and places": (
        pot_odds, stack_to_pot, effective_stack, n_callers, n_behind, raises_on, aggressor_on, has_initiative, in_position,
        preflop_position,
    ),
    "Acting": (may_raise, pot_sized, random_below, random_unit),
}  # fmt: skip


def prepare(strategy: Strategy, game: Game) -> Ready:
    """The strategy's function and the record of its parameters. Raises StrategyError for its file, ParameterError for its parameters."""
    if strategy.file is None:
        function, source = STRATEGIES[strategy.function], strategy.name
        module = WITH_PARAMETERS.get(strategy.function)
        own_prepare = module.prepare if module else _no_parameters
    else:
        function, own_prepare = load_function(Path(strategy.file), strategy.function, strategy.text, strategy.sha256)
        source = f"{strategy.file}:{strategy.function}"
    return Ready(function, _record(own_prepare or plain_record, strategy.parameters.values(), game, strategy.name, source), source)


def _no_parameters(values: Mapping[str, Any], game: Game) -> np.record:
    check_names(values, ())
    return NO_PARAMETERS


def _record(prepare_it: Prepare, values: Mapping[str, Any], game: Game, name: str, source: str) -> np.record:
    try:
        record = prepare_it(values, game)
    except ParameterError as error:
        error.strategy = name
        raise
    except Exception as error:  # of a user's prepare
        raise StrategyError(f"{source}: its prepare raised {type(error).__name__}: {error}") from error
    if not isinstance(record, np.record):
        raise StrategyError(f"{source}: its prepare returns {type(record).__name__}; return a record, as sim.strategies.fill makes")
    return record


__all__ = [
    "BLOCKS", "FOLD", "WITH_PARAMETERS", "STRATEGIES", "BB", "BTN", "CO", "HJ", "SB", "UTG", "Game", "ParameterError", "Ready",
    "StrategyError", "aggressor_on", "compile_lineup", "compile_strategy", "counterfeit_outs", "draw_chance", "effective_stack",
    "equity", "equity_against", "estimated_share", "fill", "flush_outs", "hand_class", "hand_range", "has_initiative", "high_rivals",
    "hutchison_low_points", "hutchison_points", "in_position", "in_range", "jit", "low_outs", "low_rivals", "made_category",
    "made_low", "made_strength", "may_raise", "n_behind", "n_better", "n_better_low", "n_callers", "n_holdings", "percentile",
    "plain_record", "points", "pot_odds", "pot_sized", "preflop_position", "prepare", "raises_on", "random_below", "random_unit",
    "stack_to_pot", "straight_outs",
]  # fmt: skip
