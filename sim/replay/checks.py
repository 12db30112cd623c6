"""What a replay compares: the number of each check in the kernel, the field it is about, and the rule that decides."""

from typing import NamedTuple

TIME_CHARGE, ANTE, LIVE_POST, DEAD_POST = 0, 1, 2, 3
TURN, NO_DECISION, ROUND_OPEN = 4, 5, 6
CALL, MIN_RAISE, MAX_RAISE, NO_RAISE, KIND, PUT, ALL_IN = 7, 8, 9, 10, 11, 12, 13
BOARD, UNCALLED_SEAT, UNCALLED, TOTAL_POT, N_POTS, POT = 14, 15, 16, 17, 18, 19
CHIPS, COLLECTED, COLLECTED_POT, COLLECTED_HIGH, BEATEN, FINAL = 20, 21, 22, 23, 24, 25


class Check(NamedTuple):
    """One comparison."""

    field: str
    rule: str


CHECKS = {
    TIME_CHARGE: Check("time charge", "every seat dealt in pays it, as far as its stack goes"),
    ANTE: Check("ante", "every seat pays it before the blinds, as far as its stack goes"),
    LIVE_POST: Check("live post", "a blind is posted whole, as far as the stack goes"),
    DEAD_POST: Check("dead post", "dead chips are posted after the live ones, as far as the stack goes"),
    TURN: Check("seat to act", "the next seat clockwise that owes a decision"),
    NO_DECISION: Check("seat to act", "nobody has a decision: the round is over, or a single seat with chips has nothing to call"),
    ROUND_OPEN: Check("end of the round", "a round ends when every seat with chips has acted and matched the bet"),
    CALL: Check("check or call", "a call matches the current bet, as far as the stack goes"),
    MIN_RAISE: Check("raise", "at least the last full bet or raise on top of the current bet, or all-in"),
    MAX_RAISE: Check("raise", "at most what the structure allows"),
    NO_RAISE: Check("raise", "no raise: betting was not reopened, the cap is reached, or nobody is left to answer it"),
    KIND: Check("action", "a bet matched is a call, a bet exceeded is a raise"),
    PUT: Check("chips put in", "the total of the street minus what the seat had in"),
    ALL_IN: Check("all-in", "a seat without chips behind is all-in"),
    BOARD: Check("board cards", "three, one and one; all five once nobody can act and two or more are left"),
    UNCALLED_SEAT: Check("uncalled bet, seat", "the largest total of the hand"),
    UNCALLED: Check("uncalled bet", "what the largest total of the hand is over the second largest"),
    TOTAL_POT: Check("total pot", "all chips put in, without the uncalled bet"),
    N_POTS: Check("number of pots", "one per different total of a live seat"),
    POT: Check("pot", "one layer per different total of a live seat"),
    CHIPS: Check("chips", "the pot is what was collected and the rake"),
    COLLECTED: Check("collected", "each pot, after its rake, goes to its best high hand, half of it to its best low"),
    COLLECTED_POT: Check("collected", "each pot, after its rake, goes to its best high hand, half of it to its best low"),
    COLLECTED_HIGH: Check("collected high", "the high half, with the odd chip of the pot, to the best high hand"),
    BEATEN: Check("collected", "a hand that other shown hands beat in every pot wins nothing"),
    FINAL: Check("final stack", "stack before the hand, minus what was put in, plus what came back and was won"),
}
OF_A_POT = (POT, COLLECTED_POT, COLLECTED_HIGH)
