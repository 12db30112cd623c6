"""Which code decides the results of a run: a run is only resumed, and a shard only played, by the same.

Unlike `jit.SOURCE_DIGEST`, which renews compiled kernels after any edit, this leaves out what runs around the results.
"""

import functools
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent
# Top-level names of the package that cannot change what is played, recorded or counted. A name that is not here counts.
NOT_RESULTS = frozenset(
    {
        "_conf",
        "_jobs",
        "check_files.py",
        "choose_hands.py",
        "cli.py",
        "code_digest.py",
        "compilation.py",
        "dataset.py",
        "describe.py",
        "errors.py",
        "export.py",
        "fanout.py",
        "formats",
        "hand_history.py",
        "interrupts.py",
        "progress.py",
        "recount.py",
        "replay",
        "run_directory.py",
        "runner.py",
        "schema_page.py",
        "show.py",
        "stepping.py",
        "strategy_page.py",
        "tables.py",
        "text_table.py",
        "totals.py",
        "verify.py",
        "whole_file.py",
    }
)


@functools.cache
def code_files() -> dict[str, str]:
    """{path below the package: 16 hex digits} of the files that can change results: kernels, rules, strategies, statistics, data."""
    digests = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        decides = (path.suffix == ".py" or inside.parts[0] == "data") and inside.parts[0] not in NOT_RESULTS
        if decides and path.is_file() and "__pycache__" not in inside.parts:
            digests[inside.as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return digests


class ChangedFile(NamedTuple):
    """A file of the package that two versions of the code do not have alike."""

    name: str
    was: str  # digest, or "(absent)"
    now: str


def first_change(was: Mapping[str, str]) -> ChangedFile | None:
    """The first file that differs from the version whose `code_files` these are; None if there is none."""
    now = code_files()
    for name in sorted(was.keys() | now.keys()):
        if was.get(name) != now.get(name):
            return ChangedFile(name, was.get(name, "(absent)"), now.get(name, "(absent)"))
    return None


@functools.cache
def code_digest() -> str:
    """16 hex digits over these files, as they were when this process first asked."""
    return hashlib.sha256(json.dumps(code_files()).encode()).hexdigest()[:16]
