"""CARTClassifier and CARTRegressor: Breiman, Friedman, Olshen and Stone (1984).

A plan of binary splits: thresholds for numbers, two subsets for categories.
"""

from collections.abc import Sequence
from typing import Any

from treewright.criteria.registry import CLASS_CRITERIA, NUMBER_CRITERIA, read_criterion
from treewright.estimators.parameter_docs import (
    CLASS_ATTRIBUTES,
    CLASS_CRITERION,
    CLASS_METHODS,
    CLASSIFIER,
    NUMBER_ATTRIBUTES,
    NUMBER_CRITERION,
    NUMBER_METHODS,
    REGRESSOR,
    document,
    missing,
    pruning,
)
from treewright.estimators.parameters import cached_by_parameters, read_max_bins
from treewright.estimators.tasks import BaseTreeClassifier, BaseTreeRegressor
from treewright.grow.plan import Plan
from treewright.prune.method import Method

DEFAULT_PRUNING = (
    "The default grows ten more trees, each on nine tenths of the rows, and takes the smallest tree within "
    "one standard error of the best."
)


@document(
    CLASS_ATTRIBUTES,
    CLASSIFIER
    | {
        "criterion": CLASS_CRITERION,
        "missing": missing("surrogate", "fractional", "learned", "branch", "stop", "error"),
        "pruning": pruning(CLASS_METHODS, DEFAULT_PRUNING),
    },
)
class CARTClassifier(BaseTreeClassifier):
    """CART for classification: every split has two branches.

    On numeric columns this is the tree of scikit-learn's DecisionTreeClassifier, but independent of a random seed.
    Categories are split into the best two subsets. If a value is missing, a surrogate split on another column decides.

    Examples
    --------
    Some days of the golf table, outlook and humidity. They are too few for cross-validation, so the tree is not pruned:

    >>> from treewright import CARTClassifier
    >>> X = [["sunny", 85], ["sunny", 90], ["overcast", 86], ["rainy", 96], ["rainy", 80], ["sunny", 70]]
    >>> y = ["stay", "stay", "play", "play", "play", "play"]
    >>> model = CARTClassifier(pruning=None).fit(X, y)
    >>> model.predict([["sunny", 88], ["overcast", 88]]).tolist()
    ['stay', 'play']

    Two thermometers measure almost the same, so one is a surrogate for the other:

    >>> X = [[1, 10], [2, 20], [3, 30], [4, 40], [5, 50], [None, 60]]
    >>> model = CARTClassifier().fit(X, ["cold", "cold", "cold", "warm", "warm", "warm"])
    >>> model.predict([[None, 15], [None, 55], [2, None]]).tolist()
    ['cold', 'warm', 'cold']

    A column without information: the grown tree fits its noise, the pruned one does not.

    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> model = CARTClassifier().fit(X, y)
    >>> model.grown_tree_.n_leaves, model.tree_.n_leaves
    (8, 2)
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        priors: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = "surrogate",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        probability: str = "frequency",
        smoothing: float | str | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = "cost_complexity",
        size: int | str | None = None,
        ccp_alpha: float | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
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
        self.max_surrogates = max_surrogates
        self.surrogates = surrogates
        self.probability = probability
        self.smoothing = smoothing
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.size = size
        self.ccp_alpha = ccp_alpha
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @cached_by_parameters
    def plan(self) -> Plan:
        criterion = read_criterion(self.criterion, CLASS_CRITERIA)
        parts = self._missing_parts("subset", criterion)
        bins = read_max_bins(self.max_bins)
        return Plan(criterion=criterion, grouping="subset", **parts, max_bins=bins, limits=self._limits())


@document(
    NUMBER_ATTRIBUTES,
    REGRESSOR
    | {
        "criterion": NUMBER_CRITERION,
        "missing": missing("surrogate", "fractional", "learned", "branch", "stop", "error"),
        "pruning": pruning(NUMBER_METHODS, DEFAULT_PRUNING),
    },
)
class CARTRegressor(BaseTreeRegressor):
    """CART for regression: every split has two branches.

    Categories are split into two subsets by the mean (the median, for absolute_error) of their rows. If a value is
    missing, a surrogate split on another column decides.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> X = [["sunny", 85.0], ["overcast", 83.0], ["rainy", 70.0], ["rainy", 68.0]]
    >>> model = CARTRegressor(max_depth=1, pruning=None).fit(X, [10.0, 50.0, 40.0, 42.0])
    >>> model.predict([["sunny", 71.0], ["rainy", 71.0]]).tolist()
    [10.0, 44.0]

    If the outlook is missing and there are no surrogates, the branch of larger weight predicts:

    >>> model.predict([[None, 71.0]]).tolist()
    [44.0]
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = "surrogate",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        smoothing: float | str | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = "cost_complexity",
        size: int | str | None = None,
        ccp_alpha: float | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
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
        self.max_surrogates = max_surrogates
        self.surrogates = surrogates
        self.smoothing = smoothing
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.size = size
        self.ccp_alpha = ccp_alpha
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @cached_by_parameters
    def plan(self) -> Plan:
        criterion = read_criterion(self.criterion, NUMBER_CRITERIA)
        parts = self._missing_parts("subset", criterion)
        bins = read_max_bins(self.max_bins)
        return Plan(criterion=criterion, grouping="subset", **parts, max_bins=bins, limits=self._limits())
