"""The cache of compiled kernels when a file in it is damaged."""

import pickle

import pytest

from sim import compilation


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(compilation, "CACHE_FOLDER", tmp_path)
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "play.nbi").touch()
    (tmp_path / "compiling.lock").touch()
    return tmp_path


@pytest.mark.parametrize("kind", [EOFError, pickle.UnpicklingError])
def test_a_damaged_cache_is_emptied_and_filled_again(cache, kind):
    attempts, said = [], []

    def load():
        attempts.append(len(list(cache.glob("kernels/*"))))
        if attempts == [1]:
            try:
                raise kind("Ran out of input")
            except kind as error:
                raise RuntimeError("hand 0: raised") from error

    compilation._with_sound_cache(load, said.append)
    assert attempts == [1, 0]  # the second time without the damaged file
    assert len(said) == 1 and "compiling kernels again" in said[0]


def test_a_cache_that_stays_damaged_is_an_error(cache):
    def load():
        raise EOFError

    with pytest.raises(EOFError):
        compilation._with_sound_cache(load, lambda line: None)


def test_other_errors_leave_the_cache_alone(cache):
    def load():
        raise ValueError

    with pytest.raises(ValueError):
        compilation._with_sound_cache(load, lambda line: None)
    assert (cache / "kernels" / "play.nbi").exists()
