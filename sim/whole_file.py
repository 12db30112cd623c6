"""Files that are complete under their name or not there at all."""

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(target: Path, folder: Path | None = None) -> Iterator[Path]:
    """A path to write to, which takes the place of `target` at the end of the block; after an error it is gone and `target` as before.

    folder : where it lies meanwhile, on the same file system; None: beside `target`, hidden. An OSError names `target`.
    """
    temporary = (folder or target.parent) / f".{target.name}.{uuid.uuid4().hex}"
    try:
        yield temporary
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if error.filename not in (None, str(temporary)):  # writing names no file or the temporary one; this is another's
            raise
        what = error.strerror or str(error).split(" (os error")[0]  # Polars puts all into the text
        raise OSError(error.errno or errno.EIO, what, str(target)) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
