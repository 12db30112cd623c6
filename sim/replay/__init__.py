"""Hands that were played elsewhere, or before, played again through the kernels and compared to the chip."""
