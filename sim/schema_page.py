"""The schema page `docs/schema.md`, written from the declarations of `records` and `flags`. `python -m sim.schema_page` prints it."""

import pyarrow as pa

from sim.flags import OUTCOME_FLAGS, SEAT_FLAGS
from sim.levels import FULL, HANDS, RESULTS
from sim.records import COLUMNS, SCHEMA_VERSION

_HEAD = f"""# Records

One row per hand, in Parquet files `hands/variant=.../structure=.../part-*.parquet` of the run directory, one file per shard. Columns
named with *s* are there once per seat, *s* = 0, 1, ... up to the largest table of the run. `records=results` writes the first table,
`records=hands` the second too, `records=full` all three. Chips are whole numbers of the smallest unit. Schema version {SCHEMA_VERSION}.
This page is generated: `python -m sim.schema_page > docs/schema.md`."""

_TITLES = {
    RESULTS: "Results: what every level has",
    HANDS: "Hands: the cards",
    FULL: "Full: the actions",
}


def schema_page() -> str:
    """Markdown: a table of columns per record level, then the bits of the two flag columns."""
    lines = [_HEAD]
    for level, title in _TITLES.items():
        lines += ["", f"## {title}", "", "| column | type | unit | special values | meaning |", "|---|---|---|---|---|"]
        for column in COLUMNS:
            if column.level == level:
                name = f"{column.name}_*s*" if column.seat else column.name
                lines.append(f"| {name} | {_type_name(column.type)} | {column.unit} | {column.sentinel or '-'} | {column.meaning} |")
    for title, bits in (("flags_*s*", SEAT_FLAGS), ("outcome", OUTCOME_FLAGS)):
        lines += ["", f"## Bits of {title}", "", "| bit | name | meaning |", "|---|---|---|"]
        lines += [f"| {bit} | {name} | {meaning} |" for name, (bit, meaning) in bits.items()]
    return "\n".join(lines) + "\n"


def _type_name(arrow_type: pa.DataType) -> str:
    if pa.types.is_dictionary(arrow_type):
        return f"dictionary<{arrow_type.index_type}, {arrow_type.value_type}>"
    if pa.types.is_list(arrow_type):
        return f"list<{arrow_type.value_type}>"
    return str(arrow_type)


if __name__ == "__main__":
    print(schema_page(), end="")
