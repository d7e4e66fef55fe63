"""Registry: the methods by name.

In: a method as it is given to an estimator: a name with parameters, an object, or None. Out: the object.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from treewright.errors import ParameterError, one_of
from treewright.prune.cost_complexity import CostComplexity
from treewright.prune.critical_value import CriticalValue
from treewright.prune.error_based import ErrorBased
from treewright.prune.mdl import MDL
from treewright.prune.method import Method
from treewright.prune.minimum_error import MinimumError
from treewright.prune.pessimistic import Pessimistic
from treewright.prune.pre_pruning import PrePruning
from treewright.prune.reduced_error import ReducedError
from treewright.prune.same_decision import SameDecision

_CLASSES: tuple[type[Method], ...] = (
    ReducedError,
    PrePruning,
    Pessimistic,
    ErrorBased,
    CostComplexity,
    MinimumError,
    CriticalValue,
    MDL,
    SameDecision,
)
METHODS: dict[str, type[Method]] = {method.name: method for method in _CLASSES}
"""The class of each method, by the name that is given to an estimator."""


def read_method(given: object, **parameters: Any) -> Method | None:
    """The method that is meant; None is no pruning.

    given       a name, in which a hyphen is as good as an underscore; a `Method` object; or None
    parameters  of the method, only with a name

    >>> read_method("reduced-error", ties="keep")
    ReducedError(ties='keep', cost_matrix=None)
    >>> read_method(ReducedError())
    ReducedError(ties='prune', cost_matrix=None)
    >>> read_method(None) is None
    True
    """
    if given is None or isinstance(given, Method):
        if parameters:
            what = "pruning=None has no parameters" if given is None else "The method given has its parameters already"
            raise ParameterError(f"{what}; leave out {_listed(parameters)}, or give a method's name with them.")
        return given
    name = given.replace("-", "_") if isinstance(given, str) else None
    method = METHODS[name if name in METHODS else one_of("pruning", given, METHODS)]
    known = [field.name for field in fields(method)]  # type: ignore[arg-type]
    unknown = [name for name in parameters if name not in known]
    if unknown:
        takes = f"it takes {_listed(known)}" if known else "it takes none"
        raise ParameterError(f"{method.name!r} has no parameter {unknown[0]!r}; {takes}.")
    return method(**parameters)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))
