"""A file is complete under its name, or what was there before."""

import polars as pl
import pytest

from sim.whole_file import replacing


def test_the_file_takes_its_place_at_the_end_of_the_block(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with replacing(target) as temporary:
        temporary.write_text("new")
        assert target.read_text() == "old" and temporary.parent == tmp_path and temporary.name.startswith(".")
    assert target.read_text() == "new" and list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("raised", [ValueError("no"), KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_after_an_error_the_old_file_is_there_and_nothing_else(tmp_path, raised):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(type(raised)) as error, replacing(target) as temporary:
        temporary.write_text("half")
        raise raised
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
    if isinstance(raised, OSError):
        assert error.value.filename == str(target)


def test_the_temporary_file_may_lie_in_another_folder(tmp_path):
    (tmp_path / "tmp").mkdir()
    with replacing(tmp_path / "a.txt", tmp_path / "tmp") as temporary:
        temporary.write_text("new")
        assert temporary.parent == tmp_path / "tmp"
    assert (tmp_path / "a.txt").read_text() == "new" and not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("write", [lambda file: file.write_text("x"), pl.DataFrame({"a": [1]}).write_csv])
def test_an_error_of_the_system_names_the_file_that_was_asked_for(tmp_path, write):
    path = tmp_path / "no folder" / "a.csv"
    with pytest.raises(OSError) as error, replacing(path) as file:
        write(file)
    assert error.value.filename == str(path) and error.value.strerror == "No such file or directory"


def test_the_error_of_another_file_keeps_its_name(tmp_path):
    with pytest.raises(FileNotFoundError) as error, replacing(tmp_path / "a.txt"):
        (tmp_path / "other.txt").read_text()
    assert error.value.filename == str(tmp_path / "other.txt")
