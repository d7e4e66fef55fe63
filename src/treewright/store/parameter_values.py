"""Parameter values in model files: single values, lists, tuples, mappings and pruning methods, as JSON and back.

A list is a JSON list; what JSON has no form for is an object with one field that names its type.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import fields as parts_of
from functools import partial
from typing import Any, NoReturn

import numpy as np

from treewright.data.cells import sort_values
from treewright.errors import ParameterError, TreewrightError
from treewright.model.check_schema import find_duplicate
from treewright.model.file.fields import Fields
from treewright.model.file.json_writer import MAX_BITS
from treewright.model.formatting import printable, truncate
from treewright.prune.method import Method
from treewright.prune.registry import METHODS
from treewright.prune.steps import Steps

MAX_DEPTH = 20
"""How deep lists and mappings may be nested."""

Refuse = Callable[[str], NoReturn]


def value_document(value: Any, who: str, depth: int = 0) -> Any:
    """Return a parameter value in the form of a model file; `who` names it in errors.

    >>> value_document({"yes": (1, np.float64(2.0))}, "class_weight")
    {'mapping': [['yes', {'tuple': [1, 2.0]}]]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (str, bool, int, float):
        return _single_value(value, who)
    if depth >= MAX_DEPTH:
        raise ParameterError(f"{who} must not be nested deeper than {MAX_DEPTH} levels in a model file.")
    if isinstance(value, Method):
        return {"method": method_document(value, who)}
    if isinstance(value, Mapping):
        pairs = [[value_document(part, who, depth + 1) for part in pair] for pair in value.items()]
        return {"mapping": pairs}
    if isinstance(value, tuple) and type(value) is tuple:
        return {"tuple": [value_document(part, who, depth + 1) for part in value]}
    if isinstance(value, Set):
        value = sort_values(value)
    elif hasattr(value, "tolist"):  # an array of numpy, an index or a series of pandas
        value = value.tolist()
    elif hasattr(value, "to_list") and not isinstance(value, list):  # a series of polars
        value = value.to_list()
    if isinstance(value, list | range):
        return [value_document(part, who, depth + 1) for part in value]
    raise ParameterError(
        f"{who}={truncate(repr(value), 60)} is a {type(value).__name__}, which a model file cannot store; use strings, "
        "numbers, booleans, lists, tuples or mappings."
    )


def _single_value(value: Any, who: str) -> Any:
    if value != value:
        raise ParameterError(f"{who} has NaN, which a model file cannot store; use a number.")
    if type(value) is int and value.bit_length() > MAX_BITS:
        raise ParameterError(f"{who} has a number with too many digits for a model file; use a smaller one.")
    return value


def read_value(stored: Any, refuse: Refuse, depth: int = 0) -> Any:
    """Read a parameter value from a model file; `refuse` raises an error about it.

    >>> read_value({"mapping": [["yes", {"tuple": [1, 2.0]}]]}, print)
    {'yes': (1, 2.0)}
    """
    if stored is None or type(stored) in (str, bool, int, float):
        return stored
    if depth >= MAX_DEPTH:
        refuse(f"must not be nested deeper than {MAX_DEPTH} levels")
    if isinstance(stored, list):
        return [read_value(part, refuse, depth + 1) for part in stored]
    kind, inner = next(iter(stored.items())) if len(stored) == 1 else ("", None)
    if kind == "tuple" and isinstance(inner, list):
        return tuple(read_value(part, refuse, depth + 1) for part in inner)
    if kind == "mapping" and isinstance(inner, list):
        return _read_mapping(inner, refuse, depth + 1)
    if kind == "method" and isinstance(inner, dict):
        return _read_method(inner, refuse, depth + 1)
    return refuse("has an object that is not a 'tuple', 'mapping' or 'method'")


def _read_mapping(pairs: list[Any], refuse: Refuse, depth: int) -> dict[Any, Any]:
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        refuse("has a mapping that is not a list of pairs")
    keys = [read_value(key, refuse, depth) for key, _ in pairs]
    wrong = find_duplicate(keys)
    if wrong is not None:
        refuse(f"has a mapping with {wrong}")
    return dict(zip(keys, (read_value(value, refuse, depth) for _, value in pairs), strict=True))


def _method_class(name: str) -> type[Method] | None:
    """Return the pruning method of this name; only its own module is imported."""
    return Steps if name == Steps.name else METHODS.get(name)


def method_document(method: Method, who: str) -> dict[str, Any]:
    """Return a pruning method with its parameters in the form of a model file.

    >>> from treewright.prune import ReducedError
    >>> method_document(ReducedError(), "pruning")
    {'name': 'reduced_error', 'parameters': {'ties': 'prune', 'cost_matrix': None}}
    """
    if _method_class(method.name) is not type(method):
        raise ParameterError(
            f"{who} is a {type(method).__name__}, which is not a method of treewright.prune and cannot be stored in a "
            "model file; save the tree alone with tree_.save()."
        )
    names = [part.name for part in parts_of(method)]  # type: ignore[arg-type]
    parameters = {name: value_document(getattr(method, name), f"{who}: {name}") for name in names}
    return {"name": method.name, "parameters": parameters}


def _read_method(stored: dict[str, Any], refuse: Refuse, depth: int = 0) -> Method:
    name, given = stored.get("name"), stored.get("parameters")
    kind = _method_class(name) if isinstance(name, str) else None
    if kind is None or not isinstance(given, dict) or len(stored) != 2:
        refuse(f"has an unknown pruning method: {truncate(printable(repr(name)), 60)}")
    known = [part.name for part in parts_of(kind)]  # type: ignore[arg-type]
    if sorted(given) != sorted(known):
        refuse(f"must have the parameters {', '.join(known) or 'none'} for the pruning method {name!r}")
    parameters = {key: read_value(given[key], refuse, depth) for key in known}
    try:
        return kind(**parameters)
    except (TreewrightError, TypeError, ValueError) as error:
        refuse(f"has an invalid parameter of the pruning method {name!r}: {str(error).rstrip('.')}")


def read_method_field(fields: Fields, key: str) -> Method | None:
    """Read the pruning method of a field; None if it is null."""
    if fields.is_null(key):
        return None
    stored = fields.plain(key)
    if not isinstance(stored, dict):
        fields.refuse(key, "is not a pruning method")
    return _read_method(stored, partial(fields.refuse, key))
