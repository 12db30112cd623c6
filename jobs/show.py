"""Print hands of a run: `python -m jobs.show run=PATH hand=123` or `omaha-sim show run=PATH hand=123`."""

import sys
from typing import Any

from . import cli
from .hands import choose, open_run
from .values import check_keys, number_within

KEYS = ("run", "hand", "where", "first", "scenario")
MOST_HANDS = 10_000


def show(config: dict[str, Any]) -> int:
    """Choose the hands, play each again from the seed and print it. Returns the exit code."""
    check_keys(config, KEYS)
    first = number_within("first", config["first"], 1, MOST_HANDS)
    run, spec = open_run(config)
    from sim.choose_hands import LAST, choose_hands  # late: a refused configuration need not wait for the compiler
    from sim.hand_history import tell_hand
    from sim.show import hand_text

    index, chosen = choose(run, spec, config, first)
    chosen = chosen or choose_hands(run, spec, index, [LAST])
    scenario = spec.scenarios[index]
    if len(spec.scenarios) > 1:
        print(f"scenario {index} of {len(spec.scenarios)}: {scenario.name}\n")
    for hand_id in chosen.hand_ids:
        print(hand_text(tell_hand(scenario, spec.seed, hand_id)))
    if config["where"] is not None:
        more = f"; first={first} of them are printed" if chosen.of > first else ""
        print(f"{chosen.of:,} hand{'s' * (chosen.of != 1)} found{more}")
    return 0


def main() -> int:
    """Run the job with the arguments of this process."""
    return cli.run("show", show)


if __name__ == "__main__":
    sys.exit(main())
