"""Values of options: NAME=VALUE, costs and priors by class, JSON objects.

A value becomes None, a Boolean, a number, a list or an object if it is written as one, and is text otherwise. Nothing
is ever evaluated as code.
"""

import json
from collections.abc import Iterable
from typing import Any

from treewright.errors import InputError, ParameterError

_WORDS = {"none": None, "null": None, "true": True, "yes": True, "false": False, "no": False}


def read_value(text: str) -> Any:
    """Parse a value.

    >>> [read_value(text) for text in ("8", "0.5", "1e-3", "none", "True", "cv", '{"a": 2}', "'7'")]
    [8, 0.5, 0.001, None, True, 'cv', {'a': 2}, '7']
    """
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def read_validation(given: str) -> float | str:
    """The fraction of the rows that `--validation` holds out, or the file that it names.

    >>> read_validation("0.3"), read_validation("other.csv")
    (0.3, 'other.csv')
    """
    try:
        fraction = float(given)
    except ValueError:
        return given
    if not 0 < fraction < 1:
        raise ParameterError(f"--validation must be a file, or a fraction above 0 and below 1, got {given}.")
    return fraction


def read_costs(given: Iterable[str]) -> dict[str, dict[str, float]]:
    """Parse misclassification costs, TRUE:PREDICTED=COST.

    >>> read_costs(["bad:good=5"])
    {'bad': {'good': 5.0}}
    """
    found: dict[str, dict[str, float]] = {}
    for text in given:
        names, _, cost = text.rpartition("=")
        true, colon, predicted = names.partition(":")
        number = _number(cost)
        if not colon or ":" in predicted or not true or not predicted or number is None:
            raise ParameterError(
                f"--cost expects TRUE:PREDICTED=COST, such as bad:good=5, got {text!r}; for class names with a colon "
                'use --set \'cost_matrix={"bad": {"good": 5}}\'.'
            )
        found.setdefault(true.strip(), {})[predicted.strip()] = number
    return found


def read_priors(given: Iterable[str]) -> str | dict[str, float]:
    """Parse class priors, CLASS=PROBABILITY, or "equal".

    >>> read_priors(["good=0.9", "bad=0.1"]), read_priors(["equal"])
    ({'good': 0.9, 'bad': 0.1}, 'equal')
    """
    texts = list(given)
    if texts == ["equal"]:
        return "equal"
    found = {}
    for text in texts:
        name, _, probability = text.rpartition("=")
        number = _number(probability)
        if not name or number is None:
            raise ParameterError(
                f"--prior expects CLASS=PROBABILITY for each class, such as good=0.9, or equal, got {text!r}."
            )
        found[name.strip()] = number
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def by_label(given: Any, classes: Iterable[Any]) -> Any:
    """Replace class names by class labels: on a command line the class 1 is the text "1".

    >>> by_label({"1": {"0": 5.0}}, [0, 1])
    {1: {0: 5.0}}
    """
    from treewright.model.formatting import format_category

    labels = {format_category(label): label for label in classes}

    def relabel(one: Any) -> Any:
        if not isinstance(one, dict):
            return one
        return {labels.get(name, name): relabel(part) for name, part in one.items()}

    return relabel(given)


def read_object(text: str | bytes, what: str, advice: str) -> dict[str, Any]:
    """Parse a JSON object whose keys are unique.

    what, advice  the beginning and the end of an error

    >>> read_object('{"outlook": "sunny"}', "The row", "pass one.")
    {'outlook': 'sunny'}
    """
    try:
        found = json.loads(text, object_pairs_hook=_unique_keys)
    except InputError as error:
        raise InputError(f"{what} {error}") from None
    except RecursionError:
        raise InputError(f"{what} is nested too deeply; {advice}") from None
    except ValueError as error:
        raise InputError(f"{what} is not valid JSON ({error}); {advice}") from None
    if not isinstance(found, dict):
        raise InputError(f"{what} is not a JSON object; {advice}")
    return found


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InputError(f"has the key {name!r} twice; use each key once.")
        found[name] = value
    return found
