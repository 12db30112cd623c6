"""Files that are there whole or not at all."""

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A new file beside `path` to write to, put in its place at the end of the block; if that fails, nothing of it is left.

    An OSError names `path`: the name of the other file says nothing to anybody, and errors of writing have none.
    """
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        what = error.strerror or str(error).split(" (os error")[0]  # Polars puts all into the text
        raise OSError(error.errno or errno.EIO, what, str(path)) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
