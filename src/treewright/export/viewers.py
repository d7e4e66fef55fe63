"""Trees for the viewers dtreeviz and supertree.

In: a fitted model, a table and its target. Out: an object of the viewer. Both show the binary tree of `as_binary`,
whose columns are numbers, and 0 or 1 for sets of categories.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.export.binary_view import NO_CHILD, BinaryTree, Floats, as_binary
from treewright.export.scoring import Scoring, scoring_of
from treewright.export.sklearn_tree import make_sklearn_tree
from treewright.extras import require


def to_dtreeviz(model: Any, X: Any, y: Any) -> Any:
    """Return the object of dtreeviz whose methods draw the tree, as `dtreeviz.model` does.

    Parameters
    ----------
    model : estimator or Tree
        A fitted estimator, or its `tree_`.
    X : array, list of rows, or pandas, polars or pyarrow table
        Rows without missing values: dtreeviz draws their distribution at each node.
    y : sequence
        Their classes or numbers.

    Returns
    -------
    dtreeviz.trees.DTreeVizAPI
        Its `view()` needs the program `dot` of Graphviz.
    """
    require("dtreeviz", "The view of dtreeviz")
    from dtreeviz.trees import DTreeVizAPI

    scoring = scoring_of(model)
    binary = as_binary(scoring, "refuse")
    return DTreeVizAPI(_shadow_class()(binary, binary.encode(X), _target_codes(scoring, y)))


def to_supertree(model: Any, X: Any = None, y: Any = None) -> Any:
    """Return the object of supertree that shows the tree in a notebook (`show_tree`) or a file (`save_html`).

    Parameters
    ----------
    model : estimator or Tree
        A fitted estimator, or its `tree_`.
    X, y : table and sequence, optional
        Rows without missing values, and their classes or numbers: supertree draws their distribution at each node.
    """
    require("supertree", "The view of supertree")
    from supertree import SuperTree

    scoring = scoring_of(model)
    binary = as_binary(scoring, "refuse")
    rows = {} if X is None else {"feature_data": binary.encode(X), "target_data": _target_codes(scoring, y)}
    classes = [str(name) for name in scoring.classes] or [scoring.tree.schema.target.name]
    tree = make_sklearn_tree(binary)
    return SuperTree(tree, feature_names=binary.feature_names, target_names=classes, **rows)


def _target_codes(scoring: Scoring, y: Sequence[Any]) -> NDArray[Any]:
    """The target as numbers: classes by their codes."""
    if scoring.is_regression:
        return np.asarray(y, np.float64)
    place: dict[object, int] = {name: i for i, name in enumerate(scoring.classes)}
    values = np.asarray(y, dtype=object).tolist()
    unknown = next((value for value in values if value not in place), None)
    if unknown is not None:
        raise InputError(f"y has the class {unknown!r}, which does not occur in training.")
    return np.array([place[value] for value in values], np.int64)


def _shadow_class() -> type:
    """The adapter of dtreeviz; its base class is imported when it is needed."""
    from dtreeviz.models.shadow_decision_tree import ShadowDecTree

    class ShadowBinaryTree(_ShadowMethods, ShadowDecTree):
        """A binary tree for dtreeviz."""

    return ShadowBinaryTree


class _ShadowMethods:
    """The methods that dtreeviz calls on a tree (`ShadowDecTree`), by its names."""

    tree_model: BinaryTree
    X_train: Floats
    y_train: NDArray[Any]

    def __init__(self, binary: BinaryTree, rows: Floats, target: NDArray[Any]) -> None:
        schema = binary.scoring.tree.schema
        self._rows_of_node: dict[int, list[int]] | None = None
        names = [str(name) for name in binary.scoring.classes] or None
        super().__init__(binary, rows, target, binary.feature_names, schema.target.name, names)  # type: ignore[call-arg]

    def is_fit(self) -> bool:
        return True

    def is_classifier(self) -> bool:
        return not self.tree_model.scoring.is_regression

    def get_class_weights(self) -> None:
        return None

    def get_class_weight(self) -> None:
        return None

    def get_thresholds(self) -> Floats:
        return self.tree_model.threshold

    def get_features(self) -> NDArray[np.intp]:
        return self.tree_model.feature

    def criterion(self) -> str:
        return self.tree_model.scoring.tree.criterion.upper()

    def nclasses(self) -> int:
        return self.tree_model.max_n_classes

    def classes(self) -> NDArray[np.intp] | None:
        return np.arange(self.nclasses()) if self.is_classifier() else None

    def get_node_samples(self) -> dict[int, list[int]]:
        if self._rows_of_node is None:
            binary = self.tree_model
            parent = np.full(binary.node_count, NO_CHILD)
            for children in (binary.children_left, binary.children_right):
                inner = children != NO_CHILD
                parent[children[inner]] = np.flatnonzero(inner)
            found: dict[int, list[int]] = {i: [] for i in range(binary.node_count)}
            for row, leaf in enumerate(binary.apply(self.X_train).tolist()):
                node = leaf
                while node != NO_CHILD:
                    found[node].append(row)
                    node = int(parent[node])
            self._rows_of_node = found
        return self._rows_of_node

    def get_split_samples(self, id: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:  # noqa: A002
        cells = self.X_train[self.get_node_samples()[id], self.get_node_feature(id)]
        is_low = cells <= self.get_node_split(id)
        return np.flatnonzero(is_low), np.flatnonzero(~is_low)

    def get_root_edge_labels(self) -> list[str]:
        return ["&le;", "&gt;"]

    def get_node_nsamples(self, id: int) -> int:  # noqa: A002
        return len(self.get_node_samples()[id])

    def get_children_left(self) -> NDArray[np.intp]:
        return self.tree_model.children_left

    def get_children_right(self) -> NDArray[np.intp]:
        return self.tree_model.children_right

    def get_node_split(self, id: int) -> float:  # noqa: A002
        return float(self.tree_model.threshold[id])

    def get_node_feature(self, id: int) -> int:  # noqa: A002
        return int(self.tree_model.feature[id])

    def get_node_nsamples_by_class(self, id: int) -> NDArray[np.intp]:  # noqa: A002
        return np.bincount(self.y_train[self.get_node_samples()[id]], minlength=self.nclasses())

    def get_prediction(self, id: int) -> float:  # noqa: A002
        tree, node = self.tree_model.scoring.tree, self.tree_model.node[id]
        return int(tree.predicted_class[node]) if self.is_classifier() else float(tree.value[node, 0])

    def nnodes(self) -> int:
        return self.tree_model.node_count

    def get_node_criterion(self, id: int) -> float:  # noqa: A002
        return float(self.tree_model.impurity[id])

    def get_feature_path_importance(self, node_list: Sequence[int]) -> Floats:
        binary, found = self.tree_model, np.zeros(self.tree_model.n_features)
        amount = binary.weighted_n_node_samples * binary.impurity
        for i in node_list:
            left, right = binary.children_left[i], binary.children_right[i]
            if left != NO_CHILD:
                found[binary.feature[i]] += amount[i] - amount[left] - amount[right]
        return found / found.sum() if found.sum() > 0 else found

    def get_max_depth(self) -> int:
        return self.tree_model.max_depth

    def get_score(self) -> float:
        leaves = self.tree_model.apply(self.X_train)
        predicted = np.array([self.get_prediction(leaf) for leaf in leaves.tolist()])
        if self.is_classifier():
            return float((predicted == self.y_train).mean())
        return 1.0 - float(((self.y_train - predicted) ** 2).sum() / ((self.y_train - self.y_train.mean()) ** 2).sum())

    def get_min_samples_leaf(self) -> int:
        return int(self.tree_model.n_node_samples[self.tree_model.children_left == NO_CHILD].min())

    def shouldGoLeftAtSplit(self, id: int, x: float) -> bool:  # noqa: A002, N802
        return x <= self.get_node_split(id)
