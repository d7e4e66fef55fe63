"""SHAP values of a tree: how much each column contributes to a prediction.

In: a `Scoring` and a table. Out: `shap_values`, computed here for the columns of the user; and `to_shap`, the tree as
the dict that `shap.TreeExplainer` takes.

A leaf (or another node where a path ends) contributes its value times a product of one factor for each column on its
path. With the column known, the factor is the fraction of the row that takes the path: 1 or 0, or between them where a
missing value is divided. With the column unknown, it is the fraction of the training rows that take it
(`tree_path_dependent` in shap). The Shapley value of column j in this product game is, by the multilinear extension
(Owen 1972, Management Science 18, equation 5),

    (known_j - unknown_j) * integral from 0 to 1 of the product over i != j of (unknown_i + t (known_i - unknown_i)) dt

times the value of the leaf. The integrand is a polynomial, so Gauss-Legendre quadrature with enough points is exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ExportError
from treewright.export.binary_view import NO_CHILD, BinaryTree, Floats, as_binary, read_codes
from treewright.export.scoring import EVERY, REFUSE, STOP, NodeTest, Scoring, ValueTest, scoring_of

LEAST_COVER = 1e-12
"""The part of all weight that an empty node gets in `to_shap`: shap divides by the weights."""
BLOCK = 2_000
"""Rows at a time."""


class ShapValues(NamedTuple):
    """SHAP values; `values.sum(axis=1) + base_values` are the predictions.

    values       (n_rows, n_columns) of a regression tree, (n_rows, n_columns, n_classes) of class probabilities
    base_values  the mean prediction of the training rows by the tree: a number, or (n_classes,)
    """

    values: Floats
    base_values: Floats


def shap_values(model: Any, X: Any) -> ShapValues:
    """Return the exact SHAP values of the columns of a table.

    A column of the user is one player, even if a path tests it several times or by different categories. Values of
    columns that are unknown are averaged over the training rows of each node (`tree_path_dependent` in shap). Missing
    values and unseen categories are routed as in `predict`; a missing value that is decided by a surrogate split counts
    as a value of its own column.

    Parameters
    ----------
    model : fitted estimator, Tree or Scoring
        The model.
    X : array, list of rows, or pandas, polars or pyarrow table
        The columns of the model.

    Returns
    -------
    ShapValues
        The values and the base values.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> model = CARTRegressor(pruning=None).fit(rows, [0.0, 2.0, 8.0, 14.0])
    >>> found = shap_values(model, [[1, 1], [0, 0]])
    >>> found.values.tolist(), float(found.base_values)
    ([[5.5, 2.5], [-4.5, -1.5]], 6.0)
    """
    scoring = model if isinstance(model, Scoring) else scoring_of(model)
    return shap_values_of_codes(scoring, read_codes(scoring, X))


def shap_values_of_codes(scoring: Scoring, values: Floats) -> ShapValues:
    """SHAP values of encoded rows: NaN is missing, minus infinity an unseen category."""
    tree = scoring.tree
    found = np.zeros((len(values), tree.schema.n_columns, tree.value.shape[1]))
    paths, base = list(_paths(scoring)), np.zeros(tree.value.shape[1])
    for path in paths:
        base += tree.value[path.end] * np.prod([step.unknown for step in path.steps])
    for start in range(0, len(values), BLOCK):
        block = slice(start, start + BLOCK)
        fractions = {one.node: branch_fractions(one, values[block]) for one in scoring.tests if one is not None}
        for path in paths:
            _add_path(path, fractions, tree.value[path.end], found[block])
    return ShapValues(found[:, :, 0], base[0]) if scoring.is_regression else ShapValues(found, base)


def to_shap(scoring: Scoring, *, missing: str = "auto") -> dict[str, Any]:
    """Return the tree as the dict that `shap.TreeExplainer` takes; its rows are `as_binary(scoring).encode(X)`.

    The explainer has one player for each coded column. `as_binary(scoring).decode_columns` sums its values by the
    columns of the user; the sums are additive too, but where a path tests several coded columns of one column of the
    user they differ from `shap_values`.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    missing : {"auto", "refuse", "keep"}, default="auto"
        As in `as_binary`.

    Returns
    -------
    dict
        {"trees": [arrays]}. An empty node has a tiny weight, because the explainer divides by weights.

    Examples
    --------
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> tree = to_shap(scoring(golf_example(), "majority"))["trees"][0]
    >>> sorted(tree)
    ['children_default', 'children_left', 'children_right', 'features', 'node_sample_weight', 'thresholds', 'values']
    >>> tree["node_sample_weight"].tolist()
    [14.0, 9.0, 5.0, 2.0, 3.0, 4.0, 5.0, 3.0, 2.0]
    """
    binary = as_binary(scoring, missing)
    children = binary.children_left, binary.children_right
    tree = {
        "children_left": children[0].astype(np.int32),
        "children_right": children[1].astype(np.int32),
        "children_default": np.where(binary.missing_go_to_left == 1, *children).astype(np.int32),
        "features": binary.feature.astype(np.int32),
        "thresholds": binary.threshold.copy(),
        "values": binary.value[:, 0, :].copy(),
        "node_sample_weight": _covers(binary),
    }
    return {"trees": [tree], "internal_dtype": np.float64, "input_dtype": np.float64}


def _covers(binary: BinaryTree) -> Floats:
    """The weight of each node as the sum of its leaves; an empty leaf gets a little."""
    weight = binary.weighted_n_node_samples.copy()
    leaf = binary.children_left == NO_CHILD
    weight[leaf] = np.maximum(weight[leaf], LEAST_COVER * max(weight[leaf].sum(), LEAST_COVER))
    for i in reversed(np.flatnonzero(~leaf).tolist()):
        weight[i] = weight[binary.children_left[i]] + weight[binary.children_right[i]]
    return weight


@dataclass(frozen=True, slots=True)
class _Step:
    """All tests of one column on a path: (node, branch or STOP) of each; and the fraction of the training rows."""

    position: int
    tests: tuple[tuple[int, int], ...]
    unknown: float


@dataclass(frozen=True, slots=True)
class _Path:
    end: int
    steps: tuple[_Step, ...]


def _paths(scoring: Scoring) -> Iterator[_Path]:
    """The paths to all nodes where rows end."""
    waiting: list[tuple[int, tuple[_Step, ...]]] = [(0, ())]
    while waiting:
        node, steps = waiting.pop()
        one = scoring.tests[node]
        if one is None:
            yield _Path(node, steps)
            continue
        stopped, parts = _training_fractions(scoring, one)
        if stopped is not None:
            yield _Path(node, _extended(steps, one, STOP, stopped))
        waiting += [(child, _extended(steps, one, i, parts[i])) for i, child in enumerate(one.children)]


def _training_fractions(scoring: Scoring, one: NodeTest) -> tuple[float | None, list[float]]:
    """The fraction of the training rows that stop at a node, None if rows cannot stop there; and at each child."""
    parts = list(one.fractions)
    if STOP not in (one.missing, one.unseen):
        return None, parts
    tree = scoring.tree
    total, below = float(tree.weight[one.node]), float(tree.weight[list(one.children)].sum())
    stopped = max(0.0, 1.0 - below / total) if total > 0 and tree.missing == "stop" else 0.0
    return stopped, [part * (1.0 - stopped) for part in parts]


def _extended(steps: tuple[_Step, ...], one: NodeTest, branch: int, fraction: float) -> tuple[_Step, ...]:
    position, tests = one.test.position, ((one.node, branch),)
    for i, step in enumerate(steps):
        if step.position == position:
            joined = _Step(position, step.tests + tests, step.unknown * fraction)
            return (*steps[:i], joined, *steps[i + 1 :])
    return (*steps, _Step(position, tests, fraction))


def _add_path(path: _Path, fractions: dict[int, Floats], value: Floats, found: Floats) -> None:
    """Add what a path contributes to the SHAP values of each of its columns."""
    n = len(path.steps)
    if n == 0:
        return
    nodes, weights = np.polynomial.legendre.leggauss((n + 1) // 2)  # exact up to degree n, the integrand has n - 1
    points, weights = (nodes + 1) / 2, weights / 2
    changes, factors = [], []
    for step in path.steps:
        known = np.prod([fractions[node][:, branch] for node, branch in step.tests], axis=0)
        changes.append(known - step.unknown)
        factors.append(step.unknown + changes[-1][:, None] * points)
    after = [np.ones(factors[0].shape)]
    for factor in reversed(factors[1:]):
        after.append(after[-1] * factor)
    before = np.ones(factors[0].shape)
    for step, change, factor, rest in zip(path.steps, changes, factors, reversed(after), strict=True):
        contribution = change * ((before * rest) @ weights)
        found[:, step.position] += contribution[:, None] * value
        before = before * factor


def branch_fractions(one: NodeTest, values: Floats) -> Floats:
    """The fraction of each row that takes each branch of a node; the last column is the fraction that stops there.

    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> root = scoring(golf_example(), "stop").tests[0]
    >>> branch_fractions(root, np.array([[1.0, 70.0, 0.0], [np.nan, 70.0, 0.0]])).tolist()
    [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    """
    branches = _branches(one.test, values[:, one.test.position])
    lacks = branches == EVERY
    for surrogate in one.surrogates:
        branches[lacks] = _branches(surrogate, values[lacks, surrogate.position])
        lacks = branches == EVERY
    branches[lacks] = one.missing
    if one.unseen is not None:
        branches[np.isneginf(values[:, one.test.position])] = one.unseen
    if (branches == REFUSE).any():
        row = int((branches == REFUSE).argmax())
        raise ExportError(f"Row {row} has no value that node {one.node} can test, and the model refuses it.")
    found = np.zeros((len(values), len(one.children) + 1))
    single = branches != EVERY
    found[single, branches[single]] = 1.0  # STOP is -1, the last column
    found[~single, :-1] = one.fractions
    return found


def _branches(test: ValueTest, cells: Floats) -> NDArray[np.intp]:
    """The branch of each cell; EVERY where the test does not decide."""
    found = np.full(len(cells), EVERY, np.intp)
    known = np.isfinite(cells)
    if test.codes is None:
        high = np.zeros(len(cells), bool) if test.threshold is None else cells > test.threshold
        found[known] = np.array(test.branches)[high[known].astype(np.intp)]
        return found
    table = np.full(max(test.column.n_categories, 1), EVERY, np.intp)
    for branch, codes in zip(test.branches, test.codes, strict=True):
        table[list(codes)] = branch
    found[known] = table[cells[known].astype(np.intp)]
    return found
