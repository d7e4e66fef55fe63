"""TreeClassifier and TreeRegressor: every part of the algorithm is a parameter.

ID3, C4.5, CART and MDLTree are plans of the same parts.
"""

from collections.abc import Sequence
from typing import Any

from treewright.criteria.registry import CLASS_CRITERIA, CRITERIA, NUMBER_CRITERIA, read_criterion
from treewright.deprecation import warn_renamed
from treewright.errors import ParameterError, one_of
from treewright.estimators.parameter_docs import (
    CLASS_ATTRIBUTES,
    CLASS_CRITERION,
    CLASS_METHODS,
    CLASSIFIER,
    NUMBER_ATTRIBUTES,
    NUMBER_CRITERION,
    NUMBER_METHODS,
    REGRESSOR,
    Described,
    choices,
    document,
    missing,
    pruning,
)
from treewright.estimators.parameters import cached_by_parameters, read_bool, read_max_bins
from treewright.estimators.tasks import BaseTreeClassifier, BaseTreeRegressor
from treewright.grow.plan import (
    FLOORS,
    GROUPINGS,
    MERITS,
    MINIMUMS,
    NUMBERS,
    PENALTIES,
    SIDES,
    THRESHOLDS,
    Plan,
)
from treewright.prune.method import Method

NUMBER_GROUPINGS = ("subset", "each", "binary")


PARTS = {
    "numeric": Described(
        choices("bisect", "refuse"),
        "Numeric and ordered columns are split in two at a threshold, or refused with an error.",
    ),
    "threshold": Described(
        choices("midpoint", "value"),
        "The threshold is the midpoint of two neighbouring values, or the largest training value not above that.",
    ),
    "minimum": Described(
        choices("rows", "weight"), "Whether `min_samples_split` and `min_samples_leaf` count rows or weight."
    ),
    "min_samples_split": Described(
        "int or float",
        "Minimum size of a node that is split, in the unit of `minimum`. A float is a fraction of the table.",
    ),
    "min_samples_leaf": Described(
        "int or float",
        "Minimum size of a branch (of two branches, if a categorical column has more), in the unit of "
        "`minimum`. A float is a fraction of the table.",
    ),
    "missing": missing("fractional", "surrogate", "learned", "branch", "stop", "error"),
    "charge": Described("str or None", "Deprecated name of `penalty`; it will be removed in the next version."),
}
"""Descriptions of the parameters that both estimators have."""


def read_penalty(model: Any) -> str:
    """Check `penalty`, or `charge`, its deprecated name."""
    if model.charge is None:
        return one_of("penalty", model.penalty, PENALTIES)
    warn_renamed("The parameter charge", "penalty")
    return one_of("charge", model.charge, PENALTIES)


@document(
    CLASS_ATTRIBUTES,
    CLASSIFIER
    | PARTS
    | {
        "criterion": Described(
            CLASS_CRITERION.type,
            CLASS_CRITERION.text + ' "twoing" compares two branches and requires `grouping="subset"`.',
        ),
        "merit": Described(
            choices("decrease", "ratio"),
            "The measure by which columns are ranked: the decrease of impurity, or that divided by the split "
            "information (the entropy of the branch weights).",
        ),
        "floor": Described(
            choices("none", "average", "description"),
            "Which columns are ranked: all; those whose decrease is at least the average; or those whose "
            "decrease is larger than the cost of naming one of the columns, 0.9 log2(columns) / weight (on "
            "small tables the average).",
        ),
        "grouping": Described(
            choices("subset", "each", "greedy", "least-loss", "binary"),
            "Categories are split into the best two subsets; into a branch for each; into groups merged while "
            "the gain ratio improves (C4.5); into groups merged at the least loss of gain, the best stage of "
            "all (C5.0); or into two groups, ordered by class proportion or merged at the least loss, where "
            "values of a single row count as one.",
        ),
        "penalty": Described(
            choices("none", "cuts", "description"),
            "The penalty that is subtracted from the decrease of a split: none; log2(thresholds) / weight for "
            "a numeric column; or that, and log2(number of groupings) / weight for a categorical column.",
        ),
        "side": Described(
            choices("leaf", "release8"),
            "Minimum size of a branch of a numeric split: `min_samples_leaf`, or the larger of it and "
            "min(25, 0.1 weight / classes).",
        ),
        "collapse": Described(
            "bool", "Whether splits that do not reduce the training errors of their node are removed after growth."
        ),
        "pruning": pruning(CLASS_METHODS),
    },
)
class TreeClassifier(BaseTreeClassifier):
    """A classification tree in which every part of the algorithm can be chosen.

    Examples
    --------
    A branch for each category, chosen by Gini:

    >>> from treewright import TreeClassifier
    >>> X = [["sunny", "no"], ["sunny", "yes"], ["overcast", "no"], ["rainy", "no"], ["rainy", "yes"]]
    >>> y = ["stay", "stay", "play", "play", "stay"]
    >>> model = TreeClassifier(criterion="gini", grouping="each").fit(X, y)
    >>> model.predict([["overcast", "yes"], ["rainy", "yes"]]).tolist()
    ['play', 'stay']

    A row that stops at the first missing value; here at the root:

    >>> model = TreeClassifier(criterion="gini", grouping="each", missing="stop")
    >>> model = model.fit([*X, [None, "no"]], [*y, "play"])
    >>> model.predict_proba([[None, None]]).tolist()
    [[0.5, 0.5]]
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        merit: str = "decrease",
        floor: str = "none",
        numeric: str = "bisect",
        grouping: str = "subset",
        threshold: str = "midpoint",
        penalty: str = "none",
        side: str = "leaf",
        minimum: str = "rows",
        collapse: bool = False,
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
        missing: str = "fractional",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        probability: str = "frequency",
        smoothing: float | str | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = None,
        size: int | str | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
        charge: str | None = None,
    ) -> None:
        self.criterion = criterion
        self.merit = merit
        self.floor = floor
        self.numeric = numeric
        self.grouping = grouping
        self.threshold = threshold
        self.penalty = penalty
        self.side = side
        self.minimum = minimum
        self.collapse = collapse
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
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs
        self.charge = charge

    @cached_by_parameters
    def plan(self) -> Plan:
        criterion = read_criterion(self.criterion, CLASS_CRITERIA)
        grouping = one_of("grouping", self.grouping, GROUPINGS)
        if CRITERIA[criterion].two_branches and grouping != "subset":
            raise ParameterError(
                f"criterion={criterion!r} compares two branches and cannot be used with grouping={grouping!r}; "
                "set grouping='subset' or another criterion."
            )
        return Plan(
            criterion=criterion,
            merit=one_of("merit", self.merit, MERITS),
            floor=one_of("floor", self.floor, FLOORS),
            number=one_of("numeric", self.numeric, NUMBERS),
            grouping=grouping,
            threshold=one_of("threshold", self.threshold, THRESHOLDS),
            penalty=read_penalty(self),
            side=one_of("side", self.side, SIDES),
            minimum=one_of("minimum", self.minimum, MINIMUMS),
            collapse=read_bool("collapse", self.collapse),
            **self._missing_parts(grouping, criterion),
            max_bins=read_max_bins(self.max_bins),
            limits=self._limits(),
        )


@document(
    NUMBER_ATTRIBUTES,
    REGRESSOR
    | PARTS
    | {
        "criterion": NUMBER_CRITERION,
        "grouping": Described(
            choices(*NUMBER_GROUPINGS),
            "Categories are split into the best two subsets; into a branch for each; or into two subsets, "
            "where values of a single row count as one.",
        ),
        "penalty": Described(
            choices("none", "cuts", "description"),
            "The cost of a split in bits: none; log2(thresholds) for a numeric column; or that, log2(number "
            "of groupings) for a categorical column, and for each column 1 + log2(rows) / 2. The decrease of "
            "the loss must save more.",
        ),
        "pruning": pruning(NUMBER_METHODS),
    },
)
class TreeRegressor(BaseTreeRegressor):
    """A regression tree in which every part of the algorithm can be chosen.

    Examples
    --------
    >>> from treewright import TreeRegressor
    >>> X = [["sunny", 85.0], ["overcast", 83.0], ["rainy", 70.0], ["rainy", 68.0]]
    >>> model = TreeRegressor(grouping="each", max_depth=1).fit(X, [10.0, 50.0, 30.0, 40.0])
    >>> model.predict([["rainy", 71.0]]).tolist()
    [35.0]

    If the outlook is missing, a quarter of 10, a quarter of 50 and half of 35:

    >>> model.predict([[None, 71.0]]).tolist()
    [32.5]
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        numeric: str = "bisect",
        grouping: str = "subset",
        threshold: str = "midpoint",
        penalty: str = "none",
        minimum: str = "rows",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = "fractional",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        smoothing: float | str | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = None,
        size: int | str | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
        charge: str | None = None,
    ) -> None:
        self.criterion = criterion
        self.numeric = numeric
        self.grouping = grouping
        self.threshold = threshold
        self.penalty = penalty
        self.minimum = minimum
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
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs
        self.charge = charge

    @cached_by_parameters
    def plan(self) -> Plan:
        criterion = read_criterion(self.criterion, NUMBER_CRITERIA)
        grouping = one_of("grouping", self.grouping, NUMBER_GROUPINGS)
        return Plan(
            criterion=criterion,
            number=one_of("numeric", self.numeric, NUMBERS),
            grouping=grouping,
            threshold=one_of("threshold", self.threshold, THRESHOLDS),
            penalty=read_penalty(self),
            minimum=one_of("minimum", self.minimum, MINIMUMS),
            **self._missing_parts(grouping, criterion),
            max_bins=read_max_bins(self.max_bins),
            limits=self._limits(),
        )
