"""Histories as JSON lines: one object a line, its fields those of `History`; unknown fields are left alone."""

from collections.abc import Iterable, Iterator

import msgspec

from sim.formats.history import History

DECODER = msgspec.json.Decoder(History)
ENCODER = msgspec.json.Encoder()


def read(lines: Iterable[bytes]) -> Iterator[tuple[int, History | str]]:
    """(line number, the hand or what is wrong with the line)."""
    decode = DECODER.decode
    for number, line in enumerate(lines, 1):
        try:
            yield number, decode(line)
        except UnicodeDecodeError as error:
            yield number, f"not UTF-8 text ({error.reason})"
        except msgspec.MsgspecError as error:
            if line.strip():
                yield number, str(error)


def write(histories: Iterable[History]) -> Iterator[str]:
    """One line per history."""
    for history in histories:
        yield ENCODER.encode(history).decode() + "\n"
