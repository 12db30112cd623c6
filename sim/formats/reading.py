"""Files of hand histories: which format a file is in, plain or gzip, and what is said of a part that cannot be read."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sim.formats import cases, phh_reading, pokerstars_reading
from sim.formats.history import History, wrong_seat

Reader = Callable[[Iterable[bytes]], Iterator[tuple[int, History | str]]]
READERS: dict[str, Reader] = {"json": cases.read, "phh": phh_reading.read, "pokerstars": pokerstars_reading.read}
SNIFFED = 1 << 16  # bytes that tell the format
GZIP = 31  # for zlib: 32 KiB window, gzip header
UNPACKED_AT_A_TIME = 1 << 14  # packed bytes


class Entry(NamedTuple):
    """A hand of a file, or what is wrong with that part of it."""

    file: str
    line: int
    hand: History | str


class UnusableFile(ValueError):
    """A file that cannot be read at all; the message names it."""


def read_file(path: Path, form: str = "auto") -> Iterator[Entry]:
    """Every hand of a file, in its order; `form`: a name in READERS, or auto. Raises UnusableFile before the first one."""
    lines = open_lines(path)
    head: list[bytes] = []
    cut_off = None
    try:
        while sum(map(len, head)) < SNIFFED and (line := next(lines, None)) is not None:
            head.append(line)
    except EOFError as error:
        cut_off = str(error)
    if cut_off is not None and not head:
        raise UnusableFile(f"{path}: {cut_off}")
    if form == "auto":
        form = form_of(b"".join(head), path)
    last = 0

    def counted() -> Iterator[bytes]:
        nonlocal last, cut_off
        for part in (head, lines if cut_off is None else ()):
            try:
                for line in part:
                    last += 1
                    yield line
            except EOFError as error:
                cut_off = str(error)

    name = str(path)
    for number, hand in READERS[form](counted()):
        wrong = wrong_seat(hand) if isinstance(hand, History) else None
        yield Entry(name, number, wrong or hand)
    if cut_off is not None:
        yield Entry(name, last + 1, cut_off)


def open_lines(path: Path) -> Iterator[bytes]:
    """Lines of a file, unpacked if it is gzip. A gzip file that ends early or is damaged yields what comes before, then raises EOFError."""
    try:
        with path.open("rb") as file:
            yield from _unpacked(file) if file.peek(2)[:2] == b"\x1f\x8b" else file
    except OSError as error:
        raise UnusableFile(f"{path}: {error.strerror or error}") from error


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    """Lines of a gzip file, which may have several members. The module `gzip` would lose what it holds when the data end early."""
    member = zlib.decompressobj(wbits=GZIP)
    begun = b""  # of a line whose end is not there yet
    while packed := file.read(UNPACKED_AT_A_TIME):
        while packed:
            if member.eof:
                if not packed.strip(b"\0"):  # padding
                    break
                member = zlib.decompressobj(wbits=GZIP)
            try:
                data = member.decompress(packed)
            except zlib.error as error:
                raise EOFError(f"the gzip data is damaged: {error}") from error
            packed = member.unused_data
            lines = (begun + data).split(b"\n")
            begun = lines.pop()
            for line in lines:
                yield line + b"\n"
    if begun and member.eof:
        yield begun
    if not member.eof:
        raise EOFError("the gzip data is cut off")


def form_of(head: bytes, path: Path) -> str:
    """The format of a file that begins with these bytes. Raises UnusableFile."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise UnusableFile(f"{path}: UTF-16 text; histories are read as UTF-8")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise UnusableFile(f"{path}: empty")
    if text.startswith(b"{"):
        return "json"
    if b"PokerStars " in text:
        return "pokerstars"
    if path.suffix in (".phh", ".phhs") or any(row.strip().startswith(b"variant") and b"=" in row for row in text.splitlines()):
        return "phh"
    if path.suffix in (".txt", ".log"):
        return "pokerstars"
    if path.suffixes and path.suffixes[0] in (".json", ".jsonl", ".ndjson"):
        return "json"
    raise UnusableFile(f"{path}: neither JSON lines, nor PHH, nor PokerStars text; give format={'|'.join(READERS)}")
