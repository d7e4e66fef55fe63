"""Tables on which our trees and scikit-learn's are compared.

In: the name of a reference set, or a seed. Out: a table of numbers and its target.
"""

import importlib.util
from pathlib import Path

import numpy as np

CRITERIA = ("gini", "entropy", "squared_error")
N_ROWS = 2_000
"""Rows of a set in the default suite; all of them in the long one."""


def load_table(shared: Path, name: str):
    """A reference table as its own loader reads it."""
    spec = importlib.util.spec_from_file_location("reference_sets", shared / "bench" / "sets.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load(name)


def generated(seed: int, regression: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """A table of 5 to 300 rows: continuous, rounded and whole columns, and a target that follows some of them."""
    rng = np.random.default_rng([seed, regression])
    n_rows, n_columns = int(rng.integers(5, 300)), int(rng.integers(1, 8))
    values = rng.normal(size=(n_rows, n_columns))
    digits = rng.integers(0, 4, size=n_columns)
    for i, kept in enumerate(digits):
        if kept < 3:
            values[:, i] = values[:, i].round(int(kept))
    signal = values[:, 0] + np.sin(3 * values[:, -1]) + rng.normal(size=n_rows) * rng.choice([0.1, 1.0])
    weight = rng.integers(1, 9, size=n_rows) / 8 if seed % 3 == 0 else None
    if regression:
        return values, (signal * 8).round() / 8 if seed % 2 else signal, weight
    n_classes = int(rng.integers(2, 6))
    return values, np.digitize(signal, np.linspace(-1, 1, n_classes + 1)[1:-1]), weight
