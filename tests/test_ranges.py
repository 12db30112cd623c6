"""Ranges of hands: exact counts, an independent slow reading of the language on all hands, and mistakes that point at their character."""

import json
import re
from itertools import combinations
from math import comb
from pathlib import Path

import naive_ranges
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sim.ranges.classes
from sim.cards import parse_cards
from sim.hand_classes import N_CLASSES
from sim.ranges import RangeError, compile_range, contains, count_hands, parse, summarize
from sim.ranges.classes import classes_of
from sim.ranges.tree import CARD_WORDS, RANK_VARIABLES, WORDS
from sim.rankings import RankingError, percentiles

ROOT = Path(__file__).parent.parent
EXACT = json.loads((ROOT / "tests" / "cases" / "exact_tables.json").read_text())["starting_hands"]
PAGE = (ROOT / "docs" / "ranges.md").read_text()
EXAMPLES = re.findall(r"^\| `([^`]+)` \| .+? \| ([\d,]+) \| ([\d,]+|-) \| ([\d,]+|-) \|$", PAGE, re.MULTILINE)
MISTAKES = re.findall(r"^\| `([^`]+)` \| (\d+) \| (.+?) \|$", PAGE, re.MULTILINE)

PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)
large = pytest.mark.skipif(PLAIN_PYTHON, reason="too many hands for plain Python")
FOUR_CARDS = np.array(list(combinations(range(52), 4)), np.uint8)
SOME_FOUR_CARDS = FOUR_CARDS[:: 2999 if PLAIN_PYTHON else 11]


def random_hands(n, hole_cards):
    """(n, hole_cards) uint8 hands dealt by numpy."""
    decks = np.random.default_rng(hole_cards).permuted(np.tile(np.arange(52, dtype=np.uint8), (n, 1)), axis=1)
    return decks[:, :hole_cards].copy()


SOME_HANDS = {hole_cards: random_hands(50 if PLAIN_PYTHON else 2_000, hole_cards) for hole_cards in (5, 6)}


def number(cell):
    return int(cell.replace(",", ""))


@large
@pytest.mark.parametrize("hole_cards", [4, 5, 6])
def test_counts_are_the_published_ones(hole_cards):
    for text, name in (
        ("AA", "AA_atleast"),
        ("AA!AAA", "AA_exactly"),
        ("AA,KK", "AA_or_KK_atleast_pair"),
        ("$np", "no_pair"),
        ("!RR", "no_pair"),
        ("A2", "A2"),
        ("A23", "A23"),
        ("AA2", "AA2"),
    ):
        hands, *_, share = EXACT[f"{name}_{hole_cards}"]
        got = summarize(text, hole_cards, n_examples=1)
        assert (got.hands, got.all_hands) == (hands, comb(52, hole_cards))
        assert got.hands / got.all_hands == pytest.approx(share)
        assert compile_range(text, hole_cards).shape == (N_CLASSES[hole_cards],)


@large
def test_percentages_of_the_domain_notes():
    shares = {text: [count_hands(text, k) / comb(52, k) for k in (4, 5, 6)] for text in ("AA,KK", "RONP:$np", "A2")}
    assert [round(100 * share, 4) for share in shares["AA,KK"]] == [5.1292, 8.2741, 11.9821]
    assert [round(100 * share, 4) for share in shares["A2"]] == [6.3962, 10.0179, 14.1196]
    assert round(100 * shares["RONP:$np"][0], 4) == 67.6110


@large
@pytest.mark.parametrize("hole_cards", [4, 5, 6])
def test_shapes_of_suits_and_ranks_add_up_from_their_patterns(hole_cards):
    suits = {tuple(map(int, key.split("-"))): hands for key, (hands, _) in EXACT[f"suit_patterns_{hole_cards}"].items()}
    ranks = {tuple(map(int, key.split("-"))): hands for key, (hands, _) in EXACT[f"rank_patterns_{hole_cards}"].items()}

    def total(patterns, wanted):
        return sum(hands for pattern, hands in patterns.items() if wanted(pattern))

    assert count_hands("ds", hole_cards) == total(suits, lambda pattern: sum(size >= 2 for size in pattern) >= 2)
    assert count_hands("ss", hole_cards) == total(suits, lambda pattern: sum(size >= 2 for size in pattern) == 1 and len(pattern) >= 3)
    assert count_hands("wxyz", hole_cards) == total(suits, lambda pattern: len(pattern) == 4)
    assert count_hands("$np", hole_cards) == total(ranks, lambda pattern: max(pattern) == 1)
    assert count_hands("$op", hole_cards) == total(ranks, lambda pattern: max(pattern) == 2 and pattern.count(2) == 1)
    assert count_hands("$tp", hole_cards) == total(ranks, lambda pattern: max(pattern) == 2 and pattern.count(2) == 2)
    assert count_hands("$nt", hole_cards) == total(ranks, lambda pattern: max(pattern) <= 2)
    assert np.array_equal(compile_range("ds", hole_cards), compile_range("xxyy", hole_cards))
    assert np.array_equal(compile_range("ss", hole_cards), compile_range("xxyz!xxyy", hole_cards))


def test_the_page_has_examples_of_every_construct():
    texts = " ".join(text for text, *_ in EXAMPLES)
    assert len(EXAMPLES) > 50
    assert len(MISTAKES) > 8
    assert all(sign in texts for sign in "*[]+-,:!()$wxyzRONPcdhs")
    assert all(word in texts for word in WORDS)
    for word, ranks in CARD_WORDS.items():
        mask = compile_range(f"${word}", 4)
        assert f"`${word}`" in PAGE
        assert np.array_equal(mask, compile_range(f"[{ranks}]", 4))
    prose = " ".join(PAGE.split())
    for listed in re.findall(r"`\$([A-Z])` (?:is )?`(\[[^`]+\])`", prose):
        assert np.array_equal(compile_range(f"${listed[0]}", 4), compile_range(listed[1], 4))
    letters = "".join(re.findall(r"`([A-Z ]+)` (?:by custom|do as well)", prose)).replace(" ", "")
    assert sorted(letters) == sorted(RANK_VARIABLES)


@large
@pytest.mark.parametrize(("text", "four", "five", "six"), EXAMPLES)
def test_every_example_of_the_page_has_the_number_of_hands_it_says(text, four, five, six):
    for hole_cards, expected in zip((4, 5, 6), (four, five, six), strict=True):
        if expected == "-":
            with pytest.raises(RangeError):
                count_hands(text, hole_cards)
        else:
            assert count_hands(text, hole_cards) == number(expected)


@large
@pytest.mark.parametrize(("text", "four"), [example[:2] for example in EXAMPLES])
def test_every_example_of_the_page_is_what_a_slow_reading_of_all_four_card_hands_finds(text, four):
    expected = naive_ranges.contains(text, FOUR_CARDS)
    assert expected.sum() == number(four)
    assert np.array_equal(contains(text, FOUR_CARDS), expected)


@pytest.mark.parametrize(("text", "at", "message"), MISTAKES)
def test_every_mistake_of_the_page_is_refused_as_it_says(text, at, message):
    with pytest.raises(RangeError) as refusal:
        compile_range(text, 4)
    error = refusal.value
    assert (error.text, error.position, error.message) == (text, int(at) - 1, message)
    assert str(error) == f"'{text}', character {at}: {message}"
    assert error.picture().splitlines() == [message, f"  {text}", f"  {' ' * (int(at) - 1)}^"]


@st.composite
def patterns(draw):
    """One to four cards."""
    ranks = st.one_of(
        st.sampled_from("AKQT972"),
        st.sampled_from("RRON*"),
        st.sampled_from(["[A-T]", "[A,K,2]", "[9-]", "[J+]", "[AKQ]", "$B", "$L", ""]),
    )
    text = ""
    for _ in range(draw(st.integers(1, 4))):
        rank = draw(ranks)
        suit = draw(st.sampled_from("xxyyzwsh" if rank == "" else ["", "", "", "x", "x", "y", "s"]))
        text += rank + suit
    return text


@st.composite
def spans(draw):
    """Cards that move up, down or to another end."""
    ranks = draw(st.lists(st.sampled_from(range(3, 10)), min_size=1, max_size=3))
    suits = [draw(st.sampled_from(["", "", "x", "y", "h"])) for _ in ranks]
    written = ["".join(naive_ranges.RANKS[rank + by] + suit for rank, suit in zip(ranks, suits, strict=True)) for by in (-3, -1, 0, 2, 3)]
    return draw(st.sampled_from([written[2] + "+", written[2] + "-", f"{written[4]}-{written[0]}", f"{written[1]}-{written[3]}"]))


words = st.sampled_from(["ds", "ss", *(f"${word}" for word in WORDS if word != "rainbow"), "RR$ds", "A$np"])
terms = st.one_of(patterns(), spans(), words)
expressions = st.recursive(
    terms,
    lambda inner: st.one_of(
        st.builds("{}{}{}".format, inner, st.sampled_from([",", ", ", ":", "!", " ! "]), inner),
        st.builds("({})".format, inner),
        st.builds("!{}".format, st.one_of(terms, st.builds("({})".format, inner))),
    ),
    max_leaves=4,
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(expressions)
def test_any_expression_is_what_a_slow_reading_finds(text):
    hands = SOME_FOUR_CARDS
    assert np.array_equal(contains(text, hands), naive_ranges.contains(text, hands))


@settings(max_examples=15, deadline=None, derandomize=True)
@given(terms, st.sampled_from([5, 6]))
def test_any_pattern_of_more_cards_is_what_a_slow_reading_finds(text, hole_cards):
    hands = SOME_HANDS[hole_cards]
    assert np.array_equal(contains(text, hands), naive_ranges.contains(text, hands))


@large
@settings(max_examples=15, deadline=None, derandomize=True)
@given(expressions)
def test_classes_and_all_hands_agree(text):
    found = contains(text, FOUR_CARDS)
    assert count_hands(text, 4) == found.sum()
    try:
        mask = compile_range(text, 4)
    except RangeError as error:
        assert "names the suit" in error.message
    else:
        assert classes_of(4)[1][mask].sum() == found.sum()


@large
@settings(max_examples=15, deadline=None, derandomize=True)
@given(expressions, st.sampled_from([4, 5]))
def test_examples_are_of_the_range_and_all_different(text, hole_cards):
    summary = summarize(text, hole_cards, n_examples=6)
    assert contains(text, summary.examples).all() or not len(summary.examples)
    assert len(np.unique(np.sort(summary.examples, axis=1), axis=0)) == len(summary.examples) <= 6
    assert (len(summary.examples) > 0) == (summary.hands > 0)
    assert np.array_equal(summary.examples, summarize(text, hole_cards, n_examples=6).examples)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("AAxx", "As2sAh9d", "AsAh9d2c"),
        ("AARR", "AsAhKsKd", "AsAhAdAc"),
        ("AxKx", "AsKsQd2c", "AsKdQs2d"),
        ("ssxx", "AsKsQd2d", "AsKsQs2s"),
        ("T8+", "AcQd2h2s", "AcTd7h6s"),
        ("JT98-", "5s4s3s2h", "As4s3s2h"),
        ("AA!KK:ds", "AsAhQsJh", "AsAhKsKh"),
        ("AA!(KK:ds)", "AsAhKdKc", "AsAhKsKh"),
    ],
)
def test_hands_in_and_out_of_a_range(text, inside, outside):
    assert contains(text, np.stack([parse_cards(inside), parse_cards(outside)])).tolist() == [True, False]


def test_long_lists_and_deep_nesting_end_in_a_result_or_a_message():
    assert len(parse(",".join(["AA"] * 5_000)).root.parts) == 5_000
    for deep in ("(" * 10_000, "!" * 10_000 + "A"):
        with pytest.raises(RangeError, match="inside each other"):
            parse(deep)
    with pytest.raises(RangeError) as refusal:
        parse("AA," * 500 + "A[," + "AA," * 500)
    assert len(str(refusal.value)) < 250
    assert "...A,AA" in str(refusal.value)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("AKT2RO*xysdh[]()+-,:!%$ 156nph\n"), max_size=14))
def test_any_text_is_an_expression_or_a_mistake_within_it(text):
    try:
        parse(text)
    except RangeError as error:
        assert 0 <= error.position <= len(text)
        assert "\n" not in str(error)


class TestPercentages:
    @pytest.fixture(autouse=True)
    def tables(self, monkeypatch):
        """Stand-ins for the shipped rankings, of random shares: {(hole_cards, hi_lo, opponents): percentile table}."""
        made = {}

        def table(hole_cards, hi_lo, opponents):
            if opponents not in (1, 5):
                raise RankingError("there is no such ranking; make it")
            key = hole_cards, hi_lo, opponents
            if key not in made:
                rng = np.random.default_rng(hole_cards + 10 * hi_lo + 100 * opponents)
                made[key] = percentiles(rng.random(N_CLASSES[hole_cards], np.float32), hole_cards)
            return made[key]

        monkeypatch.setattr(sim.ranges.classes, "percentile_table", table)
        self.made = made

    def test_the_best_hands_are_those_that_fewer_hands_are_better_than(self):
        mask = compile_range("15%", 4)
        assert list(self.made) == [(4, False, 5)]
        assert np.array_equal(mask, self.made[4, False, 5] < 0.15 * 65536)
        assert count_hands("15%", 4) / comb(52, 4) == pytest.approx(0.15, abs=24 / comb(52, 4) + 1 / 65536)

    def test_a_band_is_the_wide_part_without_the_narrow_one(self):
        band = compile_range("5%-20%", 4)
        assert np.array_equal(band, compile_range("20%", 4) & ~compile_range("5%", 4))
        assert np.array_equal(band, compile_range("20%!5%", 4))
        assert compile_range("100%", 4).all()
        assert not compile_range("0%", 4).any()
        assert np.array_equal(compile_range("0%-12.5%", 4), compile_range("12.5%", 4))

    def test_the_ranking_is_that_of_the_variant_and_the_players(self):
        compile_range("15%", 4, True, 1)
        assert list(self.made) == [(4, True, 1)]
        assert np.array_equal(compile_range("15%2h", 4), self.made[4, False, 1] < 0.15 * 65536)
        assert np.array_equal(compile_range("5%-15%6h", 4, opponents=1), compile_range("5%-15%", 4, opponents=5))

    def test_single_hands_are_ranked_by_their_class(self):
        representatives, _ = classes_of(4)
        reordered = (representatives ^ 1)[:, ::-1]  # clubs and diamonds, hearts and spades change places; and the cards
        assert np.array_equal(contains("AA:30%", reordered), compile_range("AA:30%", 4))

    def test_a_missing_ranking_is_a_mistake_at_the_percentage(self):
        with pytest.raises(RangeError, match="no such ranking") as refusal:
            compile_range("AA,15%", 4, opponents=3)
        assert refusal.value.position == 3
