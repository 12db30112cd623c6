"""The type of the records that kernels work on."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def aligned_record(fields: Sequence[tuple[Any, ...]]) -> np.dtype:
    """Type of a record with these fields, (name, type) or (name, type, shape), laid out as in C: kernels take it by its address."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))
