"""The compile decorator of every kernel, and the cache folder that an edit anywhere in the package renews.

Numba keys its cache on the content of a function's own file only: after an edit in a helper's file it silently plays the old code.
So the folder's name is a digest of the whole package, taken before the first kernel is declared.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
from numba.extending import register_jitable

PACKAGE = Path(__file__).parent


def source_digest() -> str:
    """16 hex digits over names and bytes of all Python files of the package."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path:
    """The first writable of $NUMBA_CACHE_DIR, the user's cache folder and the temporary folder, with the digest below it."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    roots = [home / "omaha-sim", Path(tempfile.gettempdir()) / f"omaha-sim-{os.getuid()}"]
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        roots.insert(0, Path(chosen))
    for root in roots:
        if _writable(root / SOURCE_DIGEST):
            return root / SOURCE_DIGEST
    raise RuntimeError(f"no writable folder for compiled kernels; tried {', '.join(map(str, roots))}; set NUMBA_CACHE_DIR")


SOURCE_DIGEST = source_digest()
CACHE_FOLDER = _cache_folder()
# The environment variable has no effect once numba is imported, and it may name the root of this folder: set the value that numba reads.
numba.config.CACHE_DIR = str(CACHE_FOLDER)


def jit(function: Callable | None = None, /, **options):
    """`numba.njit` with the project's flags, with or without options: cached on disk, integer division without a zero check.

    Kernels are inlined into their callers: left to itself the compiler calls them, which cost a fifth of the time of a hand.
    Other threads go on while a kernel called from Python runs: the one that sees to Ctrl-C, and the progress bar's.
    """
    if function is None:
        return lambda inner: jit(inner, **options)
    return numba.njit(cache=True, error_model="numpy", forceinline=True, nogil=True, **options)(function)


def jit_inside(function: Callable) -> Callable:
    """For small functions of kernels and of Python alike: kernels compile them into themselves, elsewhere they stay plain Python."""
    return register_jitable(function)
