"""Values: from a word on the command line to a value of Python.

In: what stands behind the = of NAME=VALUE, or what is said of classes by their names. Out: None, a truth value, a
number, a list or an object where it is written as one, and otherwise the text itself; costs and priors by class.
Nothing is ever evaluated.
"""

import json
from collections.abc import Iterable
from typing import Any

from treewright.errors import InputError, ParameterError

_WORDS = {"none": None, "null": None, "true": True, "yes": True, "false": False, "no": False}


def read_value(text: str) -> Any:
    """The value that is written.

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


def read_costs(given: Iterable[str]) -> dict[str, dict[str, float]]:
    """What answers cost, from TRUE:ANSWERED=COST.

    >>> read_costs(["bad:good=5"])
    {'bad': {'good': 5.0}}
    """
    found: dict[str, dict[str, float]] = {}
    for text in given:
        names, _, cost = text.rpartition("=")
        true, colon, answered = names.partition(":")
        number = _number(cost)
        if not colon or ":" in answered or not true or not answered or number is None:
            raise ParameterError(
                f"--cost {text!r} cannot be read; write TRUE:ANSWERED=COST, as in --cost bad:good=5, or where a name "
                'holds a colon --set \'cost_matrix={"bad": {"good": 5}}\'.'
            )
        found.setdefault(true.strip(), {})[answered.strip()] = number
    return found


def read_priors(given: Iterable[str]) -> str | dict[str, float]:
    """The shares of classes, from CLASS=SHARE; or "equal".

    >>> read_priors(["good=0.9", "bad=0.1"]), read_priors(["equal"])
    ({'good': 0.9, 'bad': 0.1}, 'equal')
    """
    texts = list(given)
    if texts == ["equal"]:
        return "equal"
    found = {}
    for text in texts:
        name, _, share = text.rpartition("=")
        number = _number(share)
        if not name or number is None:
            raise ParameterError(
                f"--prior {text!r} cannot be read; write CLASS=SHARE for each class, as in --prior good=0.9, or equal."
            )
        found[name.strip()] = number
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def by_label(given: Any, classes: Iterable[Any]) -> Any:
    """What is said by the names of classes, by the classes themselves: on a command line 1 is a text.

    >>> by_label({"1": {"0": 5.0}}, [0, 1])
    {1: {0: 5.0}}
    """
    from treewright.model.words import category_words

    labels = {category_words(label): label for label in classes}

    def said(one: Any) -> Any:
        return {labels.get(name, name): said(part) for name, part in one.items()} if isinstance(one, dict) else one

    return said(given)


def read_object(text: str | bytes, what: str, advice: str) -> dict[str, Any]:
    """A JSON object that a person wrote; refused where it is none, or names something twice.

    what, advice  how a refusal begins and ends

    >>> read_object('{"outlook": "sunny"}', "The row", "write one.")
    {'outlook': 'sunny'}
    """
    try:
        found = json.loads(text, object_pairs_hook=_each_once)
    except InputError as error:
        raise InputError(f"{what} {error}") from None
    except RecursionError:
        raise InputError(f"{what} nests JSON too deeply; {advice}") from None
    except ValueError as error:
        raise InputError(f"{what} holds no JSON ({error}); {advice}") from None
    if not isinstance(found, dict):
        raise InputError(f"{what} holds no JSON object; {advice}")
    return found


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InputError(f"names {name!r} twice; give it once.")
        found[name] = value
    return found
