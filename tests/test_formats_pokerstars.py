"""PokerStars text: the hands it gives, back and forth, and what is said of texts that are broken."""

import pytest
from msgspec.structs import replace
from replayed import HAND, REAL_HANDS, SHOWN, replay_file, replay_hands

from sim.formats import cases, pokerstars, pokerstars_reading
from sim.formats.history import Collected, Game, History, Post, Uncalled
from sim.formats.reading import open_lines

# In the way of the site, in our own words: a newcomer, chat, one who sits out, names with colons, a side pot, money.
CASH = """\
PokerStars Hand #200000000001:  Omaha Hi/Lo Pot Limit ($0.50/$1.00 USD) - 2024/02/03 20:10:00 ET
Table 'Ceres II' 6-max Seat #5 is the button
Seat 1: anna ($50 in chips)
Seat 2: b: ob ($20.50 in chips)
Seat 3: carl ($100 in chips) is sitting out
Seat 5: dora ($1,080.25 in chips)
Seat 6: b ($9 in chips)
anna: posts small blind $0.50
b: ob: posts big blind $1
b: posts small & big blinds $1.50
*** HOLE CARDS ***
Dealt to anna [As 2s Kh Kd]
dora said, "good luck"
dora: raises $2 to $3
b: raises $5.50 to $8.50 and is all-in
b: ob leaves the table
anna: calls $8
b: ob: folds
dora: calls $5.50
*** FLOP *** [3h 4c Ks]
anna: checks
dora: bets $10
anna: calls $10
*** TURN *** [3h 4c Ks] [9d]
anna: bets $31.50 and is all-in
dora: calls $31.50
*** RIVER *** [3h 4c Ks 9d] [5h]
*** SHOW DOWN ***
anna: shows [As 2s Kh Kd] (HI: a straight, Ace to Five; LO: 5,4,3,2,A)
dora: mucks hand
anna collected $40.75 from side pot
anna collected $40.74 from side pot
b: shows [Qh Qd Jh Jd] (HI: a pair of Queens)
anna collected $13.26 from main pot
anna collected $13.25 from main pot
*** SUMMARY ***
Total pot $110 Main pot $26.51. Side pot $81.49. | Rake $2
Board [3h 4c Ks 9d 5h]
Seat 1: anna (small blind) showed [As 2s Kh Kd] and won ($108)
Seat 2: b: ob (big blind) folded before Flop
Seat 5: dora (button) mucked [7h 7d 8h 8d]
Seat 6: b showed [Qh Qd Jh Jd] and lost
"""
TOURNAMENT = """\
PokerStars Hand #200000000002: Tournament #77, $4.50+$0.50 USD Omaha Hi/Lo Limit - Level II (20/40) - 2024/02/03 20:15:00 ET
Table '77 1' 9-max Seat #1 is the button
Seat 1: anna (1500 in chips)
Seat 4: bert (30 in chips, $2.25 bounty)
Seat 9: cleo (1,470 in chips) is sitting out
anna: posts the ante 2
bert: posts the ante 2
cleo: posts the ante 2
bert: posts small blind 10
cleo: posts big blind 20
*** HOLE CARDS ***
anna: folds
bert: calls 10
cleo: folds
bert collected 46 from pot
bert: doesn't show hand
*** SUMMARY ***
Total pot 46 | Rake 0
Seat 1: anna (button) folded before Flop (didn't bet)
"""


def read(text: str) -> list[tuple[int, History | str]]:
    return list(pokerstars_reading.read(text.encode().splitlines(keepends=True)))


def read_one(text: str) -> History:
    ((_, hand),) = read(text)
    assert isinstance(hand, History), hand
    return hand


def test_cash_hand():
    hand = read_one(CASH)
    assert hand.game == Game(4, "8-or-better", "pot_limit", 50, 100)
    assert (hand.id, hand.unit, hand.currency, hand.button, hand.table) == ("200000000001", "cent", "USD", 5, "Ceres II")
    stacks = {"anna": 5000, "b: ob": 2050, "dora": 108025, "b": 900}  # carl, who sits out, was not dealt in
    assert {seat.name: seat.stack for seat in hand.seats} == stacks
    assert replay_hands(hand).differences == []
    assert hand.posts[2] == Post(6, "small_and_big_blind", 150, 100, out_of_position=True)
    assert [(action.seat, action.do, action.put, action.to) for action in hand.streets[0].actions[:3]] == [
        (5, "raise", 300, 300),
        (6, "raise", 750, 850),
        (1, "call", 800, 850),
    ]
    assert hand.streets[2].actions[0].all_in
    assert [street.board for street in hand.streets] == ["", "3h4cKs", "3h4cKs9d", "3h4cKs9d5h"]
    assert [(shown.seat, shown.hole, shown.mucked) for shown in hand.shown] == [
        (1, "As2sKhKd", False),
        (5, "7h7d8h8d", True),
        (6, "QhQdJhJd", False),
    ]
    assert (hand.shown[0].hi, hand.shown[0].lo) == ("a straight, Ace to Five", "5,4,3,2,A")
    assert (hand.total_pot, hand.rake, hand.collected[-1]) == (11000, 200, Collected(1, 1325, "main"))


def test_tournament_hand_of_players_who_sit_out():
    hand = read_one(TOURNAMENT)
    assert hand.game == Game(4, "8-or-better", "fixed_limit", 10, 20, 2, 20, 40)  # the header of a limit game has its bets
    assert (hand.unit, hand.tournament, len(hand.seats)) == ("chip", "77", 3)
    assert hand.seats[1].stack == 30
    assert replay_hands(hand).differences == []


@pytest.mark.parametrize(
    ("header", "blinds", "game"),
    [
        ("PokerStars Zoom Hand #1:  Omaha Pot Limit (€0.05/€0.10) - 2020/01/01", ("€0.05", "€0.10"), Game(4, None, "pot_limit", 5, 10)),
        ("PokerStars Game #1:  Omaha No Limit ($1/$2 - $60 Cap - USD) - 2020/01/01", ("$1", "$2"), Game(4, None, "no_limit", 100, 200)),
        ("PokerStars Hand #1:  5 Card Omaha Hi/Lo Pot Limit (50/100) - 2020", ("50", "100"), Game(5, "8-or-better", "pot_limit", 50, 100)),
        ("PokerStars Hand #1:  6 Card Omaha Pot Limit (£10/£25 GBP) - 2020/01/01", ("£10", "£25"), Game(6, None, "pot_limit", 1000, 2500)),
        (
            "PokerStars Hand #1:  8-Game (Omaha Hi/Lo Limit, $2/$4 USD) - 2020/01/01",
            ("$1", "$2"),
            Game(4, "8-or-better", "fixed_limit", 100, 200, 0, 200, 400),
        ),
        (
            "PokerStars Home Game Hand #1: {Club (x/y)} Tournament #9, 10+1 8-Game (Omaha Pot Limit) - Round I, Level I (1,000/2,000)",
            ("1000", "2000"),
            Game(4, None, "pot_limit", 1000, 2000),
        ),
    ],
)
def test_headers(header, blinds, game):
    lines = [
        header,
        "Table 'x' 2-max Seat #1 is the button",
        "Seat 1: a (5000 in chips)",
        "Seat 2: b (5000 in chips)",
        f"a: posts small blind {blinds[0]}",
        f"b: posts big blind {blinds[1]}",
        "*** HOLE CARDS ***",
        "a: folds",
        "*** SUMMARY ***",
        "Total pot 0 | Rake 0",
    ]
    hand = read_one("\n".join(lines))
    assert (hand.game, hand.unit) == (game, "chip" if blinds[0][0].isdigit() else "cent")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("Omaha Hi/Lo Pot Limit", "Hold'em No Limit", 1, 'unknown game "Hold\'em No Limit"; known: Omaha and Omaha Hi/Lo'),
        ("($0.50/$1.00 USD)", "", 1, "no stakes in "),
        ("Seat #5 is the button", "", 2, "no line says which seat is the button"),
        ("dora: bets $10", "dora: ponders", 22, "unknown action of dora: 'ponders'"),
        ("dora: raises $2 to $3", "dora: raises $2 to $3\ndora: raises $1 to $2", 15, "a raise to less than the 300"),
        ("*** RIVER *** [3h", "*** SECOND RIVER *** [3h", 27, "a board that was run more than once"),
        ("Total pot", "Pot", 42, "the summary has no line 'Total pot'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, line, message):
    assert old in CASH
    entries = read(CASH.replace(old, new, 1) + "\n\n" + TOURNAMENT)
    assert entries[0][0] == line
    assert isinstance(entries[0][1], str) and entries[0][1].startswith(message)
    assert isinstance(entries[1][1], History)  # the rest goes on


def test_text_that_is_cut_off_is_named():
    ((line, message),) = read(CASH[: CASH.index("*** RIVER")])
    assert (line, message) == (26, "the hand is cut off: it has no summary")


def test_text_in_another_encoding_is_named():
    entries = list(pokerstars_reading.read(CASH.replace("carl", "jürg").encode("latin-1").splitlines()))
    assert entries[0][0] == 5 and "not UTF-8 text" in str(entries[0][1])


def test_text_of_another_site_is_named():
    ((line, message),) = read("***** Hand History for Game 1 *****\n$1/$2 Omaha\n")
    assert (line, message[:22]) == (1, "not a PokerStars hand:")


def test_byte_order_mark_and_windows_lines():
    text = ("\ufeff" + CASH).replace("\n", "\r\n")
    assert read_one(text) == read_one(CASH)


@pytest.mark.parametrize("hand", [HAND, SHOWN])
def test_written_hands_come_back(hand, tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text("".join(pokerstars.write([hand])))
    back = read_one(path.read_text())
    assert (back.game, back.posts, back.streets, back.uncalled, back.total_pot, back.rake) == (
        hand.game, hand.posts, hand.streets, hand.uncalled, hand.total_pot, hand.rake,
    )  # fmt: skip
    assert replay_file(path).differences == []


def test_money_is_written_as_the_site_writes_it():
    hand = replace(HAND, unit="cent", currency="USD", game=replace(HAND.game, small_blind=50, big_blind=100), uncalled=Uncalled(4, 125))
    text = pokerstars.write_hand(hand)
    assert "($0.50/$1.00 USD)" in text
    assert "Uncalled bet ($1.25) returned to Player 4" in text
    assert "Seat 2: Player 2 ($2 in chips)" in text


def test_real_hands_survive_the_text(tmp_path):
    path = REAL_HANDS / "real_hands.jsonl.gz"
    if not path.exists():
        pytest.skip("no real_hands.jsonl.gz beside the repository")
    hands = [hand for _, hand in cases.read(open_lines(path)) if isinstance(hand, History)]
    for hand in hands:
        back = read_one(pokerstars.write_hand(hand))
        assert back.streets == hand.streets
        assert sorted(post[:4] for post in map(tuple_of, back.posts)) == sorted(post[:4] for post in map(tuple_of, hand.posts))
        assert (back.uncalled, back.total_pot, back.rake, back.fees) == (hand.uncalled, hand.total_pot, hand.rake, hand.fees)


def tuple_of(post: Post) -> tuple:
    return (post.seat, post.kind, post.amount, post.live)
