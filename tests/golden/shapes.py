"""Shapes: a tree as nested tuples, to be written down next to a book's figure.

In: a grown tree. Out: a leaf as its class (or number); a split of categories as (column, {category: shape}), with a
tuple of categories where several share a branch; a split of a number as (column, threshold, shape, shape).
"""

import numpy as np

from treewright.model.tree import LEAF, THRESHOLD


def shape(tree):
    """The shape of a tree, from its columns alone."""
    below = {}
    # Children have higher numbers than their parents, so a reversed range meets them first.
    for i in reversed(range(len(tree.parent))):
        first = tree.first_child[i]
        children = [below.pop(int(first + b)) for b in range(tree.n_children[i])]
        if tree.kind[i] == LEAF:
            below[i] = answer(tree, i)
            continue
        column = tree.schema.columns[tree.column[i]]
        if tree.kind[i] == THRESHOLD:
            below[i] = (column.name, float(tree.threshold[i]), *children)
        else:
            names = branch_categories(tree, i)
            keys = [n[0] if len(n) == 1 else n for n in names]
            below[i] = (column.name, dict(zip(keys, children, strict=True)))
    return below[0]


def answer(tree, i):
    """What a node answers: its first most frequent class, or its number."""
    classes = tree.schema.target.classes
    return float(tree.value[i, 0]) if classes is None else classes[int(np.argmax(tree.value[i]))]


def branch_categories(tree, i):
    """The categories met at a node, by branch."""
    span = slice(tree.table_start[i], tree.table_start[i + 1])
    categories = tree.schema.columns[tree.column[i]].categories
    branches = [[] for _ in range(tree.n_children[i])]
    for code, branch in zip(tree.table_code[span], tree.table_branch[span], strict=True):
        branches[branch].append(categories[code])
    return [tuple(branch) for branch in branches]


def errors(tree):
    """Weight of the training rows outside the class their leaf answers, summed over the leaves."""
    leaves = np.flatnonzero(tree.kind == LEAF)
    right = tree.stats[leaves, tree.value[leaves].argmax(axis=1)]
    return float(tree.stats[leaves].sum() - right.sum())
