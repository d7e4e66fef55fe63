"""Values: from a word on the command line to a value of Python.

In: what stands behind the = of NAME=VALUE. Out: None, a truth value, a number, a list or an object where it is written
as one, and otherwise the text itself. Nothing is ever evaluated.
"""

import json
from typing import Any

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
