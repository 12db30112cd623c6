"""Files that are there whole or not at all."""

import polars as pl
import pytest

from sim.whole_files import written_whole


def test_a_file_is_replaced_at_the_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with written_whole(path) as file:
        file.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new" and [path] == list(tmp_path.iterdir())


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), written_whole(path) as file:
        file.write_text("new")
        raise ZeroDivisionError
    assert path.read_text() == "old" and [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize("write", [lambda file: file.write_text("x"), pl.DataFrame({"a": [1]}).write_csv])
def test_an_error_of_the_system_names_the_file_that_was_asked_for(tmp_path, write):
    path = tmp_path / "no folder" / "a.csv"
    with pytest.raises(OSError) as error, written_whole(path) as file:
        write(file)
    assert error.value.filename == str(path) and error.value.strerror == "No such file or directory"
