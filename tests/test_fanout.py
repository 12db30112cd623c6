"""Executors: the same results in this process and as Ray tasks, and what happens when workers are lost, hang or raise."""

import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_runs import LINEUP, OMAHA4, OMAHA5_HEADS_UP, committed, manifest, small_spec

from sim import fanout
from sim.fanout import EXECUTORS, ShardFailed, Stop, inline, on_ray
from sim.lineup import Strategy, file_strategy
from sim.plan import Compute, make_shards
from sim.runner import simulate

ON_RAY = Compute("ray", cpus=2)
SPEC = small_spec()
SHARDS = make_shards(SPEC)
executors = pytest.mark.parametrize("kind", ["inline", pytest.param("ray", marks=pytest.mark.ray)])


@pytest.fixture(scope="session")
def ray_session():
    """One local session for all tests, opened as a run opens it; the runs of the tests find it open and leave it so."""
    with fanout._session(ON_RAY) as ray:
        ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import a test file
        yield ray


@pytest.fixture
def execute(request, kind):
    """A function (work, arguments) -> (results by shard index, reported lines), on the executor of the parameter `kind`."""
    if kind == "ray":
        request.getfixturevalue("ray_session")
    return lambda work, *arguments, stop=None: run_on(kind, work, *arguments, stop=stop)


def run_on(kind: str, work, *arguments, stop: Stop | None = None) -> tuple[dict, list[str]]:
    reported: list[str] = []
    compute = ON_RAY if kind == "ray" else Compute("inline")
    results = EXECUTORS[kind](work, SPEC, SHARDS, arguments, compute=compute, stop=stop or Stop(), report=reported.append)
    return {shard.index: result for shard, result in results}, reported


def first_attempt_at(folder: Path, shard) -> bool:
    """Whether this is the first attempt at a shard; leaves a mark."""
    mark = folder / f"{shard.index}"
    seen = mark.exists()
    mark.touch()
    return not seen


@executors
def test_every_shard_is_worked_on_once_with_its_arguments(execute):
    results, reported = execute(lambda spec, shard, factor: (spec.seed, factor * shard.first_hand), 2)
    assert results == {shard.index: (7, 2 * shard.first_hand) for shard in SHARDS}
    assert reported == []


@executors
def test_an_error_of_the_work_stops_at_once_and_names_the_shard(execute, tmp_path):
    def work(spec, shard):
        if shard.index == 1:
            (tmp_path / f"attempt {time.monotonic_ns()}").touch()
            raise ZeroDivisionError("a bug")

    with pytest.raises(ShardFailed, match=r"shard 1 \(scenario omaha4/pot_limit, hands 500 to 999\)") as failed:
        execute(work)
    assert isinstance(failed.value.cause, ZeroDivisionError)
    assert len(list(tmp_path.iterdir())) == 1


@executors
def test_after_a_request_to_stop_nothing_is_started(execute):
    stop = Stop(signal.SIGINT)
    assert execute(lambda spec, shard: None, stop=stop)[0] == {}


def test_inline_stops_after_the_shard_in_work():
    stop = Stop()

    def work(spec, shard):
        if shard.index == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    results, _ = run_on("inline", work, stop=stop)
    assert sorted(results) == [0, 1, 2]
    assert stop.signal == signal.SIGTERM


def test_signal_handlers_are_put_back():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    for _ in inline(lambda spec, shard: None, SPEC, SHARDS, compute=Compute("inline"), stop=Stop(), report=print):
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


@pytest.mark.ray
def test_ray_stops_after_the_shards_in_flight(ray_session, monkeypatch):
    monkeypatch.setattr(fanout._Room, "limit", lambda self: 2)
    stop, reported, results = Stop(), [], {}
    for shard, result in on_ray(lambda spec, shard: shard.index, SPEC, SHARDS, compute=ON_RAY, stop=stop, report=reported.append):
        results[shard.index] = result
        if not stop.signal:
            os.kill(os.getpid(), signal.SIGINT)
    assert sorted(results) == [0, 1]
    assert reported == ["stopping after the 1 shards in flight; interrupt again to abort them"]


@pytest.mark.ray
def test_a_second_signal_aborts_the_tasks_in_flight(ray_session, tmp_path):
    def work(spec, shard):
        if shard.index:
            time.sleep(600)

    with pytest.raises(KeyboardInterrupt):
        for _ in on_ray(work, SPEC, SHARDS, compute=ON_RAY, stop=Stop(), report=lambda line: None):
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
    assert run_on("ray", lambda spec, shard: 1)[0] == dict.fromkeys(range(6), 1)  # the workers are free again


@pytest.mark.ray
def test_executor_changes_no_byte(ray_session, tmp_path, capfd):
    spec = small_spec(scenarios=(OMAHA4, OMAHA5_HEADS_UP))
    assert simulate(spec, Compute("inline"), tmp_path / "inline") == 0
    assert simulate(spec, ON_RAY, tmp_path / "ray") == 0
    assert manifest(tmp_path / "ray") == manifest(tmp_path / "inline")
    for table in (tmp_path / "inline/stats").iterdir():
        assert (tmp_path / "ray/stats" / table.name).read_bytes() == table.read_bytes()


@pytest.mark.ray
def test_a_relative_run_directory_is_that_of_the_driver(ray_session, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert simulate(SPEC, ON_RAY, "here") == 0
    assert manifest(tmp_path / "here")["hands"] == 3000


@pytest.mark.ray
def test_a_shard_of_a_lost_worker_is_tried_again(ray_session, tmp_path):
    def work(spec, shard):
        if shard.index in (1, 4) and first_attempt_at(tmp_path, shard):
            os.kill(os.getpid(), signal.SIGKILL)
        return shard.index

    results, reported = run_on("ray", work)
    assert results == {index: index for index in range(6)}
    assert sorted(reported) == [f"shard {index}: attempt 1 lost (WorkerCrashedError)" for index in (1, 4)]


@pytest.mark.ray
def test_a_shard_that_kills_every_worker_is_given_up(ray_session):
    def work(spec, shard):
        if shard.index == 3:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(ShardFailed) as failed:
        run_on("ray", work)
    assert str(failed.value.cause) == "lost 4 times, the last time by WorkerCrashedError"


@pytest.mark.ray
def test_a_shard_that_hangs_is_tried_again_after_its_deadline(ray_session, tmp_path, monkeypatch):
    monkeypatch.setattr(fanout, "MIN_DEADLINE_SECONDS", 1.0)
    monkeypatch.setattr(fanout, "DEADLINE_MEDIANS", 2)

    def work(spec, shard):
        if shard.index == 2 and first_attempt_at(tmp_path, shard):
            time.sleep(600)
        return shard.index

    results, reported = run_on("ray", work)
    assert results == {index: index for index in range(6)}
    assert "shard 2: attempt 1 lost (no result by its deadline)" in reported


def test_deadlines_wait_for_a_first_result_and_grow_with_attempts(monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    running = {name: fanout._Running(SHARDS[0], attempt, since) for name, attempt, since in (("a", 1, 930), ("b", 2, 930), ("c", 1, 950))}
    assert fanout._overdue(running, []) == []
    assert fanout._overdue(running, [1.0, 2.0, 2.0]) == ["a"]
    assert fanout._overdue(running, [4.0]) == []


@pytest.mark.parametrize("cpus, asked, limit", [(2, None, 10), (64, None, 128), (64, 16, 16), (2, 2, 10)])
def test_more_is_submitted_than_there_are_cpus_unless_a_part_is_asked_for(cpus, asked, limit):
    class Cluster:
        def cluster_resources():
            return {"CPU": float(cpus)}

    assert fanout._Room(Cluster, Compute("ray", "ray://elsewhere", asked)).limit() == limit


@pytest.mark.ray
def test_polars_has_one_thread_in_a_worker(ray_session):
    def work(spec, shard):
        import polars

        return polars.thread_pool_size()

    assert set(run_on("ray", work)[0].values()) == {1}


@pytest.mark.ray
def test_an_error_of_a_strategy_comes_back_in_one_line(ray_session, tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text("def late(view):\n    return 10**9 if 1200 <= view.rng_hand < 1500 else view.call_to\n")
    lineup = (*LINEUP[:3], Strategy("late", "late", str(file)))
    spec = small_spec(scenarios=(OMAHA4.__class__(**vars(OMAHA4) | {"lineup": lineup}),))
    assert simulate(spec, ON_RAY, tmp_path / "run") == 1
    lines = capsys.readouterr().err.splitlines()
    assert not any("Traceback" in line for line in lines)
    assert lines[-1].startswith("error: shard 2 (") and "hand 12" in lines[-1] and "legal" in lines[-1]


@pytest.mark.ray
def test_a_strategy_s_file_travels_with_the_run(ray_session, tmp_path):
    """The workers play what the file said when the run was described, though it is gone."""
    file = tmp_path / "mine.py"
    file.write_text("def caller(view):\n    return view.call_to\n")
    mine = file_strategy("mine", "caller", file)
    file.unlink()
    digests = []
    for run, strategy, compute in ((tmp_path / "own", mine, ON_RAY), (tmp_path / "built_in", Strategy("mine", "call"), Compute())):
        spec = small_spec(scenarios=(OMAHA4.__class__(**vars(OMAHA4) | {"lineup": (*LINEUP[:3], strategy)}),))
        assert simulate(spec, compute, run) == 0
        digests.append(manifest(run)["digest"])
    assert digests[0] == digests[1]


@pytest.mark.ray
def test_an_open_session_is_left_open(ray_session):
    run_on("ray", lambda spec, shard: None)
    assert ray_session.is_initialized()


def test_the_package_is_on_the_path_of_workers_and_not_of_others(monkeypatch):
    root = str(Path(fanout.__file__).parents[1])
    for before in (None, "/somewhere"):
        monkeypatch.delenv("PYTHONPATH", raising=False)
        if before:
            monkeypatch.setenv("PYTHONPATH", before)
        folder = Path.cwd()
        with fanout._package_on_path():
            assert os.environ["PYTHONPATH"].split(os.pathsep)[0] == root
        assert os.environ.get("PYTHONPATH") == before and Path.cwd() == folder


@pytest.mark.ray
def test_another_package_in_the_current_folder_is_not_imported_by_workers(tmp_path):
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "__init__.py").write_text("raise ImportError('the wrong one')")
    program = "import sim.fanout, sys; from test_fanout import *; sys.exit(simulate(small_spec(), ON_RAY, 'run'))"
    path = os.pathsep.join([str(Path(fanout.__file__).parents[1]), str(Path(__file__).parent)])
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert committed(tmp_path / "run") == [0, 1, 2, 3, 4, 5]


def test_before_the_cluster_is_known_one_cpu_is_assumed():
    class Empty:
        def cluster_resources():
            return {}

    assert fanout._Room(Empty, Compute("ray")).limit() == 9 and math.isinf(fanout._Room(Empty, Compute("ray")).read_at)


@pytest.mark.ray
def test_many_shards_that_fail_alike_are_told_once(ray_session, tmp_path, capfd):
    def work(spec, shard, run, code):
        raise OSError(28, "No space left on device", "/data/part")

    assert simulate(SPEC, ON_RAY, tmp_path / "run", work=work) == 1
    lines = capfd.readouterr().err.splitlines()
    assert [line.split(" (")[0] for line in lines if "No space" in line] == [lines[0].split(" (")[0]]
    assert "cannot read or write /data/part: No space left on device" in lines[0]
    assert lines[1].startswith("resume with: ")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_an_address_where_nobody_answers_is_told_in_one_line(tmp_path, capsys, monkeypatch, address):
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    assert simulate(SPEC, Compute("ray", address), tmp_path / "run") == 1
    assert capsys.readouterr().err.splitlines()[0].startswith(f"error: no Ray cluster answers at {address}: Connection refused; check")
