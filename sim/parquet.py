"""Parquet files as bytes, with what made them in their metadata."""

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

METADATA_KEY = b"omaha_sim"


def parquet_bytes(table: pa.Table, metadata: Mapping[str, Any], **options: Any) -> pa.Buffer:
    """The bytes of a file of one table: the same for the same table, metadata and `options` of the writer, for one version of pyarrow.

    metadata : kept as JSON under METADATA_KEY
    """
    sink = pa.BufferOutputStream()
    stored = table.replace_schema_metadata({METADATA_KEY: json.dumps(metadata, sort_keys=True).encode()})
    pq.write_table(stored, sink, compression="zstd", **options)
    return sink.getvalue()
