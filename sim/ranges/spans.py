"""Spans: `TT+`, `664-`, `KQJT-T987`, `AK-AT` as the alternatives that they stand for."""

from dataclasses import replace

from sim.cards import N_RANKS
from sim.ranges.tree import ANY_SUIT, Card, RangeError


def spread(text: str, mark: int, cards: tuple[Card, ...], sign: str, other: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """The cards moved rank by rank: to the other end if there is one, else up to the ace (`+`) or down to the deuce (`-`).

    mark : place of the sign in the text; what cannot be spanned raises RangeError
    """
    for card in cards:
        if card.rank_variable or (card.names_rank and single_rank(card) is None):
            message = "a span is of single ranks: no rank variables, lists or classes of cards in it"
            raise RangeError(text, card.position, message)
    named = [rank for card in cards if (rank := single_rank(card)) is not None]
    if not named:
        raise RangeError(text, mark, "nothing to span: no rank is named before this")
    if other:
        steps = _steps(text, mark, cards, other)
        moving = [single_rank(card) != single_rank(end) for card, end in zip(cards, other, strict=True)]
    else:
        steps = N_RANKS - 1 - max(named) if sign == "+" else -min(named)
        moving = [True] * len(cards)
        if not steps:
            stuck = "an ace cannot go up" if sign == "+" else "a deuce cannot go down"
            raise RangeError(text, mark, f"{stuck}; name both ends, such as {'AK-AT' if sign == '+' else 'K2-T2'}")
    direction = 1 if steps > 0 else -1
    return tuple(
        tuple(_moved(card, direction * step) if moves else card for card, moves in zip(cards, moving, strict=True))
        for step in range(abs(steps) + 1)
    )


def _steps(text: str, mark: int, cards: tuple[Card, ...], other: tuple[Card, ...]) -> int:
    """How far cards move from one end to the other, negative for down: all that move do so by as many ranks."""
    if len(cards) != len(other):
        message = f"the two ends of a span have {len(cards)} and {len(other)} cards; give as many on both sides"
        raise RangeError(text, mark, message)
    steps = 0
    for card, end in zip(cards, other, strict=True):
        first, last = single_rank(card), single_rank(end)
        if end.rank_variable or (end.names_rank and last is None) or (first is None) != (last is None):
            message = "a span is of single ranks, and both ends have the same places without a rank"
            raise RangeError(text, end.position, message)
        if _suits(card) != _suits(end):
            raise RangeError(text, end.position, "the two ends of a span have the same suits")
        if first is None or last is None or first == last:
            continue
        if steps and last - first != steps:
            raise RangeError(text, end.position, "all cards of a span that move do so by as many ranks")
        steps = last - first
    if not steps:
        raise RangeError(text, mark, "the two ends of a span are the same")
    return steps


def single_rank(card: Card) -> int | None:
    """The rank of a card that names one rank, else None."""
    ranks = [rank for rank in range(N_RANKS) if card.cards >> 4 * rank & ANY_SUIT]
    return ranks[0] if card.names_rank and len(ranks) == 1 else None


def _suits(card: Card) -> tuple[int, str]:
    """What a card says of its suit: 4-bit mask and variable."""
    masks = (card.cards >> 4 * rank & ANY_SUIT for rank in range(N_RANKS))
    return next(mask for mask in masks if mask), card.suit_variable


def _moved(card: Card, steps: int) -> Card:
    """The card some ranks higher, or lower if negative; a card without a rank stays."""
    if not card.names_rank:
        return card
    return replace(card, cards=card.cards << 4 * steps if steps > 0 else card.cards >> -4 * steps)
