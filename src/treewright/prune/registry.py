"""The pruning methods by name, and what the parameter `pruning` of an estimator stands for.

In: a name, a method, a list of these, or None. Out: the method; a `Steps` for a list.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from treewright import prune
from treewright.errors import ParameterError, one_of
from treewright.language import N_
from treewright.prune.method import METHOD_SEPARATOR, VALIDATION, Method

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
    "max_leaves": "MaxLeaves",
}


class _Methods(Mapping[str, type[Method]]):
    """Name -> class, imported when it is first used."""

    def __getitem__(self, name: str) -> type[Method]:
        found: type[Method] = getattr(prune, _CLASSES[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


METHODS = _Methods()
"""The class of each method, by the name that an estimator takes as `pruning`."""


def read_method(given: object, **parameters: Any) -> Method | None:
    """The method that `pruning` stands for; None for no pruning.

    Parameters
    ----------
    given : str, Method, list, tuple or None
        A name, with hyphens or underscores; a method; a list or tuple of these, which are applied one after the
        other, or names joined by +, which is the same; or None.
    **parameters
        Parameters of the method, only with a name; with several methods each goes to the one that has it.

    Raises
    ------
    ParameterError
        If a name or a parameter is unknown.

    Examples
    --------
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
            what = "pruning=None takes no parameters" if given is None else "A method object has its own parameters"
            raise ParameterError(f"{what}, got {_listed(parameters)}; leave them out, or pass the name of a method.")
        return given
    name = given.replace("-", "_") if isinstance(given, str) else ""
    method = METHODS[name if name in METHODS else one_of("pruning", given, METHODS)]
    known = _fields(method)
    unknown = [name for name in parameters if name not in known]
    if unknown:
        expected = f"expected one of {_listed(known)}" if known else "it has no parameters"
        raise ParameterError(f"Unknown parameter {unknown[0]!r} of {method.name!r}; {expected}.")
    return method(**parameters)


def parts_of(given: object) -> list[Any] | None:
    """The methods of a list, a tuple, or names joined by +; None for a single method.

    >>> parts_of("error_based+global"), parts_of(("mdl",)), parts_of("mdl")
    (['error_based', 'global'], ['mdl'], None)
    """
    if isinstance(given, str):
        return [part.strip() for part in given.split(METHOD_SEPARATOR)] if METHOD_SEPARATOR in given else None
    return list(given) if isinstance(given, (list, tuple)) else None


def label_of(given: object) -> str | None:
    """The name of what is passed as `pruning`; None for no pruning.

    >>> label_of(["error-based", prune.SameDecision()]), label_of("mdl")
    ('error_based+same_decision', 'mdl')
    """
    if given is None or isinstance(given, Method):
        return None if given is None else given.label
    parts = parts_of(given)
    if parts is not None:
        return METHOD_SEPARATOR.join(str(label_of(part)) for part in parts)
    return str(given).replace("-", "_")


def read_steps(parts: list[Any], read: Callable[..., Method | None], parameters: Mapping[str, Any]) -> Method:
    """Several methods as one `Steps`; a list of one is that method.

    read  makes a method from each part and its parameters

    >>> read_steps(["mdl", "global"], read_method, {"standard_errors": 2})
    Steps(methods=(MDL(), Global(standard_errors=2)))
    """
    if not parts:
        raise ParameterError("pruning must have at least one method, got an empty list; use None for no pruning.")
    given: list[dict[str, Any]] = [{} for _ in parts]
    for name, value in parameters.items():
        given[_method_with_parameter(name, parts)][name] = value
    found = []
    for part, own in zip(parts, given, strict=True):
        method = read(part, **own)
        if method is None:
            raise ParameterError("pruning must be a list of methods, got None in the list; remove it.")
        found.append(method)
    return found[0] if len(found) == 1 else prune.Steps(tuple(found))


def _method_with_parameter(parameter: str, parts: list[Any]) -> int:
    """The position of the only method that has a parameter."""
    names = [part.replace("-", "_") if isinstance(part, str) else "" for part in parts]
    found = [i for i, name in enumerate(names) if name in METHODS and parameter in _fields(METHODS[name])]
    if len(found) == 1:
        return found[0]
    raise ParameterError(
        f"{'Several' if found else 'None'} of the {len(parts)} methods of pruning {'have' if found else 'has'} a "
        f"parameter {parameter!r}",
        advice="pass method objects with their parameters, such as [ErrorBased(confidence=0.1), Global()]",
        option="leave it out, or use one method",
    )


def _fields(method: type[Method]) -> list[str]:
    return [field.name for field in fields(method)]  # type: ignore[arg-type]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


class SkippedMethod(NamedTuple):
    """A method that cannot be compared with others, and why."""

    name: str
    reason: str


def compared_methods(is_number: bool) -> dict[str, type[Method]]:
    """The methods that a comparison of all methods includes, by name; `is_number`: whether the target is a number.

    >>> list(compared_methods(is_number=True))[:3]
    ['reduced_error', 'pre_pruning', 'pessimistic']
    """
    return {name: one for name, one in METHODS.items() if one.is_compared and (one.for_numbers or not is_number)}


def select_methods(
    methods: Iterable[str | Method] | str | Method | None,
    read: Callable[[str | Method], Method | None],
    *,
    is_number: bool,
    has_validation: bool,
) -> tuple[dict[str, Method | None], list[SkippedMethod]]:
    """The methods that can be compared, by name, the grown tree ("none") first, and those that cannot.

    methods    names or methods, or one of them; a list among them is a sequence of methods. None: all that can prune
               the tree
    read       makes a method from a name
    is_number  whether the target is a number

    >>> selected, skipped = select_methods(["mdl", "reduced-error"], read_method, is_number=False, has_validation=False)
    >>> list(selected), skipped[0].reason
    (['none', 'mdl'], 'it needs validation rows, X_val and y_val')
    """
    selected: dict[str, Method | None] = {"none": None}
    skipped = []
    methods = [methods] if isinstance(methods, str | Method) else methods
    for one in compared_methods(is_number) if methods is None else methods:
        method = read(one)
        if method is None:
            continue
        method.check_target(is_number)
        if VALIDATION in method.needs and not has_validation:
            skipped.append(SkippedMethod(method.label, N_("it needs validation rows, X_val and y_val")))
            continue
        # Two settings of one method are named by their parameters.
        selected[method.label if method.label not in selected else repr(method)] = method
    return selected, skipped
