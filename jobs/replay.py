"""Replay hand histories and compare every chip: `python -m jobs.replay files=[FILE,...]` or `omaha-sim replay files=[FILE,...]`."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sim.plan import SpecError
from sim.rules import House

from . import cli
from .values import check_keys, fill, name_of, number_within, path, value_text, word

if TYPE_CHECKING:
    from sim.replay.houses import HouseRules

KEYS = ("files", "format", "house", "sites", "odd_chips_anywhere", "skip_tags", "out", "show")


def replay(config: dict[str, Any]) -> int:
    """Replay all hands and print what was found. Returns the exit code: 1 if any hand differs, 2 if a file cannot be used."""
    from sim.formats.reading import READERS, Entry, UnusableFile, read_file  # late: a refused configuration need not wait for the compiler
    from sim.replay.houses import HouseChoice
    from sim.replay.summary import SUFFIXES, closing_line, malformed_lines, print_summary, save_differences

    check_keys(config, KEYS)
    files = [path("files", name) for name in words("files", config["files"])]
    if not files:
        raise SpecError("files", "[]; allowed: one file or more, as files=[a.jsonl.gz,b.phhs]")
    form = name_of("format", config["format"], ("auto", *READERS))
    skip_tags = words("skip_tags", config["skip_tags"])
    show = number_within("show", config["show"], 0, 1_000_000)
    out = None if config["out"] is None else path("out", config["out"])
    if out is not None and (out.suffix not in SUFFIXES or not out.absolute().parent.is_dir()):
        raise SpecError("out", f"{out}; allowed: a file {' or '.join(f'NAME{suffix}' for suffix in SUFFIXES)} in a folder that exists")
    general, sites = houses(config)
    choice = HouseChoice(general, sites, heed_stated=sites is not None)
    from sim.replay.replay import replay as play

    unusable = []

    def entries() -> Iterator[Entry]:
        for file in files:
            try:
                yield from read_file(file, form)
            except UnusableFile as error:
                unusable.append(str(error))

    findings = play(entries(), choice, skip_tags)
    for error in unusable:
        print(f"error: {error}", file=sys.stderr)
    if len(unusable) == len(files):
        return 2
    for line in malformed_lines(findings.malformed):
        print(line, file=sys.stderr)
    print_summary(findings, show)
    if out is not None:
        save_differences(findings.differences, out)
    print(closing_line(findings))
    if not findings.sites:
        print("error: no hand could be read", file=sys.stderr)
    return 2 if unusable or not findings.sites else 1 if findings.differences else 0


def houses(config: dict[str, Any]) -> tuple["HouseRules", "dict[str, HouseRules] | None"]:
    """The rules of all hands and None if `house` is given; else the default rules and those of the sites that have their own."""
    from sim.replay.houses import HouseRules

    anywhere = words("odd_chips_anywhere", config["odd_chips_anywhere"])
    if any(override.startswith(("house=", "house.")) for override in cli.given_overrides()):
        return HouseRules("given", fill(House, "house", config["house"])), None
    if not isinstance(config["sites"], dict):
        raise SpecError("sites", f"{value_text(config['sites'])}; allowed: site: option of the group house")
    presets = {str(site): word(f"sites.{site}", preset) for site, preset in config["sites"].items()}
    rules = {site: HouseRules(site, preset(name), site in anywhere) for site, name in presets.items()}
    rules |= {site: HouseRules(site, odd_chips_anywhere=True) for site in anywhere if site not in rules}
    return HouseRules("default"), rules


def preset(name: str) -> House:
    """An option of the group `house`. Hydra must be initialised."""
    from hydra import compose
    from omegaconf import OmegaConf

    values = OmegaConf.to_container(compose("replay", overrides=["files=none", f"house={name}"]), resolve=True)
    return fill(House, "house", values["house"])  # type: ignore[index,call-overload]


def words(key: str, value: Any) -> list[str]:
    """A list of names, one name, or nothing."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [word(key, str(item) if isinstance(item, int | float) and not isinstance(item, bool) else item) for item in items]


def main() -> int:
    """Run the job with the arguments of this process."""
    sys.argv[1:] = [argument for argument in sys.argv[1:] if argument != "house=auto"]  # no option of the group: by the hand's site
    return cli.run("replay", replay)


if __name__ == "__main__":
    sys.exit(main())
