"""Under which house rules a hand is replayed: one house for all, or that of the hand's site."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

import numpy as np

from sim.formats.history import History
from sim.replay.gather import HistoryError
from sim.rules import RULES, House, RuleError, compile_rules

DEFAULT = House()


@dataclass(frozen=True)
class HouseRules:
    """The rules of one house, under a name for the summary."""

    name: str
    house: House = DEFAULT
    odd_chips_anywhere: bool = False  # no rule of this house for odd chips is known: they may lie with any winner

    def settings(self) -> dict[str, str | int | bool]:
        """The settings that are not the defaults."""
        return {key: value for key, value in asdict(self.house).items() if value != getattr(DEFAULT, key)}


class HouseChoice:
    """The list of houses that kernels see, and each hand's place in it."""

    def __init__(self, general: HouseRules, sites: Mapping[str, HouseRules] | None = None, *, heed_stated: bool = True):
        self._heed_stated = heed_stated
        self._places = {site: number for number, site in enumerate(sites or {}, 1)}
        self.houses = [general, *(sites or {}).values()]
        self._stated: dict[str, int] = {}

    def place(self, history: History) -> int:
        """The house of a hand: what its history states, if that is heeded, else its site's, else the general one. Raises HistoryError."""
        if not history.house or not self._heed_stated:
            return self._places.get(history.site, 0)
        key = str(sorted(history.house.items()))
        if key not in self._stated:
            try:
                stated = replace(DEFAULT, **history.house)  # type: ignore[arg-type]
            except (TypeError, RuleError) as error:
                raise HistoryError(f"house: {history.house}: {error}") from None
            self._stated[key] = len(self.houses)
            self.houses.append(HouseRules("stated", stated))
        return self._stated[key]


def compile_houses(houses: list[HouseRules]) -> tuple[np.ndarray, np.ndarray]:
    """(houses,) RULES and (houses,) bool: odd chips anywhere, as `replay_hands` wants them."""
    rules = np.zeros(len(houses), RULES)
    for place, house in enumerate(houses):
        rules[place] = compile_rules(house=house.house)
    return rules, np.array([house.odd_chips_anywhere for house in houses])
