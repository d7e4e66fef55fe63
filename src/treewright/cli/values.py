"""Values: from a word on the command line to a value of Python.

In: what stands behind the = of NAME=VALUE. Out: None, a truth value, a number, a list or an object where it is written
as one, and otherwise the text itself. Nothing is ever evaluated.
"""

import json
from typing import Any

from treewright.errors import InputError

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
