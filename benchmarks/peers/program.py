"""Programs outside of this process: they get the table as a file and say themselves how long the fit took.

In: a command. Out: what it printed. Reading the file and starting the program are not in the time.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from benchmarks.timing import Reported

MOST_SECONDS = 300


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """One folder for all files, removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="benchmarks-")


def new_file(ending: str) -> Path:
    """A name in the folder that is not taken."""
    folder = Path(_folder().name)
    return folder / f"{len(list(folder.iterdir()))}{ending}"


def why_missing(program: str) -> str | None:
    """Why a program cannot be run, or None."""
    return None if shutil.which(program) else f"there is no program {program}"


def output(command: Sequence[str]) -> str:
    """What a command prints; its errors are ours."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()[-500:]}")
    return done.stdout


def read_report(text: str, seconds: str, leaves: str) -> Reported:
    """The two numbers that these patterns find.

    >>> read_report("took 0.25 s, 17 leaves", r"took ([0-9.]+)", r"(\\d+) leaves")
    Reported(seconds=0.25, model=17)
    """
    found = [re.search(pattern, text) for pattern in (seconds, leaves)]
    if found[0] is None:
        raise RuntimeError(f"There is no time in: {text[:200]}")
    return Reported(float(found[0][1]), None if found[1] is None else int(found[1][1]))
