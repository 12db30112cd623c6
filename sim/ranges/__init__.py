"""Ranges of starting hands in a small language: `AA,KK:ds`, `[A-T][A-T]xx`, `15%`. The language is docs/ranges.md."""

from sim.ranges.classes import OPPONENTS, compile_range, contains, count_hands
from sim.ranges.summary import Summary, summarize
from sim.ranges.syntax import parse
from sim.ranges.tree import RangeError

__all__ = ["OPPONENTS", "RangeError", "Summary", "compile_range", "contains", "count_hands", "parse", "summarize"]
