"""Statistics of hands: what is counted (`catalogue`), sums of it that add up (`partials`), and their rates and tables (`rates`)."""

from sim.statistics.catalogue import HAND_STATISTICS, SEAT_STATISTICS
from sim.statistics.partials import Partial, first_difference, merge, partial, partial_from_json, partial_to_json
from sim.statistics.rates import NORMAL_95, Tables, finish, pool_line_ups, stack_tables

__all__ = [
    "HAND_STATISTICS", "NORMAL_95", "SEAT_STATISTICS", "Partial", "Tables", "finish", "first_difference", "merge", "partial",
    "partial_from_json", "partial_to_json", "pool_line_ups", "stack_tables",
]  # fmt: skip
