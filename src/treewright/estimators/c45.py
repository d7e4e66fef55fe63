"""C45Classifier: Quinlan's C4.5, as in his program (Release 8) or as in the textbooks.

A plan of entropy and gain ratio, among the columns of at least average gain.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treewright import prune
from treewright.errors import one_of
from treewright.estimators.parameter_docs import (
    CLASS_ATTRIBUTES,
    CLASS_METHODS,
    CLASSIFIER,
    Described,
    choices,
    document,
    missing,
    pruning,
)
from treewright.estimators.parameters import (
    cached_by_parameters,
    read_limits,
    read_max_bins,
    with_split_twice_leaf,
)
from treewright.estimators.tasks import BaseTreeClassifier
from treewright.grow.plan import Limits, Plan
from treewright.prune.method import Method

VARIANTS = ("release8", "j48", "textbook")
LIMITS = {"release8": "release8", "j48": "weka", "textbook": "exact"}
"""How error-based pruning estimates errors in each variant."""
CRITERIA = ("gain_ratio", "gain")
C45_GROUPINGS = ("each", "greedy", "least-loss", "binary")
RELEASE8: dict[str, Any] = {
    "threshold": "value",
    "penalty": "cuts",
    "side": "release8",
    "slack": 1e-3,
    "min_info": 1e-3,
    "wide": 0.3,
    "collapse": True,
    "info": "all",
}
"""What the program adds to the textbook."""


@document(
    CLASS_ATTRIBUTES,
    CLASSIFIER
    | {
        "variant": Described(
            choices(*VARIANTS),
            "\"release8\" does what Quinlan's program does: the gain of a numeric column is reduced by a "
            "penalty for its many thresholds, thresholds are values of the training table, splits with a very "
            'small branch are not allowed, and splits that save no training error are removed. "j48" grows '
            "the same tree and estimates errors as Weka's J48 when pruning. \"textbook\" uses midpoint "
            "thresholds, none of these rules, and exact confidence limits.",
        ),
        "criterion": Described(choices(*CRITERIA), "The measure by which columns are ranked."),
        "grouping": Described(
            choices(*C45_GROUPINGS),
            "Each category has its own branch, or categories are merged into groups: while that improves the "
            "gain ratio (option -s of the program), at the least loss of gain, or into two groups.",
        ),
        "min_samples_split": Described(
            "int, float or None",
            "Minimum weight of a node that is split, counted as in `min_samples_leaf`. None is twice "
            '`min_samples_leaf`, or 2 in "textbook".',
        ),
        "min_samples_leaf": Described(
            "int, float or None",
            "Minimum weight of at least two branches of a split: a row of weight 2 counts as two (if not all "
            "weights are integers, weights are divided by their mean). A float is a fraction of the total "
            'weight. None is 2, or 1 in "textbook".',
        ),
        "min_weight_fraction_leaf": Described(
            "float", "Minimum fraction of the total weight in at least two branches of a split."
        ),
        "missing": missing("fractional", "learned", "branch", "stop", "error"),
        "pruning": pruning(
            CLASS_METHODS,
            "The default compares upper confidence limits of the errors, and also tries to replace a node by "
            "its largest branch.",
        ),
    },
)
class C45Classifier(BaseTreeClassifier):
    """C4.5: split on the column with the best gain ratio among those of at least average gain.

    A row with a missing value goes down every branch with a fraction of its weight.

    Examples
    --------
    The golf table: outlook, humidity, windy.

    >>> from treewright import C45Classifier
    >>> X = [["sunny", 85, "no"], ["sunny", 90, "yes"], ["overcast", 86, "no"], ["rainy", 96, "no"],
    ...      ["rainy", 80, "no"], ["rainy", 70, "yes"], ["overcast", 65, "yes"], ["sunny", 95, "no"],
    ...      ["sunny", 70, "no"], ["rainy", 80, "no"], ["sunny", 70, "yes"], ["overcast", 90, "yes"],
    ...      ["overcast", 75, "no"], ["rainy", 91, "yes"]]
    >>> y = ["stay", "stay", "play", "play", "play", "stay", "play", "stay", "play", "play", "play", "play",
    ...      "play", "stay"]
    >>> model = C45Classifier().fit(X, y)
    >>> model.get_n_leaves()
    5
    >>> model.predict([["sunny", 72, "no"], ["rainy", 72, "yes"]]).tolist()
    ['play', 'stay']

    A sunny day whose humidity is missing: 2 of the 5 sunny days were dry enough.

    >>> model.predict_proba([["sunny", None, "no"]]).round(2).tolist()
    [[0.4, 0.6]]
    """

    def __init__(
        self,
        *,
        variant: str = "release8",
        criterion: str = "gain_ratio",
        grouping: str = "each",
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
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
        probability: str = "frequency",
        smoothing: float | str | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = "error_based",
        size: int | str | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.variant = variant
        self.criterion = criterion
        self.grouping = grouping
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
        variant = one_of("variant", self.variant, VARIANTS)
        by_ratio = one_of("criterion", self.criterion, CRITERIA) == "gain_ratio"
        grouping = one_of("grouping", self.grouping, C45_GROUPINGS)
        additions = {} if variant == "textbook" else RELEASE8
        if grouping != "each":  # the rule about columns with many values is for one branch per category
            additions = additions | {"wide": None}
        return Plan(
            criterion="entropy",
            merit="ratio" if by_ratio else "decrease",
            # The most gain is never below the average, so ranking by gain needs no floor.
            floor="average" if by_ratio else "none",
            grouping=grouping,
            minimum="weight",
            **self._missing_parts(grouping),
            max_bins=read_max_bins(self.max_bins),
            limits=self._limits(),
            **additions,
        )

    def _read_method(self, given: object, **parameters: object) -> Method | None:
        method = super()._read_method(given, **parameters)
        # A method object has its own limit, and so has a call that names one.
        if isinstance(given, str) and "limit" not in parameters and isinstance(method, prune.ErrorBased):
            return replace(method, limit=LIMITS[one_of("variant", self.variant, VARIANTS)])
        return method

    def _limits(self) -> Limits:
        is_release8 = self.variant != "textbook"
        leaf, split = self.min_samples_leaf, self.min_samples_split
        limits = read_limits(
            max_depth=self.max_depth,
            min_samples_split=2 if split is None else split,
            min_samples_leaf=(2 if is_release8 else 1) if leaf is None else leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
        )
        if split is None and is_release8:
            return with_split_twice_leaf(limits)
        return limits
