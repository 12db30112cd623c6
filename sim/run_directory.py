"""The run directory: what a run leaves on disk, and the order of writing that lets it survive kills.

    run.json        immutable: spec, plan, code and package versions, command
    hands/variant=../structure=../part-000123.parquet    committed data files, nothing else
    shards/000123.json    commit record: a shard is done when its record is there
    stats/          tables of the finished run
    _tmp/           files being written, on the same file system but outside the data; emptied at start by the holder of the lock
    .lock           flock of the driver
    log.jsonl       attempts, failures and timings; informative only
    _SUCCESS.json   last: manifest of all data files, and totals

Every file is complete under its name or not there at all. A data file is put in place before its record; one without a record is
played again and replaced by the same bytes, since a shard's name and content depend on the spec alone.
"""

import fcntl
import hashlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sim.code_digest import code_digest, code_files, first_change
from sim.errors import UserError
from sim.plan import Plan, RunSpec, Shard, SpecError, as_json, first_difference, n_shards, restored
from sim.whole_file import replacing

LAYOUT_VERSION = 1  # of run.json, the commit records and _SUCCESS.json
RUN, SUCCESS, LOCK, LOG = "run.json", "_SUCCESS.json", ".lock", "log.jsonl"
DATA, SHARDS, STATS, TEMPORARY = "hands", "shards", "stats", "_tmp"
LEFTOVERS = {LOCK, TEMPORARY, SHARDS, STATS}  # all that a driver leaves that was killed before it wrote run.json
FILE_KEYS = ("path", "rows", "bytes", "sha256")  # what is said of a data file

PACKAGES = ("omaha-sim", "numpy", "numba", "pyarrow", "polars", "ray")


class RunError(UserError):
    """A run that stopped; what is committed stays, and resuming continues from there."""


class Refused(RunError):
    """A run that cannot start or continue as asked; nothing was written."""

    exit_code = 2


class Damaged(Refused):
    """A file of a run that cannot be used, with what to do about it."""

    def __init__(self, run: Path, what: str):
        super().__init__(f"{run}: {' '.join(what.split())}; resume the run without that file, and its hands are played again")


def reason(error: OSError) -> str:
    """What the system says about a file, without the number."""
    return error.strerror or str(error)


@contextmanager
def open_run(run: Path, spec: Plan, resume: bool) -> Iterator[None]:
    """Hold the run directory: made if new, checked against `spec` if it is resumed, alone with it until the end of the block.

    Raises Refused, before anything is touched, if the directory is not empty and `resume` is False, if another process holds it, or if
    it was made from another spec or by other code.
    """
    try:
        _refuse_unusable(run, resume)
        run.mkdir(parents=True, exist_ok=True)
        lock = os.open(run / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise Refused(f"cannot use {run}: {reason(error)}; make it writable, or choose another directory with out=") from error
    try:
        _take(lock, run)
        _refuse_unusable(run, resume)  # again: another driver may have come first
        if (run / RUN).exists():
            _refuse_other_run(run, spec)
        try:
            _prepare(run, spec)
        except OSError as error:
            raise Refused(f"cannot write to {run}: {reason(error)}; free space or make it writable, then try again") from error
        yield
    finally:
        os.close(lock)  # releases the flock


def _take(lock: int, run: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(lock, 100, 0).decode(errors="replace").strip()
        raise Refused(f"{run} is in use by another driver ({holder or 'unknown process'}); wait until it ends, or stop it") from error
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"process {os.getpid()} on {os.uname().nodename}\n".encode(), 0)


def _refuse_unusable(run: Path, resume: bool) -> None:
    """Refuse a directory that holds a run which is not to be resumed, or anything but a run."""
    if not run.exists():
        return
    if not run.is_dir():
        raise Refused(f"{run} is a file; choose another run directory with out=")
    if (run / RUN).exists():
        if not resume:
            raise Refused(f"{run} holds a run already; add resume=true to continue it, or choose another directory with out=")
    elif others := sorted({path.name for path in run.iterdir()} - LEFTOVERS):
        raise Refused(f"{run} is not empty and not a run directory (it has {others[0]} and no {RUN}); choose another one with out=")


def _prepare(run: Path, spec: Plan) -> None:
    shutil.rmtree(run / TEMPORARY, ignore_errors=True)
    for folder in (TEMPORARY, SHARDS, STATS):
        (run / folder).mkdir(exist_ok=True)
    for temporary in (run / STATS).glob(".*"):
        temporary.unlink()
    if not (run / RUN).exists():
        write_json(run, RUN, _description(spec))


def _refuse_other_run(run: Path, spec: Plan) -> None:
    """Refuse to mix shards of two specs or of two versions of the code, naming the first difference."""
    old = read_run(run)
    try:
        difference = first_difference(restored(old["spec"], type(spec)), spec)
    except SpecError as error:
        raise Refused(f"refusing to resume {run}: {error}") from error
    if difference:
        raise Refused(f"refusing to resume {run}: {difference}; choose another directory with out= for another run")
    if change := first_change(old["code"]["files"]):
        what = f"code of sim/{change.name}: {change.was} -> {change.now}"
        raise Refused(f"refusing to resume {run}: {what}; go back to that version, or choose another directory with out= for a new run")


def _description(spec: Plan) -> dict[str, Any]:
    return {
        "schema_version": LAYOUT_VERSION,
        "created": _now(),
        "command": sys.orig_argv,
        "spec": as_json(spec),
        "plan": {"shards": n_shards(spec), "shard_hands": spec.shard_hands},
        "code": {"digest": code_digest(), "files": code_files()},
        "versions": {"python": sys.version.split()[0]} | {name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def read_run(run: Path) -> dict[str, Any]:
    """The contents of run.json. Raises Refused if there is none that this version can read."""
    try:
        described = json.loads((run / RUN).read_text())
        version = described["schema_version"]
        whole = version != LAYOUT_VERSION or (isinstance(described["spec"], dict) and isinstance(described["code"]["files"], dict))
    except OSError as error:
        raise Refused(f"{run} is not a run directory: cannot read {RUN} ({reason(error)})") from error
    except (ValueError, LookupError, TypeError):
        whole = False
    if not whole:
        raise damaged_description(run)
    if version != LAYOUT_VERSION:
        raise Refused(f"{run}: run directory of version {version}; this program reads version {LAYOUT_VERSION}")
    return described


def damaged_description(run: Path, what: str = "") -> Refused:
    """What to say of a run.json that is not what a run writes."""
    why = f"is damaged or of another version ({what})" if what else "is damaged"
    remedy = "put back a copy of it, or play the run again in another directory: nothing can be done without it"
    return Refused(f"{run / RUN} {why}; {remedy}")


def data_path(spec: RunSpec, shard: Shard) -> str:
    """Where a shard's records go, below the run directory."""
    scenario = spec.scenarios[shard.scenario]
    return f"{DATA}/variant={scenario.variant.name}/structure={scenario.structure}/part-{shard.index:06d}.parquet"


def record_path(shard: Shard) -> str:
    """Where a shard's commit record goes, below the run directory."""
    return f"{SHARDS}/{shard.index:06d}.json"


def write_file(run: Path, name: str, data: bytes | pa.Buffer) -> None:
    """Put a file of the run in place, whole or not at all. Raises OSError, and leaves nothing, if it cannot be written."""
    target = run / name
    with replacing(target, run / TEMPORARY) as temporary:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)


def write_json(run: Path, name: str, value: Any) -> None:
    """Put a JSON file of the run in place."""
    write_file(run, name, (json.dumps(value, indent=1) + "\n").encode())


def write_data(run: Path, name: str, data: pa.Buffer, rows: int) -> dict[str, Any]:
    """Put a Parquet file of the run in place. Returns what its commit record and the manifest say of it, under FILE_KEYS."""
    write_file(run, name, data)
    return dict(zip(FILE_KEYS, (name, rows, data.size, hashlib.sha256(data).hexdigest()), strict=True))


def commit_shard(run: Path, shard: Shard, results: Mapping[str, Any]) -> None:
    """Put the commit record of a shard in place, which says that it is done: its data file must be there.

    results : what a run of this kind keeps of the shard, with FILE_KEYS of its data file, or the path None if there is none
    """
    write_json(run, record_path(shard), _identity(shard) | {"hands": shard.hands, **results})


def _identity(shard: Shard) -> dict[str, Any]:
    return {"schema_version": LAYOUT_VERSION, "shard": shard.index, "scenario": shard.scenario, "first_hand": shard.first_hand}


def read_record(run: Path, shard: Shard) -> dict[str, Any]:
    """The commit record of a shard. Raises OSError or ValueError if there is none that can be read."""
    record = json.loads((run / record_path(shard)).read_text())
    identity = _identity(shard) | {"hands": shard.hands}
    if not isinstance(record, dict) or any(record.get(key) != value for key, value in identity.items()):
        raise ValueError(f"{record_path(shard)} is the record of another shard")
    return record


def committed(run: Path, shards: Iterable[Shard]) -> list[Shard]:
    """Those of the shards that have a commit record, readable or not."""
    names = {path.name for path in (run / SHARDS).glob("*.json")}
    return [shard for shard in shards if Path(record_path(shard)).name in names]


def flaw(run: Path, shard: Shard) -> str | None:
    """Why a shard has to be played (again); None if it is committed and its data file is whole.

    A file counts as whole if it has the size of its record, a readable footer and the recorded number of rows.
    """
    try:
        record = read_record(run, shard)
        if record["path"] is None:
            return None
        path = run / record["path"]
    except FileNotFoundError:
        return "not committed"
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"unreadable record {record_path(shard)}: {error}"
    try:
        if (size := path.stat().st_size) != record["bytes"]:
            return f"{record['path']} has {size} bytes, its record says {record['bytes']}"
        if (rows := pq.read_metadata(path).num_rows) != record["rows"]:
            return f"{record['path']} has {rows} rows, its record says {record['rows']}"
    except OSError as error:
        return f"{record['path']}: {reason(error)}"
    except (KeyError, pa.ArrowException) as error:
        return f"{record['path']}: {error}"
    return None


def unfinished(run: Path, shards: Iterable[Shard], report: Callable[[str], None]) -> list[Shard]:
    """The shards that still have to be played. Damaged ones are reported and lose their record: no reader shall take them as committed."""
    todo = []
    for shard in shards:
        if (reason := flaw(run, shard)) is None:
            continue
        if reason != "not committed":
            report(f"shard {shard.index} is played again: {reason}")
            log(run, "redo", shard=shard.index, reason=reason)
            (run / record_path(shard)).unlink()
        todo.append(shard)
    return todo


def log(run: Path, event: str, **details: Any) -> None:
    """Append a line to the log of the run."""
    line = json.dumps({"time": _now(), "event": event, **details}) + "\n"
    with open(run / LOG, "a") as file:
        file.write(line)


def resume_command(run: Path, argv: list[str] | None = None) -> str:
    """The command that continues a run, from the command line of this process."""
    program, arguments = _program(sys.orig_argv if argv is None else argv)
    out = f"out={run}".replace("${", "\\${")  # which Hydra would take for an interpolation
    if {"-m", "--multirun"} & set(arguments):
        return f"the settings of this run alone, {shlex.quote(out)} resume=true"
    kept = [argument for argument in arguments if not argument.lstrip("+").startswith(("out=", "resume="))]
    return shlex.join([*program, *kept, out, "resume=true"])


def _program(argv: list[str]) -> tuple[list[str], list[str]]:
    """The words that start the program, without folders where it is found without them, and its arguments."""
    words, python = iter(argv[1:]), _command(argv[0])
    for word in words:
        if word == "-m":
            return [python, "-m", next(words)], list(words)
        if word in ("-X", "-W"):  # options of the interpreter that take a value
            next(words)
        elif not word.startswith("-"):
            return ([python, word] if word.endswith(".py") else [_command(word)]), list(words)
    return [python], []


def _command(path: str) -> str:
    """The name alone of a program that the shell finds by it; also of one that is not there."""
    found, name = shutil.which(Path(path).name), Path(path).name
    return path if Path(path).exists() and not (found and Path(path).samefile(found)) else name


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
