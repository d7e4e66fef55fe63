"""The unpruned tree in the data of a page: its columns and target, and lists with one entry per node.

What determines a prediction (thresholds, tables, branch fractions, stats) has every digit, so that the page predicts
as the tree does; numbers for display are rounded. Of columns that the tree does not use only the names are included:
a page is passed on, and should not contain more than needed.
"""

from math import isinf, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind, Schema
from treewright.model.formatting import format_category, format_value
from treewright.model.prediction_rule import pseudo_counts, without_cost_factors
from treewright.model.surrogates import Surrogates
from treewright.model.tree import Tree
from treewright.page.json_numbers import exact_list, exact_number, rounded_list, rounded_number

KINDS = {Kind.NUMBER: "number", Kind.ORDERED: "ordered", Kind.CATEGORY: "category"}

INFINITE = "inf"
"""The threshold of a split that only separates missing values."""


def columns_part(tree: Tree) -> list[dict[str, Any]]:
    """Return name, kind and categories of each column; of one that is derived from dates also from which, and what.

    >>> from treewright.model.build import golf_example
    >>> columns_part(golf_example())[0]
    {'name': 'outlook', 'kind': 'category', 'categories': ['sunny', 'overcast', 'rain']}
    """
    used = set(np.unique(tree.column).tolist())
    if tree.surrogates is not None:
        used |= set(np.unique(tree.surrogates.column).tolist())
    return [
        {
            "name": column.name,
            "kind": KINDS[column.kind],
            "categories": [format_category(one) for one in column.categories] if i in used else [],
            **({} if column.source is None else {"source": column.source, "part": column.part}),
        }
        for i, column in enumerate(tree.schema.columns)
    ]


def target_part(schema: Schema) -> dict[str, Any]:
    """Return the name and the classes of the target; None for a number.

    >>> from treewright.model.build import golf_example
    >>> target_part(golf_example().schema)
    {'name': 'golf', 'classes': ["Don't Play", 'Play']}
    """
    classes = schema.target.classes
    return {
        "name": schema.target.name,
        "classes": None if classes is None else [format_category(one) for one in classes],
    }


def nodes_part(tree: Tree) -> dict[str, Any]:
    """Return the columns of a tree by name.

    >>> from treewright.model.build import golf_example
    >>> part = nodes_part(golf_example())
    >>> part["first_child"], part["threshold"][1], part["stats"][0]
    ([1, 4, -1, 6, -1, -1, -1, -1], 75, [5, 9])
    """
    return {
        "first_child": exact_list(tree.first_child),
        "n_children": exact_list(tree.n_children),
        "column": exact_list(tree.column),
        "threshold": [threshold_value(x) for x in tree.threshold.tolist()],
        "threshold_words": _all_threshold_words(tree),
        "table": _tables(tree),
        "other": exact_list(tree.other),
        "missing_branch": exact_list(tree.missing_branch),
        "share": exact_list(tree.branch_fractions),
        "heaviest": exact_list(tree.heaviest_branch),
        "weight": exact_list(tree.weight),
        "count": exact_list(tree.count),
        "stats": exact_list(tree.stats),
        "value": node_values(tree),
        "impurity": rounded_list(tree.impurity),
        "gain": rounded_list(tree.gain),
        "merit": rounded_list(tree.merit),
        "surrogates": None if tree.surrogates is None else _surrogates(tree, tree.surrogates),
    }


def node_values(tree: Tree) -> list[list[Any] | None]:
    """Return the predicted value of each node; None if it is exactly the class weights divided by the weight.

    >>> from treewright.model.build import golf_example
    >>> node_values(golf_example())[:2]
    [None, None]
    """
    if tree.schema.target.is_number:
        return exact_list(tree.value)
    found: list[list[Any] | None] = [None] * tree.n_nodes
    for i in np.flatnonzero(~is_quotient(tree)).tolist():
        found[i] = exact_list(tree.value[i])
    return found


def prediction_part(tree: Tree) -> dict[str, Any] | None:
    """Return how class weights become probabilities and a prediction; None for proportions and the majority class.

    The same for the numbers of a regression tree; None for the means as they are.

    >>> from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
    >>> from treewright.model.build import golf_example
    >>> prediction_part(with_prediction_rule(golf_example(), PredictionRule("laplace")))["added"]
    [1, 1]
    """
    rule = tree.prediction_rule
    if rule.is_default:
        return None
    root = np.empty(0) if tree.schema.target.is_number else without_cost_factors(rule, tree.stats[0])
    return {
        "probability": rule.probability,
        "amount": exact_number(rule.amount),
        "added": exact_list(pseudo_counts(rule, root / (root.sum() or 1.0))[0]),
        "costs": None if rule.costs is None else exact_list(np.array(rule.costs)),
        "factors": None if rule.factors is None else exact_list(np.array(rule.factors)),
        "row_weight": exact_number(rule.row_weight),
    }


def is_quotient(tree: Tree) -> NDArray[np.bool_]:
    """Return at which nodes of a classification tree the probabilities are the class weights divided by the weight.

    >>> from treewright.model.build import golf_example
    >>> bool(is_quotient(golf_example()).all())
    True
    """
    weight = np.where(tree.weight > 0, tree.weight, np.nan)
    return np.all(tree.stats / weight[:, None] == tree.value, axis=1)


def threshold_value(x: float) -> float | str | None:
    """Return a threshold with every digit.

    >>> threshold_value(0.1), threshold_value(float("inf")), threshold_value(float("nan"))
    (0.1, 'inf', None)
    """
    return INFINITE if isinf(x) else exact_number(x)


def threshold_words(column: Column, x: float) -> str | None:
    """Return a threshold as text: for an ordered category, the last category below it.

    >>> threshold_words(Column("size", Kind.ORDERED, ("S", "M", "L")), 1.5)
    'M'
    """
    if isnan(x) or isinf(x):
        return None
    return format_value(column, x)


def _all_threshold_words(tree: Tree) -> list[str | None]:
    found: list[str | None] = [None] * tree.n_nodes
    columns = tree.schema.columns
    for i in np.flatnonzero(~np.isnan(tree.threshold)).tolist():
        found[i] = threshold_words(columns[tree.column[i]], float(tree.threshold[i]))
    return found


def _tables(tree: Tree) -> list[list[list[int]] | None]:
    """The categories seen at each node and their branches; None if the split has a threshold."""
    found: list[list[list[int]] | None] = [None] * tree.n_nodes
    start, codes, branches = (column.tolist() for column in (tree.table_start, tree.table_code, tree.table_branch))
    for i in np.flatnonzero((tree.n_children > 0) & np.isnan(tree.threshold)).tolist():
        own = slice(start[i], start[i + 1])
        found[i] = [codes[own], branches[own]]
    return found


def _surrogates(tree: Tree, kept: Surrogates) -> dict[str, list[dict[str, Any]]]:
    """The surrogate splits by node, best first; fields that do not apply are left out."""
    columns, found = tree.schema.columns, {}
    start, table_start = kept.start.tolist(), kept.table_start.tolist()
    for node in np.flatnonzero(np.diff(kept.start)).tolist():
        own = []
        for s in range(start[node], start[node + 1]):
            at = int(kept.column[s])
            one: dict[str, Any] = {"column": at}
            if kept.low[s] >= 0:
                cut = float(kept.threshold[s])
                one |= {"threshold": threshold_value(cut), "threshold_words": threshold_words(columns[at], cut)}
                one["low_branch"] = int(kept.low[s])
            else:
                codes = slice(table_start[s], table_start[s + 1])
                one["table"] = [kept.table_code[codes].tolist(), kept.table_branch[codes].tolist()]
            one |= {
                "agree": rounded_number(float(kept.agree[s]), 5),
                "adjusted": rounded_number(float(kept.adjusted[s]), 5),
            }
            own.append(one)
        found[str(node)] = own
    return found
