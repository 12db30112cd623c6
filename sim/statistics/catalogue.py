"""What is counted: each statistic is one entry of the two tables at the end. Definitions follow PokerTracker 4."""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from sim import flags
from sim.actions import FLOP, RIVER, TURN

# Units. Values of % are booleans, those of bb and bb/100 are chips.
PERCENT, SEATS, BIG_BLINDS, BB_PER_100 = "%", "seats", "bb", "bb/100"
RATIO, PERCENT_OF_ACTIONS = "ratio", "% of actions"
RATIOS = (RATIO, PERCENT_OF_ACTIONS)  # of sums of whole numbers over sums of whole numbers: no mean of anything


class Seat(NamedTuple):
    """What a seat statistic is made of: expressions on the record columns of one seat."""

    net: pl.Expr
    flags: pl.Expr
    n_bets: pl.Expr
    n_calls: pl.Expr

    def has(self, bit: int) -> pl.Expr:
        """Whether the seat has this flag (a constant of sim.flags)."""
        return _has(self.flags, bit)


class HandStatistic(NamedTuple):
    """A value of each counted hand; expressions on the columns of the record."""

    value: pl.Expr
    of: pl.Expr | None  # which hands count; None: all
    unit: str
    heading: str  # of its column in the printed table
    meaning: str
    hi_lo: bool = False  # only where a low half is played


class SeatStatistic(NamedTuple):
    """A value of each counted hand of a seat."""

    value: Callable[[Seat], pl.Expr]
    of: Callable[[Seat], pl.Expr] | None  # which hands of the seat count, of a ratio how many actions; None: all
    unit: str
    heading: str  # of its column in the printed table; "": only in the saved ones
    meaning: str


def _has(column: pl.Expr, bit: int) -> pl.Expr:
    return (column & bit) != 0


_STREET, _OUTCOME, _SHOWDOWN = pl.col("street"), pl.col("outcome"), pl.col("showdown")

# fmt: off
HAND_STATISTICS = {
    "pot": HandStatistic(
        pl.col("pot"), None, BIG_BLINDS, "pot bb",
        "average pot after an uncalled bet went back, before rake; all hands"),
    "players_flop": HandStatistic(
        pl.col("n_flop"), _STREET >= FLOP, SEATS, "players per flop",
        "seats that saw the flop, all-in included; hands with a flop"),
    "flop": HandStatistic(_STREET >= FLOP, None, PERCENT, "flop %", "hands with a flop"),
    "turn": HandStatistic(_STREET >= TURN, None, PERCENT, "turn %", "hands with a turn"),
    "river": HandStatistic(_STREET >= RIVER, None, PERCENT, "river %", "hands with a river"),
    "showdown": HandStatistic(_SHOWDOWN, None, PERCENT, "showdown %", "hands with a showdown"),
    "all_in": HandStatistic(
        _has(_OUTCOME, flags.HAND_ALL_IN), None, PERCENT, "all-in %",
        "hands in which some seat was all-in"),
    "split_pot": HandStatistic(
        _has(_OUTCOME, flags.SPLIT_POT), None, PERCENT, "split %",
        "hands in which a pot or a half was shared, or high and low went to different seats"),
    "rake": HandStatistic(
        pl.col("rake"), None, BB_PER_100, "rake bb/100",
        "rake and time charge of the table in big blinds per 100 hands"),
    "low_made": HandStatistic(
        _has(_OUTCOME, flags.LOW_MADE), _SHOWDOWN, PERCENT, "low %",
        "showdowns in which a low won part of the main pot", hi_lo=True),
    "scooped": HandStatistic(
        _has(_OUTCOME, flags.HAND_SCOOPED), _SHOWDOWN, PERCENT, "scooped %",
        "showdowns in which one seat took the whole main pot", hi_lo=True),
    "quartered": HandStatistic(
        _has(_OUTCOME, flags.HAND_QUARTERED), _SHOWDOWN, PERCENT, "quartered %",
        "showdowns in which some seat was quartered", hi_lo=True),
}


def _postflop_actions(seat: Seat) -> pl.Expr:
    """Bets, raises, calls and folds after the flop was dealt."""
    return seat.n_bets.cast(pl.Int64) + seat.n_calls + (seat.has(flags.FOLDED) & seat.has(flags.SAW_FLOP))


# `net` gives hands, bb/100 with its interval and the standard deviation; each of the others is a column of its own.
SEAT_STATISTICS = {
    "net": SeatStatistic(
        lambda seat: seat.net, None, BB_PER_100, "bb/100",
        "won minus put in, after rake, in big blinds per 100 hands dealt"),
    "vpip": SeatStatistic(
        lambda seat: seat.has(flags.VPIP), lambda seat: ~seat.has(flags.WALK), PERCENT, "VPIP",
        "put chips in of its own will before the flop; hands but walks"),
    "pfr": SeatStatistic(
        lambda seat: seat.has(flags.PFR), lambda seat: ~seat.has(flags.WALK), PERCENT, "PFR",
        "raised before the flop; hands but walks"),
    "three_bet": SeatStatistic(
        lambda seat: seat.has(flags.THREE_BET), lambda seat: seat.has(flags.THREE_BET_CHANCE), PERCENT, "3-bet",
        "raised the first raise; hands in which it was to act after exactly one raise and could raise"),
    "af": SeatStatistic(
        lambda seat: seat.n_bets, lambda seat: seat.n_calls, RATIO, "",
        "bets and raises after the flop was dealt; calls after the flop was dealt"),
    "afq": SeatStatistic(
        lambda seat: seat.n_bets, _postflop_actions, PERCENT_OF_ACTIONS, "AFq",
        "bets and raises after the flop was dealt; these, calls and folds after the flop was dealt, checks left out"),
    "wtsd": SeatStatistic(
        lambda seat: seat.has(flags.SHOWDOWN), lambda seat: seat.has(flags.SAW_FLOP), PERCENT, "WTSD",
        "went to showdown; hands in which it saw the flop, all-in included"),
    "wtsd_active": SeatStatistic(
        lambda seat: seat.has(flags.SHOWDOWN), lambda seat: seat.has(flags.SAW_FLOP) & ~seat.has(flags.ALL_IN_PREFLOP), PERCENT, "",
        "the same without hands in which it was all-in before the flop"),
    "wsd": SeatStatistic(
        lambda seat: seat.has(flags.WON), lambda seat: seat.has(flags.SHOWDOWN), PERCENT, "W$SD",
        "won any part of a pot; its showdowns"),
    "wsd_profit": SeatStatistic(
        lambda seat: seat.net > 0, lambda seat: seat.has(flags.SHOWDOWN), PERCENT, "",
        "ended the hand with a profit; its showdowns"),
}
# fmt: on
