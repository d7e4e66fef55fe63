"""No kernel reads or writes beyond its arrays: the kernels compiled with bounds checks, under the tests of growth and
pruning."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(".*", "build", "*.so", "*.c", "*.egg-info", "__pycache__", "test_bounds.py")


@pytest.mark.long
def test_kernels_stay_within_their_arrays(tmp_path):
    """An index out of bounds is an exception nobody can catch in a kernel; pytest makes an error of its report."""
    copy = tmp_path / "treewright"
    shutil.copytree(PROJECT, copy, ignore=LEFT_OUT)
    environment = os.environ | {"TREEWRIGHT_BOUNDS": "checked", "PYTHONPATH": str(copy / "src")}
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(build, cwd=copy, env=environment, check=True, capture_output=True)
    rooms = ("grow", "oracles", "golden", "predict", "prune", "invariants")
    rooms = [f"tests/{room}" for room in (*rooms, "contracts/test_missing.py", "contracts/test_pruning.py")]
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *rooms]
    outcome = subprocess.run(run, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    where = "import treewright._core._grow as s; print(s.__file__)"
    loaded = subprocess.run([sys.executable, "-c", where], cwd=copy, env=environment, capture_output=True, text=True,
                            check=True).stdout
    assert loaded.startswith(str(copy))
