"""The page `docs/strategies.md`, written from the declarations of `sim.strategies`. `python -m sim.strategy_page` prints it."""

import inspect
import re
from collections.abc import Callable

from sim.strategies import BLOCKS, STRATEGIES, WITH_PARAMETERS, view
from sim.strategies.errors import INTERNAL

_HEAD = """# Strategies

A strategy is a Python function of what its seat sees, a *view*, and of its parameters, if it has any. It returns one whole number:

- `FOLD`, or
- the seat's total bet of the street after its action, in chips: `view.call_to` checks or calls; anything from `view.min_raise_to` to
  `view.max_raise_to` bets or raises (both are 0 where it may not). `pot_sized(view, 75)` is a bet or raise of 75 % of the pot within
  these bounds, or a call.

An illegal number is never repaired: it stops the run and names hand, seat, file, function and what was legal.

## Your own

Copy `conf/strategy/example.py`, change it, and name file and function in the line-up:

    omaha-sim simulate table=heads_up 'table.lineup=[my_bot.py:shark,tag]'

With parameters it is an option of the group `strategy`, a YAML file like `conf/strategy/example.yaml` in `my_conf/strategy/`, beside which
the Python file lies; `--config-dir my_conf` makes its name known to line-ups. Or give them there:
`{strategy: tag, name: tag_2, parameters: {value: 0.7}}`.

- Parameters are fields of the second argument: numbers, `true` and `false`, lists of numbers, and ranges of hands as text (docs/ranges.md),
  asked by `in_range(view, p.open)`. A function `prepare_shark(parameters, game)` in the file may check them and make the record itself.
- The function is compiled by numba: arithmetic, comparisons, loops, tuples and NumPy arrays; no dictionaries of mixed types, no classes, no
  files, no imports inside. Functions that it calls need `@jit` (`from sim.strategies import jit`). Constants of the file may be used; they
  do not change while a run plays. The engine itself is not compiled again.
- It must depend on the view and its parameters only. Chance comes from `random_below(view, n)` and `random_unit(view)`, so that a hand
  plays the same way again on any machine; `random` and `numpy.random` are refused. View and parameters are read only: an assignment to
  one of their fields is refused, as a strategy has no memory from one decision to the next.
- The file's text is part of the run (run.json) and travels to the machines of a cluster. It is one file; it may import what is installed.
- `NUMBA_DISABLE_JIT=1 omaha-sim simulate compute=inline hands=100 ...` runs it as plain Python, for `breakpoint()` and `print`.
- Errors name the file, the function and the line where it does not compile, or the hand where it raised.
"""


def strategy_page() -> str:
    """Markdown: what a strategy may do, the fields of a view, the building blocks, the built-in strategies and their parameters."""
    lines = [_HEAD, "## What a view shows", "", "| field | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in view_fields().items() if name not in INTERNAL]
    lines += ["", "## Building blocks", "", "Functions of a view, from `sim.strategies`. Nothing is worked out unless it is called."]
    for title, functions in BLOCKS.items():
        lines += ["", f"**{title}**", "", "| function | gives |", "|---|---|"]
        lines += [f"| `{_signature(function)}` | {_summary(function)} |" for function in functions]
    lines += ["", "## Built in", "", "| name | plays |", "|---|---|"]
    lines += [f"| {name} | {_summary(function)} |" for name, function in STRATEGIES.items()]
    lines += ["", "`rock`, `nit`, `tag`, `lag`, `weak_fish`, `calling_station` and `maniac` are parameter files of the range player."]
    for name, module in WITH_PARAMETERS.items():
        lines += ["", f"### Parameters of {name}", "", (module.__doc__ or "").strip().partition("\n\n")[2].strip(), ""]
        lines += ["| parameter | default | meaning |", "|---|---|---|"]
        lines += [f"| `{key}` | {_default(parameter.default)} | {parameter.meaning} |" for key, parameter in module.PARAMETERS.items()]
    lines += ["", _RANGES]
    return "\n".join(lines) + "\n"


_RANGES = """Ranges are shares of all hands (0.2: the best fifth by the shipped ranking) or expressions as text (`20%,AA:ds`), one for
all places or by `{UTG: 0.1, HJ: 0.12, CO: 0.2, BTN: 0.4, SB: 0.3, BB: 0}`; at larger tables all places before the hijack are UTG, heads-up
the button is BTN. Sizes are fractions of the pot with weights: `{0.5: 1, 1: 3}` bets half the pot once in four times. The edge is the
estimated share of the pot times half the number of players: 0.5 is a fair share."""


def view_fields() -> dict[str, str]:
    """{field of VIEW: its comment}."""
    source = inspect.getsource(view)
    return dict(re.findall(r'^ +\("(\w+)", np\.\w+[^#\n]*\),(?:  # (.*))?$', source, re.MULTILINE))


def _signature(function: Callable) -> str:
    plain = getattr(function, "py_func", function)
    return f"{plain.__name__}({', '.join(inspect.signature(plain).parameters)})"


def _summary(function: Callable) -> str:
    """The docstring's first paragraph, on one line."""
    text = inspect.getdoc(getattr(function, "py_func", function)) or ""
    return " ".join(text.split("\n\n")[0].split())


def _default(value: object) -> str:
    return str(value).replace("'", "")


if __name__ == "__main__":
    print(strategy_page(), end="")
