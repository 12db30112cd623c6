"""Where the configuration is, and where a run goes."""

import secrets
from datetime import datetime
from pathlib import Path
from typing import Any

from sim.plan import SpecError

from .values import boolean, path

_BESIDE = Path(__file__).resolve().parent.parent
# Beside this package: `conf` in a checkout and `_conf` in an installed package.
CONF = next((path for path in (_BESIDE / "conf", _BESIDE / "_conf") if path.is_dir()), _BESIDE / "conf")


def run_directory(config: dict[str, Any]) -> tuple[Path, bool]:
    """Where the run goes, and whether it goes on with one that is there."""
    resume = boolean("resume", config["resume"])
    if config["out"] is None:
        if resume:
            raise SpecError("resume", "true; name the run to go on with: out=PATH")
        return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}", resume
    out = path("out", config["out"])
    if (number := _number_in_multirun()) is not None:
        out /= str(number)
    if resume and not out.exists():
        raise SpecError(
            "resume", f"true; there is no {out} to go on with; name a run that is there, or leave out resume=true for a new one"
        )
    return out, resume


def _number_in_multirun() -> int | None:
    """Which run of a --multirun this is, from 0; None: a run by itself."""
    from hydra.core.hydra_config import HydraConfig
    from hydra.types import RunMode

    if not HydraConfig.initialized() or HydraConfig.get().mode != RunMode.MULTIRUN:
        return None
    return int(HydraConfig.get().job.num)
