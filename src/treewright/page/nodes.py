"""Nodes: the grown tree as columns of the document, one entry per node.

In: a tree. Out: lists of plain numbers. What decides a row's way (thresholds, tables, shares, stats) has every digit,
so that the page answers as the tree does; what is only read is rounded.
"""

from math import floor, isinf, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind
from treewright.model.answering import added_rows, unaltered
from treewright.model.surrogates import Surrogates
from treewright.model.tree import Tree
from treewright.model.words import category_words, number_words
from treewright.page.plain import exact, number, rounded, short

ENDLESS = "inf"
"""The threshold of a question whether the value is missing."""


def nodes_part(tree: Tree) -> dict[str, Any]:
    """The columns of a tree.

    >>> from treewright.model.build import golf_example
    >>> part = nodes_part(golf_example())
    >>> part["first_child"], part["threshold"][1], part["stats"][0]
    ([1, 4, -1, 6, -1, -1, -1, -1], 75, [5, 9])
    """
    return {
        "first_child": exact(tree.first_child),
        "n_children": exact(tree.n_children),
        "column": exact(tree.column),
        "threshold": [threshold(x) for x in tree.threshold.tolist()],
        "threshold_words": _all_threshold_words(tree),
        "table": _tables(tree),
        "other": exact(tree.other),
        "missing_branch": exact(tree.missing_branch),
        "share": exact(tree.branch_shares),
        "heaviest": exact(tree.heaviest_branch),
        "weight": exact(tree.weight),
        "count": exact(tree.count),
        "stats": exact(tree.stats),
        "value": values(tree),
        "impurity": rounded(tree.impurity),
        "gain": rounded(tree.gain),
        "merit": rounded(tree.merit),
        "surrogates": None if tree.surrogates is None else _surrogates(tree, tree.surrogates),
    }


def values(tree: Tree) -> list[list[Any] | None]:
    """What each node answers; None where it is the stats of a class over the weight, bit by bit.

    >>> from treewright.model.build import golf_example
    >>> values(golf_example())[:2]
    [None, None]
    """
    if tree.schema.target.is_number:
        return exact(tree.value)
    found: list[list[Any] | None] = [None] * tree.n_nodes
    for i in np.flatnonzero(~is_quotient(tree)).tolist():
        found[i] = exact(tree.value[i])
    return found


def answering_part(tree: Tree) -> dict[str, Any] | None:
    """How class weights become probabilities and an answer; None where these are the shares, and the class of most.

    >>> from treewright.model.answering import Answering, answered
    >>> from treewright.model.build import golf_example
    >>> answering_part(answered(golf_example(), Answering("laplace")))["added"]
    [1, 1]
    """
    how = tree.answering
    if how.is_plain:
        return None
    root = unaltered(how, tree.stats[0])
    return {
        "probability": how.probability,
        "amount": number(how.amount),
        "added": exact(added_rows(how, root / root.sum())[0]),
        "costs": None if how.costs is None else exact(np.array(how.costs)),
        "factors": None if how.factors is None else exact(np.array(how.factors)),
        "row_weight": number(how.row_weight),
    }


def is_quotient(tree: Tree) -> NDArray[np.bool_]:
    """At which nodes of a classification tree the class shares are the class weights over the weight.

    >>> from treewright.model.build import golf_example
    >>> bool(is_quotient(golf_example()).all())
    True
    """
    weight = np.where(tree.weight > 0, tree.weight, np.nan)
    return np.all(tree.stats / weight[:, None] == tree.value, axis=1)


def threshold(x: float) -> float | str | None:
    """A threshold with every digit.

    >>> threshold(0.1), threshold(float("inf")), threshold(float("nan"))
    (0.1, 'inf', None)
    """
    return ENDLESS if isinf(x) else number(x)


def threshold_words(column: Column, x: float) -> str | None:
    """A threshold as people read it: of an ordered category, the last one below it.

    >>> threshold_words(Column("size", Kind.ORDERED, ("S", "M", "L")), 1.5)
    'M'
    """
    if isnan(x) or isinf(x):
        return None
    return category_words(column.categories[floor(x)]) if column.kind is Kind.ORDERED else number_words(x)


def _all_threshold_words(tree: Tree) -> list[str | None]:
    found: list[str | None] = [None] * tree.n_nodes
    columns = tree.schema.columns
    for i in np.flatnonzero(~np.isnan(tree.threshold)).tolist():
        found[i] = threshold_words(columns[tree.column[i]], float(tree.threshold[i]))
    return found


def _tables(tree: Tree) -> list[list[list[int]] | None]:
    """The categories met at each node and their branches; None where there is a threshold."""
    found: list[list[list[int]] | None] = [None] * tree.n_nodes
    start, codes, branches = (column.tolist() for column in (tree.table_start, tree.table_code, tree.table_branch))
    for i in np.flatnonzero((tree.n_children > 0) & np.isnan(tree.threshold)).tolist():
        own = slice(start[i], start[i + 1])
        found[i] = [codes[own], branches[own]]
    return found


def _surrogates(tree: Tree, kept: Surrogates) -> dict[str, list[dict[str, Any]]]:
    """The surrogates of each node that has some, best first; what has no meaning is left out."""
    columns, found = tree.schema.columns, {}
    start, table_start = kept.start.tolist(), kept.table_start.tolist()
    for node in np.flatnonzero(np.diff(kept.start)).tolist():
        own = []
        for s in range(start[node], start[node + 1]):
            at = int(kept.column[s])
            one: dict[str, Any] = {"column": at}
            if kept.low[s] >= 0:
                cut = float(kept.threshold[s])
                one |= {"threshold": threshold(cut), "threshold_words": threshold_words(columns[at], cut)}
                one["low_branch"] = int(kept.low[s])
            else:
                codes = slice(table_start[s], table_start[s + 1])
                one["table"] = [kept.table_code[codes].tolist(), kept.table_branch[codes].tolist()]
            one |= {"agree": short(float(kept.agree[s]), 5), "adjusted": short(float(kept.adjusted[s]), 5)}
            own.append(one)
        found[str(node)] = own
    return found
