"""Strategies without a thought, for tests, line-ups with known answers, and as opponents."""

from sim.jit import jit
from sim.strategies.view import FOLD, may_raise, random_below


@jit
def fold_or_check(view):
    """Never put in a chip: check when it is free, otherwise fold."""
    return view.call_to if view.to_call == 0 else FOLD


@jit
def call(view):
    """Always check or call."""
    return view.call_to


@jit
def min_raise(view):
    """Always bet or raise the minimum; call when no raise is allowed."""
    return view.min_raise_to if may_raise(view) else view.call_to


@jit
def max_raise(view):
    """Always bet or raise the maximum; call when no raise is allowed."""
    return view.max_raise_to if may_raise(view) else view.call_to


@jit
def random(view):
    """A random legal action: fold (only when there is a bet to call), check or call, raise; then any legal amount, all equally likely."""
    first = 0 if view.to_call > 0 else 1
    choice = first + random_below(view, (3 if may_raise(view) else 2) - first)
    if choice == 0:
        return FOLD
    if choice == 1:
        return view.call_to
    return view.min_raise_to + random_below(view, view.max_raise_to - view.min_raise_to + 1)
