"""BaseTree: what every estimator does alike.

In: a table, a target and weights as the user has them. Out: a fitted estimator, whose one result is `tree_`;
everything it answers later is read from that tree.
"""

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from treewright.data.dataset import Dataset
from treewright.data.encode import Encoded, Table, encode_table, read_table, refuse_missing
from treewright.data.schema import Schema, Target
from treewright.data.target import same_length
from treewright.data.weights import read_weight
from treewright.errors import InputError
from treewright.estimators.missing import Asking, Missing, asking, warn_unseen
from treewright.estimators.parameters import count_cores, read_limits, settle, weight_share
from treewright.explain.missing import MissingReport, missing_report
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan
from treewright.model.tree import Tree
from treewright.predict.route import leaves, paths
from treewright.predict.rule import Rule


class BaseTree(BaseEstimator):
    """Fitting, routing and reading, shared by the classifiers and the regressors."""

    _fitted: ClassVar[tuple[str, ...]] = ("tree_", "n_features_in_", "feature_names_in_")

    max_depth: int | None
    min_samples_split: float | None
    min_samples_leaf: float | None
    min_weight_fraction_leaf: float
    min_impurity_decrease: float
    max_leaf_nodes: int | None
    categorical_features: Any
    missing: str
    missing_predict: str | None
    unseen_category: str
    max_surrogates: int = 5
    surrogates: str = "needed"
    n_jobs: int | None
    tree_: Tree
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    @abstractmethod
    def plan(self) -> Plan:
        """The algorithm as data: what the parameters, once checked, stand for."""

    @abstractmethod
    def _read_target(self, y: object) -> tuple[Target, NDArray[Any]]:
        """The target's description and its encoded values."""

    def fit(self, X: object, y: object, sample_weight: object = None) -> Self:
        """Grow the tree.

        X              the table: array, list of rows, pandas, polars or pyarrow; any mix of numbers and categories
        y              the target, one entry per row
        sample_weight  the weight of each row; None is 1 each

        When fit ends early, by an error or by Ctrl-C, the estimator is exactly as it was before.
        """
        plan = self.plan()
        share = weight_share(self.min_weight_fraction_leaf)
        n_threads = count_cores(self.n_jobs)
        if y is None:
            raise InputError(
                f"{type(self).__name__} requires y to be passed, but the target y is None; "
                "give the answer of each row as y."
            )
        table = read_table(X, self.categorical_features)
        if plan.missing == "error":
            refuse_missing(table.columns, table.values)
        target, answers = self._read_target(y)
        same_length(table.values.shape[0], y=answers)
        weight = self._read_weight(sample_weight, target, answers)
        dataset = Dataset(Schema(table.columns, target), table.values, answers, weight)
        tree = grow(dataset, settle(plan, dataset, share), n_threads)
        self._keep(self._results(table, tree, y))
        return self

    def apply(self, X: object) -> NDArray[np.int64]:
        """The number of the leaf each row comes to.

        A row that is shared among several leaves has the one of its largest share, the lowest number on a tie; a row
        that stops at a missing value has the node where it stops.
        """
        return leaves(*self._ask(X))

    def decision_path(self, X: object) -> Any:
        """A sparse table of rows by nodes: the share of the row that comes to the node, root and leaf included.

        The share is 1 unless a missing value sends parts of the row several ways.
        """
        return paths(*self._ask(X))

    def missing_report(self, X: object) -> MissingReport:
        """What missing values and unseen categories in this table do to the answers.

        The report says for each column how often it is missing, how many answers depend on that and how many would
        be others under another strategy, and at which nodes. Print it, or read its fields.
        """
        tree = self._tree()
        how = asking(tree, self.missing_predict, self.unseen_category)
        encoded = self._encode(X, how)
        return missing_report(tree, encoded.values, how.rule, encoded.unseen, how.unseen)

    def get_depth(self) -> int:
        """The number of splits on the longest way from the root to a leaf."""
        return self._tree().depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        return self._tree().n_leaves

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as indented text, in the names and categories of the table; down to `max_depth`, if given."""
        return self._tree().to_text(max_depth)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """What the splits of each column gained, weighted by the rows they saw; the sum is 1.

        A surrogate has its part, as in rpart: the gain of the split it stands in for, times its adjusted agreement.
        All 0 when nothing was gained, as in a tree that is a single leaf.
        """
        tree = self._tree()
        n_columns, inner = tree.schema.n_columns, tree.column >= 0
        gain = tree.gain * tree.weight
        gained = np.bincount(tree.column[inner], weights=gain[inner], minlength=n_columns)
        stand_ins = tree.surrogates
        if stand_ins is not None:
            node = np.repeat(np.arange(tree.n_nodes), np.diff(stand_ins.start))
            part = gain[node] * stand_ins.adjusted
            gained += np.bincount(stand_ins.column, weights=part, minlength=n_columns)
        total = gained.sum()
        return gained / total if total > 0 else np.zeros_like(gained)

    def _limits(self) -> Limits:
        return read_limits(
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
        )

    def _missing_parts(self, category: str, criterion: str = "entropy") -> dict[str, Any]:
        """The parts of the plan about missing values, checked against the others."""
        given = Missing(
            missing=self.missing,
            missing_predict=self.missing_predict,
            unseen_category=self.unseen_category,
            max_surrogates=self.max_surrogates,
            surrogates=self.surrogates,
        )
        two_ways = "set categories='subset'" if hasattr(self, "categories") else "use CARTClassifier"
        return given.plan_parts(category, criterion, two_ways)

    def _read_weight(
        self, sample_weight: object, target: Target, answers: NDArray[Any]
    ) -> NDArray[np.float64] | None:
        return read_weight(sample_weight, len(answers))

    def _results(self, table: Table, tree: Tree, y: object) -> dict[str, object]:
        """The fitted attributes."""
        results: dict[str, object] = {"tree_": tree, "n_features_in_": len(table.columns)}
        if table.feature_names is not None:
            results["feature_names_in_"] = np.array(table.feature_names, dtype=object)
        return results

    def _keep(self, results: dict[str, object]) -> None:
        """Replace the results of an earlier fit by these, all at once: one assignment cannot be interrupted."""
        others = {name: value for name, value in vars(self).items() if name not in self._fitted}
        self.__dict__ = others | results

    def _tree(self) -> Tree:
        check_is_fitted(self, "tree_")
        return self.tree_

    def _ask(self, X: object) -> tuple[Tree, NDArray[np.float64], Rule]:
        """The tree, the rows and the rule they are answered by; unseen categories are warned of, once."""
        tree = self._tree()
        how = asking(tree, self.missing_predict, self.unseen_category)
        encoded = self._encode(X, how)
        if encoded.unseen:
            warn_unseen(encoded.unseen, how.unseen)
        return tree, encoded.values, how.rule

    def _encode(self, X: object, how: Asking) -> Encoded:
        """The rows to be answered, in the codes of the training table."""
        # Asking a plain array for column names is a tenth of a millisecond spent for nothing.
        if type(X) is not np.ndarray or hasattr(self, "feature_names_in_"):
            # ensure_2d=False leaves the number of columns to encode_table, which also reads lists and tables.
            validate_data(self, X, reset=False, skip_check_array=True, ensure_2d=False)
        columns = self.tree_.schema.columns
        encoded = encode_table(X, columns, how.cells)
        if how.rule.missing == "error":
            refuse_missing(columns, encoded.values)
        return encoded

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
