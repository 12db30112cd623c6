"""The engines that the rule cases and worked examples are played on; each answers like `reference.ReferenceHand`."""

from reference import ReferenceHand

from sim.cards import format_cards
from sim.stepping import Hand, Posts


class KernelHand(Hand):
    """The kernels, asked in the words of the reference."""

    def __init__(self, variant, structure, stakes, house, rake, stacks, button, posts=None):
        if posts is not None:
            live = posts["live"]
            straddle = max(live, key=live.get) if max(live.values(), default=0) > stakes.big_blind else None
            posts = Posts(posts["small_blind_seat"], posts["big_blind_seat"], straddle, live, posts["dead"])
        super().__init__(variant, structure, stakes, house, rake, stacks=stacks, button=button, posts=posts)

    def legal(self):
        bounds = super().legal()._asdict()
        return {key: value if value or key == "call_to" else None for key, value in bounds.items()}

    def act(self, to):
        try:
            super().act(to)
        except (ValueError, AttributeError) as error:
            raise AssertionError(str(error)) from error

    def _check_cards(self, holes, board):
        """Cards of the cases are taken as they are: sp-009 has the queen of spades twice."""

    def settle(self, holes, board):
        done = super().settle({seat: _text(cards) for seat, cards in holes.items()}, _text(board))
        uncalled = {"seat": done.uncalled[0], "amount": done.uncalled[1]} if done.uncalled else None
        pots = [
            {"amount": pot.amount, "eligible": list(pot.eligible), "rake": pot.rake, "high": pot.high, "low": pot.low} for pot in done.pots
        ]
        return {
            "net": list(done.net),
            "rake": done.rake,
            "uncalled": uncalled,
            "pots": pots,
            "order": list(done.order),
            "shown": set(done.shown),
        }


def _text(cards):
    return cards if isinstance(cards, str) else format_cards(cards)


ENGINES = {"reference": ReferenceHand, "kernels": KernelHand}
