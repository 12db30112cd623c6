"""The base of all errors that a person can mend, and what is said of a name that is not known."""

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """What is wrong and what to do about it: the message is one line for people."""

    exit_code = 1  # of a job that stops with it


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that a typo most likely meant, if any is close; cutoff is difflib's."""
    folded = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=cutoff)
    return folded[close[0]] if close else None


def meant(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """`did you mean a? ` if a known name is close, else nothing."""
    close = nearest(word, known, cutoff)
    return f"did you mean {close}? " if close else ""


def one_of(word: str, known: Iterable[str]) -> str:
    """Say which names are allowed, after `did you mean a?` if one is close."""
    known = list(known)
    return f"{meant(word, known, 0.4)}allowed: {', '.join(known)}"  # the whole list follows, so a wrong guess does no harm
