"""Trees of R's rpart, and ours beside them.

In: a frame as stored in rpart.json (`number|column|rows|deviance` for each node, the children of node k being 2k and
2k + 1), or a grown tree. Out: the frame's nodes, the places where the two differ, and what our nodes say in rpart's
words: surrogates, improvements, importance.

rpart prunes by cost and complexity while it grows, so its frame is the upper part of our tree. It splits a node of at
least 20 rows into branches of at least 7, and names the branches of a node in its own order.
"""

import json
from dataclasses import dataclass

import numpy as np

from tests.golden.sets import load
from treewright.model.tree import LEAF

CONTROL = {"min_samples_split": 20, "min_samples_leaf": 7}
"""rpart's defaults, minsplit and minbucket."""


@dataclass(frozen=True)
class FrameNode:
    """A node of rpart's frame; the column is "<leaf>" at a leaf."""

    column: str
    n_rows: int
    deviance: float


def results(shared):
    """The stored results by name of the set."""
    stored = json.loads((shared / "reference" / "golden" / "rpart.json").read_text(encoding="utf-8"))
    return {one["name"]: one for one in stored}


def frame(text):
    """The nodes of a stored frame by number.

    >>> frame("1|A9|690|307.0;2|<leaf>|361|77.0;3|<leaf>|329|23.0")[2]
    FrameNode(column='<leaf>', n_rows=361, deviance=77.0)
    """
    nodes = {}
    for line in text.split(";"):
        number, column, n_rows, loss = line.strip().split("|")
        nodes[int(number)] = FrameNode(column, int(n_rows), float(loss))
    return nodes


def load_known(shared, name):
    """A set without the rows that know no column at all, which R leaves out."""
    X, y = load(shared, name)
    some = X.notna().any(axis=1)
    return X[some].reset_index(drop=True), y[some].reset_index(drop=True)


def deviance(tree, i):
    """Rows outside the majority, or the sum of squares."""
    if tree.schema.target.classes is None:
        return tree.impurity[i] * tree.weight[i]
    return tree.stats[i].sum() - tree.stats[i].max()


def compare(tree, nodes, number=1, i=0):
    """Our node of each number of the frame, as far as the two agree, and where they do not: (number, ours, theirs)."""
    node = nodes[number]
    column = "<leaf>" if "<leaf>" in (node.column, _column(tree, i)) else _column(tree, i)
    ours = FrameNode(column, int(tree.count[i]), float(deviance(tree, i)))
    alike = ours.n_rows == node.n_rows and np.isclose(ours.deviance, node.deviance, rtol=1e-6, atol=1e-6)
    if not alike or ours.column != node.column:
        return {}, [(number, ours, node)]
    if node.column == "<leaf>":
        return {number: i}, []
    first = int(tree.first_child[i])
    tries = []
    for low in (0, 1):  # rpart may name the branches the other way round
        pairs, found = compare(tree, nodes, 2 * number, first + low)
        more_pairs, more = compare(tree, nodes, 2 * number + 1, first + 1 - low)
        tries.append(({number: i} | pairs | more_pairs, found + more))
    return min(tries, key=lambda one: len(one[1]))


def _column(tree, i):
    return "<leaf>" if tree.kind[i] == LEAF else tree.schema.columns[tree.column[i]].name


def inner(tree, text):
    """Our nodes of the splits of a frame, which has to agree with the tree."""
    nodes = frame(text)
    pairs, found = compare(tree, nodes)
    assert not found, found
    return [i for number, i in pairs.items() if nodes[number].column != "<leaf>"]


def surrogates(tree, i):
    """The surrogates of a node, best first: column, test, agree, adjusted.

    The test is (cut, branch of the low side), or the branch of each category.
    """
    kept = tree.surrogates
    found = []
    for s in range(kept.start[i], kept.start[i + 1]):
        column = tree.schema.columns[kept.column[s]]
        span = slice(kept.table_start[s], kept.table_start[s + 1])
        codes, branches = kept.table_code[span].tolist(), kept.table_branch[span].tolist()
        test = (
            {column.categories[code]: branch for code, branch in zip(codes, branches, strict=True)}
            if codes
            else (float(kept.threshold[s]), int(kept.low[s]))
        )
        found.append((column.name, test, float(kept.agree[s]), float(kept.adjusted[s])))
    return found


def importance(tree, nodes):
    """rpart's importance by column: what the given nodes improve, and their surrogates by adjusted agreement."""
    total = dict.fromkeys((column.name for column in tree.schema.columns), 0.0)
    for i in nodes:
        improve = float(tree.gain[i] * tree.weight[i])
        total[_column(tree, i)] += improve
        for name, _, _, adjusted in surrogates(tree, i):
            total[name] += improve * adjusted
    return {name: value for name, value in total.items() if value}
