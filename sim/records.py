"""The record schema: one wide row per hand, declared once; the Arrow schema, the schema page and the kernel buffers derive from it.

Kernels fill column-major buffers (`Columns`) that Arrow takes without a copy. Types are explicit, never inferred; chips are int64.
A run has one schema, that of its largest table: the columns of seats that a scenario does not have are null.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from sim.actions import ACTION_KINDS, STREETS
from sim.evaluation import CATEGORIES
from sim.levels import FULL, HANDS, RESULTS
from sim.parquet import parquet_bytes
from sim.rules import BOARD_CARDS

SCHEMA_VERSION = 1  # in the metadata of every file; columns are only added, nullable, and never change type or meaning
ROW_GROUP_ROWS = 131_072
ZSTD_LEVEL = 1

NO_CATEGORY = 255  # no showdown
MOST_COUNTED = 2**16 - 1  # bets or calls of a seat in a hand


class Columns(NamedTuple):
    """Kernel buffers of one shard: N hands, S seats, k hole cards, A actions. What the level does not write has length 0 along N."""

    button: np.ndarray  # (N,) uint8
    street: np.ndarray  # (N,) uint8
    showdown: np.ndarray  # (N,) uint8, 0 or 1
    n_flop: np.ndarray  # (N,) uint8
    pot: np.ndarray  # (N,) int64
    rake: np.ndarray  # (N,) int64
    n_pots: np.ndarray  # (N,) uint8
    outcome: np.ndarray  # (N,) uint16
    category: np.ndarray  # (N,) uint8
    stack: np.ndarray  # (S, N) int64
    net: np.ndarray  # (S, N) int64
    flags: np.ndarray  # (S, N) uint32
    n_bets: np.ndarray  # (S, N) uint16
    n_calls: np.ndarray  # (S, N) uint16
    board: np.ndarray  # (5 N,) uint8, packed; hand i is [board_offsets[i], board_offsets[i + 1])
    board_offsets: np.ndarray  # (N + 1,) int32
    hole: np.ndarray  # (N S k,) uint8; hand i is [i S k, (i + 1) S k)
    strength: np.ndarray  # (S, N) uint16
    low: np.ndarray  # (S, N) uint8
    act_code: np.ndarray  # (A,) uint8, packed; hand i is [act_offsets[i], act_offsets[i + 1])
    act_amount: np.ndarray  # (A,) int64, packed like act_code
    act_offsets: np.ndarray  # (N + 1,) int32


class Column(NamedTuple):
    """One column of the record. A seat column is written once per seat, as name_0, name_1, ...; its values are null for a missing seat."""

    name: str
    type: pa.DataType
    level: int
    seat: bool
    unit: str
    sentinel: str  # value -> what it stands for; "" if there is none
    meaning: str


def schema(level: int, n_seats: int) -> pa.Schema:
    """Arrow schema of the records of a run whose largest table has `n_seats`."""
    fields = []
    for column in COLUMNS:
        if column.level > level:
            continue
        if column.seat:
            fields += [pa.field(f"{column.name}_{seat}", column.type) for seat in range(n_seats)]
        else:
            fields.append(pa.field(column.name, column.type, nullable=False))
    return pa.schema(fields)


def allocate_columns(level: int, n_hands: int, n_seats: int, hole_cards: int, action_capacity: int) -> Columns:
    """Buffers for `n_hands`. The results columns are there at every level: statistics need them when nothing is written."""
    hands = n_hands if level >= HANDS else 0
    actions = action_capacity if level >= FULL else 0
    numbers = {}
    for column in COLUMNS:
        if column.name in Columns._fields and not pa.types.is_list(column.type):
            length = n_hands if column.level == RESULTS else hands
            kind = np.uint8 if pa.types.is_boolean(column.type) else column.type.to_pandas_dtype()
            numbers[column.name] = np.zeros((n_seats, length) if column.seat else length, kind)
    return Columns(
        **numbers,
        board=np.zeros(hands * BOARD_CARDS, np.uint8),
        board_offsets=np.zeros(hands + 1, np.int32),
        hole=np.zeros(hands * n_seats * hole_cards, np.uint8),
        act_code=np.zeros(actions, np.uint8),
        act_amount=np.zeros(actions, np.int64),
        act_offsets=np.zeros((n_hands if level >= FULL else 0) + 1, np.int32),
    )


def to_table(
    columns: Columns,
    level: int,
    scenario_index: int,
    first_hand: int,
    n_hands: int,
    lineup_names: Sequence[str],
    max_seats: int | None = None,
) -> pa.Table:
    """The first `n_hands` rows of the buffers as a table in the run's schema; the buffers are not copied and must live as long.

    `lineup_names` : the strategy of each seat of this scenario; `max_seats` : seats of the run's largest table (None: of this one).
    """
    n_seats = len(lineup_names)
    target = schema(max(level, RESULTS), max_seats or n_seats)
    arrays = [_column_array(columns, field, scenario_index, first_hand, n_hands, lineup_names) for field in target]
    return pa.Table.from_arrays(arrays, schema=target)


def _column_array(
    columns: Columns, field: pa.Field, scenario_index: int, first_hand: int, n_hands: int, lineup_names: Sequence[str]
) -> pa.Array:
    name, _, suffix = field.name.rpartition("_")
    if suffix.isdigit():
        seat = int(suffix)
        if seat >= len(lineup_names):
            return pa.nulls(n_hands, field.type)
        if name == "strategy":
            return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_hands, np.int8)), pa.array([lineup_names[seat]], pa.string()))
        return pa.array(getattr(columns, name)[seat, :n_hands], field.type)
    if field.name == "hand_id":
        return pa.array(np.arange(first_hand, first_hand + n_hands, dtype=np.int64))
    if field.name == "scenario":
        return pa.array(np.full(n_hands, scenario_index, np.int16))
    if field.name == "hole":
        width = len(columns.hole) // max(len(columns.button), 1)
        return _list_array(np.arange(n_hands + 1, dtype=np.int32) * np.int32(width), columns.hole, field.type)
    if field.name in _OFFSETS:
        return _list_array(getattr(columns, _OFFSETS[field.name])[: n_hands + 1], getattr(columns, field.name), field.type)
    values = getattr(columns, field.name)[:n_hands]
    return pa.array(values.view(np.bool_) if pa.types.is_boolean(field.type) else values, field.type)


def _list_array(offsets: np.ndarray, values: np.ndarray, list_type: pa.DataType) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values[: offsets[-1]]), type=list_type)


def encode_parquet(table: pa.Table, metadata: Mapping[str, Any]) -> pa.Buffer:
    """The table as the bytes of one Parquet file; the schema version is added to `metadata`.

    zstd-1 and dictionaries on all columns but the running hand_id, which is delta-packed, were the smallest files for the time among the
    settings measured.
    """
    return parquet_bytes(
        table,
        {"schema_version": SCHEMA_VERSION, **metadata},
        row_group_size=ROW_GROUP_ROWS,
        compression_level=ZSTD_LEVEL,
        use_dictionary=[_leaf_path(field) for field in table.schema if field.name != "hand_id"],
        column_encoding={"hand_id": "DELTA_BINARY_PACKED"},
    )


def _leaf_path(field: pa.Field) -> str:
    """The path that the writer knows a column by; with the bare name of a list it would silently leave out the dictionary."""
    return f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name


def position_names(n_seats: int) -> tuple[str, ...]:
    """Names of the positions of a table, indexed by (seat - button) % n_seats."""
    if n_seats not in POSITIONS:
        raise ValueError(f"{n_seats} seats; a table has 2 to 10")
    return POSITIONS[n_seats]


# by number of seats; heads-up the button posts the small blind
POSITIONS = {
    2: ("BTN", "BB"),
    3: ("BTN", "SB", "BB"),
    4: ("BTN", "SB", "BB", "CO"),
    5: ("BTN", "SB", "BB", "UTG", "CO"),
    6: ("BTN", "SB", "BB", "UTG", "HJ", "CO"),
    7: ("BTN", "SB", "BB", "UTG", "LJ", "HJ", "CO"),
    8: ("BTN", "SB", "BB", "UTG", "UTG+1", "LJ", "HJ", "CO"),
    9: ("BTN", "SB", "BB", "UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO"),
    10: ("BTN", "SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO"),
}

# where the packed lists of hand i begin and end
_OFFSETS = {"board": "board_offsets", "act_code": "act_offsets", "act_amount": "act_offsets"}

_U8, _U16, _U32, _I64 = pa.uint8(), pa.uint16(), pa.uint32(), pa.int64()
_STRATEGY = pa.dictionary(pa.int8(), pa.string())


def _numbered(names: Sequence[str]) -> str:
    return ", ".join(f"{number} {name}" for number, name in enumerate(names))


def _list(element: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", element, nullable=False))


# fmt: off
COLUMNS = (
    # name, type, level, seat, unit, special values, meaning
    Column("hand_id", _I64, RESULTS, False, "-", "",
           "number of the hand from 0; equal in all scenarios of a run, where the same cards are dealt"),
    Column("scenario", pa.int16(), RESULTS, False, "-", "",
           "index of the scenario in the run"),
    Column("button", _U8, RESULTS, False, "seat", "",
           "seat of the button; the position of seat s is (s - button) mod seats"),
    Column("street", _U8, RESULTS, False, "-", "",
           "last street dealt: " + _numbered(STREETS)),
    Column("showdown", pa.bool_(), RESULTS, False, "-", "",
           "two or more seats had not folded at the end"),
    Column("n_flop", _U8, RESULTS, False, "seats", "0: no flop dealt",
           "seats that saw the flop, all-in included"),
    Column("pot", _I64, RESULTS, False, "chips", "",
           "all pots together, after an uncalled bet went back, before rake"),
    Column("rake", _I64, RESULTS, False, "chips", "",
           "taken by the house, the time charge included; the nets of a hand sum to minus this"),
    Column("n_pots", _U8, RESULTS, False, "pots", "",
           "main pot and side pots"),
    Column("outcome", _U16, RESULTS, False, "bits", "",
           "what happened in the hand, bits below"),
    Column("category", _U8, RESULTS, False, "-", "255: no showdown",
           "hand that won the high half of the main pot: " + _numbered(CATEGORIES)),
    Column("stack", _I64, RESULTS, True, "chips", "null: no such seat",
           "chips before the posts"),
    Column("net", _I64, RESULTS, True, "chips", "null: no such seat",
           "chips won minus chips put in"),
    Column("flags", _U32, RESULTS, True, "bits", "null: no such seat",
           "what the seat did and got, bits below"),
    Column("n_bets", _U16, RESULTS, True, "bets", "null: no such seat",
           f"bets and raises of the seat after the flop was dealt, at most {MOST_COUNTED}"),
    Column("n_calls", _U16, RESULTS, True, "calls", "null: no such seat",
           f"calls of the seat after the flop was dealt, at most {MOST_COUNTED}"),
    Column("strategy", _STRATEGY, RESULTS, True, "-", "null: no such seat",
           "name of the strategy in the seat"),
    Column("board", _list(_U8), HANDS, False, "cards", "",
           "the 0, 3, 4 or 5 board cards dealt; a card is rank * 4 + suit, rank 0 to 12 (deuce to ace), suits c d h s"),
    Column("hole", _list(_U8), HANDS, False, "cards", "",
           "hole cards of every seat, folded and mucked too: seat by seat, each in the order dealt"),
    Column("strength", _U16, HANDS, True, "-", "0: not at the showdown",
           "best high hand, 1 to 7462, higher wins, equal ties"),
    Column("low", _U8, HANDS, True, "-", "0: no low, or not at the showdown",
           "best eight-or-better low, 1 to 56, higher is better"),
    Column("act_code", _list(_U8), FULL, False, "-", "",
           "actions in order: street << 6, kind << 4, seat; kind " + _numbered(ACTION_KINDS) + " (or bet)"),
    Column("act_amount", _list(_I64), FULL, False, "chips", "",
           "of each action: total bet of the seat on the street after it; of a fold, its bet so far"),
)
# fmt: on
