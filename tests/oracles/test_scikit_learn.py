"""CART on numbers is scikit-learn's tree: same columns, thresholds and counts wherever no tie is involved.

In: generated numeric tables, and the numeric sets of the reference data. Out: no split that differs for another
reason than those named in peers.py. Where two splits gain the same, either program may take either; below such a node
the trees, and their numbers of leaves, may rightly differ, so equality is checked at the node and not beyond.
"""

import csv
import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

from tests.oracles.peer_tables import CRITERIA, N_ROWS, generated, load_table
from tests.oracles.peers import grow_both, walk_both


def numeric_sets(most_bytes: float) -> list[str]:
    """Names of the sets of numbers without missing cells, up to a size of file; without data one that is skipped."""
    project = Path(__file__).resolve().parents[2]
    data = Path(os.environ.get("TREEWRIGHT_SHARED", project.parent / "shared")) / "data"
    if not (data / "schema.json").is_file():
        return ["absent"]
    sets = json.loads((data / "schema.json").read_text(encoding="utf-8"))
    with (data / "index.csv").open(encoding="utf-8", newline="") as file:
        complete = {row["name"] for row in csv.DictReader(file) if row["missing_cells"] == "0"}
    return sorted(
        name
        for name, s in sets.items()
        if name in complete
        and all(c["type"] == "numeric" for c in s["columns"] if c["name"] != s["target"])
        and max(f.stat().st_size for f in data.glob(f"{name}.csv*")) <= most_bytes
    )


def check_set(shared: Path, name: str, n_rows: int | None) -> None:
    X, y = load_table(shared, name)
    assert not X.isna().to_numpy().any()
    if n_rows is not None and len(X) > n_rows:
        rows = np.sort(np.random.default_rng(0).permutation(len(X))[:n_rows])
        X, y = X.iloc[rows], y.iloc[rows]
    values = X.to_numpy(dtype=np.float64)
    regression = y.dtype.kind == "f" or y.dtype.kind == "i"
    target = y.to_numpy(dtype=np.float64) if regression else np.unique(y, return_inverse=True)[1]
    for criterion in CRITERIA[2:] if regression else CRITERIA[:2]:
        walk = walk_both(grow_both(values, target, criterion))
        assert not walk.faults, f"{criterion}: {walk.faults[:3]} of {len(walk.faults)}"
        # Something was compared: a tie at the root is the only way to stop before the first split.
        assert walk.same or walk.ties, walk


@pytest.mark.parametrize("name", numeric_sets(5e6))
def test_numeric_sets(shared, name):
    check_set(shared, name, N_ROWS)


@pytest.mark.long
@pytest.mark.parametrize("name", numeric_sets(math.inf))
def test_whole_numeric_sets(shared, name):
    check_set(shared, name, None)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_generated_tables(criterion):
    same = ties = 0
    for seed in range(150):
        values, target, weight = generated(seed, criterion == "squared_error")
        walk = walk_both(grow_both(values, target, criterion, weight))
        assert not walk.faults, f"seed {seed}: {walk.faults}"
        same, ties = same + walk.same, ties + walk.ties
    # Most splits are met before a tie ends a walk; a comparison that stops early would prove little.
    assert same > 1000
    assert same > ties


@pytest.mark.long
@pytest.mark.parametrize("criterion", CRITERIA)
def test_many_generated_tables(criterion):
    for seed in range(150, 5000):
        values, target, weight = generated(seed, criterion == "squared_error")
        walk = walk_both(grow_both(values, target, criterion, weight))
        assert not walk.faults, f"seed {seed}: {walk.faults}"
