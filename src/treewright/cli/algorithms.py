"""Options about growth and pruning, and the estimator that they describe."""

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

import click

from treewright.cli.command import combine_options, option
from treewright.cli.option_values import by_label, read_costs, read_priors, read_value
from treewright.errors import ParameterError

ALGORITHMS = ("id3", "c4.5", "cart", "mdl")
REGRESSION_ALGORITHMS = ("cart", "mdl")
PRESETS = ("c45_release8", "j48", "rpart", "scikit_learn")
NO_PRUNING = "none"
GROWTH = "Growth and pruning"
BY_CLASS = ("class_weight", "cost_matrix", "priors")
"""Parameters that are given by class."""

_ALGORITHM = option(
    "-a",
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    group=GROWTH,
    help="Algorithm [mdl].",
)
_PRESET = option(
    "--preset",
    type=click.Choice([name.replace("_", "-") for name in PRESETS]),
    group=GROWTH,
    help="Grow and prune like another program; instead of --algorithm.",
)
_GROWTH = (
    option(
        "--regression", is_flag=True, group=GROWTH, help="Train a regression tree: the target is a number."
    ),
    option(
        "--pruning",
        metavar="METHOD",
        group=GROWTH,
        help="Pruning method: error_based, pessimistic, cost_complexity, reduced_error, minimum_error, "
        "critical_value, mdl, global, same_decision, max_leaves, pre_pruning or none; join several by +, such as "
        "error_based+global. The default depends on the algorithm.",
    ),
    option(
        "--size",
        metavar="N",
        group=GROWTH,
        help="Maximum number of leaves after pruning, or readable for 20: the largest such tree of the cost-complexity "
        "path.",
    ),
    option(
        "--missing",
        metavar="STRATEGY",
        group=GROWTH,
        help="Strategy for missing values: fractional, surrogate, learned, branch, stop or error. The default "
        "depends on the algorithm.",
    ),
    option(
        "--criterion",
        metavar="NAME",
        group=GROWTH,
        help="Split criterion, for algorithms that have a choice; for cart gini, entropy (or log_loss) or twoing, with "
        "--regression squared_error, absolute_error or poisson.",
    ),
    option("--max-depth", type=click.IntRange(1), metavar="N", group=GROWTH, help="Maximum depth of the tree."),
    option("--min-samples-split", metavar="N", group=GROWTH, help="Minimum number of rows in a node to split it."),
    option(
        "--min-samples-leaf",
        metavar="N",
        group=GROWTH,
        help="Minimum number of rows in a branch, or a fraction such as 0.01.",
    ),
    option(
        "--confidence",
        type=float,
        metavar="CF",
        group=GROWTH,
        help="Confidence of error-based pruning; a lower value prunes more.",
    ),
    option(
        "--cost",
        "cost_matrix",
        metavar="TRUE:PREDICTED=COST",
        multiple=True,
        group=GROWTH,
        help="Cost of a misclassification, such as bad:good=5; others cost 1. May be repeated.",
    ),
    option(
        "--prior",
        "priors",
        metavar="CLASS=PROBABILITY",
        multiple=True,
        group=GROWTH,
        help="Prior probability of each class, or equal. May be repeated.",
    ),
    option(
        "--probability",
        metavar="METHOD",
        group=GROWTH,
        help="Probability estimate of the leaves: frequency, laplace, m-estimate or shrinkage.",
    ),
    option(
        "--smoothing",
        metavar="N",
        group=GROWTH,
        help="m of the m-estimate, or lambda of shrinkage; auto chooses lambda by cross-validation. With --regression "
        "lambda of shrunken means; none for the means as they are.",
    ),
    option(
        "--set",
        "settings",
        metavar="NAME=VALUE",
        multiple=True,
        group=GROWTH,
        help="Any other parameter of the estimator or of the pruning method. May be repeated.",
    ),
)


def algorithm_options(function: Any) -> Any:
    """Add the options that choose an algorithm and its parameters."""
    return combine_options(_ALGORITHM, _PRESET, *_GROWTH)(function)


def growth_options(function: Any) -> Any:
    """Add the same without --algorithm and --preset, for commands that try several algorithms."""
    return combine_options(*_GROWTH)(function)


def new_estimator(options: Mapping[str, Any], algorithm: str | None = None, **others: Any) -> Any:
    """Return the estimator that the options describe, not fitted.

    algorithm  one of ALGORITHMS, instead of that of the options
    others     further parameters of the estimator

    >>> new_estimator({"algorithm": "cart", "settings": ("max_leaf_nodes=8",)}, missing="stop")
    CARTClassifier(max_leaf_nodes=8, missing='stop')
    """
    parameters = _parameters(options)
    if "categorical_features" in parameters and "categorical_features" in others:
        raise ParameterError(
            "`categorical_features` cannot be set with --set; use --categorical or --ordered."
        )
    parameters |= others
    preset = options.get("preset") if algorithm is None else None
    if preset is not None:
        return _by_preset(preset, parameters, options)
    kind = estimator_class(algorithm or options.get("algorithm"), bool(options.get("regression")))
    own, of_method = _split_parameters(kind, parameters)
    return kind(**_with_method(own, of_method, kind))


def with_labels(estimator: Any, y: Any) -> Any:
    """Return the estimator with class names in its parameters replaced by the labels of the target.

    >>> from treewright import CARTClassifier
    >>> with_labels(CARTClassifier(class_weight={"1": 2.0}), [0, 1]).class_weight
    {1: 2.0}
    """
    given = estimator.get_params(deep=False)
    by_class = {name: given[name] for name in BY_CLASS if isinstance(given.get(name), dict)}
    if not by_class:
        return estimator
    classes = {label for label in (y.to_list() if hasattr(y, "to_list") else y) if label is not None}
    return estimator.set_params(**{name: by_label(value, classes) for name, value in by_class.items()})


def estimator_class(algorithm: str | None, regression: bool) -> Any:
    """Return the estimator class of an algorithm; None is MDLTree.

    >>> estimator_class(None, regression=True).__name__, estimator_class("mdl", regression=False).__name__
    ('MDLTreeRegressor', 'MDLTreeClassifier')
    """
    from treewright import estimators

    if regression:
        if algorithm not in (None, *REGRESSION_ALGORITHMS):
            raise ParameterError(
                f"--algorithm {algorithm} does not support regression; use --algorithm cart or mdl, or --classes."
            )
        return estimators.CARTRegressor if algorithm == "cart" else estimators.MDLTreeRegressor
    classes = {
        "id3": estimators.ID3Classifier,
        "c4.5": estimators.C45Classifier,
        "cart": estimators.CARTClassifier,
        "mdl": estimators.MDLTreeClassifier,
    }
    return classes[algorithm or "mdl"]


def read_settings(given: Iterable[str]) -> dict[str, Any]:
    """Parse NAME=VALUE pairs.

    >>> read_settings(["max_leaf_nodes=8", "choose=cv"])
    {'max_leaf_nodes': 8, 'choose': 'cv'}
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise ParameterError(f"--set expects NAME=VALUE, such as max_leaf_nodes=8, got {text!r}.")
        found[name] = read_value(value)
    return found


def _parameters(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return all given parameters by name."""
    found = read_settings(options.get("settings", ()))
    for name in ("missing", "criterion", "max_depth", "confidence", "probability"):
        if options.get(name) is not None:
            found[name] = options[name]
    for name in ("min_samples_split", "min_samples_leaf", "size", "smoothing"):
        if options.get(name) is not None:
            found[name] = read_value(options[name])
    if options.get("cost_matrix"):
        found["cost_matrix"] = read_costs(options["cost_matrix"])
    if options.get("priors"):
        found["priors"] = read_priors(options["priors"])
    if options.get("pruning") is not None:
        found["pruning"] = read_pruning(options["pruning"])
    return found


def read_pruning(name: str) -> str | None:
    """Return the pruning method as an estimator takes it; error-based is error_based.

    >>> read_pruning("error-based"), read_pruning("none")
    ('error_based', None)
    """
    return None if name == NO_PRUNING else name.replace("-", "_")


def _split_parameters(kind: Any, parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters of the estimator, and the others, which are for its pruning method."""
    known = signature(kind).parameters
    own = {name: value for name, value in parameters.items() if name in known}
    return own, {name: value for name, value in parameters.items() if name not in known}


def _with_method(own: dict[str, Any], of_method: Mapping[str, Any], kind: Any) -> dict[str, Any]:
    """Return the parameters with a pruning method that has its own parameters."""
    if not of_method:
        return own
    from treewright.prune.registry import METHODS, read_method

    name = own.get("pruning", signature(kind).parameters["pruning"].default)
    known = {field for method in METHODS.values() for field in signature(method).parameters}
    for parameter in of_method:
        if parameter not in known:
            raise ParameterError(
                f"Unknown parameter {parameter!r}; {kind.__name__} has {', '.join(signature(kind).parameters)}, and "
                "the parameters of its pruning method."
            )
    if name is None:
        raise ParameterError(
            f"{next(iter(of_method))!r} is a parameter of a pruning method, but the tree is not pruned; use --pruning, "
            "or leave it out."
        )
    # An estimator may have its own defaults for a method given by name, such as the limit of J48.
    made = kind(**{n: v for n, v in own.items() if n != "pruning"})._read_method(name, **of_method)
    return own | {"pruning": read_method(made)}


def _by_preset(preset: str, parameters: dict[str, Any], options: Mapping[str, Any]) -> Any:
    """Return the estimator of another program; parameters are those of the program or of the estimator."""
    from treewright import presets

    if options.get("algorithm") is not None:
        raise ParameterError(f"--preset {preset} and --algorithm exclude each other; use one of them.")
    name = preset.replace("-", "_")
    if options.get("regression"):
        task = {"rpart": {"method": "anova"}, "scikit_learn": {"task": "regression"}}
        if name not in task:
            raise ParameterError(f"--preset {preset} does not support regression; use --preset rpart, or --classes.")
        parameters = parameters | task[name]
    make = getattr(presets, name)
    own = [one for one in signature(make).parameters if one != "others"]
    known = {*own, *signature(type(make())).parameters}
    for parameter in parameters:
        if parameter not in known:
            raise ParameterError(
                f"Unknown parameter {parameter!r}; --preset {preset} has {', '.join(own)} and those of its estimator."
            )
    pruning = {"pruning": parameters["pruning"]} if "pruning" in parameters else {}
    try:
        made = make(**{one: value for one, value in parameters.items() if one != "pruning"})
    except TypeError as error:  # the preset passes the estimator a parameter that is given here too
        which = str(error).rpartition("argument ")[2]
        raise ParameterError(f"--preset {preset} sets {which}; leave it out, or use --algorithm.") from None
    return made.set_params(**pruning)
