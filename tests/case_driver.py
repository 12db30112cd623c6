"""Play the hands of the rule cases on an engine and say what came out.

An engine is anything that is called and answers like `reference.ReferenceHand`, including its lists `bet` and `stack` and its `pot`.
The conventions of the cases (seats, actions, cards) are in cases/rule_cases.jsonl: actions are [seat, word, total of the street], a
street's name starts it, "checked down" means free checks to the end.
"""

import json
from pathlib import Path

from sim.rules import House, Rake, Stakes, Variant

CASES = Path(__file__).parent / "cases" / "rule_cases.jsonl"
STRUCTURE_OF_LIMIT = {"pot": "pot_limit", "no": "no_limit", "fixed": "fixed_limit"}
# For hands whose cards do not matter to the case: a lower seat has the better high hand, nobody has a low.
SOME_HOLES = ("AcAdJh8c", "KcKdJs8d", "9c9hJd7c", "5d5hTs7d", "2c2dTc7h", "QcQdTd6h")
SOME_BOARD = "AsKh9d5c2s"


def load_cases() -> dict[str, dict]:
    """All cases by id."""
    return {case["id"]: case for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())}


def rules_of(setup: dict, house: dict | None = None, rake: Rake | None = None) -> tuple[Variant, str, Stakes, House, Rake]:
    """The rules of a case; `house` sets house rules beyond those of the case."""
    game = setup["game"]
    variant = Variant(name="case", hole_cards=game["hole_cards"], hi_lo=game["hi_lo"])
    straddle = setup.get("straddle", {"amount": 0})["amount"]
    sizes = {key: setup[key] for key in ("small_blind", "big_blind", "small_bet", "big_bet", "ante", "big_blind_ante") if key in setup}
    stakes = Stakes(**sizes, straddle=straddle, stacks=tuple(setup["stacks"]))
    chosen = {}
    if "max_raises" in setup:
        chosen["cap"] = setup["max_raises"] + 1
    if "cap_off_heads_up" in setup:
        chosen["cap_off_heads_up"] = setup["cap_off_heads_up"]
    if "blinds_before_ante" in setup:
        chosen["big_blind_ante_order"] = "blind_first" if setup["blinds_before_ante"] else "ante_first"
    if rake is None:
        rake = rake_of(setup.get("rake", {}))
    return variant, STRUCTURE_OF_LIMIT[game["limit"]], stakes, House(**{**chosen, **(house or {})}), rake


def rake_of(taken: dict) -> Rake:
    """The rake of a case ({} for none)."""
    return Rake(
        basis_points=100 * taken.get("percent", 0),
        caps=(taken["cap"],) if "cap" in taken else (),
        no_flop_no_drop=taken.get("no_flop_no_drop", True),
        rounding=taken.get("rounding", "down"),
        scope=taken.get("scope", taken.get("cap_scope", "hand")),
    )


def start(engine, setup: dict, house: dict | None = None, rake: Rake | None = None, posts: dict | None = None):
    """The hand of a case after its posts."""
    return engine(*rules_of(setup, house, rake), setup["stacks"], setup["button"], posts)


def play(hand, actions: list):
    """Take the actions of a case, each checked for its seat and its word; return the hand."""
    for action in actions:
        if isinstance(action, str):
            if hand.over:  # everybody is all-in: the street is dealt without decisions
                continue
            hand.next_street()
            assert action == ("preflop", "flop", "turn", "river")[hand.street]
            continue
        seat, word, *total = action
        assert hand.to_act == seat, f"{action}: seat {hand.to_act} is to act"
        legal = hand.legal()
        if word == "fold":
            hand.act(-1)
        elif word == "check":
            assert legal["call_to"] == hand.bet[seat], f"{action}: there is a bet to call"
            hand.act(legal["call_to"])
        elif word == "call":
            assert legal["call_to"] > hand.bet[seat], f"{action}: there is nothing to call"
            hand.act(legal["call_to"])
        else:
            assert word in ("bet", "raise_to")
            assert total[0] != legal["call_to"], f"{action}: a call, not a raise"
            hand.act(total[0])
    return hand


def play_case(engine, setup: dict, house: dict | None = None, rake: Rake | None = None):
    """The hand of a case after its actions."""
    return play(start(engine, setup, house, rake), setup["actions"])


def check_down(hand):
    """Free checks to the end; return the hand."""
    while not hand.over:
        if hand.to_act is None:
            hand.next_street()
            continue
        legal = hand.legal()
        assert legal["call_to"] == hand.bet[hand.to_act], "there is a bet to call"
        hand.act(legal["call_to"])
    return hand


def settled(hand, setup: dict | None = None) -> dict:
    """The hand checked down and settled, with the cards of the case or some cards."""
    check_down(hand)
    setup = setup or {}
    if "holes" in setup:
        holes = {int(seat): cards for seat, cards in setup["holes"].items()}
    else:
        holes = dict(enumerate(SOME_HOLES[: len(hand.stack)]))
    return hand.settle(holes, setup.get("board", SOME_BOARD))


def decision(hand) -> dict:
    """What the seat to act may do, in the words of the cases."""
    if hand.to_act is None:
        return {"to_act": None}
    legal = hand.legal()
    return {
        "to_act": hand.to_act,
        "to_call": legal["call_to"] - hand.bet[hand.to_act],
        "may_raise": legal["min_raise_to"] is not None,
        "min_raise_to": legal["min_raise_to"],
        "max_raise_to": legal["max_raise_to"],
    }


def plain_pots(result: dict) -> list[dict]:
    """The pots of a settlement as the cases write them."""
    return [
        {
            "amount": pot["amount"],
            "eligible": list(pot["eligible"]),
            "high": {str(seat): chips for seat, chips in pot["high"].items()},
            "low": {str(seat): chips for seat, chips in pot["low"].items()},
        }
        for pot in result["pots"]
    ]


def checked_settlement(hand, setup: dict | None = None) -> dict:
    """`settled`, with the chips counted: nets and rake sum to zero and every pot is paid out."""
    result = settled(hand, setup)
    assert sum(result["net"]) + result["rake"] == 0
    for pot in result["pots"]:
        assert pot["amount"] == pot["rake"] + sum(pot["high"].values()) + sum(pot["low"].values())
    return result
