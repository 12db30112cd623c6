"""PHH: hands of others read by the text of the standard, own hands back and forth, and what is said of broken ones."""

import pytest
from msgspec.structs import replace
from replayed import HAND, REAL_HANDS, SHOWN, replay_file, replay_hands

from sim.formats import cases, phh, phh_reading
from sim.formats.history import History, Post, Uncalled
from sim.formats.reading import open_lines

# As others write it: no own fields, comments, unknown cards, amounts with decimals, heads-up blinds in reverse order.
FOREIGN = """\
# a hand heads-up: p2 is the button and small blind
variant = 'PO'
ante_trimming_status = true
antes = [0, 0]
blinds_or_straddles = [0.5, 1]
min_bet = 1
starting_stacks = [100, 80.25]
actions = [
  'd dh p1 ????????',
  'd dh p2 AsAhKsKh',
  '# p2 looks twice',
  'p2 cbr 3 # the most',
  'p1 cc',
  'd db 2c7dJh', # flop
  'p1 cc', 'p2 cbr 5.5', 'p1 f',
]
finishing_stacks = [97, 83.1]
"""


UNSEEN = tuple(replace(seat, hole=None) for seat in HAND.seats)


def read(text: str) -> list[tuple[int, History | str]]:
    return list(phh_reading.read(text.encode().splitlines(keepends=True)))


def read_one(text: str) -> History:
    ((_, hand),) = read(text)
    assert isinstance(hand, History), hand
    return hand


def test_hand_of_another_program():
    hand = read_one(FOREIGN)
    assert (hand.unit, hand.game.small_blind, hand.game.big_blind) == ("cent", 50, 100)
    assert [seat.stack for seat in hand.seats] == [10000, 8025]
    assert hand.posts == (Post(1, "big_blind", 100, 100), Post(2, "small_blind", 50, 50))
    assert (hand.button, hand.seats[1].hole, hand.seats[0].hole) == (2, "AsAhKsKh", None)
    assert hand.rake == 15  # what the finishing stacks are short of the starting ones
    totals = replay_hands(hand)
    assert (totals.differences, totals.sum().fully) == ([], 1)


def test_wrong_finishing_stack_is_found():
    hand = read_one(FOREIGN.replace("83.1", "83.05").replace("[97,", "[97.05,"))
    assert {(row.field, row.seat) for row in replay_hands(hand).differences} == {("final stack", 1), ("final stack", 2)}


def test_raise_over_the_pot_is_found():
    assert [row.field for row in replay_hands(read_one(FOREIGN.replace("cbr 3 ", "cbr 3.01 "))).differences] == ["raise, action 1"]


def test_bets_of_fixed_limit_hi_lo():
    text = """\
variant = "FO/8"
antes = [0, 0, 0]
blinds_or_straddles = [10, 20, 0]
small_bet = 20
big_bet = 40
starting_stacks = [500, 500, 15]
actions = ["d dh p1 As2s3s4s", "d dh p2 KsKhKdKc", "d dh p3 QsQhQdQc", "p3 cc", "p1 cbr 40", "p2 f",
  "d db 5h6h7h", "d db 8d", "d db Jc", "p1 sm As2s3s4s"]
"""
    hand = read_one(text)
    assert (hand.game.small_blind, hand.game.big_blind, hand.game.small_bet, hand.game.big_bet) == (10, 20, 20, 40)
    assert (hand.posts, hand.button) == ((Post(1, "small_blind", 10, 10), Post(2, "big_blind", 20, 20)), 3)
    totals = replay_hands(hand)
    assert (totals.differences, totals.sum().as_far_as_shown) == ([], 1)  # without winnings there is nothing to compare at the end


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ((4, None, "pot_limit"), "PO"),
        ((4, "8-or-better", "fixed_limit"), "FO/8"),
        ((4, "8-or-better", "pot_limit"), "omaha-sim:PO/8"),
        ((4, None, "no_limit"), "omaha-sim:NO"),
        ((5, None, "pot_limit"), "omaha-sim:PO5"),
        ((6, "8-or-better", "fixed_limit"), "omaha-sim:FO6/8"),
    ],
)
def test_no_code_pretends_to_be_of_the_standard(game, code):
    hole_cards, low, structure = game
    hand = replace(HAND, game=replace(HAND.game, hole_cards=hole_cards, low=low, structure=structure), seats=UNSEEN)
    assert phh.variant_code(hand.game) == code
    text = phh.write_hand(hand)
    assert ("_variant" in text) == (code not in ("PO", "FO/8"))
    back = read_one(text).game
    assert (back.hole_cards, back.low, back.structure) == game


@pytest.mark.parametrize("hand", [HAND, SHOWN, replace(SHOWN, unit="cent", currency="EUR", table='x\ty"z\\', tags=("a",), notes=("ü",))])
def test_written_hands_come_back(hand, tmp_path):
    path = tmp_path / "hands.phhs"
    path.write_text("".join(phh.write([hand, hand], numbered=True)), encoding="utf-8")
    entries = read(path.read_text(encoding="utf-8"))
    assert len(entries) == 2
    back = entries[1][1]
    assert isinstance(back, History)
    assert (back.game, back.posts, back.board, back.uncalled, back.rake) == (hand.game, hand.posts, hand.board, hand.uncalled, hand.rake)
    assert (back.id, back.unit, back.site, back.table, back.tags, back.notes) == (
        hand.id,
        hand.unit,
        hand.site,
        hand.table,
        hand.tags,
        hand.notes,
    )
    assert [seat.seat for seat in back.seats] == [2, 4, 7]
    totals = replay_file(path)
    assert (totals.differences, totals.sum().fully) == ([], 2)


def test_posts_that_two_arrays_cannot_say_are_written_one_by_one():
    posts = (*HAND.posts, Post(7, "dead", 5, 0, out_of_position=True))
    text = phh.write_hand(replace(HAND, posts=posts))
    assert '_posts = [{player = 1, kind = "small_blind"' in text
    assert read_one(text).posts == posts
    assert "_posts" not in phh.write_hand(HAND)


def test_real_hands_survive_phh(tmp_path):
    path = REAL_HANDS / "real_hands.jsonl.gz"
    if not path.exists():
        pytest.skip("no real_hands.jsonl.gz beside the repository")
    hands = [hand for _, hand in cases.read(open_lines(path)) if isinstance(hand, History)]
    text = "".join(phh.write(hands, numbered=True))
    entries = read(text)
    assert len(entries) == len(hands)
    for hand, (_, back) in zip(hands, entries, strict=True):
        assert isinstance(back, History), back
        assert (back.uncalled, back.rake, back.fees, back.site, back.tags) == (hand.uncalled, hand.rake, hand.fees, hand.site, hand.tags)
        assert [(street.name, street.board, len(street.actions)) for street in back.streets] == [
            (street.name, street.board, len(street.actions)) for street in hand.streets
        ]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("variant = 'PO'", "variant = 'NT'", 1, "variant: 'NT'; a game without Omaha rules; known: PO, FO/8"),
        ("variant = 'PO'", "variant = 'PLO'", 1, "variant: 'PLO'; unknown game; known: PO, FO/8"),
        ("variant = 'PO'", "variant = 'omaha-sim:PO7'", 1, "variant: 'omaha-sim:PO7'; unknown game"),
        ("variant = 'PO'", "", 1, "variant: missing"),
        ("antes = [0, 0]", "antes = [0]", 1, "antes: 1 values for 2 players"),
        ("antes = [0, 0]", "antes = [0, 0", 5, "not TOML: "),
        ("[100, 80.25]", "[inf, 80.25]", 1, "starting_stacks: Infinity is no amount"),
        ("[100, 80.25]", "[100, 80.255]", 1, "starting_stacks: 80.255 is no amount of money with two decimals"),
        ("[100, 80.25]", "[100, -80.25]", 1, "starting_stacks: -80.25 is no amount"),
        ("'p1 cc',", "'p3 cc',", 1, "actions: 'p3 cc': p3 does not play; players: p1 to p2"),
        ("'p1 cc',", "'p1 bets',", 1, "actions[4]: 'p1 bets' is no action"),
        ("'p1 cc',", "'p1 cbr two',", 1, "actions[4]: 'two' is no amount"),
        ("finishing_stacks = [97", "finishing_stacks = [107", 1, "finishing_stacks: 985 chips more"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, line, message):
    assert old in FOREIGN
    broken = FOREIGN.replace(old, new, 1)
    ((got, text),) = read(broken)
    assert isinstance(text, str)
    assert (got, text[: len(message)]) == (line, message)
    entries = read(f"[1]\n{broken}\n[2]\n{FOREIGN}")
    assert [isinstance(hand, History) for _, hand in entries] == [False, True]  # the rest goes on


def test_card_twice_is_named(tmp_path):
    (malformed,) = replay_hands(read_one(FOREIGN.replace("2c7dJh", "2c7dAs"))).malformed
    assert malformed.message == "hand 1: cards: As is there twice"


def test_text_in_another_encoding_is_named():
    entries = list(phh_reading.read(FOREIGN.replace("looks twice", "zögert").encode("latin-1").splitlines(keepends=True)))
    assert entries[0][0] == 11 and "not UTF-8 text" in str(entries[0][1])


def test_uncalled_bet_of_another_program_is_worked_out():
    assert read_one(FOREIGN).uncalled_stated is False
    assert read_one(phh.write_hand(HAND)).uncalled == Uncalled(4, 60)
