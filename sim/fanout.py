"""Shards on executors: in this process, or as Ray tasks. Same signature, results in the order in which shards finish.

An executor is a generator of (shard, work(spec, shard, *arguments)); `work` leaves its results on disk and returns something small.
It ends early, without an error, when `stop` is set; the only file that imports ray.
"""

import importlib.util
import logging
import math
import os
import site
import socket
import statistics
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.interrupts import Stop, asking
from sim.plan import Compute, Plan, Shard
from sim.run_directory import RunError, reason

Report = Callable[[str], None]  # takes one line for people
Results = Generator[tuple[Shard, Any], None, None]

OBJECT_STORE_BYTES = 100 * 2**20  # results are small and never in the store; the default is 30 % of the memory
MAX_RETRIES = 3  # of a shard whose worker or node was lost
WAIT_SECONDS = 0.25  # so that signals and deadlines get a turn
CPU_REFRESH_SECONDS = 5.0
SILENCE_SECONDS = 60.0
CONNECT_SECONDS = 10.0
WITHOUT_MODULES = Path(__file__).parent / "data"  # a folder from which nothing can be imported
MIN_DEADLINE_SECONDS = 60.0
DEADLINE_MEDIANS = 20


class ShardFailed(RunError):
    """A shard that could not be played; `cause` is the error of the work itself, wherever it ran."""

    def __init__(self, spec: Plan, shard: Shard, cause: Exception):
        last = shard.first_hand + shard.hands - 1
        super().__init__(f"shard {shard.index} (scenario {spec.scenarios[shard.scenario].name}, hands {shard.first_hand} to {last})")
        self.cause = cause


def inline(
    work: Callable[..., Any],
    spec: Plan,
    shards: Sequence[Shard],
    arguments: tuple = (),
    *,
    compute: Compute,
    stop: Stop,
    report: Report,
) -> Results:
    """One shard after the other in this process."""
    with asking(stop):
        for shard in shards:
            if stop.signal:
                return
            try:
                result = work(spec, shard, *arguments)
            except Exception as error:
                raise ShardFailed(spec, shard, error) from error
            yield shard, result


def on_ray(
    work: Callable[..., Any],
    spec: Plan,
    shards: Sequence[Shard],
    arguments: tuple = (),
    *,
    compute: Compute,
    stop: Stop,
    report: Report,
) -> Results:
    """A Ray task per shard, about twice as many submitted as there are CPUs.

    Retries are the driver's, because Ray's own repeat a task that ran out of memory for ever: an error of the work stops the run, a lost
    worker or node costs the shard another attempt, and so does a deadline, since a lease on a dead node may never come back.
    """
    with _session(compute) as ray, asking(stop):  # in this order: ray.init takes over SIGTERM
        task = ray.remote(max_retries=0)(_attempt)
        pickled_work = ray.cloudpickle.dumps(work)
        room = _Room(ray, compute)
        todo = deque((shard, 1) for shard in shards)
        running: dict[Any, _Running] = {}
        turnarounds: deque[float] = deque(maxlen=1000)  # seconds from submission to result, waiting for a CPU included
        last_sign = time.monotonic()
        told = False

        def again(lost: _Running, why: str, retries: int) -> None:
            report(f"shard {lost.shard.index}: attempt {lost.attempt} lost ({why})")
            if lost.attempt > retries:
                raise ShardFailed(spec, lost.shard, RunError(f"lost {lost.attempt} times, the last time by {why}"))
            todo.appendleft((lost.shard, lost.attempt + 1))

        try:
            while todo or running:
                if stop.signal:
                    todo.clear()
                    if running and not told:
                        report(f"stopping after the {len(running)} shards in flight; interrupt again to abort them")
                        told = True
                while todo and len(running) < room.limit():
                    shard, attempt = todo.popleft()
                    reference = task.options(name=f"shard {shard.index}").remote(pickled_work, spec, shard, arguments)
                    running[reference] = _Running(shard, attempt, time.monotonic())
                finished, _ = ray.wait(list(running), num_returns=1, timeout=WAIT_SECONDS) if running else ([], [])
                for reference in finished:
                    done = running.pop(reference)
                    last_sign = time.monotonic()
                    try:
                        result = ray.get(reference)
                    except ray.exceptions.RayTaskError as error:
                        raise ShardFailed(spec, done.shard, error.cause or error) from error
                    except ray.exceptions.RayError as error:
                        out_of_memory = isinstance(error, ray.exceptions.OutOfMemoryError)
                        again(done, type(error).__name__, 1 if out_of_memory else MAX_RETRIES)
                        continue
                    turnarounds.append(last_sign - done.since)
                    yield done.shard, result
                for reference in _overdue(running, turnarounds):
                    ray.cancel(reference, force=True)
                    again(running.pop(reference), "no result by its deadline", MAX_RETRIES)
                if running and time.monotonic() - last_sign > SILENCE_SECONDS:
                    last_sign = time.monotonic()
                    report(
                        f"no shard finished in {SILENCE_SECONDS:.0f} s; the cluster has {room.cpus:.0f} CPUs, {len(running)} shards wait"
                    )
        except ray.exceptions.RayError as error:
            raise RunError(f"Ray stopped working: {' '.join(str(error).split())}") from error
        finally:
            for reference in running:  # none, unless the run failed or was aborted
                ray.cancel(reference, force=True)


@dataclass(frozen=True)
class _Running:
    shard: Shard
    attempt: int
    since: float


class _Room:
    """How many tasks may be submitted: more than there are CPUs, or an autoscaler would see no demand."""

    def __init__(self, ray: Any, compute: Compute):
        self.ray, self.compute = ray, compute
        self.cpus, self.read_at = 1.0, -math.inf

    def limit(self) -> int:
        if time.monotonic() - self.read_at > CPU_REFRESH_SECONDS:
            self.cpus = self.ray.cluster_resources().get("CPU", 1.0)
            self.read_at = time.monotonic()
        if self.compute.cpus and self.compute.cpus < self.cpus:  # of a cluster that others use too
            return self.compute.cpus
        return int(max(2 * self.cpus, self.cpus + 8))


def _overdue(running: dict[Any, _Running], turnarounds: Sequence[float]) -> list[Any]:
    """References that are past their deadline; before the first result there is nothing to compare with, as a cluster may be starting."""
    if not turnarounds:
        return []
    deadline = max(MIN_DEADLINE_SECONDS, DEADLINE_MEDIANS * statistics.median(turnarounds))
    now = time.monotonic()
    return [reference for reference, task in running.items() if now - task.since > deadline * task.attempt]


def _attempt(pickled_work: bytes, spec: Plan, shard: Shard, arguments: tuple) -> Any:
    """The body of a task. The work is unpickled here and not by Ray, because that imports polars."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # its default is all cores in every worker
    import ray

    return ray.cloudpickle.loads(pickled_work)(spec, shard, *arguments)


@contextmanager
def _session(compute: Compute) -> Iterator[Any]:
    """The ray module with a session: the one that is open, the one at the address, or a local one; closed again if it was opened here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # a traceback of every other shard that fails in the same way
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")  # it would upload the working folder and build an environment per worker
    if importlib.util.find_spec("ray") is None:
        raise RunError("compute=ray needs the package ray; install it, or take compute=inline")
    import ray

    if ray.is_initialized():
        yield ray
        return
    address = compute.address or os.environ.get("RAY_ADDRESS") or "local"
    sizing: dict[str, Any] = {"num_cpus": compute.cpus, "include_dashboard": False, "object_store_memory": OBJECT_STORE_BYTES}
    _knock(address)
    try:
        with _package_on_path():
            ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False, **(sizing if address == "local" else {}))
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        ray.shutdown()
        raise RunError(f"cannot use Ray at {address}: {' '.join(str(error).split())}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Refuse an address where nobody answers, which Ray would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError as error:
            raise RunError(f"no Ray cluster answers at {address}: {reason(error)}; check compute.address and RAY_ADDRESS") from error


@contextmanager
def _package_on_path() -> Iterator[None]:
    """Let local workers find this very package, installed or in a checkout, whatever the current folder.

    They inherit the environment, and Ray puts the current folder first on their path: another checkout that lies there would be imported,
    and be compiled once more.
    """
    root = str(Path(__file__).parents[1])
    installed = root in (*site.getsitepackages(), site.getusersitepackages())
    before = os.environ.get("PYTHONPATH")
    if not installed:
        os.environ["PYTHONPATH"] = os.pathsep.join([root, *([before] if before else [])])
    try:
        with chdir(WITHOUT_MODULES if installed else root):
            yield
    finally:
        os.environ.pop("PYTHONPATH", None)
        if before is not None:
            os.environ["PYTHONPATH"] = before


EXECUTORS = {"inline": inline, "ray": on_ray}
