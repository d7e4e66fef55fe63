"""Plain: parameters as a model file holds them.

In: the value of a parameter: single values, lists, tuples, mappings, methods of pruning. Out: the same in JSON, and
back. A list is a list; what JSON has no form for is an object with one field that says what it is.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import fields as parts_of
from functools import partial
from typing import Any, NoReturn

import numpy as np

from treewright.data.cells import in_order
from treewright.errors import ParameterError, TreewrightError
from treewright.model.check_schema import alike
from treewright.model.file.fields import Fields
from treewright.model.file.text import MOST_BITS
from treewright.model.words import beginning, printable
from treewright.prune.method import Method
from treewright.prune.registry import METHODS
from treewright.prune.steps import Steps

MOST_DEPTH = 20
"""How deep lists and mappings may stand in each other."""

Refuse = Callable[[str], NoReturn]


def plain_document(value: Any, who: str, depth: int = 0) -> Any:
    """A parameter as a file holds it; `who` names it in an error.

    >>> plain_document({"yes": (1, np.float64(2.0))}, "class_weight")
    {'mapping': [['yes', {'tuple': [1, 2.0]}]]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (str, bool, int, float):
        return _single(value, who)
    if depth >= MOST_DEPTH:
        raise ParameterError(f"{who} is nested deeper than {MOST_DEPTH} times; a model file cannot hold that.")
    if isinstance(value, Method):
        return {"method": method_document(value, who)}
    if isinstance(value, Mapping):
        pairs = [[plain_document(part, who, depth + 1) for part in pair] for pair in value.items()]
        return {"mapping": pairs}
    if isinstance(value, tuple) and type(value) is tuple:
        return {"tuple": [plain_document(part, who, depth + 1) for part in value]}
    if isinstance(value, Set):
        value = in_order(value)
    elif hasattr(value, "tolist"):  # an array of numpy, an index or a series of pandas
        value = value.tolist()
    elif hasattr(value, "to_list") and not isinstance(value, list):  # a series of polars
        value = value.to_list()
    if isinstance(value, list | range):
        return [plain_document(part, who, depth + 1) for part in value]
    raise ParameterError(
        f"{who}={beginning(repr(value), 60)} is a {type(value).__name__}, which a model file cannot hold; give text, "
        "numbers, truth values, lists, tuples or mappings."
    )


def _single(value: Any, who: str) -> Any:
    if value != value:
        raise ParameterError(f"{who} holds NaN, which a model file cannot hold; give a number.")
    if type(value) is int and value.bit_length() > MOST_BITS:
        raise ParameterError(f"{who} holds a number of too many digits for a model file; give a smaller one.")
    return value


def read_plain(told: Any, refuse: Refuse, depth: int = 0) -> Any:
    """The parameter that a file holds; `refuse` says what is wrong with it.

    >>> read_plain({"mapping": [["yes", {"tuple": [1, 2.0]}]]}, print)
    {'yes': (1, 2.0)}
    """
    if told is None or type(told) in (str, bool, int, float):
        return told
    if depth >= MOST_DEPTH:
        refuse(f"is nested deeper than {MOST_DEPTH} times")
    if isinstance(told, list):
        return [read_plain(part, refuse, depth + 1) for part in told]
    kind, inner = next(iter(told.items())) if len(told) == 1 else ("", None)
    if kind == "tuple" and isinstance(inner, list):
        return tuple(read_plain(part, refuse, depth + 1) for part in inner)
    if kind == "mapping" and isinstance(inner, list):
        return _read_mapping(inner, refuse, depth + 1)
    if kind == "method" and isinstance(inner, dict):
        return _read_method(inner, refuse, depth + 1)
    return refuse("holds an object that is no 'tuple', 'mapping' or 'method'")


def _read_mapping(pairs: list[Any], refuse: Refuse, depth: int) -> dict[Any, Any]:
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        refuse("holds a mapping that is no list of pairs")
    keys = [read_plain(key, refuse, depth) for key, _ in pairs]
    wrong = alike(keys)
    if wrong is not None:
        refuse(f"holds a mapping that has {wrong}")
    return dict(zip(keys, (read_plain(value, refuse, depth) for _, value in pairs), strict=True))


def _class_of(name: str) -> type[Method] | None:
    """The method that a file can hold under this name; only its own module is imported."""
    return Steps if name == Steps.name else METHODS.get(name)


def method_document(method: Method, who: str) -> dict[str, Any]:
    """A method of pruning with its parameters.

    >>> from treewright.prune import ReducedError
    >>> method_document(ReducedError(), "pruning")
    {'name': 'reduced_error', 'parameters': {'ties': 'prune', 'cost_matrix': None}}
    """
    if _class_of(method.name) is not type(method):
        raise ParameterError(
            f"{who} is a {type(method).__name__}, which is no method of treewright.prune, and a model file cannot hold "
            "it; save the tree alone with tree_.save()."
        )
    names = [part.name for part in parts_of(method)]  # type: ignore[arg-type]
    parameters = {name: plain_document(getattr(method, name), f"{who}: {name}") for name in names}
    return {"name": method.name, "parameters": parameters}


def _read_method(told: dict[str, Any], refuse: Refuse, depth: int = 0) -> Method:
    name, given = told.get("name"), told.get("parameters")
    kind = _class_of(name) if isinstance(name, str) else None
    if kind is None or not isinstance(given, dict) or len(told) != 2:
        refuse(f"holds a method of pruning that is not known: {beginning(printable(repr(name)), 60)}")
    known = [part.name for part in parts_of(kind)]  # type: ignore[arg-type]
    if sorted(given) != sorted(known):
        refuse(f"gives the method {name!r} other parameters than {', '.join(known) or 'none'}")
    parameters = {key: read_plain(given[key], refuse, depth) for key in known}
    try:
        return kind(**parameters)
    except (TreewrightError, TypeError, ValueError) as error:
        refuse(f"gives the method {name!r} a parameter that cannot be used: {str(error).rstrip('.')}")


def read_method_field(fields: Fields, key: str) -> Method | None:
    """The method of pruning that a field holds; None where it is null."""
    if fields.is_null(key):
        return None
    told = fields.plain(key)
    if not isinstance(told, dict):
        fields.refuse(key, "is no method of pruning")
    return _read_method(told, partial(fields.refuse, key))
