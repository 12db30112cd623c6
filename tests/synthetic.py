"""Records without poker in them: random values in every column, for tests of what stores and counts them."""

from pathlib import Path

import numpy as np
import polars as pl

from sim.levels import HANDS, LEVELS
from sim.lineup import Strategy
from sim.plan import RunSpec, Scenario, make_shards
from sim.records import Columns, allocate_columns, encode_parquet, to_table
from sim.rules import House, Rake, Stakes, Variant
from sim.run_directory import LAYOUT_VERSION, data_path, open_run, record_path, write_file, write_json
from sim.statistics import partial, partial_to_json


def scenario(names: str = "abcabc", hole_cards: int = 4, hi_lo: bool = False, structure: str = "pot_limit") -> Scenario:
    """A scenario with one strategy per letter of `names`."""
    variant = Variant(f"omaha{hole_cards}{'_hilo' if hi_lo else ''}", hole_cards, hi_lo)
    lineup = tuple(Strategy(name, name) for name in names)
    return Scenario(f"{variant.name}/{structure}", variant, structure, Stakes(), House(), Rake(), lineup)


def random_columns(game: Scenario, level: int, n_hands: int, seed: int = 0) -> tuple[Columns, int]:
    """Filled buffers with some room to spare, and the number of actions."""
    rng = np.random.default_rng(seed)
    n_seats, hole_cards = game.n_seats, game.variant.hole_cards
    columns = allocate_columns(level, n_hands, n_seats, hole_cards, 12 * n_hands + 5)
    columns.button[:] = rng.integers(0, n_seats, n_hands)
    columns.street[:] = rng.integers(0, 4, n_hands)
    columns.showdown[:] = rng.integers(0, 2, n_hands)
    columns.n_flop[:] = np.where(columns.street > 0, rng.integers(2, n_seats + 1, n_hands), 0)
    columns.pot[:] = rng.integers(0, 100_000, n_hands)
    columns.rake[:] = rng.integers(0, 500, n_hands)
    columns.n_pots[:] = rng.integers(1, 4, n_hands)
    columns.outcome[:] = rng.integers(0, 32, n_hands)
    columns.category[:] = np.where(columns.showdown, rng.integers(0, 10, n_hands), 255)
    columns.stack[:] = rng.integers(1, 20_000, (n_seats, n_hands))
    columns.net[:] = rng.integers(-20_000, 20_000, (n_seats, n_hands))
    columns.flags[:] = rng.integers(0, 2**19, (n_seats, n_hands))
    columns.n_bets[:] = rng.integers(0, 4, (n_seats, n_hands))
    columns.n_calls[:] = rng.integers(0, 4, (n_seats, n_hands))
    n_actions = 0
    if level >= HANDS:
        dealt = np.array([0, 3, 4, 5])[columns.street]
        columns.board_offsets[1:] = np.cumsum(dealt)
        columns.board[:] = rng.integers(0, 52, len(columns.board))
        columns.hole[:] = rng.integers(0, 52, len(columns.hole))
        columns.strength[:] = rng.integers(0, 7463, columns.strength.shape)
        columns.low[:] = rng.integers(0, 57, columns.low.shape)
    if level > HANDS:
        columns.act_offsets[1:] = np.cumsum(rng.integers(0, 13, n_hands))
        n_actions = int(columns.act_offsets[-1])
        street, kind = rng.integers(0, 4, len(columns.act_code)), rng.integers(0, 4, len(columns.act_code))
        columns.act_code[:] = street << 6 | kind << 4 | rng.integers(0, n_seats, len(columns.act_code))
        columns.act_amount[:] = rng.integers(0, 10_000, len(columns.act_amount))
    return columns, n_actions


def random_frame(game: Scenario, n_hands: int, seed: int = 0) -> pl.DataFrame:
    """Records of level results."""
    columns, _ = random_columns(game, LEVELS["results"], n_hands, seed)
    return pl.from_arrow(to_table(columns, LEVELS["results"], 0, 0, n_hands, [strategy.name for strategy in game.lineup]))


def write_run(run: Path, spec: RunSpec, committed: int | None = None) -> list[tuple[Scenario, int, Columns]]:
    """A run directory with random records, all of its data files but only `committed` commit records. Returns what each shard holds."""
    level = LEVELS[spec.records]
    max_seats = max(game.n_seats for game in spec.scenarios)
    held = []
    with open_run(run, spec, resume=False):
        for shard in make_shards(spec):
            game = spec.scenarios[shard.scenario]
            columns, actions = random_columns(game, level, shard.hands, seed=shard.index)
            names = [strategy.name for strategy in game.lineup]
            table = to_table(columns, level, shard.scenario, shard.first_hand, shard.hands, names, max_seats)
            path, size = None, 0
            if spec.records != "none":
                path, data = data_path(spec, shard), encode_parquet(table, {"shard": shard.index})
                write_file(run, path, data)
                size = data.size
            record = {"schema_version": LAYOUT_VERSION, "shard": shard.index, "scenario": shard.scenario, "first_hand": shard.first_hand}
            record |= {
                "hands": shard.hands,
                "actions": actions,
                "digest": "0",
                "path": path,
                "rows": shard.hands,
                "bytes": size,
                "sha256": "",
            }
            record["partial"] = partial_to_json(partial(pl.from_arrow(table), game))
            if committed is None or shard.index < committed:
                write_json(run, record_path(shard), record)
                held.append((game, shard.first_hand, columns))
    return held
