"""The bits of the record columns `flags_s` (one seat in one hand) and `outcome` (the hand).

Kernels set them, statistics count them, the schema page prints them. Bits are never renumbered; new ones go to the end.
"""

# flags_s, uint32
ACTED = 1 << 0
VPIP = 1 << 1
PFR = 1 << 2
WALK = 1 << 3
SAW_FLOP = 1 << 4
SAW_TURN = 1 << 5
SAW_RIVER = 1 << 6
SHOWDOWN = 1 << 7
SHOWN = 1 << 8
WON = 1 << 9
ALL_IN = 1 << 10
ALL_IN_PREFLOP = 1 << 11
WON_HIGH = 1 << 12
WON_LOW = 1 << 13
SCOOPED = 1 << 14
QUARTERED = 1 << 15
FOLDED = 1 << 16
THREE_BET_CHANCE = 1 << 17
THREE_BET = 1 << 18

# outcome, uint16
HAND_ALL_IN = 1 << 0
SPLIT_POT = 1 << 1
LOW_MADE = 1 << 2
HAND_SCOOPED = 1 << 3
HAND_QUARTERED = 1 << 4

# name of the boolean column in scan_seats -> (bit, meaning)
SEAT_FLAGS = {
    "acted": (ACTED, "made at least one decision"),
    "vpip": (VPIP, "called, bet or raised of its own will before the flop (limping and completing count; posts and a check do not)"),
    "pfr": (PFR, "raised before the flop at least once"),
    "walk": (WALK, "won before the flop without having acted"),
    "saw_flop": (SAW_FLOP, "not folded when the flop was dealt, all-in included"),
    "saw_turn": (SAW_TURN, "not folded when the turn was dealt, all-in included"),
    "saw_river": (SAW_RIVER, "not folded when the river was dealt, all-in included"),
    "showdown": (SHOWDOWN, "not folded at the showdown, whether it showed or mucked"),
    "shown": (SHOWN, "its cards were shown"),
    "won": (WON, "collected chips from a pot; an uncalled bet that comes back is not collected"),
    "all_in": (ALL_IN, "put in its whole stack"),
    "all_in_preflop": (ALL_IN_PREFLOP, "put in its whole stack before the flop"),
    "won_high": (WON_HIGH, "won or tied the high half of a pot at showdown (the whole pot where no low was made)"),
    "won_low": (WON_LOW, "won or tied the low half of a pot at showdown"),
    "scooped": (SCOOPED, "hi/lo showdown: took every chip of the main pot"),
    "quartered": (QUARTERED, "hi/lo showdown: all it got of a pot with a low was a tied share of one half"),
    "folded": (FOLDED, "folded"),
    "three_bet_chance": (THREE_BET_CHANCE, "before the flop, was to act after exactly one raise and could raise"),
    "three_bet": (THREE_BET, "raised at a three-bet chance"),
}

# name -> (bit, meaning)
OUTCOME_FLAGS = {
    "all_in": (HAND_ALL_IN, "some seat was all-in"),
    "split_pot": (SPLIT_POT, "some pot or half of a pot was shared, or high and low of a pot went to different seats"),
    "low_made": (LOW_MADE, "a low won part of the main pot at showdown"),
    "scooped": (HAND_SCOOPED, "hi/lo showdown: one seat took every chip of the main pot"),
    "quartered": (HAND_QUARTERED, "hi/lo showdown: some seat was quartered"),
}
