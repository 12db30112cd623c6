"""Classes of starting hands: exact counts, one id per hand up to the names of the suits, ids without gaps."""

import json
from collections import Counter
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.cards import parse_cards
from sim.hand_classes import HAND_SIZES, N_CLASSES, class_of, fill_representative, representative, representatives, weights
from sim.jit import jit

TABLES = json.loads((Path(__file__).parent / "cases/exact_tables.json").read_text())["starting_hands"]
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="too many hands for plain Python")


def canonical(hand):
    """The smallest of the 24 hands that renaming the suits makes of this one."""
    return min(tuple(sorted(card // 4 * 4 + suits[card % 4] for card in hand)) for suits in permutations(range(4)))


def canonical_numbers(hands):
    """The same for many hands (n, k) at once, each as one number."""
    smallest = np.full(len(hands), 52 ** hands.shape[1])
    for suits in permutations(range(4)):
        renamed = np.sort(hands // 4 * 4 + np.array(suits)[hands % 4], axis=1)
        smallest = np.minimum(smallest, renamed @ 52 ** np.arange(hands.shape[1]))
    return smallest


@jit
def _count_all(n_hole, counts):
    """Count the hands of every class over all combinations of cards, in colexicographic order."""
    hole = np.arange(n_hole)
    while True:
        counts[class_of(hole, n_hole)] += 1
        i = 0
        while i < n_hole - 1 and hole[i] + 1 == hole[i + 1]:
            hole[i] = i
            i += 1
        hole[i] += 1
        if hole[n_hole - 1] == 52:
            return


@pytest.mark.parametrize("n_hole", HAND_SIZES)
def test_number_of_classes(n_hole):
    assert N_CLASSES[n_hole] == TABLES[f"suit_classes_{n_hole}"]


@compiled
@pytest.mark.parametrize("n_hole", HAND_SIZES)
def test_weights_count_the_hands_of_every_class(n_hole):
    counts = np.zeros(N_CLASSES[n_hole], np.int64)
    _count_all(n_hole, counts)
    assert counts.sum() == comb(52, n_hole)
    assert (weights(n_hole) == counts).all()


@compiled
@pytest.mark.parametrize("n_hole", HAND_SIZES)
def test_every_representative_is_of_its_class(n_hole):
    holes = representatives(n_hole)
    assert holes.shape == (N_CLASSES[n_hole], n_hole) and holes.max() < 52
    assert (np.diff(np.sort(holes, axis=1), axis=1) > 0).all()  # no card twice
    step = {4: 1, 5: 7, 6: 101}[n_hole]
    for class_id in range(0, N_CLASSES[n_hole], step):
        assert class_of(holes[class_id], n_hole) == class_id


@compiled
def test_hands_are_of_one_class_exactly_if_suits_can_be_renamed():
    """Every hand of four cards, against the smallest of its 24 renamings."""
    hands = np.array(list(combinations(range(52), 4)))
    ids = np.array([class_of(hand, 4) for hand in hands])
    pairs = set(zip(ids.tolist(), canonical_numbers(hands).tolist(), strict=True))
    assert len(pairs) == len(set(ids.tolist())) == len({number for _, number in pairs}) == 16432


@pytest.mark.parametrize("n_hole", (5, 6))
def test_sampled_hands_are_of_one_class_exactly_if_suits_can_be_renamed(n_hole):
    names = {}
    rng = np.random.default_rng(n_hole)
    for _ in range(3000):
        ranks = rng.choice(5, n_hole)  # few ranks, so that classes repeat
        hand = {int(rank) * 4 + int(suit) for rank, suit in zip(ranks, rng.integers(0, 4, n_hole), strict=True)}
        if len(hand) == n_hole:
            class_id = class_of(np.array(list(hand)), n_hole)
            assert names.setdefault(canonical(hand), class_id) == class_id
    assert len(names) == len(set(names.values())) > 300


@compiled
@pytest.mark.parametrize("n_hole", HAND_SIZES)
def test_suit_patterns_have_their_known_numbers_of_hands(n_hole):
    suits = representatives(n_hole) % 4
    sizes = np.sort(np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1), axis=1)[:, ::-1]
    counts = Counter()
    for pattern in np.unique(sizes, axis=0):
        name = "-".join(str(size) for size in pattern if size)
        counts[name] = weights(n_hole)[(sizes == pattern).all(axis=1)].sum()
    assert counts == {name: count for name, (count, _) in TABLES[f"suit_patterns_{n_hole}"].items()}


@given(st.sampled_from(HAND_SIZES), st.permutations(range(52)), st.permutations(range(4)))
def test_order_of_cards_and_names_of_suits_do_not_matter(n_hole, cards, suits):
    hand = np.array(cards[:n_hole], np.uint8)
    renamed = np.array([card // 4 * 4 + suits[card % 4] for card in reversed(cards[:n_hole])], np.int64)
    assert class_of(hand, n_hole) == class_of(renamed, n_hole)


@pytest.mark.parametrize(
    "hand, n_hands",
    [
        ("AsAhKsKh", 6), ("AsAhKdKc", 6), ("AsAhKsKd", 24), ("AsKsQsAh", 12), ("2s2h2d2c", 1), ("AsKsQsJs", 4), ("AsKhQdJc", 24),
        ("AsAhAdKsKhKd", 4), ("AsAhAdKsQd", 24), ("AsKsQsAhKhQh", 6),
    ],
)  # fmt: skip
def test_numbers_of_hands_of_some_classes(hand, n_hands):
    hole = parse_cards(hand)
    again = np.zeros(hole.size, np.uint8)
    assert fill_representative(class_of(hole, hole.size), hole.size, again) == n_hands
    assert canonical(again.tolist()) == canonical(hole.tolist())


def test_ids_are_the_row_numbers_of_the_ranking_files():
    """They must not change: another order would make every ranking file wrong."""
    hands = ("AsKsQsJs", "2s2h2d2c", "AsAhKsKh", "AsAhKsKhQd", "9s8s7h6h5d", "AsAhKsKhQdQc", "7s6h5d4c3s2h")
    assert [class_of(parse_cards(hand), len(hand) // 2) for hand in hands] == IDS


def test_a_class_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="class 16432 of 4 cards; there are classes 0 to 16431"):
        representative(16432, 4)


IDS = [714, 14612, 7513, 98966, 64015, 962962, 689177]
