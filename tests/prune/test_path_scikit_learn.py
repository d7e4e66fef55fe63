"""The path beside scikit-learn's: the same alphas and impurities, on its trees and on ours.

scikit-learn's list begins with the grown tree at 0.0 and repeats an alpha for each node that goes at it; sums taken in
another order leave noise in them, which may even turn two of them round. So equal ones are joined here.
"""

from itertools import pairwise

import numpy as np
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import Tree as ScikitTree
from sklearn.tree._tree import ccp_pruning_path

from tests.golden.rpart_pruned import grown
from treewright import CARTClassifier, CARTRegressor
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.tree import Tree
from treewright.prune.cost_complexity_path import JOIN, cost_complexity_path, scikit_learn_path

CLOSE = 1e-10
"""How far alphas may be apart, in parts of the root's impurity."""

SETS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast_cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "diabetes": datasets.load_diabetes,
}

CASES = [(name, criterion) for name in SETS if name != "diabetes" for criterion in ("gini", "entropy")]
CASES += [("diabetes", "squared_error")]


def joined(alphas, values):
    """scikit-learn repeats an alpha for every node that goes at it, with noise that may even turn their order round.

    Of alphas that are one to 1e-11 of their size the last is kept, with its impurity.
    """
    alphas, values = np.maximum.accumulate(np.maximum(alphas, 0.0)), np.asarray(values)
    last = np.append(np.diff(alphas) > JOIN * alphas[1:], True)
    return alphas[last], values[last]


def as_ours(model, X):
    """scikit-learn's tree as one of ours, level by level."""
    theirs = model.tree_
    order = [0]
    for i in order:
        if theirs.children_left[i] >= 0:
            order += [int(theirs.children_left[i]), int(theirs.children_right[i])]
    place = np.argsort(order)
    left, right = theirs.children_left[order], theirs.children_right[order]
    inner = left >= 0
    parent = np.full(len(order), -1)
    for child in (left, right):
        parent[place[child[inner]]] = np.flatnonzero(inner)
    is_number = isinstance(model, DecisionTreeRegressor)
    # Its impurities may be a rounding below 0.
    weight, impurity = theirs.weighted_n_node_samples[order], np.maximum(theirs.impurity[order], 0.0)
    value = theirs.value[order, 0, :]
    stats = np.column_stack([weight, value, weight * impurity]) if is_number else value * weight[:, None]
    columns = tuple(Column(f"x{i}", Kind.NUMBER) for i in range(X.shape[1]))
    return Tree(
        schema=Schema(columns, Target("y", None if is_number else tuple(model.classes_.tolist()))),
        parent=parent,
        first_child=np.where(inner, place[left], -1),
        n_children=np.where(inner, 2, 0),
        kind=inner.astype(np.int8),
        column=np.where(inner, theirs.feature[order], -1),
        threshold=np.where(inner, theirs.threshold[order], np.nan),
        table_start=np.zeros(len(order) + 1),
        table_code=[],
        table_branch=[],
        other=np.full(len(order), -1),
        missing_branch=np.where(inner, 0, -1),
        count=theirs.n_node_samples[order],
        weight=weight,
        stats=stats,
        value=value,
        impurity=impurity,
        gain=np.where(inner, 0.0, np.nan),
        merit=np.where(inner, 0.0, np.nan),
        criterion="squared_error" if is_number else model.criterion,
    )


def as_theirs(tree, like):
    """One of our trees as scikit-learn's, put into the frame of one that it made itself."""
    state = like.tree_.__getstate__()
    nodes = np.zeros(tree.n_nodes, state["nodes"].dtype)
    inner = tree.n_children > 0
    nodes["left_child"], nodes["right_child"] = tree.first_child, np.where(inner, tree.first_child + 1, -1)
    nodes["impurity"], nodes["feature"] = tree.impurity, np.where(inner, tree.column, -2)
    nodes["n_node_samples"], nodes["weighted_n_node_samples"] = tree.count, tree.weight
    made = ScikitTree(like.tree_.n_features, np.atleast_1d(like.tree_.n_classes), 1)
    made.__setstate__(
        {"max_depth": tree.depth, "node_count": tree.n_nodes, "nodes": nodes, "values": tree.value[:, None, :].copy()}
    )
    return made


def check_same(path, theirs):
    alphas, impurities = joined(theirs["ccp_alphas"], theirs["impurities"])
    assert len(theirs["ccp_alphas"]) >= len(alphas)
    assert len(path.ccp_alphas) == len(alphas)
    scale = impurities[-1]
    assert np.abs(path.ccp_alphas - alphas).max() <= CLOSE * scale
    assert np.abs(path.impurities - impurities).max() <= CLOSE * scale
    assert path.ccp_alphas[0] == 0.0
    assert (np.diff(path.ccp_alphas) > 0).all()


@pytest.mark.parametrize(("name", "criterion"), CASES)
def test_scikit_learn(name, criterion):
    """The same list on scikit-learn's own tree and on ours, equal alphas joined."""
    X, y = SETS[name](return_X_y=True)
    is_number = criterion == "squared_error"
    theirs = (DecisionTreeRegressor if is_number else DecisionTreeClassifier)(criterion=criterion, random_state=0)
    ours = (CARTRegressor if is_number else CARTClassifier)(criterion=criterion)
    model = theirs.fit(X, y)
    check_same(scikit_learn_path(as_ours(model, X)), model.cost_complexity_pruning_path(X, y))
    tree = grown(ours, X, y)
    check_same(scikit_learn_path(tree), ccp_pruning_path(as_theirs(tree, model)))


def test_scikit_learn_prunes_the_same():
    """Between the alphas, scikit-learn's ccp_alpha leaves as many leaves as our tree has."""
    X, y = datasets.load_breast_cancer(return_X_y=True)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    path = cost_complexity_path(as_ours(model, X), "impurity")
    for low, high in pairwise([*path.alphas, 2 * path.alphas[-1]]):
        alpha = (low + high) / 2
        pruned = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        assert pruned.get_n_leaves() == path.tree_at(alpha).n_leaves
