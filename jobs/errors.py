"""What Hydra, OmegaConf and YAML say about a wrong configuration, as one line that names key, value and what is allowed."""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import MissingConfigException, OverrideParseException
from omegaconf import OmegaConf
from omegaconf.errors import MissingMandatoryValue, OmegaConfBaseException

from sim.errors import UserError, nearest, one_of

from .folders import CONF

QUOTED_KEY = re.compile(r"(?:override|append to config\. An item is already at|delete from config\.) '([^']+)'")
AMBIGUOUS = re.compile(r"Ambiguous value for argument '(.*)'")
MULTIPLE = re.compile(r"Multiple values for ([^.\s]+)\.")
MERGING = re.compile(r"Error merging override (.*)", re.DOTALL)


class ConfigError(UserError):
    """A configuration that cannot be used; the text is the whole line for the user."""

    exit_code = 2


def explain(error: BaseException, job: str, overrides: list[str]) -> str:
    """One line, without the leading `error:`, for whatever came up while the configuration of a job was composed."""
    if isinstance(error, OverrideParseException):
        return _malformed(error.override)
    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        return _missing_option(error, overrides)
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        where = f"{mark.name} line {mark.line + 1}: " if mark else ""
        return f"{where}not valid YAML: {error.problem or error.context}"
    if isinstance(error, MissingMandatoryValue):
        return f"{error.full_key}: missing; give {error.full_key}=..."
    text = str(error)
    if match := re.match("Additional config directory '(.*)' not found", text):
        return f"--config-dir={match[1]}: no such folder"
    if match := AMBIGUOUS.match(text):
        return _ambiguous(match[1])
    if text.startswith("Config group override must be"):
        return _unusual_option(overrides)
    if match := MULTIPLE.search(text):
        return f"{_given(match[1], overrides)}: the key exists; leave out the +"
    if match := MERGING.match(text):
        return _unknown_key(match[1].split("=")[0].lstrip("+~"), job, overrides)
    if match := QUOTED_KEY.search(text):
        if "already at" in text:
            return f"{_given(match[1], overrides)}: the key exists; leave out the +"
        return _unknown_key(match[1], job, overrides)
    return _first_lines(error)


def _malformed(override: str) -> str:
    override = override.lstrip("+")
    key, equals, value = override.partition("=")
    if not equals:
        return f"{override}: not an override; write {override.lstrip('-')}=value"
    if not re.search(r"[\[\]{}()'\"]", value):
        return f"{override}: the value has characters with a meaning of their own; quote it: '{key}=\"{value}\"'"
    return f"{override}: brackets or quotes do not match; quote the whole for the shell: 'key=[a,b]', 'sweep={{variant:[omaha4,omaha5]}}'"


def _missing_option(error: MissingConfigException, overrides: list[str]) -> str:
    group, _, option = (error.missing_cfg_file or "").rpartition("/")
    options = error.options or sorted(path.stem for path in (CONF / group).glob("*.yaml"))  # Hydra leaves them out where a list is given
    if not group or not options:
        return f"{error.missing_cfg_file}: no such configuration file"
    given = _given(group, overrides)
    if given == group:  # chosen by a file, not on the command line
        given = f"{group}={option}"
    return f"{given}: no such option; {one_of(option, options)}"


def _ambiguous(override: str) -> str:
    key, _, value = override.partition("=")
    value = value.strip("[]")
    if "/" in key or "." in key:
        return f"{override}: write a list as '{key}=[{value}]'; for one run per value add --multirun"
    return f"{override}: for one run per value add --multirun; for several scenarios in one run write 'sweep={{{key}:[{value}]}}'"


def _unusual_option(overrides: list[str]) -> str:
    """An option that is a number, a boolean or null: Hydra does not say which."""
    for group, value, line in _parsed(overrides):
        if not group:
            return f"{line}: not an override; write key=value"
        options = sorted(path.stem for path in (CONF / group).glob("*.yaml"))
        if options and not isinstance(value, str | list | dict):
            return f"{line}: no such option; allowed: {', '.join(options)}"
    return "an option of a group must be a name"


def _unknown_key(key: str, job: str, overrides: list[str]) -> str:
    given = _given(key, overrides)
    if key == "strategy":
        return f"{given}: not chosen like this; name strategies in table.lineup, such as table.lineup={given.partition('=')[2] or 'tight'}"
    known = _known_keys(job)
    if key in known:
        return f"{given}: not the kind of value that belongs there; see --help"
    section, _, leaf = key.rpartition(".")
    same_leaf = [name for name in known if name.rpartition(".")[2] == leaf]
    inside = [name for name in known if name.rpartition(".")[0] == section]
    if len(same_leaf) == 1:
        close: str | None = same_leaf[0]
    elif section in known and inside:
        near = nearest(leaf, (name.rpartition(".")[2] for name in inside))
        close = near and f"{section}.{near}"
    else:
        close = nearest(key, known)
    if close:
        return f"{given}: no such key; did you mean {close}?"
    return f"{given}: no such key; allowed: {', '.join(inside or [name for name in known if '.' not in name])}"


def _known_keys(job: str) -> list[str]:
    """All keys of a job's configuration, dotted, sections before what is in them."""
    if GlobalHydra.instance().is_initialized():
        composed = compose(job)
    else:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            composed = compose(job)

    def dotted(values: dict[str, Any], section: str = "") -> Iterator[str]:
        for key, value in values.items():
            yield section + key
            if isinstance(value, dict):
                yield from dotted(value, f"{section}{key}.")

    values: Any = OmegaConf.to_container(composed)
    return list(dotted(values))


def _given(key: str, overrides: list[str]) -> str:
    """key=value as the user gave it, without Hydra's + and ~; the key alone if a file gave it."""
    lines = [line for name, _, line in _parsed(overrides) if name == key]
    return lines[-1].lstrip("+~") if lines else key


def _parsed(overrides: list[str]) -> Iterator[tuple[str, Any, str]]:
    for override in OverridesParser.create().parse_overrides(overrides):
        yield override.key_or_group, None if override.is_sweep_override() else override.value(), override.input_line or ""


def _first_lines(error: BaseException) -> str:
    """The message of an error that has no translation, on one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    cause = error.__cause__
    return f"{text}: {' '.join(str(cause).split())}" if isinstance(cause, OmegaConfBaseException) else text
