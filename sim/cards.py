"""Cards: uint8 ids 0..51, id = rank * 4 + suit, rank 0..12 = deuce..ace, suit 0..3 = c d h s; text like "AsKd"; the deal."""

import numpy as np

from sim.jit import jit
from sim.rng import DECK, lemire, stream_block
from sim.rules import N_CARDS

RANKS = "23456789TJQKA"
SUITS = "cdhs"
N_RANKS = len(RANKS)
N_SUITS = len(SUITS)


def parse_cards(text: str) -> np.ndarray:
    """(n,) uint8 ids of cards written like "AsKd" or "As Kd"; an unknown or repeated card is a ValueError."""
    compact = "".join(text.split())
    ids: list[int] = []
    for start in range(0, len(compact), 2):
        name = compact[start : start + 2]
        if len(name) != 2 or name[0] not in RANKS or name[1] not in SUITS:
            raise ValueError(f"{text!r}: {name!r} is not a card; write a rank of {RANKS} and a suit of {SUITS}, like As")
        card = RANKS.index(name[0]) * 4 + SUITS.index(name[1])
        if card in ids:
            raise ValueError(f"{text!r}: {name} is there twice; a deck has it once")
        ids.append(card)
    return np.array(ids, np.uint8)


def format_cards(cards) -> str:
    """Text like "AsKd" of card ids; an id outside 0..51 is a ValueError."""
    names = []
    for card in cards:
        if not 0 <= card < N_CARDS:
            raise ValueError(f"card id {card} is not of 0..51")
        names.append(RANKS[card >> 2] + SUITS[card & 3])
    return "".join(names)


@jit
def deal(seed, hand_id, n_cards, deck):
    """Put the first n_cards of the hand's shuffled deck into deck[:n_cards].

    deck : (52,) uint8; the places from n_cards on are left with the cards not dealt, in no useful order
    The cards are a function of (seed, hand_id); the first m are the same for every n_cards >= m.
    Partial Fisher-Yates with exact draws: Durstenfeld, Algorithm 235 (1964).
    """
    for card in range(N_CARDS):
        deck[card] = card
    block, words_left = 0, 0
    w0 = w1 = w2 = w3 = np.uint64(0)
    for place in range(n_cards):
        value, accepted = np.uint64(0), False
        while not accepted:
            if words_left == 0:
                w0, w1, w2, w3 = stream_block(seed, hand_id, DECK, block)
                block += 1
                words_left = 4
            value, accepted = lemire(w0, np.uint64(N_CARDS - place))
            w0, w1, w2 = w1, w2, w3
            words_left -= 1
        other = place + np.int64(value)
        deck[place], deck[other] = deck[other], deck[place]
