"""BaseTreeEstimator: the methods that all estimators have.

Each method is a short delegation: fitting is in `fitting` and `training_data`, prediction in `prediction`,
explanations in `explanations`, pages and pictures in `page_export`, exports to other programs in `exports`, model
files in `saving`. Everything is read from the one result of a fit, `tree_`.
"""

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.ignored_columns import IgnoredColumn
from treewright.data.schema import Target
from treewright.data.sources import library_of
from treewright.data.weights import read_weight
from treewright.errors import InputError, ParameterError
from treewright.estimators import explanations, exports, page_export
from treewright.estimators.fitting import (
    GrowthSettings,
    GrowthTask,
    PruningUsed,
    grow_tree,
    keep_attributes,
    make_sized_grower,
    prepare_growth,
    prune_tree,
    pruned_copy,
    pruned_to_size,
    pruning_method,
    read_growth,
    read_settings,
    row_attributes,
    tree_attributes,
)
from treewright.estimators.monotonic_constraints import has_constraints, without_raising
from treewright.estimators.parameters import constructor_call, read_limits
from treewright.estimators.prediction import (
    MissingParameters,
    PredictionPolicy,
    encode_for_prediction,
    predict_rows,
    prediction_policy,
    refuse_other_names,
)
from treewright.estimators.pruning import PruningOutcome, PruningSettings, require_pair, with_size
from treewright.estimators.shape_warnings import warn_about_shape
from treewright.estimators.training_data import (
    LabelledRows,
    encode_training_rows_again,
    encode_validation_rows,
    read_training_data,
    training_rows,
)
from treewright.grow.plan import Limits, Plan
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule
from treewright.model.tree import Tree
from treewright.predict.predictions import decision_paths, find_leaves
from treewright.prune.method import Method, PruningInput, weight_of_one_row
from treewright.prune.registry import parts_of, read_method, read_steps

if TYPE_CHECKING:
    from treewright.ledger.lineage import Lineage
    from treewright.prune.report import PruningReport
    from treewright.store.ledgers import Ledgers


OWN = "own"
"""What `pruned` takes for the method that pruned the tree already."""


class BaseTreeEstimator:
    """The methods that the classifiers and the regressors share."""

    _fitted: ClassVar[frozenset[str]] = frozenset(
        {
            "tree_", "grown_tree_", "pruning_report_", "pre_pruning_report_", "n_features_in_", "feature_names_in_",
            "classes_", "n_classes_", "_row_weight", "_grown_by", "_pruned_by", "_kept", "_ledgers", "_counts",
            "_spread", "_tuning", "_ignored", "notes_",
        }
    )  # fmt: skip
    _is_regressor: ClassVar[bool] = False

    # Parameters; those with a value here are not parameters of every estimator.
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
    smoothing: float | str | None
    monotonic_cst: Any = None
    max_bins: int | None = None
    pruning: str | Method | Sequence[str | Method] | None
    size: int | str | None = None
    pre_pruning: bool | None
    validation_fraction: float | None
    ccp_alpha: float | None = None
    n_jobs: int | None

    # Results of a fit.
    tree_: Tree
    grown_tree_: Tree
    pruning_report_: "PruningReport | None"
    pre_pruning_report_: "PruningReport | None"
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    _row_weight: float  # the weight that counts as one row
    _grown_by: GrowthSettings
    _pruned_by: PruningUsed
    _kept: Dataset | None  # the encoded training rows, unless they are too many
    _spread: NDArray[np.float64] | None  # the range of each column, if the rows are not kept
    _ignored: tuple[IgnoredColumn, ...] = ()  # columns that the command line left out
    _ledgers: "Ledgers | None" = None  # the candidates of all nodes, in a model saved with ledgers=True
    _counts: Any = None  # of a tree that was grown on a source: its ledgers, computed from kept counts

    # --- fitting ---

    @abstractmethod
    def plan(self) -> Plan:
        """Return the algorithm as data: what the parameters, once checked, stand for."""

    def fit(
        self,
        X: object,
        y: object,
        sample_weight: object = None,
        *,
        X_val: object = None,
        y_val: object = None,
        sample_weight_val: object = None,
    ) -> Self:
        """Grow the tree, and prune it as `pruning` says.

        If fit ends early, by an error or by Ctrl-C, the estimator is exactly as it was before.

        Parameters
        ----------
        X : array, list of rows, or table of pandas, polars or pyarrow
            The training table, with any mix of numeric and categorical columns.
        y : array-like
            The target, one entry per row.
        sample_weight : array-like or None, default=None
            The weight of each row; None is 1 each. Integers count as copies of the row, other weights as importances.
        X_val, y_val, sample_weight_val : default=None
            Validation rows: the tree is pruned by them and not grown on them; see `pruning` and `pre_pruning`.
            If X is a source, `X_val` may be one, too; `y_val`, by default `y`, and `sample_weight_val` are then names
            of columns: see docs/scale.md.

        Returns
        -------
        self
            The fitted estimator.

        Warns
        -----
        TreeShapeWarning
            If pruning left a single leaf, if a pruned tree of a small table has more than 100 leaves, or if a split has
            more than 20 branches.
        """
        is_source = library_of(X_val) is not None
        if (X_val is not None or y_val is not None or sample_weight_val is not None) and not is_source:
            require_pair(X_val=X_val, y_val=y_val, sample_weight_val=sample_weight_val)
        if library_of(X) is not None:
            from treewright.scale.fitting import SourceOptions, fit_source

            given = None if X_val is None else LabelledRows(X_val, y_val, sample_weight_val)
            return cast(Self, fit_source(self, X, y, sample_weight, SourceOptions(validation=given)))
        if is_source:
            raise InputError("X_val is a source of rows, but X is a table in memory; pass a table as X_val, too.")
        settings = read_settings(self, has_validation=X_val is not None)
        data = read_training_data(self, X, y, sample_weight)
        task = prepare_growth(self, settings, data.rows)
        grown = grow_tree(self, task)
        found = tree_attributes(self, data, grown)
        validation = task.held_out
        if X_val is not None:
            fitted = copy(self)
            keep_attributes(fitted, found)
            validation = encode_validation_rows(fitted, LabelledRows(X_val, y_val, sample_weight_val))
        pruning_input = PruningInput(grown, task.rows, validation, unit=weight_of_one_row(task.rows))
        outcome = prune_tree(self, task.growth, task.pruning, pruning_input)
        used = PruningUsed(task.pruning.method, validation is not None)
        found |= outcome.attributes() | row_attributes(task.rows, X) | task.tuning
        keep_attributes(self, found | {"_grown_by": task.growth, "_pruned_by": used})
        warn_about_shape(self, task.rows.n_rows)
        return self

    def pruned(
        self,
        method: str | Method | Sequence[str | Method] | None = OWN,
        X: object = None,
        y: object = None,
        *,
        size: int | str | None = None,
        sample_weight: object = None,
        X_val: object = None,
        y_val: object = None,
        sample_weight_val: object = None,
        **parameters: object,
    ) -> Self:
        """Return a new fitted estimator: the same grown tree, pruned by another method.

        Parameters
        ----------
        method : str, Method, sequence or None, default="own"
            The name of a method, or an object of `treewright.prune`; a sequence of them is applied one after the other.
            None gives the grown tree itself, "own" the tree as it was pruned before, to which only `size` is applied.
        size : int, "readable" or None, default=None
            Maximum number of leaves after that, as the parameter `size`; that of `fit` does not apply here.
        X, y, sample_weight : default=None
            The training rows again, for methods that use them; not required if `fit` kept them.
        X_val, y_val, sample_weight_val : default=None
            Validation rows, for methods that prune by them.
        **parameters
            Parameters of the method, if it is given by its name.

        Returns
        -------
        estimator
            A copy of this estimator with the pruned tree.

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3], [4]], [1.0, 2.0, 4.0, 8.0])
        >>> print(model.pruned(size=2).to_text())
        x0 <= 3.5: mean 2.33333, n 3, sd 1.247
        x0 > 3.5: mean 8, n 1, sd 0
        """
        self._tree()
        if isinstance(method, str) and method == OWN:
            if parameters:
                raise ParameterError(f"Unknown parameter {next(iter(parameters))!r}; name a method to pass parameters.")
            return cast(Self, pruned_to_size(self, size))
        chosen = self._read_method(method, **parameters)
        if any(self._grown_by.plan.monotonic):
            chosen = without_raising(chosen)
        require_pair(X=X, y=y, sample_weight=sample_weight)
        require_pair(X_val=X_val, y_val=y_val, sample_weight_val=sample_weight_val)
        rows, validation = self._kept, None
        if X is not None:
            rows, validation = encode_training_rows_again(self, LabelledRows(X, y, sample_weight))
        if X_val is not None:
            validation = encode_validation_rows(self, LabelledRows(X_val, y_val, sample_weight_val))
        pruning_input = PruningInput(self.grown_tree_, rows, validation, unit=self._row_weight)
        used = PruningUsed(with_size(chosen, size), validation is not None)
        settings = PruningSettings(used.method, pre=False, fraction=None)
        outcome = prune_tree(self, self._grown_by, settings, pruning_input)
        return cast(Self, pruned_copy(self, chosen, size, used, outcome))

    def cost_complexity_pruning_path(self, X: object, y: object, sample_weight: object = None) -> Any:
        """Compute the pruning path of minimal cost-complexity pruning, as scikit-learn's method of this name.

        Parameters
        ----------
        X, y, sample_weight
            The training rows, as in `fit`; a tree is grown on them.

        Returns
        -------
        sklearn.utils.Bunch
            `ccp_alphas`: the alphas at which the tree changes, each once, from 0 (the whole tree) to the root alone;
            `impurities`: the impurity of the leaves of each of these trees.
        """
        from treewright.prune.cost_complexity_path import scikit_learn_path

        given = read_training_data(self, X, y, sample_weight).rows
        rows, _ = self._apply_costs(given)
        grow, _ = make_sized_grower(self, given, rows, PruningSettings(None, None, None))
        return scikit_learn_path(grow(rows))

    # --- prediction ---

    def apply(self, X: object) -> NDArray[np.int64]:
        """Return the number of the leaf that each row reaches.

        A row that a missing value sends to several leaves gets the one with its largest fraction, the lowest
        number on a tie. A row that stops at a missing value gets the node where it stops.

        Parameters
        ----------
        X : array, list of rows, or table of pandas, polars or pyarrow
            Rows with the columns of the training table; also a dict by column name, or a list of them.

        Returns
        -------
        int64 array of shape (n_rows,)
            Node numbers of `tree_`.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.apply([[1.5], [9.0]]).tolist()
        [1, 2]
        """
        return cast(NDArray[np.int64], predict_rows(self, find_leaves, X))

    def decision_path(self, X: object) -> Any:
        """Return the nodes on the path of each row, from the root to its leaf.

        Parameters
        ----------
        X : array, list of rows, or table of pandas, polars or pyarrow
            Rows with the columns of the training table; also a dict by column name, or a list of them.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_rows, n_nodes)
            The fraction of the row that reaches the node: 1 at each node from the root to the leaf, unless a
            missing value sends parts of the row down several branches.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.decision_path([[1.5], [9.0]]).toarray().tolist()
        [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
        """
        return decision_paths(self._tree(), encode_for_prediction(self, X), self._prediction_policy().rule)

    # --- the tree ---

    def get_depth(self) -> int:
        """Return the number of splits on the longest path from the root to a leaf."""
        return self._tree().depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self._tree().n_leaves

    def to_text(self, max_depth: int | None = None) -> str:
        """Return the tree as indented text, with the names and categories of the training table.

        Parameters
        ----------
        max_depth : int or None, default=None
            Nodes deeper than this are not shown; their leaves are counted.

        Returns
        -------
        str
            One line for each branch. (N/E) after a leaf is the weight of its training rows and of those of
            another class; a regression leaf shows the mean, the weight `n` and the standard deviation `sd` of its
            training rows, with absolute_error the median and the mean absolute error `MAE`.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> print(model.to_text())
        x0 <= 2.5: a (2)
        x0 > 2.5: b (1)
        """
        return self._tree().to_text(max_depth)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Total gain of the splits of each column, weighted by the rows that reach them; sums to 1.

        A surrogate split counts in part, as in rpart: the gain of the split it replaces, times its adjusted agreement.
        All 0 if nothing was gained, as in a tree of a single leaf.
        """
        from treewright.explain.importance import column_gains

        return column_gains(self._tree())

    # --- reasons, explanations, pages and pictures: see the modules explanations and page_export ---

    why = explanations.why
    why_pruned = explanations.why_pruned
    worked_solution = explanations.worked_solution
    explain = explanations.explain
    rules = explanations.rules
    stability = explanations.stability
    importances = explanations.importances
    missing_report = explanations.missing_report
    to_html = page_export.to_html
    show = page_export.show
    to_svg = page_export.to_svg
    plot_tree = page_export.plot_tree
    to_dot = page_export.to_dot

    # --- other programs: see the module exports ---

    to_sql = exports.to_sql
    to_code = exports.to_code
    to_pmml = exports.to_pmml
    to_onnx = exports.to_onnx
    to_sklearn = exports.to_sklearn
    to_treelite = exports.to_treelite
    to_shap = exports.to_shap
    as_binary = exports.as_binary
    shap_values = exports.shap_values

    # --- files ---

    def save(self, path: object, *, ledgers: bool = False, rows: bool = False, overwrite: bool = False) -> None:
        """Write the fitted estimator to a model file, which `treewright.load` reads; see docs/model-format.md.

        The file is JSON and holds no code. The same model gives the same bytes.

        Parameters
        ----------
        path : str or path
            The file to write; it is compressed if the name ends in .gz or .zst.
        ledgers : bool, default=False
            Whether the candidates of all nodes are stored, so that `why` does not need the training rows.
        rows : bool, default=False
            Whether the encoded training rows are stored, so that everything works as right after `fit`; they may be
            private.
        overwrite : bool, default=False
            Whether an existing file is replaced; otherwise it is an error.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from treewright import CARTClassifier, load
        >>> model = CARTClassifier(pruning=None).fit([[20, "red"], [30, "blue"], [40, "red"]], ["no", "yes", "yes"])
        >>> with TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.json")
        ...     load(Path(folder) / "model.json").predict([[25, "red"]])
        array(['no'], dtype='<U3')
        """
        from treewright.estimators.saving import save

        save(self, path, ledgers=ledgers, rows=rows, overwrite=overwrite)

    def __repr__(self) -> str:
        return constructor_call(self)

    def __copy__(self) -> Self:
        """Copy the estimator with the rows it keeps, which pickling leaves out."""
        other = object.__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        return other

    # --- what classifiers, regressors and single algorithms define ---

    @abstractmethod
    def _read_target(self, y: object) -> tuple[Target, NDArray[Any]]:
        """Return the description of the target and its encoded values."""

    def _read_weight(
        self, sample_weight: object, target: Target, encoded_y: NDArray[Any]
    ) -> NDArray[np.float64] | None:
        """Return the weight of each row; None if all are 1."""
        return read_weight(sample_weight, len(encoded_y))

    def _apply_costs(self, rows: Dataset) -> tuple[Dataset, PredictionRule]:
        """Return rows weighted by the costs of their classes, and how trees grown on them predict."""
        return rows, DEFAULT_RULE

    def _check_probability(self) -> None:
        """Refuse parameters about predictions that no fit would accept."""

    def _with_probabilities(
        self, outcome: PruningOutcome, pruning: PruningSettings, pruning_input: PruningInput
    ) -> PruningOutcome:
        """Return the outcome with a tree that predicts probabilities as the parameters say."""
        return outcome

    def _target_attributes(self, tree: Tree, y: object) -> dict[str, object]:
        """Return the fitted attributes about the target."""
        return {}

    def _check_target_parameters(self, target: Target) -> None:
        """Refuse parameters that do not fit the target."""

    def _read_growth(self) -> GrowthSettings:
        """Return how trees are grown, once the parameters are checked."""
        return read_growth(self)

    def _choose_size(self, task: GrowthTask) -> GrowthTask:
        """Return the task with the size of tree that suits its rows: here as the parameters say."""
        return task

    def _limits(self) -> Limits:
        """Return the limits of growth."""
        return read_limits(
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
        )

    def _missing_in_growth(self) -> str:
        """Return the strategy for missing values, as far as the parameters say."""
        return self.missing

    def _missing_parts(self, grouping: str, criterion: str = "entropy") -> dict[str, Any]:
        """Return the parts of the plan about missing values, checked against the others."""
        given = MissingParameters(
            missing=self._missing_in_growth(),
            missing_predict=self.missing_predict,
            unseen_category=self.unseen_category,
            max_surrogates=self.max_surrogates,
            surrogates=self.surrogates,
        )
        binary_advice = "set grouping='subset'" if hasattr(self, "minimum") else "use CARTClassifier"
        return given.plan_parts(grouping, criterion, binary_advice)

    def _read_method(self, given: object, **parameters: object) -> Method | None:
        """Return a pruning method as given; one that is given by its name may have defaults of this estimator."""
        if given is None and not parameters:
            has_constraints(self.monotonic_cst)  # checks the entries
            return None
        parts = parts_of(given)
        if parts is not None:
            return read_steps(parts, self._read_method, parameters)
        method = read_method(given, **parameters)
        return without_raising(method) if has_constraints(self.monotonic_cst) else method

    # --- what the modules of this and other packages read ---

    def _tree(self) -> Tree:
        """Return `tree_`, or raise scikit-learn's NotFittedError."""
        if "tree_" not in vars(self):  # scikit-learn's check takes a good part of the time to predict one row
            from sklearn.utils.validation import check_is_fitted

            check_is_fitted(self, "tree_")
        return self.tree_

    def _method(self) -> Method | None:
        """Return the pruning method that the parameters name."""
        return pruning_method(self)

    def _prediction_policy(self) -> PredictionPolicy:
        """Return what predictions do with missing values and unseen categories."""
        return prediction_policy(self._tree(), self.missing_predict, self.unseen_category)

    def _training_rows(self, X: object = None, y: object = None, sample_weight: object = None) -> Dataset:
        """Return the rows the tree was grown on: those passed again, or those that `fit` kept."""
        return training_rows(self, LabelledRows(X, y, sample_weight))

    def _column_spread(self) -> NDArray[np.float64] | None:
        """Return the range of each column in training."""
        return self._spread if self._kept is None else self._kept.spread()

    def _lineage(self) -> "Lineage":
        """Return the tree with the trees it was pruned from."""
        from treewright.ledger.lineage import Lineage

        return Lineage(self._tree(), self.grown_tree_, self.pruning_report_, self.pre_pruning_report_)

    def _check_other_names(self, X: object) -> None:
        """Refuse a table with other column names than in training; scikit-learn's estimators use its own check."""
        names: Any = getattr(self, "feature_names_in_", None)
        refuse_other_names(None if names is None else names.tolist(), X)
