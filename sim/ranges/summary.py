"""What a range amounts to: how many hands and classes, and some of its hands."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

import numpy as np

from sim.cards import N_RANKS
from sim.ranges.classes import OPPONENTS, Evaluation, classes_of
from sim.rules import N_CARDS


@dataclass(frozen=True)
class Summary:
    """A range of starting hands in figures."""

    hands: int
    all_hands: int
    classes: int | None  # None: the expression names suits, so that the range is no set of classes
    all_classes: int
    examples: np.ndarray  # (n, hole_cards) uint8 card ids, high cards first; spread over the range by rank, a hand per class


def summarize(text: str, hole_cards: int, hi_lo: bool = False, opponents: int = OPPONENTS, n_examples: int = 8) -> Summary:
    """Figures of a range and examples, always the same ones. Raises RangeError."""
    masks = Evaluation(text, hole_cards, hi_lo, opponents).masks()
    hands, n_hands = classes_of(hole_cards)
    found = np.flatnonzero(np.logical_or.reduce(list(masks.values())))
    picks = _spread(hands[found], n_hands[found], n_examples)
    return Summary(
        hands=sum(int(n_hands[mask].sum()) for mask in masks.values()) // len(masks),
        all_hands=comb(N_CARDS, hole_cards),
        classes=len(found) if len(masks) == 1 else None,
        all_classes=len(hands),
        examples=np.array([_hand(hands[found[pick]], found[pick], masks) for pick in picks], np.uint8).reshape(-1, hole_cards),
    )


def _spread(hands: np.ndarray, n_hands: np.ndarray, n_examples: int) -> np.ndarray:
    """At most so many places of `hands`, (n, hole_cards) card ids, that divide them by their ranks into parts of as many hands."""
    if not len(hands):
        return np.zeros(0, np.int64)
    ranks = np.sort(hands >> 2, axis=1)[:, ::-1].astype(np.int64)
    order = np.argsort(-(ranks @ N_RANKS ** np.arange(ranks.shape[1])[::-1]), kind="stable")
    upto = np.cumsum(n_hands[order])
    middles = (np.arange(n_examples) + 0.5) / n_examples * upto[-1]
    return order[np.unique(np.searchsorted(upto, middles))]


def _hand(hand: np.ndarray, class_id: int, masks: Mapping[tuple[int, ...], np.ndarray]) -> np.ndarray:
    """The hand of a class that is in the range, high cards first: its suits renamed back from the first order that has the class."""
    order = np.array(next(order for order, mask in masks.items() if mask[class_id]))
    return np.sort(hand & 0xFC | np.argsort(order)[hand & 3])[::-1]
