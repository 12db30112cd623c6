"""JSON lines, gzip, and what is said of files that are broken, of something else, or of no format."""

import gzip
import json

import pytest
from replayed import HAND, SHOWN, replay_file

from sim.formats import cases
from sim.formats.history import History
from sim.formats.reading import UnusableFile, read_file

LINES = "".join(cases.write([HAND, SHOWN]))


def messages(path) -> list[tuple[int, str]]:
    """(line, what is wrong) of the malformed parts of a file."""
    return [(entry.line, entry.hand) for entry in read_file(path) if isinstance(entry.hand, str)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_histories_come_back_as_they_were(tmp_path, pack):
    path = tmp_path / "hands"
    path.write_bytes(pack(LINES.encode()))
    assert [entry.hand for entry in read_file(path)] == [HAND, SHOWN]


def test_fields_that_no_history_has_are_left_alone(tmp_path):
    path = tmp_path / "hands.jsonl"
    path.write_text(json.dumps(json.loads(LINES.splitlines()[0]) | {"source": {"nth": 3}, "checks": {"accounting": "ok"}}))
    assert [entry.hand for entry in read_file(path)] == [HAND]


def test_empty_lines_are_no_hands(tmp_path):
    path = tmp_path / "hands.jsonl"
    path.write_text("\n" + LINES + "\n\n")
    assert all(isinstance(entry.hand, History) for entry in read_file(path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"stack":200', '"stack":"200"', "Expected `int`, got `str` - at `$.seats[0].stack`"),
        ('"stack":200', '"stack":2.5', "Expected `int`, got `float` - at `$.seats[0].stack`"),
        ('"put":10', '"put":-10', "Expected `int` >= 0 - at `$.streets[0].actions[0].put`"),
        ('"do":"call"', '"do":"stare"', "Invalid enum value 'stare' - at `$.streets[0].actions[0].do`"),
        ('"structure":"pot_limit"', '"structure":"spread_limit"', "Invalid enum value 'spread_limit' - at `$.game.structure`"),
        ('"hole_cards":4', '"hole_cards":2', "Expected `int` >= 4 - at `$.game.hole_cards`"),
        ('"button":7,', "", "Object missing required field `button`"),
        ('"button":7,', '"button":7', "JSON is malformed: "),
    ],
)
def test_a_wrong_line_is_named_with_its_field_and_the_rest_goes_on(tmp_path, old, new, message):
    assert old in LINES
    path = tmp_path / "hands.jsonl"
    path.write_text(LINES.replace(old, new, 1))
    ((line, text),) = messages(path)
    assert (line, text[: len(message)]) == (1, message)
    assert replay_file(path).sum().fully == 1


def test_gzip_that_ends_early_keeps_the_hands_before(tmp_path):
    path = tmp_path / "hands.jsonl.gz"
    packed = gzip.compress("".join(f"{LINES}" for _ in range(50)).encode(), compresslevel=0)
    path.write_bytes(packed[: len(packed) // 2])
    totals = replay_file(path)
    ((line, text),) = messages(path)
    assert text.startswith("the gzip data is cut off")
    assert totals.sum().fully > 10
    assert line == totals.sum().fully + 1
    assert [part.place for part in totals.malformed] == [f"{path}:{line}"]


@pytest.mark.parametrize("end", [5, 12])
def test_gzip_that_holds_nothing_whole_is_unusable(tmp_path, end):
    path = tmp_path / "hands.jsonl.gz"
    path.write_bytes(gzip.compress(LINES.encode())[:end])
    with pytest.raises(UnusableFile):
        list(read_file(path))


def test_damaged_gzip_is_named(tmp_path):
    path = tmp_path / "hands.jsonl.gz"
    packed = bytearray(gzip.compress((50 * LINES).encode(), compresslevel=0))
    packed[-5] ^= 1  # of the checksum
    path.write_bytes(packed)
    assert "the gzip data is damaged" in messages(path)[-1][1]
    assert replay_file(path).sum().fully > 10


def test_gzip_of_several_members(tmp_path):
    path = tmp_path / "hands.jsonl.gz"
    path.write_bytes(gzip.compress(LINES.encode()) + gzip.compress(LINES[:-1].encode()) + bytes(100))
    assert replay_file(path).sum().fully == 4


def test_text_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "hands.jsonl"
    path.write_bytes(LINES.replace("somewhere", "Zürich").encode("latin-1"))
    assert [line for line, text in messages(path) if "UTF-8" in text or "utf-8" in text] == [1, 2]
    path.write_text(LINES, encoding="utf-16")
    with pytest.raises(UnusableFile, match="UTF-16 text"):
        list(read_file(path))


@pytest.mark.parametrize(
    ("content", "message"), [("", "empty"), ("\n \n", "empty"), ("hello\n", "neither JSON lines, nor PHH, nor PokerStars")]
)
def test_files_of_no_format_are_refused(tmp_path, content, message):
    path = tmp_path / "hands"
    path.write_text(content)
    with pytest.raises(UnusableFile, match=message):
        list(read_file(path))


def test_missing_files_and_folders_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(UnusableFile, match=str(path)):
            list(read_file(path))
