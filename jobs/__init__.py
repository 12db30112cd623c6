"""Entry points: each job reads its configuration, calls into `sim` and prints; no logic that needs a test of its own numbers."""
