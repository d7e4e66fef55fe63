"""Trees of every kind, to be worked out: tables with holes, weights, many kinds of columns, all ways of pruning."""

from functools import cache

import numpy as np
import pandas as pd

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier

N = 160


@cache
def table():
    """Numbers, categories, an ordered category, and the same with holes; classes, numbers and weights."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=N),
            "colour": pd.Categorical(rng.choice(list("uvwxyz"), N)),
            "step": rng.integers(0, 5, N).astype(float),
            "grade": pd.Categorical(rng.choice(["s", "m", "l"], N), categories=["s", "m", "l"], ordered=True),
        }
    )
    noise = rng.normal(size=N)
    score = X["size"] + (X["colour"] == "u") * 1.5 + noise * 0.6
    classes = np.where(score > 0.4, "yes", np.where(X["step"] > 2, "no", "maybe"))
    holes = X.mask(rng.random(X.shape) < 0.15)
    return X, holes, classes, score.to_numpy() * 3, rng.random(N) + 0.5


@cache
def fitted(name):
    X, holes, classes, numbers, weight = table()
    how, _, detail = name.partition(" ")
    match how:
        case "c4.5":
            return C45Classifier(missing=detail).fit(holes, classes)
        case "grouped":
            return C45Classifier(missing=detail, grouping="greedy", variant="textbook").fit(holes, classes)
        case "cart":
            return CARTClassifier(missing=detail, max_depth=5).fit(holes, classes)
        case "weights":
            return C45Classifier(missing=detail).fit(holes, classes, sample_weight=weight)
        case "regression":
            return CARTRegressor(missing=detail, max_depth=4).fit(holes, numbers, sample_weight=weight)
        case "medians":
            tree = CARTRegressor(missing=detail, criterion="absolute_error", max_depth=3, pruning=None)
            return tree.fit(holes, numbers)
        case "pruned":
            return CARTClassifier(pruning=detail, validation_fraction=0.3).fit(X, classes)
        case "weighed":
            return C45Classifier(pruning=detail, validation_fraction=0.3).fit(X, classes, sample_weight=weight)
        case "numbers":
            tree = CARTRegressor(pruning=detail, validation_fraction=0.3, min_samples_leaf=3)
            return tree.fit(X, numbers)
    return OTHERS[name](X, classes)


def described(grouping, times):
    """Splits that pay for their description; with rows that stand for more the floor leaves the average behind."""
    parts = {"criterion": "entropy", "merit": "ratio", "floor": "description", "penalty": "description", "max_depth": 3}
    model = TreeClassifier(**parts, grouping=grouping)
    return lambda X, y: model.fit(X, y, sample_weight=np.full(N, times))


OTHERS = {
    "described in two": described("binary", 12.0),
    "described groups": described("least-loss", 40.0),
    "twoing": lambda X, y: CARTClassifier(criterion="twoing").fit(X, y),
    "each": lambda X, y: TreeClassifier(criterion="entropy", grouping="each", max_depth=4).fit(X, y),
    "id3": lambda X, y: ID3Classifier(numeric="bisect", max_depth=3).fit(X, y),
    "impurity": lambda X, y: CARTClassifier(ccp_alpha=0.01).fit(X, y),
    "balanced": lambda X, y: CARTClassifier(class_weight="balanced").fit(X, y),
    "leaves": lambda X, y: CARTClassifier(max_leaf_nodes=5, pruning=None).fit(X, y),
    "gain": lambda X, y: CARTClassifier(min_impurity_decrease=0.02, pruning=None).fit(X, y),
    "one leaf": lambda X, y: CARTClassifier().fit(X, ["same"] * len(X)),
}

STRATEGIES = ("fractional", "learned", "branch", "stop")
METHODS = (
    "pessimistic", "minimum_error", "critical_value", "mdl", "same_decision", "error_based", "cost_complexity",
    "reduced_error", "pre_pruning", "global", "error_based+global", "max_leaves",
)  # fmt: skip
FOR_NUMBERS = (
    "pessimistic", "same_decision", "cost_complexity", "reduced_error", "pre_pruning", "global", "max_leaves",
)  # fmt: skip

NAMES = [
    *(f"{how} {missing}" for how in ("c4.5", "grouped", "weights") for missing in STRATEGIES),
    *(f"{how} {missing}" for how in ("cart", "regression", "medians") for missing in (*STRATEGIES, "surrogate")),
    *(f"{how} {method}" for how in ("pruned", "weighed") for method in METHODS),
    *(f"numbers {method}" for method in FOR_NUMBERS),
    *OTHERS,
]
