"""The record schema: what is declared is what is written, documented and read back."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from synthetic import random_columns, scenario

from sim import flags
from sim.levels import FULL, HANDS, LEVELS, NONE, RESULTS
from sim.parquet import METADATA_KEY
from sim.records import COLUMNS, encode_parquet, position_names, schema, to_table
from sim.schema_page import schema_page

PAGE = Path(__file__).parents[1] / "docs" / "schema.md"
NAMES = list("abcabc")


def test_schema_page_is_current():
    assert PAGE.read_text() == schema_page(), "run: python -m sim.schema_page > docs/schema.md"


def test_every_column_and_bit_is_documented():
    page = PAGE.read_text()
    for name in schema(FULL, 1).names:
        assert f"| {name.removesuffix('_0')}{'_*s*' if name.endswith('_0') else ''} |" in page
    assert all(column.meaning and column.unit for column in COLUMNS)
    for name, bit in vars(flags).items():
        if isinstance(bit, int):
            assert f"| {bit} |" in page, name


@pytest.mark.parametrize(("table", "bits"), [(flags.SEAT_FLAGS, 32), (flags.OUTCOME_FLAGS, 16)])
def test_flag_bits_are_distinct_and_fit_their_column(table, bits):
    values = [bit for bit, _ in table.values()]
    assert values == [1 << place for place in range(len(table))]
    assert len(table) <= bits


def test_each_level_has_all_columns_of_the_lower():
    results, hands, full = (schema(level, 6).names for level in (RESULTS, HANDS, FULL))
    assert set(results) < set(hands) < set(full)
    assert sorted({column.level for column in COLUMNS}) == [RESULTS, HANDS, FULL]


@pytest.mark.parametrize("level", [RESULTS, HANDS, FULL])
@pytest.mark.parametrize("hole_cards", [4, 6])
def test_rows_read_back_as_the_kernel_wrote_them(level, hole_cards):
    n_hands, width = 57, 6 * hole_cards
    columns, _ = random_columns(scenario(hole_cards=hole_cards), level, n_hands + 3)  # some rows more than are taken
    table = to_table(columns, level, 5, 1000, n_hands, NAMES)
    got = pq.read_table(pa.BufferReader(encode_parquet(table, {}))).to_pylist()
    assert len(got) == n_hands
    for i, row in enumerate(got):
        expected = {"hand_id": 1000 + i, "scenario": 5, "showdown": bool(columns.showdown[i])}
        for name in ("button", "street", "n_flop", "pot", "rake", "n_pots", "outcome", "category"):
            expected[name] = int(getattr(columns, name)[i])
        for seat in range(6):
            expected[f"strategy_{seat}"] = NAMES[seat]
            for name in ("stack", "net", "flags", "n_bets", "n_calls", *(("strength", "low") if level >= HANDS else ())):
                expected[f"{name}_{seat}"] = int(getattr(columns, name)[seat, i])
        if level >= HANDS:
            expected["board"] = columns.board[columns.board_offsets[i] : columns.board_offsets[i + 1]].tolist()
            expected["hole"] = columns.hole[i * width : (i + 1) * width].tolist()
        if level >= FULL:
            actions = slice(columns.act_offsets[i], columns.act_offsets[i + 1])
            expected |= {"act_code": columns.act_code[actions].tolist(), "act_amount": columns.act_amount[actions].tolist()}
        assert row == expected


def test_columns_are_not_copied():
    columns, _ = random_columns(scenario(), FULL, 100)
    table = to_table(columns, FULL, 0, 0, 100, NAMES)
    assert table["net_3"].chunk(0).buffers()[1].address == columns.net[3].ctypes.data
    assert table["act_amount"].chunk(0).values.buffers()[1].address == columns.act_amount.ctypes.data
    assert table["hole"].chunk(0).values.buffers()[1].address == columns.hole.ctypes.data


def test_results_are_there_when_nothing_is_recorded():
    columns, _ = random_columns(scenario(), NONE, 10)
    assert to_table(columns, NONE, 0, 0, 10, NAMES).schema.equals(schema(RESULTS, 6))
    assert columns.hole.size == columns.act_code.size == columns.strength.size == 0


@pytest.mark.parametrize("level", LEVELS.values())
def test_an_empty_range_of_hands_is_a_table(level):
    columns, _ = random_columns(scenario(), level, 0)
    assert to_table(columns, level, 0, 0, 0, NAMES).num_rows == 0


def test_tables_of_different_size_read_as_one_data_set(tmp_path):
    for names, file in (("abc", "part-0.parquet"), ("abcabcabc", "part-1.parquet")):
        columns, _ = random_columns(scenario(names), HANDS, 20)
        (tmp_path / file).write_bytes(encode_parquet(to_table(columns, HANDS, 0, 0, 20, list(names), max_seats=9), {}))
    for rows in (
        pl.read_parquet(tmp_path / "part-*.parquet").to_dicts(),
        pyarrow.dataset.dataset(tmp_path).to_table().to_pylist(),
    ):
        assert [row["net_8"] is None for row in rows] == [True] * 20 + [False] * 20
        assert [row["strategy_3"] for row in rows] == [None] * 20 + ["a"] * 20
    assert pd.read_parquet(tmp_path)["net_8"].isna().sum() == 20


def test_same_rows_give_same_bytes_and_carry_their_origin():
    columns, _ = random_columns(scenario(), FULL, 1000)
    first, second = (encode_parquet(to_table(columns, FULL, 0, 0, 1000, NAMES), {"seed": 7, "code": "ab"}) for _ in range(2))
    assert first.equals(second)
    metadata = json.loads(pq.read_metadata(pa.BufferReader(first)).metadata[METADATA_KEY])
    assert metadata == {"schema_version": 1, "seed": 7, "code": "ab"}


def test_every_leaf_column_has_the_encoding_chosen_for_it():
    columns, _ = random_columns(scenario(), FULL, 1000)
    group = pq.read_metadata(pa.BufferReader(encode_parquet(to_table(columns, FULL, 0, 0, 1000, NAMES), {}))).row_group(0)
    for number in range(group.num_columns):
        column = group.column(number)
        if column.path_in_schema == "hand_id":
            assert "DELTA_BINARY_PACKED" in column.encodings and not column.has_dictionary_page
        elif column.physical_type != "BOOLEAN":  # bits need no dictionary
            assert column.has_dictionary_page, column.path_in_schema
        assert column.compression == "ZSTD"


def test_required_columns_refuse_nulls():
    required = [field.name for field in schema(FULL, 2) if not field.nullable]
    assert {"hand_id", "pot", "board", "act_code"} <= set(required)
    assert schema(FULL, 2).field("hole").type.value_field.nullable is False


@pytest.mark.parametrize("n_seats", range(2, 11))
def test_positions_go_from_the_button_to_the_cutoff(n_seats):
    names = position_names(n_seats)
    assert len(set(names)) == len(names) == n_seats
    assert names[0] == "BTN"
    assert names[1:3] == (("BB",) if n_seats == 2 else ("SB", "BB"))
    assert n_seats < 4 or names[-1] == "CO"
    assert n_seats < 5 or names[3] == "UTG"


@pytest.mark.parametrize("n_seats", [0, 1, 11])
def test_no_positions_for_impossible_tables(n_seats):
    with pytest.raises(ValueError, match=f"{n_seats} seats; a table has 2 to 10"):
        position_names(n_seats)


def test_buffers_have_the_type_of_their_column():
    columns, _ = random_columns(scenario(), FULL, 5)
    for column in COLUMNS:
        if column.name in ("hand_id", "scenario", "strategy"):
            continue
        values = column.type.value_type if pa.types.is_list(column.type) else column.type
        expected = np.uint8 if pa.types.is_boolean(values) else values.to_pandas_dtype()
        assert getattr(columns, column.name).dtype == expected, column.name
