"""Rankings of starting hands: each class's share of the pot when everybody goes to showdown, and the percentiles that follow.

A ranking is one Parquet file of a row per class of sim.hand_classes, in the order of their ids:

    share           float32, of the pot against random hands, rounded to `resolution`
    standard_error  float32, of the share, rounded up to the same

What made it and how exact it is stands in its metadata, as JSON under "omaha_sim". Percentiles are computed from the shares when asked for.
"""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.hand_classes import N_CLASSES, weights
from sim.parquet import METADATA_KEY, parquet_bytes

SHIPPED = Path(__file__).parent / "data" / "rankings"
FORMAT = 1
SCHEMA = pa.schema([pa.field("share", pa.float32(), nullable=False), pa.field("standard_error", pa.float32(), nullable=False)])
ALL_HANDS = 1 << 16  # percentiles are in 1/65536 of them
SIX_HANDED, HEADS_UP = 5, 1  # opponents of the shipped rankings


class RankingError(ValueError):
    """A ranking that is missing or is not what its name says; the message is one line that says which file and how to make it."""


class Ranking(NamedTuple):
    """The contents of a ranking file."""

    shares: np.ndarray  # (n_classes,) float32
    standard_errors: np.ndarray  # (n_classes,) float32
    about: dict[str, Any]  # of the metadata


def file_name(hole_cards: int, hi_lo: bool, opponents: int) -> str:
    """Name of a ranking's file, such as omaha5_hilo_vs_1.parquet."""
    return f"omaha{hole_cards}{'_hilo' if hi_lo else ''}_vs_{opponents}.parquet"


def encode(shares: np.ndarray, standard_errors: np.ndarray, about: Mapping[str, Any]) -> pa.Buffer:
    """The bytes of a ranking file, for shares and errors (n_classes,) float64.

    Rounded to a tenth of the usual standard error: that adds nothing to the errors, and a dictionary of the values left makes it small.
    """
    steps = resolution_steps(float(np.median(standard_errors)))
    columns = [np.rint(shares * steps) / steps, np.ceil(standard_errors * steps) / steps]
    exactness = {
        "resolution": 1 / steps,
        "median_standard_error": float(np.float32(np.median(standard_errors))),
        "largest_standard_error": float(np.float32(np.max(standard_errors))),
    }
    table = pa.table([pa.array(column.astype(np.float32)) for column in columns], SCHEMA)
    return parquet_bytes(table, {"format": FORMAT, **about, **exactness}, row_group_size=len(shares), compression_level=19)


def resolution_steps(standard_error: float) -> int:
    """How many steps a share of 1 has: 1, 2 or 5 times a power of ten, so that a step is at most a tenth of the standard error."""
    needed = 10 / max(standard_error, 1e-6)
    return next(step for power in range(9) for step in (10**power, 2 * 10**power, 5 * 10**power) if step >= needed)


def load(hole_cards: int, hi_lo: bool, opponents: int, folder: Path = SHIPPED) -> Ranking:
    """The ranking of a variant against so many opponents. Raises RankingError if there is none or it is not that."""
    path = folder / file_name(hole_cards, hi_lo, opponents)
    expected = {"format": FORMAT, "hole_cards": hole_cards, "hi_lo": hi_lo, "opponents": opponents}

    def refused(what: str) -> RankingError:
        return RankingError(f"{what}; {_how_to_make(hole_cards, hi_lo, opponents, path)}")

    try:
        table = pq.read_table(path)
        about = json.loads((table.schema.metadata or {})[METADATA_KEY])
        found = {key: about[key] for key in expected}
    except FileNotFoundError as error:
        raise refused(f"there is no {path}") from error
    except (KeyError, TypeError) as error:
        raise refused(f"{path} is no ranking file") from error
    except (OSError, pa.ArrowInvalid, ValueError) as error:
        raise refused(f"{path} is not readable ({' '.join(str(error).split())})") from error
    if difference := next((key for key in expected if found[key] != expected[key]), None):
        raise refused(f"{path} has {difference} {found[difference]}, not {expected[difference]}")
    if table.num_rows != N_CLASSES[hole_cards] or not table.schema.equals(SCHEMA):
        columns, rows = ", ".join(table.column_names), N_CLASSES[hole_cards]
        raise refused(f"{path} has {table.num_rows} rows of {columns}, not {rows} of {', '.join(SCHEMA.names)}")
    return Ranking(table["share"].to_numpy(), table["standard_error"].to_numpy(), about)


def _how_to_make(hole_cards: int, hi_lo: bool, opponents: int, path: Path) -> str:
    variant = f"omaha{hole_cards}{'_hilo' if hi_lo else ''}"
    return f"make it with: omaha-sim rank variant={variant} opponents={opponents} out=DIR, then copy DIR/rankings/{path.name} there"


def percentiles(shares: np.ndarray, hole_cards: int) -> np.ndarray:
    """(n_classes,) uint16: part of all hands that rank better, in 1/65536, rounded down; 0 is the best, 65535 the worst.

    The best p % of hands are the classes with a percentile below p / 100 * 65536. Of equal shares the lower class id ranks better.
    """
    counts = weights(hole_cards)
    order = np.argsort(-shares, kind="stable")
    sorted_counts = counts[order]
    better = np.cumsum(sorted_counts) - sorted_counts
    places = np.empty(len(shares), np.uint16)
    places[order] = better * ALL_HANDS // counts.sum()
    return places


def opponents_at(n_seats: int) -> int:
    """Opponents of the ranking that strategies at a table of so many seats go by."""
    return HEADS_UP if n_seats == 2 else SIX_HANDED


@functools.cache
def percentile_table(hole_cards: int, hi_lo: bool, opponents: int) -> np.ndarray:
    """`percentiles` of the shipped ranking, by class id; read-only. Raises RankingError."""
    table = percentiles(load(hole_cards, hi_lo, opponents).shares, hole_cards)
    table.setflags(write=False)
    return table
