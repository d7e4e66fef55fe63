"""Pages: how long `to_html` takes, and how large the file is.

In: tables drawn by chance, always the same. Out: a line for each tree, as in docs/page.md; seconds are those of one
processor, so that a busy machine does not count.
Run: python -m benchmarks.pages
"""

from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

from treewright import C45Classifier, CARTClassifier, CARTRegressor

Case = tuple[str, Any, pd.DataFrame, Any]


def cases() -> Iterator[Case]:
    """What the tree is, the estimator, and its rows."""
    rng = np.random.default_rng(0)
    numbers = pd.DataFrame(rng.normal(size=(100_000, 10)).round(3)).add_prefix("x")
    target = numbers["x0"] + rng.normal(size=len(numbers))
    kind = np.where(target > 0, "yes", "no")
    mixed = numbers.copy()
    for name in ("x5", "x6", "x7", "x8", "x9"):
        mixed[name] = rng.choice([f"{name} {i}" for i in range(8)], len(mixed))
    mixed = mixed.mask(rng.random(mixed.shape) < 0.05)
    small = slice(0, 1000)
    yield "1,000 rows", CARTClassifier(), numbers[small], kind[small]
    grown: dict[str, Any] = {"pruning": None, "max_leaf_nodes": 10_000}
    yield "100,000 rows", CARTClassifier(**grown), numbers, kind
    yield "100,000 rows, a number as target", CARTRegressor(**grown), numbers, target
    yield "100,000 rows with missing values, surrogates", CARTClassifier(**grown), mixed, kind
    # Rows with missing values are shared out among branches here, so there are more of them in every node.
    shared = C45Classifier(variant="textbook", max_leaf_nodes=14_000)
    yield "20,000 rows with missing values, fractional weights", shared, mixed[:20_000], kind[:20_000]


def main() -> None:
    """Print the table."""
    print("| table | nodes | fit | to_html | file |")
    print("|---|---|---|---|---|")
    for what, model, X, y in cases():
        start = process_time()
        model.fit(X, y)
        fitted = process_time()
        html = model.to_html(None, X, y)
        done = process_time()
        nodes, size = model.grown_tree_.n_nodes, len(html.encode("utf-8")) / 1e6
        print(f"| {what} | {nodes:,} | {fitted - start:.1f} s | {done - fitted:.1f} s | {size:.1f} MB |", flush=True)


if __name__ == "__main__":
    main()
