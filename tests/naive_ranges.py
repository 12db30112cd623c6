"""The slow obvious twin of sim.ranges: an expression rewritten as Python on arrays of hands, each pattern tried under every assignment."""

import re
from itertools import permutations

import numpy as np

RANKS, SUITS = "23456789TJQKA", "cdhs"
CLASSES = {"R": "AKQJT", "B": "AKQJ", "F": "KQJ", "N": "KQJT9", "M": "T987", "Z": "65432", "L": "A8765432", "W": "A5432"}
CARD = re.compile(r"(\[[^\]]*\]|\$[A-Z]|[A-Z2-9*]|(?=[cdhswxyz]))([cdhswxyz]?)")
OPERATORS = {",": "+", ":": "*", "!": "/", "(": "(", ")": ")"}


class Hands:
    """A subset of hands with the language's operators as Python's of the same order of precedence."""

    def __init__(self, found):
        self.found = found

    def __add__(self, other):
        return Hands(self.found | other.found)

    def __mul__(self, other):
        return Hands(self.found & other.found)

    def __truediv__(self, other):
        return Hands(self.found & ~other.found)

    def __invert__(self):
        return Hands(~self.found)


def contains(text, hands):
    """(n,) bool: which of the hands, (n, n_hole) card ids, are in the range; `text` must be right, without percentages."""
    parts = re.split(r"((?<!\[)[,:!()](?![^\[]*\]))", "".join(text.split()))  # not at a comma in brackets
    python, names, operand = "", {}, False
    for part in parts:
        if part in OPERATORS:
            python += "~" if part == "!" and not operand else OPERATORS[part]
            operand = part == ")"
        elif part:
            names[f"h{len(names)}"] = Hands(term(part, hands))
            python += f"h{len(names) - 1}"
            operand = True
    return eval(python, names).found


def term(text, hands):
    """One word or pattern, with words joined to it by $."""
    cards, *words = re.split(r"\$(?=[a-z])", text)
    found = np.ones(len(hands), bool)
    if cards in ("ds", "ss", "rainbow"):
        words, cards = [cards], ""
    for word in words:
        found &= shape(word, hands)
    if cards:
        found &= np.logical_or.reduce([pattern(each, hands) for each in span(cards)])
    return found


def shape(word, hands):
    """(n,) bool: which hands have the shape, by how many cards each suit and each rank has, the most first."""
    suits = -np.sort([-(hands % 4 == suit).sum(axis=1) for suit in range(4)], axis=0)
    ranks = -np.sort([-(hands // 4 == rank).sum(axis=1) for rank in range(13)], axis=0)
    return {
        "ds": suits[1] >= 2,
        "ss": (suits[0] >= 2) & (suits[1] < 2) & (suits[2] > 0),
        "rainbow": suits[0] == 1,
        "np": ranks[0] == 1,
        "op": (ranks[0] == 2) & (ranks[1] == 1),
        "tp": (ranks[0] == 2) & (ranks[1] == 2) & (ranks[2] <= 1),
        "nt": ranks[0] <= 2,
    }[word]


def span(text):
    """The patterns that a span stands for, as texts."""
    ends = re.fullmatch(r"([^\[\]+-]+)([+-])([^\[\]+-]*)", text)
    if not ends:
        return [text]
    first, sign, last = ends.groups()
    texts = [first]
    while texts[-1] != last and (last or not set("A" if sign == "+" else "2") & set(texts[-1])):
        towards = last or ("A" if sign == "+" else "2") * len(first)
        texts.append("".join(step(a, b) if not last or a != c else a for a, b, c in zip(texts[-1], towards, last or towards, strict=True)))
    return texts


def step(letter, towards):
    """The next rank in that direction; what is no rank stays."""
    if letter not in RANKS:
        return letter
    return RANKS[RANKS.index(letter) + (1 if RANKS.index(towards) > RANKS.index(letter) else -1)]


def pattern(text, hands):
    texts = [match.groups() for match in CARD.finditer(text)]
    cards = [read(*each) for each in texts]
    found = np.zeros(len(hands), bool)
    ranks, suits = hands // 4, hands % 4
    tried = set()
    for places in permutations(range(hands.shape[1]), len(cards)):
        assignment = tuple(sorted(zip(texts, places, strict=True)))
        if assignment in tried:  # equal cards in another order
            continue
        tried.add(assignment)
        rows = np.flatnonzero(~found)
        for place, (allowed, *_) in zip(places, cards, strict=True):
            rows = rows[allowed[hands[rows, place]]]
        for i, (_, rank_i, suit_i) in enumerate(cards):
            for j, (_, rank_j, suit_j) in enumerate(cards[:i]):
                for name, other, part in ((rank_i, rank_j, ranks), (suit_i, suit_j, suits)):
                    if "?" not in (name, other) and not name == other == "named":
                        same = part[rows, places[i]] == part[rows, places[j]]
                        rows = rows[same if name == other else ~same]
        found[rows] = True
    return found


def read(rank, suit):
    """(which cards, variable of its rank, variable of its suit): a variable may be "?" (free) or "named"."""
    allowed, rank_name, suit_name = np.ones(52, bool), "?", "?"
    cards = np.arange(52)
    if rank.startswith("["):
        inside = re.sub(r"([^,\[\]])([+-])([^,\[\]]?)", lambda span: every(*span.groups()), rank.strip("[]")).replace(",", "")
        named = {"rank": set(inside) & set(RANKS), "suit": set(inside) & set(SUITS)}
        rank_name, suit_name = ("named" if named["rank"] else "?"), ("named" if named["suit"] else "?")
        if rank_name == suit_name == "named":
            listed = [inside[i : i + 2] for i in range(0, len(inside), 2)]
            allowed = np.array([RANKS[card // 4] + SUITS[card % 4] in listed for card in cards])
        else:
            allowed = np.array([RANKS[card // 4] in inside or SUITS[card % 4] in inside for card in cards])
    elif rank.startswith("$"):
        rank_name, allowed = "named", np.array([RANKS[card // 4] in CLASSES[rank[1]] for card in cards])
    elif rank and rank in RANKS:
        rank_name, allowed = "named", cards // 4 == RANKS.index(rank)
    elif rank not in ("", "*"):
        rank_name = rank
    if suit and suit in SUITS:
        suit_name = "named"
        allowed = allowed & (cards % 4 == SUITS.index(suit))
    elif suit:
        suit_name = suit
    return allowed, rank_name, suit_name


def every(first, sign, last):
    """All ranks of a span in a list."""
    low, high = sorted((RANKS.index(first), RANKS.index(last or ("A" if sign == "+" else "2"))))
    return RANKS[low : high + 1]
