"""Given parameters: those of an estimator's constructor, as they were given.

In: an estimator, fitted or not. Out: the names, the values, and the call that makes such an estimator.
"""

from collections.abc import Callable
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any

from treewright.model.words import beginning

LONGEST = 700
"""Characters of a call that is written out."""


@lru_cache(maxsize=256)
def parameter_defaults(kind: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of a class of estimators and their defaults, sorted by name."""
    found = signature(kind).parameters.values()
    return {one.name: one.default for one in sorted(found, key=_name) if one.kind is not Parameter.VAR_KEYWORD}


def defaults_of(model: Any) -> dict[str, Any]:
    """The same by an estimator of the class."""
    kind: Any = type(model)
    return parameter_defaults(kind)


def parameters_of(model: Any) -> dict[str, Any]:
    """The parameters as they were given, sorted by name: scikit-learn's `get_params(deep=False)`.

    >>> from treewright import CARTClassifier
    >>> parameters_of(CARTClassifier(max_depth=3))["max_depth"]
    3
    """
    return {name: getattr(model, name) for name in defaults_of(model)}


def call_words(model: Any) -> str:
    """The call that makes such an estimator, with the parameters that are not the defaults.

    >>> from treewright import CARTClassifier
    >>> call_words(CARTClassifier(max_depth=3, criterion="entropy"))
    "CARTClassifier(criterion='entropy', max_depth=3)"
    """
    usual = defaults_of(model)
    given = {name: repr(value) for name, value in parameters_of(model).items()}
    changed = ", ".join(f"{name}={value}" for name, value in given.items() if value != repr(usual[name]))
    return beginning(f"{type(model).__name__}({changed})", LONGEST)


def _name(parameter: Parameter) -> str:
    return parameter.name
