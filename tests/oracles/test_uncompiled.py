"""The kernels run uncompiled too, as plain Python, and grow the same trees.

In: a copy of the package without its compiled files, run in a process of its own. Out: equal fingerprints.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import treewright
from tests.oracles.fingerprints import N_NAMED, cases, compiled_kernels, fingerprints
from tests.oracles.plans import NAMED

PROJECT = Path(__file__).resolve().parents[2]


def test_uncompiled_package_grows_the_same_trees(tmp_path):
    source = Path(treewright.__file__).parent
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "*.cpp", "__pycache__")
    shutil.copytree(source, tmp_path / "treewright", ignore=ignore)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])}
    run = subprocess.run(
        [sys.executable, "-m", "tests.oracles.fingerprints"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    kind, *uncompiled = run.stdout.split("\n")[:-1]
    compiled = fingerprints()
    assert kind == "compiled: 0", "the copy was not what ran"
    assert compiled_kernels(), (
        "the kernels are not compiled here, so there is nothing to compare; run make setup"
    )
    every = cases()
    named = every[: len(NAMED) * N_NAMED]
    every += [case for case in named if not case[0].weights] + named
    differing = [
        f"{options}\n{table}" for (table, options), a, b in zip(every, compiled, uncompiled, strict=True) if a != b
    ]
    assert not differing, "\n\n".join(differing[:3])


def test_cases_cover_every_part():
    options = [o for _, o in cases()]
    described = {"entropy", "gini", "twoing", "squared_error", "absolute_error"}
    assert {o.criterion for o in options} == {*described, "poisson"}
    assert {o.grouping for o in options} == {"each", "subset", "greedy", "least-loss", "binary"}
    assert {o.penalty for o in options} == {"none", "cuts", "description"}
    assert {o.floor for o in options} == {"none", "average", "description"}
    in_two = {(t.n_classes > 2, o.criterion) for t, o in cases() if o.grouping == "binary"}
    assert in_two >= {(many, c) for many in (False, True) for c in ("entropy", "gini")}
    assert in_two >= {(False, "squared_error"), (False, "absolute_error")}
    assert {o.criterion for o in options if o.penalty == "description"} == described
    assert {o.minimum for o in options} == {"rows", "weight"}
    assert {o.max_leaves is None for o in options} == {True, False}
    assert {o.missing for o in options} == {"error", "fractional", "surrogate", "learned", "branch", "stop"}
    weights = [t.weights for t, _ in cases()]
    assert None in weights
    assert any(w and any(x % 1 for x in w) for w in weights)
