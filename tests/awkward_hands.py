"""Ten hands that are awkward to tell, and one with everything that is paid before the cards; tests/golden/show has their text.

Cards and decisions are chosen; a decision is the seat's total bet of the street, or FOLD.
"""

from dataclasses import dataclass, field

from sim.betting import FOLD
from sim.hand_history import Told, tell
from sim.lineup import Strategy
from sim.plan import Scenario
from sim.rules import House, Rake, Stakes, Variant
from sim.stepping import Hand, Posts

HIGH, HI_LO, SIX = Variant("omaha4"), Variant("omaha4_hilo", 4, True), Variant("omaha6", 6)
NAMES = ("ann", "bob", "cid", "dee", "eva", "fay")
SOME_HOLES = ("2c7dJhKs", "2d7hJsKc", "2h7sJcKd", "2s7cJdKh", "3c9dTh5s", "3d9hTs5c")  # for seats whose cards do not matter


@dataclass(frozen=True)
class Awkward:
    """One hand, before it is played."""

    number: int
    stacks: tuple[int, ...]
    decisions: tuple[int, ...]
    holes: tuple[str, ...]
    board: str
    variant: Variant = HIGH
    structure: str = "pot_limit"
    button: int = 0
    stakes: dict[str, int] = field(default_factory=dict)
    house: House = House()
    rake: Rake = Rake()
    posts: Posts | None = None

    def told(self) -> Told:
        """The hand, played."""
        stakes = Stakes(**{"small_blind": 50, "big_blind": 100, **self.stakes}, stacks=self.stacks)
        lineup = tuple(Strategy(name, "call") for name in NAMES[: len(self.stacks)])
        game = (self.variant, self.structure, stakes, self.house, self.rake)
        scenario = Scenario(f"{self.variant.name}/{self.structure}", *game, lineup)
        hand = Hand(*game, stacks=self.stacks, button=self.button, posts=self.posts)
        holes = dict(enumerate(self.holes))
        return tell(
            hand, self.decisions, scenario, button=self.button, hand_id=self.number, posts=self.posts, holes=holes, board=self.board
        )


HANDS: dict[str, Awkward] = {
    # Four stacks of different size go all-in before the flop against a bigger one: main pot and three side pots, and chips go back.
    "four_pots": Awkward(
        1,
        stacks=(5000, 250, 600, 1500, 3000),
        decisions=(1500, 3000, 5000, 250, 600),
        holes=("AsAdKhQc", "8s8d7c6c", "JsTd9h2h", "KsKdJh5d", "QsQdTc3h"),
        board="8h5c2sKc9d",
        structure="no_limit",
        rake=Rake(basis_points=500, caps=(300,)),
    ),
    # Two seats tie for the low, one of them wins the high half too: the other gets a quarter of the pot.
    "quartered": Awkward(
        2,
        stacks=(10000, 10000, 10000),
        decisions=(300, 300, 300, 0, 900, 900, 900, 0, 0, 0, 1000, 1000, FOLD),
        holes=("KsKdQhQc", "As2sJdJh", "Ad2hTcTh"),
        board="8s7s3dKhTd",
        variant=HI_LO,
        rake=Rake(basis_points=250, caps=(200,)),
    ),
    # The pot is odd and so is its low half, which two seats share.
    "odd_chips": Awkward(
        3,
        stacks=(1000, 1000, 1000, 1000),
        decisions=(21, 21, FOLD, 21, *[0] * 6, 13, 13, 13),
        holes=("Ac2cTdQd", "Ad2dTcJs", "Ah2hKsQc", "KdKcQhQs"),
        board="8s7s3h9cKh",
        variant=HI_LO,
        button=1,
        stakes={"small_blind": 5, "big_blind": 7},
    ),
    # A bet of 200, a raise all-in to 230, another to 290: neither is a full raise, so the bettor may only call.
    "short_all_ins": Awkward(
        4,
        stacks=(3000, 3000, 330, 390),
        decisions=(100, 100, 100, 100, 200, 230, 290, 290, 290, 0, 0, 0, 0),
        holes=("KsKdQhQc", "AsAdJhJc", "9s9dTc8h", "7s7d6h5c"),
        board="9h7c2sJd4h",
    ),
    # The small blind is dead; a seat that missed both blinds posts a live big blind and a dead small blind.
    "dead_blind": Awkward(
        5,
        stacks=(5000, 5000, 5000, 5000),
        decisions=(100, 100, FOLD, 100, 0, 0, 0, 350, FOLD, FOLD),
        holes=SOME_HOLES[:4],
        board="8h5c2s9d3h",
        button=3,
        posts=Posts(None, 0, live={2: 100}, dead={2: 50}),
    ),
    # High and low are played, but the board has only two low cards.
    "no_low": Awkward(
        6,
        stacks=(4000, 4000),
        decisions=(300, 300, 0, 0, 300, 300, 0, 0),
        holes=("As2s3hKd", "Ad2d4cQh"),
        board="KcQs9h7d5h",
        variant=HI_LO,
    ),
    # Everybody folds to the big blind.
    "walk": Awkward(7, stacks=(5000, 5000, 5000), decisions=(FOLD, FOLD), holes=SOME_HOLES[:3], board="8h5c2sKc9d"),
    # The button posts the small blind, acts first before the flop and last after it; fixed limit, capped on the river.
    "heads_up": Awkward(
        8,
        stacks=(2500, 2500),
        decisions=(200, 200, 0, 100, 200, 200, 0, 0, 200, 400, 600, 800, 800),
        holes=("KsKd8h7c", "AsAd9h9c"),
        board="Kc8s2hAc7d",
        structure="fixed_limit",
        button=1,
        stakes={"small_bet": 100, "big_bet": 200},
    ),
    # A live straddle: it acts last before the flop and may raise its own bet.
    "straddle": Awkward(
        9,
        stacks=(5000, 5000, 5000, 5000),
        decisions=(200, FOLD, 200, 800, 800, FOLD, 0, 1700, FOLD),
        holes=SOME_HOLES[:4],
        board="8h5c2sKc9d",
        button=0,
        stakes={"straddle": 200},
    ),
    # Six hole cards of which two play; the first to show is the last aggressor, who loses; one mucks.
    "six_cards": Awkward(
        10,
        stacks=(8000, 8000, 8000),
        decisions=(350, 350, 350, 0, 0, 1000, 1000, 1000, 0, 0, 0, 0, 2000, 2000, 2000),
        holes=("AsAdKhKc7c6d", "QsQdJhJc5s4s", "9s8sTd7h3c2d"),
        board="Qh9c6s5hAc",
        variant=SIX,
        rake=Rake(basis_points=500, caps=(300,)),
    ),
    # Time charge, antes, a big-blind ante and a blind that takes the last chip.
    "short_blind": Awkward(
        11,
        stacks=(2000, 2000, 130),
        decisions=(100, 100, 0, 0, 0, 0, 0, 0),
        holes=("KsKdQhQc", "AsAdJhJc", "9s9dTc8h"),
        board="9h7c2s3d4h",
        stakes={"ante": 10, "big_blind_ante": 100},
        rake=Rake(time_charge=50),
    ),
}
