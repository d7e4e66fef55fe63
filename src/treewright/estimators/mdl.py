"""MDLTreeClassifier and MDLTreeRegressor: trees in which the gain of a split must exceed the cost of its description.

A plan of gain ratio (squared error for regression) less the description length of the split, with categories in two
groups, and pruning of the whole tree. No parameter needs tuning; `tune=True` chooses the size of the tree by
cross-validation.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treewright import prune
from treewright.criteria.registry import CRITERIA, NUMBER_CRITERIA, read_criterion
from treewright.data.dataset import Dataset
from treewright.errors import ParameterError, at_least
from treewright.estimators.fitting import GrowthSettings, GrowthTask, make_grower
from treewright.estimators.mdl_tuning import Size, Tried, informative_missing_column, tune
from treewright.estimators.monotonic_constraints import has_constraints
from treewright.estimators.parameter_docs import (
    CLASS_ATTRIBUTES,
    CLASSIFIER,
    NUMBER_ATTRIBUTES,
    NUMBER_CRITERION,
    REGRESSOR,
    TUNING_ATTRIBUTES,
    WEIGHT_MINIMUMS,
    Described,
    document,
    missing,
)
from treewright.estimators.parameters import (
    cached_by_parameters,
    read_bool,
    read_limits,
    read_max_bins,
    with_split_twice_leaf,
)
from treewright.estimators.prediction import read_missing_predict
from treewright.estimators.pruning import read_size, with_size
from treewright.estimators.tasks import BaseTreeClassifier, BaseTreeRegressor
from treewright.grow.plan import Limits, Plan
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.prune.method import Method

AUTO = "auto"
"""The value of parameters that the training table or other parameters decide."""
DESCRIBED_CRITERIA = tuple(name for name in NUMBER_CRITERIA if not CRITERIA[name].by_deviance)
"""The criteria of regression whose losses can be compared with bits."""
PARTS: dict[str, Any] = {
    "grouping": "binary",
    "penalty": "description",
    "threshold": "value",
    "minimum": "weight",
}
"""The parts of the plan that the classifier and the regressor have in common."""

DESCRIPTIONS = WEIGHT_MINIMUMS | {
    "missing": missing("auto", "fractional", "surrogate", "learned", "branch", "stop", "error"),
}


@document(
    CLASS_ATTRIBUTES | TUNING_ATTRIBUTES,
    CLASSIFIER
    | DESCRIPTIONS
    | {
        "tune": Described(
            "bool",
            "Whether `min_samples_leaf`, `confidence` and `standard_errors` are chosen by 5-fold "
            "cross-validation: the smallest tree within half a standard error of the best. Takes about twenty "
            "times as long.",
        ),
        "confidence": Described("float", "Confidence level of the error-based pruning; a lower one prunes more."),
        "standard_errors": Described(
            "float", "By how many standard errors the global pruning may increase the training error."
        ),
        "pruning": Described(
            "str, Method, sequence or None",
            'How the grown tree is pruned: "auto" by error-based and then global pruning, as described above; '
            "otherwise as in `TreeClassifier`.",
        ),
    },
)
class MDLTreeClassifier(BaseTreeClassifier):
    """The classifier to use on a mixed table: the gain of a split must exceed the cost of its description.

    Numeric columns are split in two at a threshold, categorical ones into two groups: ordered by class
    proportion for two classes, merged at the least loss of gain for more. The gain of a split is the decrease
    of entropy less the bits that describe it: log2 of the number of thresholds, or of the number of ways to
    divide its categories into two groups, divided by the rows of the node. So columns with many values have
    no advantage, and a column that identifies the rows is never used. Among the columns whose gain also
    exceeds the cost of naming one of them (on small tables: of at least average gain), the one with the best
    gain ratio is chosen. The grown tree is pruned by C4.5's error-based pruning, then as a whole as long as
    its training error stays within some standard errors. Probabilities are shrunk towards the nodes above.

    Examples
    --------
    Five shops, of which "north" and "east" sell; the bill numbers carry no information, though each occurs
    once.

    >>> from treewright import MDLTreeClassifier
    >>> shops = ["north", "south", "east", "west", "centre"] * 8
    >>> X = [[shop, f"bill {i}"] for i, shop in enumerate(shops)]
    >>> y = ["yes" if shop in ("north", "east") else "no" for shop in shops]
    >>> model = MDLTreeClassifier().fit(X, y)
    >>> print(model.to_text())
    x0 in {centre, south, west}: no (24)
    x0 in {east, north}: yes (16)

    The cost of the split: 4 bits name one of the 2^4 - 1 ways to divide five shops into two groups.

    >>> round(model.why(0).candidates[0].penalty * 40, 2)
    3.91
    """

    confidence: float
    standard_errors: float
    tune: bool
    _tuning: tuple[Tried, ...] = ()

    def __init__(
        self,
        *,
        tune: bool = False,
        confidence: float = 0.15,
        standard_errors: float = 1.25,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float = 2,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        priors: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = AUTO,
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        probability: str = "shrinkage",
        smoothing: float | str | None = 10,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = AUTO,
        size: int | str | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.tune = tune
        self.confidence = confidence
        self.standard_errors = standard_errors
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.priors = priors
        self.categorical_features = categorical_features
        self.missing = missing
        self.missing_predict = missing_predict
        self.unseen_category = unseen_category
        self.probability = probability
        self.smoothing = smoothing
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.size = size
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @cached_by_parameters
    def plan(self) -> Plan:
        return Plan(
            criterion="entropy",
            merit="ratio",
            floor="description",
            side="release8",
            info="all",
            slack=1e-3,
            min_info=1e-3,
            collapse=True,
            **PARTS,
            **self._missing_parts(PARTS["grouping"]),
            max_bins=read_max_bins(self.max_bins),
            limits=self._limits(),
        )

    @property
    def tuning_(self) -> "tuple[Tried, ...]":
        """The sizes that tune=True tried; empty without tuning, and in a model from a file."""
        self._tree()
        return self._tuning

    def _limits(self) -> Limits:
        return _read_limits(self)

    def _missing_in_growth(self) -> str:
        return "fractional" if self.missing == AUTO else self.missing

    def _read_method(self, given: object, **parameters: object) -> Method | None:
        own = _method_parameters(self, given, parameters)
        return _read_size(self).pruning() if own is None else super()._read_method(given, **own)

    def _read_growth(self) -> GrowthSettings:
        _check_tune(self)
        return super()._read_growth()

    def _choose_size(self, task: GrowthTask) -> GrowthTask:
        return _choose_size(self, task)


@document(
    NUMBER_ATTRIBUTES | TUNING_ATTRIBUTES,
    DESCRIPTIONS
    | REGRESSOR
    | {
        "criterion": NUMBER_CRITERION,
        "tune": Described(
            "bool",
            "Whether `min_samples_leaf` and `standard_errors` are chosen by 5-fold cross-validation: the "
            "smallest tree within half a standard error of the best.",
        ),
        "standard_errors": Described(
            "float", "By how many standard errors the global pruning may increase the training loss."
        ),
        "pruning": Described(
            "str, Method, sequence or None",
            'How the grown tree is pruned: "auto" by global pruning; otherwise as in `TreeRegressor`.',
        ),
    },
)
class MDLTreeRegressor(BaseTreeRegressor):
    """The regressor to use on a mixed table: a split must save more bits than its description costs.

    Numeric columns are split in two at a threshold, categorical ones into two groups ordered by their mean.
    Describing the target of a row takes log2 of the standard deviation of its node and a constant, in bits. A
    split saves what it takes off that, and costs log2 of the number of thresholds, or of the number of ways
    to divide its categories into two groups. A split that does not save more than it costs is not made, so
    the tree needs little pruning. Predictions are shrunk towards the means of the nodes above.

    Examples
    --------
    >>> from treewright import MDLTreeRegressor
    >>> shops = ["north", "south", "east", "west", "centre"] * 8
    >>> y = [20.0 + i % 3 if shop in ("north", "east") else 10.0 + i % 3 for i, shop in enumerate(shops)]
    >>> print(MDLTreeRegressor().fit([[shop] for shop in shops], y).to_text())
    x0 in {centre, south, west}: mean 10.9167, n 24, sd 0.8122
    x0 in {east, north}: mean 21.0625, n 16, sd 0.8268
    """

    criterion: str
    standard_errors: float
    tune: bool
    _tuning: tuple[Tried, ...] = ()

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        tune: bool = False,
        standard_errors: float = 0.0,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float = 2,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = AUTO,
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        smoothing: float | str | None = AUTO,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = AUTO,
        size: int | str | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.tune = tune
        self.standard_errors = standard_errors
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.categorical_features = categorical_features
        self.missing = missing
        self.missing_predict = missing_predict
        self.unseen_category = unseen_category
        self.smoothing = smoothing
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.size = size
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @cached_by_parameters
    def plan(self) -> Plan:
        criterion = read_criterion(self.criterion, DESCRIBED_CRITERIA)
        return Plan(
            criterion=criterion,
            **PARTS,
            **self._missing_parts(PARTS["grouping"], criterion),
            max_bins=read_max_bins(self.max_bins),
            limits=self._limits(),
        )

    @property
    def tuning_(self) -> "tuple[Tried, ...]":
        """The sizes that tune=True tried; empty without tuning, and in a model from a file."""
        self._tree()
        return self._tuning

    def _limits(self) -> Limits:
        return _read_limits(self)

    def _missing_in_growth(self) -> str:
        return "fractional" if self.missing == AUTO else self.missing

    def _read_method(self, given: object, **parameters: object) -> Method | None:
        own = _method_parameters(self, given, parameters)
        return _read_size(self).pruning() if own is None else super()._read_method(given, **own)

    def _read_growth(self) -> GrowthSettings:
        _check_tune(self)
        return super()._read_growth()

    def _choose_size(self, task: GrowthTask) -> GrowthTask:
        return _choose_size(self, task)


Model = MDLTreeClassifier | MDLTreeRegressor


def _read_limits(model: Model) -> Limits:
    """The limits of growth; min_samples_split=None is twice `min_samples_leaf`."""
    split = model.min_samples_split
    limits = read_limits(
        max_depth=model.max_depth,
        min_samples_split=2 if split is None else split,
        min_samples_leaf=model.min_samples_leaf,
        min_impurity_decrease=model.min_impurity_decrease,
        max_leaf_nodes=model.max_leaf_nodes,
    )
    return with_split_twice_leaf(limits) if split is None else limits


def _read_size(model: Model) -> Size:
    """The size of tree that the parameters say; regression has no error-based pruning, and so no confidence."""
    at_least("standard_errors", model.standard_errors, 0.0)
    raising = not has_constraints(model.monotonic_cst)
    confidence = None
    if isinstance(model, MDLTreeClassifier):
        confidence = prune.ErrorBased(confidence=model.confidence).confidence
    return Size(float(model._limits().min_leaf), confidence, float(model.standard_errors), raising)


def _method_parameters(model: Model, given: object, parameters: dict[str, Any]) -> dict[str, Any] | None:
    """The parameters of a pruning method, with defaults of the estimator if it is named; None for "auto"."""
    if not isinstance(given, str):
        return parameters
    if given == AUTO:
        if parameters:
            raise ParameterError(
                f"pruning='auto' takes its parameters from the estimator, got {', '.join(parameters)}; name a pruning "
                "method to pass parameters."
            )
        return None
    size, own = _read_size(model), {}
    if given.replace("-", "_") == prune.ErrorBased.name and size.confidence is not None:
        own = {"confidence": size.confidence}
    elif given == prune.Global.name:
        own = {"standard_errors": size.standard_errors}
    return own | parameters


def _check_tune(model: Model) -> None:
    if read_bool("tune", model.tune) and not (isinstance(model.pruning, str) and model.pruning == AUTO):
        raise ParameterError(
            f"tune=True chooses how the tree is pruned and cannot be combined with pruning={model.pruning!r}; set "
            "pruning='auto' or tune=False."
        )


def _choose_size(model: Model, task: GrowthTask) -> GrowthTask:
    """The task with the strategy for missing values and, with tune=True, the size of tree that suit its rows."""
    plan, fraction = task.growth
    if model.missing == AUTO and informative_missing_column(task.rows) is not None:
        plan = replace(plan, missing="learned")
    if not model.tune or task.rows.n_rows < 2:  # a single row cannot be divided into folds
        return replace(task, growth=GrowthSettings(plan, fraction))

    def grow(rows: Dataset, plan: Plan) -> Tree:
        return make_grower(model, GrowthSettings(plan, fraction), task.rule)(rows)

    policy = MissingPolicy(read_missing_predict(model.missing_predict, plan.missing))
    size, tried = tune(task.rows, plan, grow, policy, read_size(model.size))
    return replace(
        task,
        growth=GrowthSettings(size.plan(plan), fraction),
        pruning=replace(task.pruning, method=with_size(size.pruning(), model.size)),
        tuning={"_tuning": tried},
    )
