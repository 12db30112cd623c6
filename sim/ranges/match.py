"""Which hands fit a pattern: each of its cards takes another card of the hand, in some assignment.

A pattern is encoded as a table (alternatives, cards, columns) of int64, and tried by backtracking without recursion.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from sim.cards import N_RANKS, N_SUITS, SUITS
from sim.jit import jit
from sim.ranges.tree import ANY_RANK, ANY_SUIT, Card, cards_of
from sim.rules import MAX_HOLE_CARDS, N_CARDS

# Columns of an encoded card. A variable is the index of the first card that has it: -1 for none, the card's own index for that first one.
CARDS, RANK_LIKE, SUIT_LIKE, NAMES_RANK, NAMES_SUIT, AS_BEFORE = range(6)
N_COLUMNS = 6
# Rows of the search's memory, by how many cards have their place: the place tried, and masks of what the cards before took.
PLACE, USED, NAMED_RANKS, BOUND_RANKS, NAMED_SUITS, BOUND_SUITS = range(6)


@jit
def _take(card, patterns, alternative, at, hand, memory):
    """Whether `card` may stand for the alternative's card number `at`; if so, the masks behind it are written."""
    if not patterns[alternative, at, CARDS] >> card & 1:
        return False
    rank, suit = card >> 2, card & 3
    named_ranks, bound_ranks = memory[NAMED_RANKS, at], memory[BOUND_RANKS, at]
    named_suits, bound_suits = memory[NAMED_SUITS, at], memory[BOUND_SUITS, at]
    like = patterns[alternative, at, RANK_LIKE]
    if like == at:
        if (named_ranks | bound_ranks) >> rank & 1:
            return False
        bound_ranks |= 1 << rank
    elif like >= 0 and hand[memory[PLACE, like]] >> 2 != rank:
        return False
    if patterns[alternative, at, NAMES_RANK]:
        if bound_ranks >> rank & 1:
            return False
        named_ranks |= 1 << rank
    like = patterns[alternative, at, SUIT_LIKE]
    if like == at:
        if (named_suits | bound_suits) >> suit & 1:
            return False
        bound_suits |= 1 << suit
    elif like >= 0 and hand[memory[PLACE, like]] & 3 != suit:
        return False
    if patterns[alternative, at, NAMES_SUIT]:
        if bound_suits >> suit & 1:
            return False
        named_suits |= 1 << suit
    memory[NAMED_RANKS, at + 1], memory[BOUND_RANKS, at + 1] = named_ranks, bound_ranks
    memory[NAMED_SUITS, at + 1], memory[BOUND_SUITS, at + 1] = named_suits, bound_suits
    return True


@jit
def fits(hand, patterns, alternative, length, memory):
    """Whether the hand, (n,) int64 card ids, has an assignment to an alternative's first `length` cards.

    memory : (6, MAX_HOLE_CARDS + 1) int64 of zeros at first
    """
    at = 0
    memory[PLACE, 0] = -1
    while at < length:
        place = memory[PLACE, at] + 1
        used = memory[USED, at]
        while place < hand.size and (used >> place & 1 or not _take(hand[place], patterns, alternative, at, hand, memory)):
            place += 1
        if place == hand.size:
            at -= 1
            if at < 0:
                return False
            continue
        memory[PLACE, at] = place
        memory[USED, at + 1] = used | 1 << place
        at += 1
        # Cards that ask for the same are interchangeable: only one order of them is tried.
        if at < length:
            memory[PLACE, at] = place if patterns[alternative, at, AS_BEFORE] else -1
    return True


@jit
def _may_fit(held, patterns, alternative, length):
    """Whether each of the alternative's cards by itself is among those held, a mask: most hands are refused here already."""
    for at in range(length):
        if not patterns[alternative, at, CARDS] & held:
            return False
    return True


@jit
def match_hands(hands, patterns, length, found):
    """Set found[i], (n,) bool, where hands[i], (n, n_hole) card ids, fits one of the patterns, (alternatives, cards, columns)."""
    memory = np.zeros((6, MAX_HOLE_CARDS + 1), np.int64)
    hand = np.zeros(hands.shape[1], np.int64)
    for i in range(hands.shape[0]):
        held = 0  # mask of cards
        for place in range(hand.size):
            hand[place] = hands[i, place]
            held |= 1 << hand[place]
        found[i] = False
        for alternative in range(patterns.shape[0]):
            if _may_fit(held, patterns, alternative, length) and fits(hand, patterns, alternative, length, memory):
                found[i] = True
                break


def encode(alternatives: Sequence[Sequence[Card]], suit_order: Sequence[int] = (0, 1, 2, 3)) -> tuple[np.ndarray, int]:
    """Alternatives of a pattern as a table for `match_hands`, and the cards of each; named suit s is read as suit_order[s].

    Cards that ask for nothing are left out; all alternatives of a pattern leave out as many.
    """
    asking = [[card for card in cards if _asks(card) != _asks(Card())] for cards in alternatives]
    table = np.zeros((len(asking), max(MAX_HOLE_CARDS, len(asking[0])), N_COLUMNS), np.int64)
    for cards, rows in zip(asking, table, strict=True):
        before: Card | None = None
        ordered = sorted(cards, key=_strictness)
        for at, (card, row) in enumerate(zip(ordered, rows, strict=False)):
            row[CARDS] = permute_suits(card.cards, suit_order)
            row[RANK_LIKE] = _first(card.rank_variable, (other.rank_variable for other in ordered))
            row[SUIT_LIKE] = _first(card.suit_variable, (other.suit_variable for other in ordered))
            row[NAMES_RANK], row[NAMES_SUIT] = card.names_rank, card.names_suit
            row[AS_BEFORE] = at > 0 and before is not None and _asks(before) == _asks(card)
            before = card
    return table, len(asking[0])


def permute_suits(cards: int, suit_order: Sequence[int]) -> int:
    """The 52-bit mask with every card of suit s as one of suit_order[s]."""
    mask = 0
    for card in range(N_CARDS):
        if cards >> card & 1:
            mask |= 1 << (card & ~3 | suit_order[card & 3])
    return mask


def ranks_only(alternatives: Iterable[Iterable[Card]]) -> tuple[tuple[Card, ...], ...]:
    """What the alternatives ask of the ranks of a hand, in the same order, each once."""
    return tuple(dict.fromkeys(tuple(_ranks_only(card) for card in cards) for cards in alternatives))


def suits_only(alternatives: Iterable[Iterable[Card]]) -> tuple[tuple[Card, ...], ...]:
    """What the alternatives ask of the suits of a hand, in the same order, each once."""
    return tuple(dict.fromkeys(tuple(_suits_only(card) for card in cards) for cards in alternatives))


def _ranks_only(card: Card) -> Card:
    ranks = sum(1 << rank for rank in range(N_RANKS) if card.cards >> 4 * rank & ANY_SUIT)
    return replace(card, cards=cards_of(ranks, ANY_SUIT), suit_variable="", names_suit=False)


def _suits_only(card: Card) -> Card:
    suits = 0
    for rank in range(N_RANKS):
        suits |= card.cards >> 4 * rank & ANY_SUIT
    return replace(card, cards=cards_of(ANY_RANK, suits), rank_variable="", names_rank=False)


def names_suits(alternatives: Iterable[Iterable[Card]]) -> Card | None:
    """The first card that names a suit, if any."""
    return next((card for cards in alternatives for card in cards if card.names_suit), None)


def suits_of(card: Card) -> str:
    """The suits that a card may have, in words for a message."""
    suits = [suit for suit in range(N_SUITS) if any(card.cards >> 4 * rank + suit & 1 for rank in range(N_RANKS))]
    return ("the suit " if len(suits) == 1 else "the suits ") + " and ".join(SUITS[suit] for suit in suits)


def _asks(card: Card) -> tuple[int, str, str, bool, bool]:
    return card.cards, card.rank_variable, card.suit_variable, card.names_rank, card.names_suit


def _strictness(card: Card) -> tuple[int, str, str, int]:
    """Sort key: what few cards fit comes first, and a variable's cards come together."""
    return card.cards.bit_count(), card.rank_variable, card.suit_variable, card.cards


def _first(variable: str, variables: Iterable[str]) -> int:
    return next((at for at, other in enumerate(variables) if other == variable), -1) if variable else -1
