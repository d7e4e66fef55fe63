"""A tree as a fitted tree of scikit-learn, for its `export_text` and `plot_tree`, and for code that reads `tree_`.

In: a `Scoring`. Out: a fitted DecisionTreeClassifier or DecisionTreeRegressor; or a Pipeline of an encoder and such a
tree, where the table has categories, or missing values that a tree of scikit-learn would not refuse.

scikit-learn rounds a table to 32-bit floats and compares these with 64-bit thresholds. The thresholds are those of the
model, so a value that is a 32-bit float takes the same branch. Another value may round to the other side of a threshold
next to it, at a relative distance of 6e-8 or less. The encoder of a Pipeline rounds to the side of the exact value.
"""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from treewright.data.frames import default_names
from treewright.data.schema import Column, input_names
from treewright.errors import ExportError
from treewright.export.binary_view import NO_CHILD, VALUE, BinaryTree, Floats, as_binary, binary_probes
from treewright.export.check import Predicted, compare
from treewright.export.probe_rows import LARGEST_INTEGER, Probes, predict_probes
from treewright.export.scoring import Scoring
from treewright.predict.table_prediction import class_labels

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

CRITERION_NAMES = {"twoing": "gini"}
"""Names of impurities in scikit-learn, where they differ."""

LARGEST = float(np.finfo(np.float32).max)


class TableEncoder(TransformerMixin, BaseEstimator):
    """Turns a table into the coded columns of a binary tree, rounded to 32-bit floats that take the same branches.

    Parameters
    ----------
    binary : BinaryTree
        The binary tree.
    """

    def __init__(self, binary: BinaryTree) -> None:
        self.binary = binary

    @property
    def n_features_in_(self) -> int:
        """Number of columns of a table."""
        return len(input_names(self.binary.scoring.tree.schema.columns))

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the columns of a table."""
        return np.array(input_names(self.binary.scoring.tree.schema.columns), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any = None) -> "TableEncoder":
        """Do nothing: the columns are those of the tree."""
        return self

    def transform(self, X: Any) -> Floats:
        """Return the coded columns of a table."""
        return self.round(self.binary.encode(X))

    def round(self, coded: Floats) -> Floats:
        """Round coded columns to 32-bit floats that take the same branches."""
        for i, cuts in _thresholds(self.binary).items():
            coded[:, i] = _round_between(coded[:, i], cuts)
        return coded

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the coded columns."""
        return np.array(self.binary.feature_names, dtype=object)


def to_sklearn(
    scoring: Scoring, *, encoder: bool | None = None, check: bool = True, training: Floats | None = None
) -> "DecisionTreeClassifier | DecisionTreeRegressor | Pipeline":
    """Return a fitted tree of scikit-learn with the same predictions.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    encoder : bool or None, default=None
        Whether the result is a Pipeline with an encoder that takes the tables of the model. None: only if the tree
        alone would not do: the table has categories or dates, or a missing value has to be refused. False: the tree
        alone; it takes `as_binary(scoring).encode(X)`, and NaN goes right where the model does something else.
    check : bool, default=True
        Whether to compare its predictions with those of the model on rows that try every decision.
    training : array, optional
        Encoded rows that are compared as well.

    Returns
    -------
    DecisionTreeClassifier, DecisionTreeRegressor or Pipeline
        Of a Pipeline the last step, `found[-1]`, is the tree; `found[:-1].get_feature_names_out()` names its columns.

    Raises
    ------
    ExportError
        If the class with the lowest expected cost is not the most probable one at a leaf; or if two thresholds of a
        column are so close that there is no 32-bit float between them, and an encoder is needed.

    Examples
    --------
    >>> from sklearn.tree import export_text
    >>> from treewright import CARTClassifier
    >>> from treewright.export.scoring import scoring_of
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> tree = to_sklearn(scoring_of(model))
    >>> print(export_text(tree, feature_names=["age"]).strip())
    |--- age <= 2.50
    |   |--- class: a
    |--- age >  2.50
    |   |--- class: b
    """
    from sklearn.pipeline import Pipeline

    binary = as_binary(scoring)
    _refuse_costs(binary)
    tree = make_sklearn_tree(binary)
    needs_encoder = not binary.is_numeric or bool(binary.obstacles)
    found: Any = tree
    if encoder or (encoder is None and needs_encoder):
        _refuse_close_thresholds(binary)
        found = Pipeline([("encoder", TableEncoder(binary)), ("tree", tree)])
    if check:
        probes = sklearn_probes(found, binary, training)
        compare(probes, run(found, binary, probes), "scikit-learn")
    return found


def make_sklearn_tree(binary: BinaryTree) -> "DecisionTreeClassifier | DecisionTreeRegressor":
    """Make a fitted tree of scikit-learn that takes the coded columns of a binary tree."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    scoring = binary.scoring
    criterion = CRITERION_NAMES.get(scoring.tree.criterion, scoring.tree.criterion)
    found = (DecisionTreeRegressor if scoring.is_regression else DecisionTreeClassifier)(criterion=criterion)
    found.tree_ = _make_tree(binary)
    found.n_features_in_, found.n_outputs_, found.max_features_ = binary.n_features, 1, binary.n_features
    if not scoring.is_regression:
        found.classes_ = class_labels(scoring.classes)
        found.n_classes_ = np.intp(len(scoring.classes))
    if binary.is_numeric and scoring.tree.schema.names != default_names(binary.n_features):
        found.feature_names_in_ = np.array(binary.feature_names, dtype=object)
    return found


def sklearn_probes(found: Any, binary: BinaryTree, training: Floats | None = None) -> Probes:
    """The rows for the check of `to_sklearn`; without an encoder they are rounded to 32-bit floats."""
    probes = binary_probes(binary, training)
    if hasattr(found, "steps"):
        return probes
    values = np.clip(probes.values, -LARGEST, LARGEST).astype(np.float32).astype(np.float64)
    return predict_probes(binary.scoring, values)


def run(found: Any, binary: BinaryTree, probes: Probes) -> Predicted:
    """What a tree of scikit-learn, or a Pipeline, predicts for the rows of probes; a Pipeline reads them as a table."""
    n_outputs = binary.max_n_classes
    if not len(probes.values):
        return Predicted(None if probes.classes is None else [], np.empty((0, n_outputs)))
    rows: Any = binary.encode_codes(probes.values)
    if hasattr(found, "steps"):
        rows = list(zip(*probes.cells(), strict=True))
        if any(map(_is_unlike_cells, binary.scoring.tree.schema.columns)):
            found, rows = found[-1], found[0].round(binary.encode_codes(probes.values))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of unseen categories, and rows without names
        if probes.classes is None:
            return Predicted(None, found.predict(rows)[:, None])
        return Predicted(found.predict(rows).tolist(), found.predict_proba(rows))


def _is_unlike_cells(column: Column) -> bool:
    """Whether a table must have other cells, or another type, than the cells of probes: dates, or large integers."""
    large = any(isinstance(one, int) and abs(one) >= LARGEST_INTEGER for one in column.categories)
    return column.source is not None or large


def _make_tree(binary: BinaryTree) -> Any:
    """The compiled tree of scikit-learn; fields of a node that this version does not have are left out."""
    from sklearn.tree._tree import Tree

    tree = Tree(binary.n_features, binary.n_classes, 1)
    nodes = np.zeros(binary.node_count, tree.__getstate__()["nodes"].dtype)
    fields = {
        "left_child": binary.children_left,
        "right_child": binary.children_right,
        "feature": binary.feature,
        "threshold": binary.threshold,
        "impurity": binary.impurity,
        "n_node_samples": binary.n_node_samples,
        "weighted_n_node_samples": binary.weighted_n_node_samples,
        "missing_go_to_left": binary.missing_go_to_left,
    }
    for name, values in fields.items():
        if name in nodes.dtype.names:
            nodes[name] = values
    state = {"max_depth": binary.max_depth, "node_count": binary.node_count, "nodes": nodes}
    tree.__setstate__(state | {"values": np.ascontiguousarray(binary.value)})
    return tree


def _refuse_costs(binary: BinaryTree) -> None:
    """Refuse a tree that predicts another class than the most probable one at a leaf."""
    tree = binary.scoring.tree
    if binary.scoring.is_regression:
        return
    for node in binary.node[binary.children_left == NO_CHILD].tolist():
        likely, predicted = int(tree.value[node].argmax()), int(tree.predicted_class[node])
        if likely != predicted:
            names = binary.scoring.classes
            raise ExportError(
                f"Node {node} predicts {names[predicted]!r}, the class with the lowest expected cost, but scikit-learn "
                f"would predict the most probable class {names[likely]!r}; fit without cost_matrix, or use "
                "`as_binary`, whose values are the probabilities."
            )


def _thresholds(binary: BinaryTree) -> dict[int, Floats]:
    """The thresholds of each coded column that is a number of the user, ascending."""
    numbers = [i for i, column in enumerate(binary.columns) if column.kind == VALUE]
    return {i: np.unique(binary.threshold[binary.feature == i]) for i in numbers}


def _round_between(cells: Floats, cuts: Floats) -> Floats:
    """Round to 32-bit floats on the same side of every threshold; there is one, see `_refuse_close_thresholds`."""
    rounded = np.clip(cells, -LARGEST, LARGEST).astype(np.float32)
    side, found = np.searchsorted(cuts, cells), np.searchsorted(cuts, rounded.astype(np.float64))
    known = ~np.isnan(cells)
    for wrong, end in ((known & (found < side), np.inf), (known & (found > side), -np.inf)):
        rounded[wrong] = np.nextafter(rounded[wrong], np.float32(end))
    return rounded.astype(np.float64)


def _refuse_close_thresholds(binary: BinaryTree) -> None:
    """Refuse thresholds with no 32-bit float between them."""
    for i, cuts in _thresholds(binary).items():
        low = np.array([-np.inf, *cuts])
        with np.errstate(over="ignore"):
            highest = np.array([*cuts, LARGEST]).astype(np.float32)  # will be at most the threshold
        above = highest.astype(np.float64) > np.array([*cuts, np.inf])
        highest[above] = np.nextafter(highest[above], np.float32(-np.inf))
        lost = ~(highest.astype(np.float64) > low) | ~np.isfinite(highest)
        if lost.any():
            first = float(cuts[min(int(lost.argmax()), len(cuts) - 1)])
            raise ExportError(
                f"Column {binary.columns[i].name!r} has the threshold {first!r}, and no 32-bit float, as scikit-learn "
                "uses them, is between it and the next one; use another export."
            )
