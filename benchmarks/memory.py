"""`python -m benchmarks.memory`: what a C4.5 fit takes above its input, with missing cells and without.

In: three tables of 100,000 rows. Out: for each the peak of the process less what it held before the fit. Every fit has
a process of its own, because a peak never goes down again.
"""

import resource
import subprocess
import sys

import numpy as np

from benchmarks.runner import HOLES
from benchmarks.tables import Table, mixed, with_holes

N_ROWS = 100_000


def bad() -> Table:
    """Three categories of 200, 200 and 900 values and five numbers; half of the cells are missing."""
    random = np.random.default_rng(20_260_106)
    numbers = random.normal(size=(N_ROWS, 5))
    codes = np.column_stack([random.integers(0, n, N_ROWS) for n in (200, 200, 900)])
    scores = random.normal(size=(3, 900))
    total = numbers[:, 0] + sum(scores[j][codes[:, j]] for j in range(3))
    table = Table(np.hstack([codes.astype(np.float64), numbers]), (total > 0).astype(np.int64), (0, 1, 2))
    return with_holes(table, 0.5)


TABLES = {
    "mixed, no holes": lambda: mixed(N_ROWS, 2),
    f"mixed, {HOLES:.0%} missing": lambda: with_holes(mixed(N_ROWS, 2), HOLES),
    "large categories, 50% missing": bad,
}


def peak() -> float:
    """The most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(name: str) -> str:
    """Fit the named table, once, in this process."""
    from treewright import C45Classifier

    table = TABLES[name]()
    before = peak()
    model = C45Classifier(pruning=None, categorical_features=list(table.categories)).fit(table.values, table.target)
    size = table.values.nbytes / 2**20
    return f"{name:32} input {size:5.1f} MB, above it {peak() - before:6.0f} MB, {model.get_n_leaves()} leaves"


def main() -> int:
    """Measure one table when it is named, else each in a process of its own."""
    if len(sys.argv) > 1:
        print(measure(sys.argv[1]))
        return 0
    for name in TABLES:
        subprocess.run([sys.executable, "-m", "benchmarks.memory", name], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
