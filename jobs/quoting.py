"""Arguments as people write them, quoted where Hydra's grammar has no place for what they hold."""

import re

TEXTS = ("out", "run", "files", "where", "scenario")  # keys whose value is one text, whatever is in it
QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
# A word with letters that are not of ASCII, or a text in quotes, which is left alone.
WORDS = re.compile(QUOTED.pattern + r"|[^\s,:=\[\]{}()'\"]*[^\x00-\x7f][^,\[\]{}()'\"]*", re.DOTALL)


def quoted(argument: str, multirun: bool = False) -> str:
    """An override in Hydra's grammar. In a --multirun, a value with commas is one for each run."""
    key, equals, value = argument.partition("=")
    if not equals or QUOTED.fullmatch(value):
        return argument
    if key.lstrip("+") in TEXTS and value not in ("", "null") and not (value.isdigit() and key == "scenario"):
        several = "," in value and (multirun or key == "files")
        if not several and not (key == "files" and value.startswith("[")):
            return f"{key}={_in_quotes(value)}"
    return f"{key}={WORDS.sub(lambda match: match[0] if QUOTED.fullmatch(match[0]) else _in_quotes(match[0]), value)}"


def _in_quotes(text: str) -> str:
    escaped = re.sub(r"(\\*)('|$)", lambda match: match[1] * 2 + match[2].replace("'", "\\'"), text)
    return f"'{escaped}'"
