"""Where the configuration is: beside this package, as `conf` in a checkout and `_conf` in an installed package."""

from pathlib import Path

_BESIDE = Path(__file__).resolve().parent.parent
CONF = next((path for path in (_BESIDE / "conf", _BESIDE / "_conf") if path.is_dir()), _BESIDE / "conf")
