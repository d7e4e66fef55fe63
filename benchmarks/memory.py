"""`python -m benchmarks.memory`: what a fit takes above its input.

In: tables, written to files, so that a process holds nothing but the one it fits. Out: for each the peak of the process
less what it held before the fit. Every fit has a process of its own, because a peak never goes down again.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.choice import Choice
from benchmarks.rows import Row
from benchmarks.tables import MISSING_FRACTION, Table, add_missing, floats, mixed, regression, sized

SECTION = "memory"
MB = 2**20
FIRST = 200
"""Rows of a fit before the one that is measured: it loads what is imported when first used."""


def mixed_with_missing(n_rows: int, n_classes: int) -> Table:
    """The mixed table with missing cells."""
    return add_missing(mixed(n_rows, n_classes), MISSING_FRACTION)


def bad(n_rows: int) -> Table:
    """Three categories of 200, 200 and 900 values and five numbers; half of the cells are missing."""
    random = np.random.default_rng(20_260_106)
    numbers = random.normal(size=(n_rows, 5))
    codes = np.column_stack([random.integers(0, n, n_rows) for n in (200, 200, 900)])
    scores = random.normal(size=(3, 900))
    total = numbers[:, 0] + sum(scores[j][codes[:, j]] for j in range(3))
    table = Table(np.hstack([codes.astype(np.float64), numbers]), (total > 0).astype(np.int64), (0, 1, 2))
    return add_missing(table, 0.5)


CASES = {
    "CART, floats, 2 classes": (sized(floats, 1_000_000, 2), ("CART", "scikit-learn")),
    "CART, regression": (sized(regression, 1_000_000), ("CART",)),
    "C4.5, mixed, nothing missing": (sized(mixed, 100_000, 2), ("C4.5",)),
    f"C4.5, mixed, {MISSING_FRACTION:.0%} missing": (sized(mixed_with_missing, 100_000, 2), ("C4.5",)),
    "C4.5, large categories, 50% missing": (sized(bad, 100_000), ("C4.5",)),
}
WITH_GOAL = "CART, floats, 2 classes"


def memory_rows(choice: Choice) -> Iterator[Row]:
    """Every table by every program that is named with it."""
    for name, (draw, programs) in CASES.items():
        if not choice.wants(SECTION, name):
            continue
        table = draw(choice.fraction)
        with tempfile.TemporaryDirectory() as folder:
            np.save(Path(folder) / "values.npy", table.values)
            np.save(Path(folder) / "target.npy", table.target)
            above = {program: _ask(program, folder, table.categories) for program in programs}
        size = table.values.nbytes / MB
        figures = {"input MB": size, **{f"{program} MB": found for program, found in above.items()}}
        goal = 2 * size + 50 if name == WITH_GOAL and choice.fraction == 1 else None
        yield Row(SECTION, name, table.shape, "full", figures=figures, goal=goal, value=above[programs[0]])


def _ask(program: str, folder: str, categories: tuple[int, ...]) -> float:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.memory", program, folder, ",".join(map(str, categories))]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def held(field: str) -> float:
    """What the system says of this process, in MB: VmRSS, held now, or VmHWM, the most it has ever held.

    Not from getrusage: there a new process begins with the peak of the one that started it.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        raise SystemExit("Peaks of memory are read from /proc/self/status, and this system has none.")
    lines = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
    return int(lines[field].split()[0]) / 1024


def measure(program: str, folder: Path, categories: list[int]) -> float:
    """Fit what is in the folder, once, in this process; MB above what was held before."""
    values, target = (np.load(folder / f"{name}.npy") for name in ("values", "target"))
    if program == "scikit-learn":
        from sklearn.tree import DecisionTreeClassifier

        values = values.astype(np.float32)
        # Deeper it holds nothing more but its nodes, and takes a minute.
        model = DecisionTreeClassifier(random_state=0, max_depth=3)
    else:
        import treewright

        is_number = target.dtype == np.float64
        kinds = {"C4.5": treewright.C45Classifier, "CART": treewright.CARTClassifier}
        kind = treewright.CARTRegressor if is_number else kinds[program]
        model = kind(pruning=None, categorical_features=categories or "from_dtype")
    model.fit(values[:FIRST], target[:FIRST])
    before = held("VmRSS")
    model.fit(values, target)
    return held("VmHWM") - before


def main() -> int:
    """Measure one folder when it is named, else print all rows."""
    if len(sys.argv) > 1:
        program, folder, categories = sys.argv[1:]
        print(measure(program, Path(folder), [int(j) for j in categories.split(",") if j]))
        return 0
    for row in memory_rows(Choice()):
        found = ", ".join(f"{name} {value:.0f}" for name, value in row.figures.items())
        print(f"{row.case:38}{row.shape:>16}  {found}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
