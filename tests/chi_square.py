"""Pearson's chi-square as a distance in standard deviations."""

import numpy as np


def chi_square_z(observed, expected, df: int) -> float:
    """(chi-square - df) / sqrt(2 df), about a standard normal number when `observed` counts really have the means `expected`."""
    observed, expected = np.asarray(observed, float), np.asarray(expected, float)
    return float((((observed - expected) ** 2 / expected).sum() - df) / np.sqrt(2 * df))
