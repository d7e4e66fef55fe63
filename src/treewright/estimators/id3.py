"""ID3Classifier: Quinlan's ID3 (1986), a plan of entropy, information gain and a branch for each category."""

from collections.abc import Sequence
from typing import Any

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
from treewright.estimators.parameters import cached_by_parameters
from treewright.estimators.tasks import BaseTreeClassifier
from treewright.grow.plan import NUMBERS, Plan
from treewright.prune.method import Method


@document(
    CLASS_ATTRIBUTES,
    CLASSIFIER
    | {
        "numeric": Described(
            choices("refuse", "bisect"),
            "Numeric and ordered columns are refused with an error, or split in two at a threshold.",
        ),
        "min_samples_leaf": Described(
            "int or float",
            "Minimum number of rows in at least two branches of a split. A float is a fraction of the "
            "training rows.",
        ),
        "min_weight_fraction_leaf": Described(
            "float", "Minimum fraction of the total weight in at least two branches of a split."
        ),
        "missing": missing("branch", "fractional", "learned", "stop", "error"),
        "monotonic_cst": Described(
            CLASSIFIER["monotonic_cst"].type,
            CLASSIFIER["monotonic_cst"].text + ' Only numeric columns, with numeric="bisect", can be constrained.',
        ),
        "pruning": pruning(CLASS_METHODS),
    },
)
class ID3Classifier(BaseTreeClassifier):
    """ID3: split on the column with the largest information gain, one branch for each of its categories.

    A categorical column is used at most once on the path to a leaf. ID3 is not defined for numbers, so numeric columns
    are refused unless numeric="bisect". Rows with a missing value get a branch of their own.

    Examples
    --------
    >>> from treewright import ID3Classifier
    >>> X = [["sunny", "no"], ["sunny", "yes"], ["overcast", "no"], ["rainy", "no"], ["rainy", "yes"]]
    >>> y = ["stay", "stay", "play", "play", "stay"]
    >>> model = ID3Classifier().fit(X, y)
    >>> model.predict([["overcast", "yes"], ["rainy", "yes"]]).tolist()
    ['play', 'stay']

    A missing outlook gets a branch like any other value:

    >>> model = ID3Classifier().fit([*X, [None, "yes"], [None, "no"]], [*y, "play", "play"])
    >>> print(model.to_text())
    x0 = overcast: play (1)
    x0 = rainy:
    |   x1 = no: play (1)
    |   x1 = yes: stay (1)
    x0 = sunny: stay (2)
    x0 is missing: play (2)
    """

    def __init__(
        self,
        *,
        numeric: str = "refuse",
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
        missing: str = "branch",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        probability: str = "frequency",
        smoothing: float | str | None = None,
        monotonic_cst: Any = None,
        pruning: str | Method | Sequence[str | Method] | None = None,
        size: int | str | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.numeric = numeric
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
        self.pruning = pruning
        self.size = size
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @cached_by_parameters
    def plan(self) -> Plan:
        number = one_of("numeric", self.numeric, NUMBERS)
        return Plan(
            criterion="entropy",
            number=number,
            grouping="each",
            **self._missing_parts("each"),
            limits=self._limits(),
        )
