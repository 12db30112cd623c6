"""An edit in any file of the package is picked up by the next process, though numba looks at a kernel's own file only."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from sim import jit

CALLER = "from sim.jit import jit\nfrom sim.callee import double\n\n@jit\ndef kernel(x):\n    return double(x) + 1\n"
CALLEE = "from sim.jit import jit\n\n@jit\ndef double(x):\n    return {factor} * x\n"
RUN = "from sim.caller import kernel; print(kernel(10), sum(kernel.stats.cache_hits.values()))"

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A small package `sim` with our jit.py and a kernel that calls one of another file."""
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "__init__.py").touch()
    shutil.copy(jit.__file__, tmp_path / "sim" / "jit.py")
    (tmp_path / "sim" / "caller.py").write_text(CALLER)
    (tmp_path / "sim" / "callee.py").write_text(CALLEE.format(factor=2))
    return tmp_path


def run(package: Path, cache: Path) -> str:
    """What a new process prints: the kernel's value, and how often it came from the cache."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", RUN], cwd=package, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_an_edit_in_a_called_file_renews_the_compiled_caller(package, tmp_path):
    cache = tmp_path / "cache"
    assert run(package, cache) == "21 0"
    assert run(package, cache) == "21 1"
    (package / "sim" / "callee.py").write_text(CALLEE.format(factor=5))
    assert run(package, cache) == "51 0"


def test_an_unwritable_cache_folder_is_replaced_by_another(package, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    assert run(package, blocked).startswith("21")


def test_the_digest_covers_names_and_contents(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    digests = set()
    for name, content in (("a.py", "1"), ("a.py", "2"), ("b.py", "2")):
        (tmp_path / name).write_text(content)
        digests.add(jit.source_digest())
    (tmp_path / "a.py").unlink()
    digests.add(jit.source_digest())
    assert len(digests) == 4
