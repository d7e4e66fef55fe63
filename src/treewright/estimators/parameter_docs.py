"""Descriptions of the parameters and attributes of the estimators, each written once.

`document` puts the sections Parameters and Attributes into the docstring of an estimator: the parameters of its
constructor in their order, with their defaults. An estimator passes the descriptions in which it differs.
"""

from collections.abc import Callable, Mapping
from inspect import signature
from textwrap import wrap
from typing import Any, NamedTuple, TypeVar

Class = TypeVar("Class", bound=type[Any])

EXAMPLES = "    Examples\n    --------\n"
WIDTH = 110


class Described(NamedTuple):
    """The type and the description of a parameter or attribute."""

    type: str
    text: str


MISSING_STRATEGIES = {
    "auto": '"learned" if the fact that a value is missing is informative about the target, else "fractional"',
    "fractional": "the row goes down every branch with a fraction of its weight",
    "surrogate": "another column decides",
    "learned": "the branch with the largest gain",
    "branch": "a branch of its own",
    "stop": "the row stays at the node",
    "error": "missing values are refused",
}
"""The values of `missing`, and where a row with a missing value goes."""

CLASS_METHODS = (
    "error_based", "pessimistic", "cost_complexity", "reduced_error", "minimum_error", "critical_value", "mdl",
    "global", "same_decision", "max_leaves", "pre_pruning",
)  # fmt: skip
NUMBER_METHODS = (
    "cost_complexity", "reduced_error", "pessimistic", "global", "same_decision", "max_leaves", "pre_pruning",
)  # fmt: skip


def choices(*names: str) -> str:
    """The values of a parameter as numpydoc writes them.

    >>> choices("gain", "ratio")
    '{"gain", "ratio"}'
    """
    return "{" + ", ".join(f'"{name}"' for name in names) + "}"


def missing(*names: str) -> Described:
    """The parameter `missing` of an estimator that has these strategies."""
    meanings = "; ".join(f'"{name}": {MISSING_STRATEGIES[name]}' for name in names)
    return Described(choices(*names), f"Where rows with a missing value go while the tree grows. {meanings}.")


def pruning(names: tuple[str, ...], default: str = "") -> Described:
    """The parameter `pruning` of an estimator that knows these methods; `default` says what the default does."""
    return Described(
        "str, Method, sequence or None",
        f"How the grown tree is pruned: the name of a method ({', '.join(map(_quoted, names))}), a method object of "
        "`treewright.prune`, or a list of these, applied one after the other (or their names joined by +). None keeps "
        f"the tree as grown. {default}".rstrip(),
    )


SHARED = {
    "max_depth": Described(
        "int or None",
        "Maximum number of splits on the path from the root to a leaf. None means no limit.",
    ),
    "min_samples_split": Described(
        "int or float",
        "Minimum number of rows in a node that is split. A float is a fraction of the training rows.",
    ),
    "min_samples_leaf": Described(
        "int or float",
        "Minimum number of rows in both branches of a split. A float is a fraction of the training rows.",
    ),
    "min_weight_fraction_leaf": Described(
        "float", "Minimum fraction of the total weight in each branch of a split, as in scikit-learn."
    ),
    "min_impurity_decrease": Described(
        "float",
        "A node is split if the decrease of impurity times the weight of the node, divided by the weight of "
        "the root, is at least this.",
    ),
    "max_leaf_nodes": Described(
        "int or None",
        "Maximum number of leaves. The splits that improve the tree most are made first. None means no limit.",
    ),
    "class_weight": Described(
        'dict, "balanced" or None', "Factors by which the weights of the rows of each class are multiplied."
    ),
    "cost_matrix": Described(
        "array, dict, pandas DataFrame or None",
        "Cost of each prediction: a row for each true class and a column for each predicted class, in the "
        "order of `classes_`, or {true: {predicted: cost}}, where entries that are left out cost 0 for the "
        "correct class and 1 for a wrong one. Growth and pruning weight the rows by the cost of "
        "misclassifying them, and `predict` returns the class of least expected cost.",
    ),
    "priors": Described(
        '"equal", dict, array or None',
        "Class probabilities of the population on which the tree is used, by class or in the order of "
        "`classes_`, in any unit. None uses the proportions in the training table. Cannot be combined with "
        "`class_weight`.",
    ),
    "categorical_features": Described(
        '"from_dtype", list of names or positions, or dict',
        "Which columns are categorical: those whose type says so, or the ones listed. A dict maps the name or "
        'position of a column to "category", or to the categories of an ordered column from low to high.',
    ),
    "missing_predict": Described(
        choices("fractional", "majority", "stop", "error") + " or None",
        'Where rows with a missing value go at prediction. None means as in growth. "majority": the branch of '
        'largest weight; "stop": the node that tests the missing value predicts.',
    ),
    "unseen_category": Described(
        choices("missing", "majority", "stop", "error"),
        "How a category that did not occur in training is handled at prediction: as a missing value, by the "
        "branch of largest weight, or by a prediction of the node that tests it, each with a warning; or it "
        "raises an error.",
    ),
    "max_surrogates": Described(
        "int", 'Maximum number of surrogate splits that are kept for a split with missing="surrogate".'
    ),
    "surrogates": Described(
        choices("needed", "always"),
        "Whether surrogate splits are searched only if the training table has missing values, or always, so "
        "that a tree grown on a complete table can handle missing values too.",
    ),
    "probability": Described(
        choices("frequency", "laplace", "m-estimate", "shrinkage"),
        "How the class weights of a leaf become probabilities: their proportions; the proportions with one "
        "more row of each class; with `smoothing` more rows in the proportions of the training table; or "
        "shrunk towards the nodes above (hierarchical shrinkage).",
    ),
    "smoothing": Described(
        'float, "auto" or None',
        'Number of rows added by "m-estimate" (None: 2), or lambda of "shrinkage" ("auto" or None: chosen by '
        "cross-validation). Must be None for the others.",
    ),
    "monotonic_cst": Described(
        "dict, array-like of int or None",
        "Monotonic constraints: 1 if predictions must not fall as the column rises, -1 if they must not rise, "
        "0 for no constraint. A dict by column name or position, or one entry for each column. Categories "
        "without an order cannot be constrained. See docs/monotonic.md.",
    ),
    "max_bins": Described(
        "int or None",
        "Numeric columns with more distinct values than this, 2 to 255, are binned into so many bins of about "
        "equal size before growth, so that fewer cuts are tried. None keeps all values. See docs/bins.md.",
    ),
    "size": Described(
        'int, "readable" or None',
        "Maximum number of leaves after pruning: the pruned tree is replaced by the largest tree of its "
        'cost-complexity path with at most so many leaves. "readable" means 20; None means no limit. Unlike '
        "`max_leaf_nodes`, which ends growth early, it chooses from the whole tree.",
    ),
    "ccp_alpha": Described(
        "float or None",
        "Complexity parameter of minimal cost-complexity pruning, as in scikit-learn; 0 prunes nothing. Replaces "
        "`pruning`; None uses `pruning`.",
    ),
    "pre_pruning": Described(
        "bool or None",
        "Whether growth stops at splits that do not reduce the error on the validation rows. None: only if "
        "there are validation rows and `pruning` does not use them.",
    ),
    "validation_fraction": Described(
        "float or None",
        "Fraction of the training table that is held out as validation rows, stratified by the target. None: "
        "they are passed to `fit` as X_val and y_val, or there are none.",
    ),
    "n_jobs": Described(
        "int or None", "Number of threads: None is one, -1 all cores. The tree does not depend on it."
    ),
}
"""Parameters that several estimators have."""

CLASSIFIER = {
    "monotonic_cst": Described(
        SHARED["monotonic_cst"].type,
        "Monotonic constraints: 1 if the probability of the second of two classes must not fall as the column "
        "rises, -1 if it must not rise, 0 for no constraint. A dict by column name or position, or one entry "
        "for each column. See docs/monotonic.md.",
    ),
}
"""Parameters that a classifier describes in another way than a regressor."""

REGRESSOR = {
    "smoothing": Described(
        'float, "auto" or None',
        "Lambda of hierarchical shrinkage: predictions are drawn towards the means of the nodes above, the more the "
        'fewer rows these have; a number of rows. "auto": chosen by cross-validation; None: no shrinkage. See '
        "docs/probabilities.md.",
    ),
}
"""Parameters that a regressor describes in another way than a classifier."""

CLASS_CRITERION = Described(
    "str",
    'The impurity that a split decreases: "gini", "entropy", "twoing" or another criterion of classes in '
    '`treewright.criteria.CRITERIA`. "log_loss" is another name of "entropy".',
)
NUMBER_CRITERION = Described(
    choices("squared_error", "absolute_error", "poisson", "friedman_mse"),
    "The loss that a split decreases. A leaf predicts the mean for squared_error, the median for absolute_error. "
    "poisson is half the Poisson deviance, for numbers of events and rates: no target is below 0, and a leaf predicts "
    "the mean. friedman_mse is another name of squared_error.",
)

WEIGHT_MINIMUMS = {
    "min_samples_split": Described(
        "int, float or None",
        "Minimum weight of a node that is split; None is twice `min_samples_leaf`. A float is a fraction of "
        "the total weight.",
    ),
    "min_samples_leaf": Described(
        "int or float",
        "Minimum weight of both branches of a split: a row of weight 2 counts as two (if not all weights are "
        "integers, weights are divided by their mean). A float is a fraction of the total weight.",
    ),
    "min_weight_fraction_leaf": Described("float", "Minimum fraction of the total weight in both branches of a split."),
}
"""Minimums of the estimators that count weight instead of rows."""

TREE_ATTRIBUTES = {
    "tree_": Described("Tree", "The tree that predicts, immutable: the grown tree after pruning."),
    "grown_tree_": Described("Tree", "The tree before pruning."),
    "pruning_report_, pre_pruning_report_": Described(
        "PruningReport or None",
        "Every decision of pruning, and of pre-pruning, with the two numbers compared; None if there was none.",
    ),
}
CLASS_ATTRIBUTES = {
    "classes_, n_classes_": Described(
        "ndarray, int",
        "The classes, sorted, and their number. A target with a single class gives a tree of one leaf.",
    ),
    "smoothing_": Described("float", 'Amount of smoothing of the probabilities; 0 for "frequency" and "laplace".'),
}
NUMBER_ATTRIBUTES = {
    "smoothing_": Described("float", "Lambda of the shrinkage of the predictions; 0 without shrinkage."),
}
TUNING_ATTRIBUTES = {
    "tuning_": Described(
        "tuple of Tried",
        "With tune=True, the sizes that were tried: the mean loss on held-out rows, its standard error, and "
        "the mean number of leaves.",
    ),
}
COLUMN_ATTRIBUTES = {
    "n_features_in_, feature_names_in_": Described(
        "int, ndarray of str", "The number of columns of X, and their names if X has string names."
    ),
    "feature_importances_": Described(
        "ndarray",
        "Total gain of the splits of each column, less their cost in bits, with a part for its surrogate "
        "splits; sums to 1.",
    ),
}


def document(
    attributes: Mapping[str, Described], parameters: Mapping[str, Described]
) -> Callable[[Class], Class]:
    """Decorate an estimator: add the sections Parameters and Attributes to its docstring, before the examples.

    attributes  the fitted attributes besides those that every tree has
    parameters  descriptions of the estimator's own parameters; the others are taken from SHARED
    """

    def add_sections(kind: Class) -> Class:
        if kind.__doc__ is None:  # python -OO
            return kind
        described = {**SHARED, **parameters}
        given = {
            f"{name} : {described[name].type}, default={_quoted(parameter.default)}": described[name].text
            for name, parameter in signature(kind).parameters.items()
        }
        fitted = {**TREE_ATTRIBUTES, **attributes, **COLUMN_ATTRIBUTES}
        results = {f"{name} : {one.type}": one.text for name, one in fitted.items()}
        sections = _section("Parameters", given) + _section("Attributes", results)
        before, examples, after = kind.__doc__.partition(EXAMPLES)
        kind.__doc__ = before + sections + examples + after
        return kind

    return add_sections


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _section(title: str, entries: Mapping[str, str]) -> str:
    lines = [title, "-" * len(title)]
    for head, text in entries.items():
        lines += [head, *(f"    {line}" for line in wrap(text, WIDTH - 8, break_on_hyphens=False))]
    return "".join(f"    {line}\n" for line in lines) + "\n"
