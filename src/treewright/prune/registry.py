"""Registry: the methods by name.

In: a method as it is given to an estimator: a name with parameters, an object, a list of these, or None. Out: the
object; of a list a `Steps`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from treewright import prune
from treewright.errors import ParameterError, one_of
from treewright.prune.method import JOIN, Method

_CLASSES = {
    "reduced_error": "ReducedError",
    "pre_pruning": "PrePruning",
    "pessimistic": "Pessimistic",
    "error_based": "ErrorBased",
    "cost_complexity": "CostComplexity",
    "minimum_error": "MinimumError",
    "critical_value": "CriticalValue",
    "mdl": "MDL",
    "global": "Global",
    "same_decision": "SameDecision",
}


class _Methods(Mapping[str, type[Method]]):
    """The class of each name, imported when it is first asked for."""

    def __getitem__(self, name: str) -> type[Method]:
        found: type[Method] = getattr(prune, _CLASSES[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


METHODS = _Methods()
"""The class of each method, by the name that is given to an estimator."""


def read_method(given: object, **parameters: Any) -> Method | None:
    """The method that is meant; None is no pruning.

    given       a name, in which a hyphen is as good as an underscore; a `Method` object; a list or tuple of these, to
                be applied one after the other, or names joined by +, which is the same; or None
    parameters  of the method, only with a name; of several methods each goes to the one that has it

    >>> read_method("reduced-error", ties="keep")
    ReducedError(ties='keep', cost_matrix=None)
    >>> read_method(prune.ReducedError())
    ReducedError(ties='prune', cost_matrix=None)
    >>> read_method(["same_decision", "global"]) == read_method("same_decision+global")
    True
    >>> read_method(None) is None
    True
    """
    parts = parts_of(given)
    if parts is not None:
        return read_steps(parts, read_method, parameters)
    if given is None or isinstance(given, Method):
        if parameters:
            what = "pruning=None has no parameters" if given is None else "The method given has its parameters already"
            raise ParameterError(f"{what}; leave out {_listed(parameters)}, or give a method's name with them.")
        return given
    name = given.replace("-", "_") if isinstance(given, str) else ""
    method = METHODS[name if name in METHODS else one_of("pruning", given, METHODS)]
    known = _fields(method)
    unknown = [name for name in parameters if name not in known]
    if unknown:
        takes = f"it takes {_listed(known)}" if known else "it takes none"
        raise ParameterError(f"{method.name!r} has no parameter {unknown[0]!r}; {takes}.")
    return method(**parameters)


def parts_of(given: object) -> list[Any] | None:
    """The methods that are given one after the other; None where it is a single one.

    >>> parts_of("error_based+global"), parts_of(("mdl",)), parts_of("mdl")
    (['error_based', 'global'], ['mdl'], None)
    """
    if isinstance(given, str):
        return [part.strip() for part in given.split(JOIN)] if JOIN in given else None
    return list(given) if isinstance(given, (list, tuple)) else None


def label_of(given: object) -> str | None:
    """What is given as `pruning`, in a word; None where nothing is pruned.

    >>> label_of(["error-based", prune.SameDecision()]), label_of("mdl")
    ('error_based+same_decision', 'mdl')
    """
    if given is None or isinstance(given, Method):
        return None if given is None else given.label
    parts = parts_of(given)
    if parts is not None:
        return JOIN.join(str(label_of(part)) for part in parts)
    return str(given).replace("-", "_")


def read_steps(parts: list[Any], read: Callable[..., Method | None], parameters: Mapping[str, Any]) -> Method:
    """Several methods as one; a list of one is that method.

    read  makes an object of each part and its parameters

    >>> read_steps(["mdl", "global"], read_method, {"standard_errors": 2})
    Steps(methods=(MDL(), Global(standard_errors=2)))
    """
    if not parts:
        raise ParameterError("pruning names no method; give one at least, or pruning=None to prune nothing.")
    given: list[dict[str, Any]] = [{} for _ in parts]
    for name, value in parameters.items():
        given[_taker(name, parts)][name] = value
    found = []
    for part, own in zip(parts, given, strict=True):
        method = read(part, **own)
        if method is None:
            raise ParameterError("pruning has None among its methods; leave it out.")
        found.append(method)
    return found[0] if len(found) == 1 else prune.Steps(tuple(found))


def _taker(parameter: str, parts: list[Any]) -> int:
    """The place of the only method that has a parameter."""
    names = [part.replace("-", "_") if isinstance(part, str) else "" for part in parts]
    takers = [i for i, name in enumerate(names) if name in METHODS and parameter in _fields(METHODS[name])]
    if len(takers) == 1:
        return takers[0]
    what = f"none of them has a parameter {parameter!r}" if not takers else f"several have a parameter {parameter!r}"
    raise ParameterError(
        f"pruning names {len(parts)} methods, and {what}; give objects of treewright.prune with their parameters, such "
        "as [ErrorBased(confidence=0.1), Global()]."
    )


def _fields(method: type[Method]) -> list[str]:
    return [field.name for field in fields(method)]  # type: ignore[arg-type]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))
