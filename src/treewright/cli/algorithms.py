"""Algorithms: from the options about growth and pruning to an estimator that is not fitted yet.

In: --algorithm, --preset, --pruning and the rest. Out: an estimator of the house.
"""

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

import click

from treewright.cli.values import by_label, read_costs, read_priors, read_value
from treewright.cli.verb import option, stacked
from treewright.errors import ParameterError

ALGORITHMS = ("id3", "c4.5", "cart", "mdl")
FOR_NUMBERS = ("cart", "mdl")
PRESETS = ("c45_release8", "j48", "rpart", "scikit_learn")
NO_PRUNING = "none"
GROWTH = "Growth and pruning"
BY_CLASS = ("class_weight", "cost_matrix", "priors")
"""Parameters that may name classes."""

_ALGORITHM = option(
    "-a",
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    group=GROWTH,
    help="The algorithm: c4.5, and cart with --regression, unless another is given.",
)
_PRESET = option(
    "--preset",
    type=click.Choice([name.replace("_", "-") for name in PRESETS]),
    group=GROWTH,
    help="Grow and prune as another program does; stands in for --algorithm.",
)
_GROWTH = (
    option("--regression", is_flag=True, group=GROWTH, help="The target is a number."),
    option(
        "--pruning",
        metavar="METHOD",
        group=GROWTH,
        help="error_based, pessimistic, cost_complexity, reduced_error, minimum_error, critical_value, mdl, "
        "global, same_decision, pre_pruning, or none; several, one after the other, are joined by +, as in "
        "error_based+global; otherwise that of the algorithm.",
    ),
    option(
        "--missing",
        metavar="WAY",
        group=GROWTH,
        help="Where a missing value goes: fractional, surrogate, learned, branch, stop or error; otherwise as the "
        "algorithm does it.",
    ),
    option("--criterion", metavar="NAME", group=GROWTH, help="What a split improves, where there is a choice."),
    option("--max-depth", type=int, metavar="N", group=GROWTH, help="The most splits on the way to a leaf."),
    option("--min-samples-split", metavar="N", group=GROWTH, help="A node with fewer rows is a leaf."),
    option("--min-samples-leaf", metavar="N", group=GROWTH, help="The fewest rows of a branch; 0.01 is a share."),
    option("--confidence", type=float, metavar="CF", group=GROWTH, help="Of error-based pruning; less prunes more."),
    option(
        "--cost",
        "costs",
        metavar="TRUE:ANSWERED=COST",
        multiple=True,
        group=GROWTH,
        help="What a wrong answer costs, as in bad:good=5, where others cost 1; may be given several times.",
    ),
    option(
        "--prior",
        "priors",
        metavar="CLASS=SHARE",
        multiple=True,
        group=GROWTH,
        help="The share of each class where the tree is to be used; or equal, for all the same.",
    ),
    option(
        "--probability",
        metavar="WAY",
        group=GROWTH,
        help="How leaves make probabilities: frequency, laplace, m-estimate or shrinkage.",
    ),
    option(
        "--smoothing",
        type=float,
        metavar="N",
        group=GROWTH,
        help="The rows that m-estimate adds, or lambda of shrinkage.",
    ),
    option(
        "--set",
        "settings",
        metavar="NAME=VALUE",
        multiple=True,
        group=GROWTH,
        help="Any other parameter of the estimator, or of the method of pruning; may be given several times.",
    ),
)


def algorithm_options(function: Any) -> Any:
    """Adds the options that choose an algorithm and its parameters."""
    return stacked(_ALGORITHM, _PRESET, *_GROWTH)(function)


def growth_options(function: Any) -> Any:
    """The same without --algorithm and --preset, for verbs that try several algorithms."""
    return stacked(*_GROWTH)(function)


def new_estimator(options: Mapping[str, Any], algorithm: str | None = None, **others: Any) -> Any:
    """The estimator that the options describe, not fitted.

    algorithm  one of ALGORITHMS, where it is not that of the options
    others     further parameters by name, as an estimator takes them

    >>> new_estimator({"algorithm": "cart", "settings": ("max_leaf_nodes=8",)}, missing="stop")
    CARTClassifier(max_leaf_nodes=8, missing='stop')
    """
    parameters = _parameters(options)
    if "categorical_features" in parameters and "categorical_features" in others:
        raise ParameterError("--set categorical_features cannot be used here; give --categorical or --ordered.")
    parameters |= others
    preset = options.get("preset") if algorithm is None else None
    if preset is not None:
        return _by_preset(preset, parameters, options)
    kind = estimator_class(algorithm or options.get("algorithm"), bool(options.get("regression")))
    own, of_method = _parted(kind, parameters)
    return kind(**_with_method(own, of_method, kind))


def with_labels(estimator: Any, y: Any) -> Any:
    """The estimator, with what it says of classes by their names said by those of the target.

    >>> from treewright import CARTClassifier
    >>> with_labels(CARTClassifier(class_weight={"1": 2.0}), [0, 1]).class_weight
    {1: 2.0}
    """
    given = estimator.get_params(deep=False)
    said = {name: given[name] for name in BY_CLASS if isinstance(given.get(name), dict)}
    if not said:
        return estimator
    classes = {label for label in (y.to_list() if hasattr(y, "to_list") else y) if label is not None}
    return estimator.set_params(**{name: by_label(value, classes) for name, value in said.items()})


def estimator_class(algorithm: str | None, regression: bool) -> Any:
    """The class of an algorithm; None is C4.5, or CART for regression.

    >>> estimator_class(None, regression=True).__name__, estimator_class("mdl", regression=False).__name__
    ('CARTRegressor', 'MDLTreeClassifier')
    """
    from treewright import estimators

    if regression:
        if algorithm not in (None, *FOR_NUMBERS):
            raise ParameterError(
                f"--algorithm {algorithm} answers with classes and has no form for --regression; "
                "use --algorithm cart or mdl, or leave one of the two out."
            )
        return estimators.MDLTreeRegressor if algorithm == "mdl" else estimators.CARTRegressor
    classes = {
        "id3": estimators.ID3Classifier,
        "c4.5": estimators.C45Classifier,
        "cart": estimators.CARTClassifier,
        "mdl": estimators.MDLTreeClassifier,
    }
    return classes[algorithm or "c4.5"]


def read_settings(given: Iterable[str]) -> dict[str, Any]:
    """NAME=VALUE pairs as parameters.

    >>> read_settings(["max_leaf_nodes=8", "choose=cv"])
    {'max_leaf_nodes': 8, 'choose': 'cv'}
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise ParameterError(
                f"--set {text!r} cannot be read; write NAME=VALUE, as in --set max_leaf_nodes=8."
            )
        found[name] = read_value(value)
    return found


def _parameters(options: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters that were given, by name."""
    found = read_settings(options.get("settings", ()))
    for name in ("missing", "criterion", "max_depth", "confidence", "probability", "smoothing"):
        if options.get(name) is not None:
            found[name] = options[name]
    for name in ("min_samples_split", "min_samples_leaf"):
        if options.get(name) is not None:
            found[name] = read_value(options[name])
    if options.get("costs"):
        found["cost_matrix"] = read_costs(options["costs"])
    if options.get("priors"):
        found["priors"] = read_priors(options["priors"])
    if options.get("pruning") is not None:
        found["pruning"] = read_pruning(options["pruning"])
    return found


def read_pruning(name: str) -> str | None:
    """The method of pruning as an estimator takes it; error-based is error_based.

    >>> read_pruning("error-based"), read_pruning("none")
    ('error_based', None)
    """
    return None if name == NO_PRUNING else name.replace("-", "_")


def _parted(kind: Any, parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of the estimator, and those that are left for its method of pruning."""
    known = signature(kind).parameters
    own = {name: value for name, value in parameters.items() if name in known}
    return own, {name: value for name, value in parameters.items() if name not in known}


def _with_method(own: dict[str, Any], of_method: Mapping[str, Any], kind: Any) -> dict[str, Any]:
    """The parameters with a method of pruning that has its own ones."""
    if not of_method:
        return own
    from treewright.prune.registry import METHODS, read_method

    name = own.get("pruning", signature(kind).parameters["pruning"].default)
    known = {field for method in METHODS.values() for field in signature(method).parameters}
    for parameter in of_method:
        if parameter not in known:
            raise ParameterError(
                f"{kind.__name__} has no parameter {parameter!r}; it has {', '.join(signature(kind).parameters)}, "
                "and its method of pruning has further ones."
            )
    if name is None:
        raise ParameterError(
            f"{next(iter(of_method))!r} is a parameter of pruning, but the tree is not pruned; choose a method with "
            "--pruning, or leave it out."
        )
    # An estimator may have a default of its own for a method that is given by name, such as the limit of J48.
    made = kind(**{n: v for n, v in own.items() if n != "pruning"})._read_method(name, **of_method)
    return own | {"pruning": read_method(made)}


def _by_preset(preset: str, parameters: dict[str, Any], options: Mapping[str, Any]) -> Any:
    """The estimator of another program; parameters are that program's, or of the estimator."""
    from treewright import presets

    if options.get("algorithm") is not None:
        raise ParameterError(f"--preset {preset} says which algorithm it is; leave --algorithm out.")
    name = preset.replace("-", "_")
    if options.get("regression"):
        task = {"rpart": {"method": "anova"}, "scikit_learn": {"task": "regression"}}
        if name not in task:
            raise ParameterError(f"--preset {preset} answers with classes; leave --regression out, or use rpart.")
        parameters = parameters | task[name]
    make = getattr(presets, name)
    own = [one for one in signature(make).parameters if one != "others"]
    known = {*own, *signature(type(make())).parameters}
    for parameter in parameters:
        if parameter not in known:
            raise ParameterError(
                f"--preset {preset} has no parameter {parameter!r}; it has {', '.join(own)} and its estimator's."
            )
    pruning = {"pruning": parameters["pruning"]} if "pruning" in parameters else {}
    try:
        made = make(**{one: value for one, value in parameters.items() if one != "pruning"})
    except TypeError as error:  # it hands the estimator what was given here too
        which = str(error).rpartition("argument ")[2]
        raise ParameterError(f"--preset {preset} sets {which} itself; leave it out, or use --algorithm.") from None
    return made.set_params(**pruning)
