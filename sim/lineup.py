"""Who sits in the seats of a game: strategies as a run describes them, with their parameters, as plain data."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class Parameters:
    """Parameters of a strategy by name: values of JSON, compared and hashed by their canonical text."""

    def __init__(self, values: Mapping[str, Any] | None = None):
        self.text = json.dumps(dict(values or {}), sort_keys=True, allow_nan=False)

    def values(self) -> dict[str, Any]:
        """The values by name, as a copy of one's own."""
        return json.loads(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameters) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Parameters({self.text})"


@dataclass(frozen=True)
class Strategy:
    """Who sits in a seat: a built-in function, or one of the user's own file."""

    name: str  # in records and tables
    function: str
    file: str | None = None  # absolute path; None: built in
    sha256: str | None = None  # of the file's bytes when the run began, 64 hex digits; None: built in
    text: str | None = None  # of the file: it travels with the run to machines that do not have it; None: built in
    parameters: Parameters = Parameters()


def file_strategy(name: str, function: str, file: Path, parameters: Parameters = Parameters()) -> Strategy:
    """A strategy of the user's own file, with what it says now. Raises OSError if it cannot be read, UnicodeError if it is no text."""
    content = file.read_bytes()
    return Strategy(name, function, str(file.resolve()), hashlib.sha256(content).hexdigest(), content.decode(), parameters)
