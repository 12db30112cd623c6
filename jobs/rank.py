"""Rank starting hands: `python -m jobs.rank variant=omaha5 opponents=1` or `omaha-sim rank variant=omaha5 opponents=1`."""

import sys
from typing import Any

from sim.plan import MAX_HANDS, MAX_SEED, Compute
from sim.rules import Variant

from . import cli
from .folders import run_directory
from .values import check_keys, convert, fill, number_within

KEYS = ("variant", "opponents", "deals", "seed", "compute", "out", "resume", "shard_deals")


def rank(config: dict[str, Any]) -> int:
    """Check the configuration, then make the rankings it asks for. Returns the exit code."""
    check_keys(config, KEYS)
    variant = fill(Variant, "variant", config["variant"])
    opponents = convert(tuple[int, ...], "opponents", config["opponents"])
    seed = number_within("seed", config["seed"], 0, MAX_SEED)
    deals = None if config["deals"] is None else number_within("deals", config["deals"], 1, MAX_HANDS)
    shard_deals = None if config["shard_deals"] is None else number_within("shard_deals", config["shard_deals"], 1, MAX_HANDS)
    compute = fill(Compute, "compute", config["compute"])
    out, resume = run_directory(config)
    from sim.rank import DEALS, RankedGame, RankSpec, automatic_shard_deals  # late: it loads the compiler
    from sim.rank import rank as make

    game = RankedGame(f"omaha{variant.hole_cards}", variant.hole_cards, opponents)
    deals = deals or DEALS[variant.hole_cards]
    spec = RankSpec(deals, seed, (game,), shard_deals or automatic_shard_deals(deals))
    return make(spec, compute, out, resume, variant.hi_lo)


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("rank", rank)


if __name__ == "__main__":
    sys.exit(main())
