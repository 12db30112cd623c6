"""Write digests.json anew: python tests/golden/make_digests.py.

Run it from the root of the repository after a change that is meant to change hands, and say so in CHANGELOG.md.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent)]

from test_play import ALL_GAMES, game_id, golden_digest  # noqa: E402 (found on the path set above)

digests = {game_id(game): golden_digest(game) for game in ALL_GAMES}
(HERE / "digests.json").write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")
