"""Count a range of starting hands: `python -m jobs.range HANDS [variant=...]` or `omaha-sim range HANDS [variant=...]`."""

import sys
from functools import partial
from typing import Any

from sim.plan import SpecError
from sim.rules import Variant

from . import cli
from .errors import ConfigError
from .values import check_keys, fill, number_within, value_text

MOST_EXAMPLES = 100
RANKED_OPPONENTS = (1, 5)
VALUE_FLAGS = ("--config-dir", "-cd", "--config-name", "-cn", "--config-path", "-cp", "--package", "-p", "--cfg", "-c", "--info", "-i")


def show_range(given: list[str], config: dict[str, Any]) -> int:
    """Print what the range amounts to; `given` are the ranges among the arguments. Returns the exit code."""
    check_keys(config, ("hands", "opponents", "examples", "variant"))
    text = expression(given, config["hands"])
    variant = fill(Variant, "variant", config["variant"])
    n_examples = number_within("examples", config["examples"], 0, MOST_EXAMPLES)
    opponents = number_within("opponents", config["opponents"], min(RANKED_OPPONENTS), max(RANKED_OPPONENTS))
    if opponents not in RANKED_OPPONENTS:
        raise SpecError("opponents", f"{opponents}; allowed: {', '.join(map(str, RANKED_OPPONENTS))}")
    from sim.cards import format_cards
    from sim.ranges import RangeError, summarize  # late: it loads the compiler, which a refused configuration need not wait for

    try:
        summary = summarize(text, variant.hole_cards, variant.hi_lo, opponents, n_examples)
    except RangeError as error:
        print(f"error: {error.picture()}", file=sys.stderr)
        return 2
    if summary.classes is None:
        classes = "suits are named, so it is no set of classes: strategies cannot use it"
    else:
        classes = f"{summary.classes:,} of {summary.all_classes:,} classes"
    part = 100 * summary.hands / summary.all_hands
    print(f"{text} in {variant.name}: {summary.hands:,} of {summary.all_hands:,} hands ({part:.4f} %), {classes}")
    if len(summary.examples):
        print(f"such as {'  '.join(format_cards(hand) for hand in summary.examples)}")
    return 0


def expression(given: list[str], configured: Any) -> str:
    """The one range that is given, or else the one in the configuration. Raises ConfigError."""
    if len(given) > 1:
        raise ConfigError(f"{' and '.join(given)}: give one range, quoted for the shell: 'AA,KK:ds'")
    text = given[0] if given else configured
    if text is None or text == "":
        raise ConfigError("no range given; quote it for the shell: omaha-sim range 'AA,KK:ds'")
    if not isinstance(text, str):
        raise ConfigError(f"hands={value_text(text)}; in a configuration file a range is a text in quotes")
    return text


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Ranges, as arguments by themselves or as hands=..., which Hydra must not see as many are no values of its grammar; and the others."""
    given, others = [], []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        key, equals, value = argument.partition("=")
        if key == "hands" and equals:
            quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
            given.append(value[1:-1] if quoted else value)
        elif not equals and not argument.startswith(("-", "~")) and before not in VALUE_FLAGS:
            given.append(argument)
        else:
            others.append(argument)
    return given, others


def main() -> int:
    """Run the job with the arguments of this process."""
    given, sys.argv[1:] = split_arguments(sys.argv[1:])
    return cli.run("range", partial(show_range, given))


if __name__ == "__main__":
    sys.exit(main())
