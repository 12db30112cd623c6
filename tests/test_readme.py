"""What the README says, it does: each command and each example is run, with fewer hands."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from jobs.cli import JOBS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines() if line.startswith("omaha-sim ")]
FEW = "400"


def shortened(command: str) -> list[str]:
    """The command for this checkout, with few hands and in this process."""
    _, job, *arguments = shlex.split(command)
    arguments = [re.sub(r"^hands=\d\S*$", f"hands={FEW}", argument) for argument in arguments]
    arguments = [re.sub(r"^deals=\S+$", "deals=500_000", argument) for argument in arguments]  # fewer would miss a class
    if job in ("simulate", "rank") and not any(argument.startswith("compute=") for argument in arguments):
        arguments.append("compute=inline")
    return [sys.executable, "-m", f"jobs.{job}", *arguments]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the files that the README shows; later commands use the runs of earlier ones."""
    folder = tmp_path_factory.mktemp("readme")
    for kind, text in BLOCKS:
        if kind == "python" and (name := re.match(r"# (\w+\.py)\n", text)):
            (folder / name[1]).write_text(text)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(command, folder):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(shortened(command), cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_stepping_example_prints_what_it_shows():
    examples = "\n".join(text for kind, text in BLOCKS if kind == "python" and text.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README", "README.md", 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert (failed, tried > 5) == (0, True)


def test_every_job_is_mentioned():
    for job in JOBS:
        assert f"omaha-sim {job}" in README, f"README.md does not mention omaha-sim {job}"


def test_the_two_commands_are_marked_for_ci():
    for mark in ("run", "test"):
        assert re.search(rf"<!-- {mark} -->\n```sh\n.+\n```", README), f"README.md has no line marked <!-- {mark} -->"
