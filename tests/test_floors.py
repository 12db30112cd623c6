"""Imports go down the floors only: Ray stays in one file, Hydra in the jobs, and a lower floor never knows a higher one."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Lowest first; modules on one floor do not import each other unless the name before the dot is the same (a folder is one floor).
FLOORS = (
    (
        "sim.jit",
        "sim.flags",
        "sim.levels",
        "sim.lineup",
        "sim.aligned",
        "sim.parquet",
        "sim.text_table",
        "sim.whole_file",
        "sim.errors",
        "sim.interrupts",
    ),
    ("sim.rules",),
    ("sim.actions", "sim.bits"),
    ("sim.rng", "sim.digest"),
    ("sim.cards",),
    ("sim.evaluation",),
    ("sim.betting",),
    ("sim.posts", "sim.rake", "sim.showing"),
    ("sim.pots",),
    ("sim.hand_classes", "sim.describe"),
    ("sim.rankings", "sim.showdown_shares"),
    ("sim.ranges",),
    ("sim.strategies",),
    ("sim.hand",),
    ("sim.stepping", "sim.formats"),
    ("sim.records",),
    ("sim.plan",),
    ("sim.schema_page", "sim.strategy_page", "sim.play", "sim.statistics"),
    ("sim.code_digest", "sim.compilation", "sim.tables", "sim.hand_history", "sim.replay"),
    ("sim.run_directory",),
    ("sim.dataset", "sim.run", "sim.totals"),
    ("sim.fanout", "sim.progress", "sim.recount", "sim.check_files", "sim.choose_hands", "sim.show", "sim.export"),
    ("sim.runner", "sim.verify"),
    ("sim.rank",),
    ("sim.cli", "sim"),
    ("jobs",),
)
FOLDERS = ("sim.strategies", "sim.ranges", "sim.formats", "sim.replay", "sim.statistics")


def floor_of(module: str) -> int:
    """The floor of a module, by its longest listed prefix."""
    for length in range(module.count(".") + 1, 0, -1):
        name = ".".join(module.split(".")[:length])
        for floor, names in enumerate(FLOORS):
            if name in names and (name != "sim" or module == "sim"):
                return floor
    raise AssertionError(f"{module} is on no floor; add it to FLOORS in tests/test_floors.py")


def imports(path: Path) -> list[str]:
    """Modules that a file imports, anywhere in it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = module_name(path).split(".")[: -node.level] if node.level else []
            base = ".".join([*package, *filter(None, [node.module])])
            modules = [f"{base}.{alias.name}" for alias in node.names if is_module(f"{base}.{alias.name}")]
            found += modules or [base]
    return found


def is_module(name: str) -> bool:
    """Whether a dotted name is a file or folder of the project."""
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def module_name(path: Path) -> str:
    """Dotted name of a file of the project; a package is its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = sorted([*(ROOT / "sim").rglob("*.py"), *(ROOT / "jobs").rglob("*.py")])


def goes_down(module: str, name: str) -> bool:
    """Whether `module` may import `name`: from a lower floor, or from its own folder."""
    if module == "sim.cli" and name.startswith("jobs"):
        return True  # the console script hands over to the jobs
    folder = ".".join(module.split(".")[:2]) if module.startswith(FOLDERS) else "jobs"
    return floor_of(name) < floor_of(module) or (name.startswith(folder) and module.startswith(folder))


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_go_down_the_floors(path):
    module = module_name(path)
    for name in imports(path):
        if name.split(".")[0] in ("sim", "jobs"):
            assert goes_down(module, name), f"{module} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_ray_is_imported_in_fanout_only_and_hydra_in_jobs_only(path):
    libraries = {name.split(".")[0] for name in imports(path)}
    if module_name(path) != "sim.fanout":
        assert "ray" not in libraries
    if module_name(path).startswith("sim"):
        assert not libraries & {"hydra", "omegaconf"}


def test_an_upward_import_is_found():
    assert goes_down("sim.betting", "sim.rules")
    assert not goes_down("sim.rules", "sim.betting")
    assert not goes_down("sim.hand", "sim.runner")
    with pytest.raises(AssertionError, match="on no floor"):
        floor_of("sim.nowhere")
