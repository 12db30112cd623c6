"""Write the texts of show/ anew: python tests/golden/make_shown.py.

Run it from the root of the repository after a change that is meant to change them, and read what it wrote.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent)]

from test_show import GOLDEN, HANDS, shown_text  # noqa: E402 (found on the path set above)

GOLDEN.mkdir(exist_ok=True)
for name in HANDS:
    (GOLDEN / f"{name}.txt").write_text(shown_text(name), encoding="utf-8")
