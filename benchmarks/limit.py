"""How near growth is to what the memory allows: one pass over all entries for each level of the tree.

In: the options of the run. Out: Rows with the time of growth in units of such passes.

A tree that keeps every column sorted must read each entry of each node once, to find the best cut: rows x columns
entries of 4 bytes for each level. A row takes part in as many levels as its leaf is deep, so the levels are the mean
depth of a training row. The time of a pass is that of numpy's sum over an array of this size, which adds in 64 bits;
beside it stands the sum in 32 bits, which the compiler turns into little more than reading.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.choice import Choice
from benchmarks.peers.ours import make
from benchmarks.peers.seam import Setting
from benchmarks.rows import Row
from benchmarks.tables import Table, floats, regression, sized
from benchmarks.timing import take_turns
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.schema import Schema
from treewright.data.target import encode_classes, encode_numbers
from treewright.estimators.fitting import make_grower
from treewright.model.tree import Tree

SECTION = "limit"
GOAL = 8.0
CASES = {
    "floats, 2 classes": [sized(floats, n, 2) for n in (100_000, 500_000)],
    "floats, 7 classes": [sized(floats, n, 7) for n in (100_000, 500_000)],
    "regression": [sized(regression, 100_000)],
}


def limit_rows(choice: Choice) -> Iterator[Row]:
    """Full trees, one thread; the fit with all that is around growth is shown beside it."""
    for name, sizes in CASES.items():
        for draw in sizes:
            if choice.wants(SECTION, name):
                yield _one(name, draw(choice.fraction), choice)


def _one(name: str, table: Table, choice: Choice) -> Row:
    estimator = make(table, Setting())
    grow, rows = make_grower(estimator), dataset(table)
    ranks = np.random.default_rng(0).integers(0, 2**16, table.values.size, dtype=np.uint32)
    fits = [lambda: grow(rows), lambda: estimator.fit(table.given, table.target)]
    growth, fit = take_turns(fits, choice.rounds, choice.budget)
    adding, reading = take_turns([ranks.sum, lambda: ranks.sum(dtype=np.uint32)], 4 * choice.rounds)
    levels = mean_depth(growth.result)
    passes = growth.timed.cpu / (adding.timed.cpu * levels)
    figures = {"pass ms": adding.timed.cpu * 1e3, "levels": levels, "passes a level": passes}
    figures["of the fit"] = fit.timed.cpu / (adding.timed.cpu * levels)
    figures["of reading"] = growth.timed.cpu / (reading.timed.cpu * levels)
    goal = GOAL if choice.fraction == 1 else None
    return Row(SECTION, name, table.shape, "full", 1, "", growth.timed, None, figures, goal, passes)


def dataset(table: Table) -> Dataset:
    """The table in codes, as growth takes it."""
    read = read_table(table.values)
    target, y = (encode_numbers if table.is_regression else encode_classes)(table.target)
    return Dataset(Schema(read.columns, target), read.values, y)


def mean_depth(tree: Tree) -> float:
    """The depth of the leaf of a training row, on the mean."""
    leaves = tree.is_leaf
    return float((tree.depths[leaves] * tree.count[leaves]).sum() / tree.count[0])
