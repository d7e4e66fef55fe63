"""Hearing: from what a person types to what is known of a column.

In: a column and an answer: a value, a beginning of a category or its number in the list, categories with probabilities,
a range, or "?". Out: a belief and the words that repeat it. What cannot be understood is said in a sentence, with
what can be typed instead.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from math import inf, isfinite
from typing import Any

from treewright.data.schema import Column, Kind
from treewright.errors import InputError
from treewright.explain.consult.belief import UNKNOWN, Belief, Choice, Numbers, choice
from treewright.model.words import category_words, number_words

DO_NOT_KNOW = ("?", "unknown", "n/a", "na", "nan")
"""What says that a number is not known; of categories only "?" does, for the others may be names."""

N_SHOWN = 8
"""Categories listed in a sentence."""

MOST_DIGITS = 9
"""Digits of the number of a category in its list; Python itself refuses to read a few thousand of them."""

SUM_SLACK = 0.011
"""How far probabilities may be from 1 in sum, as those that were rounded are."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|–|—|\.\.+|…|\bto\b)\s*({_NUMBER})")
_SIDE = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_NUMBER})")
_LEVELS = re.compile(r"(.+?)\s*(?:\.\.+|…|\bto\b|\s-\s)\s*(.+)")
_SHARE = re.compile(r"(.+?)\s*[:=]\s*((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(%?)")

Heard = tuple[Belief, str]


def hear(column: Column, text: str) -> Heard:
    """What is known after an answer, and the same in words.

    >>> hear(Column("humidity", Kind.NUMBER), "70-80")
    (Numbers(low=70.0, high=80.0), '70 to 80')
    >>> outlook = Column("outlook", Kind.CATEGORY, ("overcast", "rain", "sunny"))
    >>> hear(outlook, "sun"), hear(outlook, "rain: 0.3, sunny: 0.7")[1]
    ((Choice(codes=(2,), shares=(1.0,)), 'sunny'), '30% rain, 70% sunny')
    """
    text = text.strip()
    if text == "?" or (column.kind is Kind.NUMBER and text.lower() in DO_NOT_KNOW):
        return UNKNOWN, "unknown"
    if not text:
        raise InputError(f"Nothing was said of {column.name!r}; {_advice(column)}")
    found = _number(column, text) if column.kind is Kind.NUMBER else _categories(column, text)
    return found, belief_words(column, found)


def read_given(column: Column, given: Any) -> Heard:
    """The same for a value from a JSON file: null, a number, a text, a list or an object of probabilities.

    >>> read_given(Column("humidity", Kind.NUMBER), [70, 80])[1], read_given(Column("windy", Kind.NUMBER), None)[1]
    ('70 to 80', 'unknown')
    """
    if given is None:
        return UNKNOWN, "unknown"
    if column.kind is Kind.NUMBER:
        if isinstance(given, list) and len(given) == 2:
            return hear(column, f"{given[0]} to {given[1]}")
        return hear(column, str(given))
    if isinstance(given, Mapping):
        for name, share in given.items():
            if isinstance(share, bool) or not isinstance(share, int | float):
                raise InputError(f"The probability of {name!r} for {column.name!r} is {share!r}; give a number.")
        found = _shared(column, [(str(name), float(share)) for name, share in given.items()])
    elif isinstance(given, list):
        found = _shared(column, [(category_words(name), 1 / len(given)) for name in given])
    else:
        return hear(column, category_words(given))
    return found, belief_words(column, found)


def belief_words(column: Column, belief: Belief) -> str:
    """What is known, in words."""
    if isinstance(belief, Numbers):
        low, high = number_words(belief.low), number_words(belief.high)
        if belief.low == belief.high:
            return low
        if belief.low == -inf:
            return f"at most {high}"
        return f"at least {low}" if belief.high == inf else f"{low} to {high}"
    if not isinstance(belief, Choice):
        return "unknown"
    names = [category_words(column.categories[code]) for code in belief.codes]
    if len(names) == 1:
        return names[0]
    return ", ".join(f"{100 * share:.3g}% {name}" for name, share in zip(names, belief.shares, strict=True))


def _number(column: Column, text: str) -> Numbers:
    found = re.fullmatch(_NUMBER, text)
    if found:
        return _between(column, float(text), float(text))
    found = _RANGE.fullmatch(text)
    if found:
        return _between(column, float(found[1]), float(found[2]))
    found = _SIDE.fullmatch(text)
    if found:
        limit = _between(column, float(found[2]), float(found[2])).low
        return Numbers(-inf, limit) if found[1] in ("<", "<=", "≤") else Numbers(limit, inf)
    raise InputError(f"{text!r} is no number for {column.name!r}; {_advice(column)}")


def _between(column: Column, low: float, high: float) -> Numbers:
    if not (isfinite(low) and isfinite(high)):
        raise InputError(f"The number for {column.name!r} is too large; {_advice(column)}")
    if low > high:
        raise InputError(f"The range for {column.name!r} ends before it begins; write the lower end first.")
    return Numbers(low + 0.0, high + 0.0)


def _categories(column: Column, text: str) -> Choice:
    code = _code(column, text)
    if code is not None:
        return Choice((code,), (1.0,))
    if column.kind is Kind.ORDERED:
        levels = _levels(column, text)
        if levels is not None:
            return levels
    pieces = [piece.strip() for piece in re.split(r"[,;]|\bor\b", text) if piece.strip()]
    parts = [_SHARE.fullmatch(piece) for piece in pieces]
    if any(parts):
        if not all(parts):
            raise InputError(f"Some probabilities for {column.name!r} are missing or below 0; {_advice(column)}")
        given = [(p[1], float(p[2]) / (100.0 if p[3] else 1.0)) for p in parts if p]
        return _shared(column, given)
    if len(pieces) > 1:
        return _shared(column, [(piece, 1 / len(pieces)) for piece in pieces])
    raise _not_known(column, text)


def _shared(column: Column, given: list[tuple[str, float]]) -> Choice:
    """Categories with probabilities."""
    weights: dict[int, float] = {}
    for name, share in given:
        code = _code(column, name)
        if code is None:
            raise _not_known(column, name)
        weights[code] = weights.get(code, 0.0) + share
    total = sum(weights.values())
    if not abs(total - 1.0) <= SUM_SLACK or any(share < 0 for share in weights.values()):
        raise InputError(f"The probabilities for {column.name!r} have the sum {total:g}; let them have the sum 1.")
    return choice({code: share for code, share in weights.items() if share > 0})


def _code(column: Column, text: str) -> int | None:
    """The category that is meant: by its name, by its number in the list, or by a beginning that only it has."""
    text = text.strip()
    names = [category_words(one) for one in column.categories]
    for same in (str, str.casefold):
        found = [code for code, name in enumerate(names) if same(name) == same(text)]
        if len(found) == 1:
            return found[0]
    if text.isdecimal() and len(text) <= MOST_DIGITS and 1 <= int(text) <= len(names):
        return int(text) - 1
    found = [code for code, name in enumerate(names) if name.casefold().startswith(text.casefold())]
    if len(found) > 1:
        listed = ", ".join(names[code] for code in found[:N_SHOWN]) + (", …" if len(found) > N_SHOWN else "")
        raise InputError(f"{text!r} may be {listed} of {column.name!r}; type more of it.")
    return found[0] if found else None


def _levels(column: Column, text: str) -> Choice | None:
    """A range of an ordered category, each level as probable as the others; None where it is none."""
    low, high = 0, column.n_categories - 1
    side = re.fullmatch(r"(<=|>=|<|>|≤|≥)\s*(.+)", text)
    if side:
        code = _code(column, side[2])
        if code is None:
            raise _not_known(column, side[2])
        low, high = {"<": (low, code - 1), ">": (code + 1, high)}.get(
            side[1], (low, code) if side[1] in ("<=", "≤") else (code, high)
        )
    else:
        ends = _LEVELS.fullmatch(text)
        codes = (None, None) if ends is None else (_code(column, ends[1]), _code(column, ends[2]))
        if codes[0] is None or codes[1] is None:
            return None
        low, high = codes[0], codes[1]
    if low > high:
        raise InputError(f"No category of {column.name!r} is {text!r}; {_advice(column)}")
    return choice(dict.fromkeys(range(low, high + 1), 1.0))


def _not_known(column: Column, text: str) -> InputError:
    names = [category_words(one) for one in column.categories]
    close = get_close_matches(text, names, n=3)
    advice = f"did you mean {' or '.join(close)}? " if close else ""
    return InputError(f"{text!r} is no category of {column.name!r}; {advice}{_advice(column)}")


def _advice(column: Column) -> str:
    if column.kind is Kind.NUMBER:
        return "type a number such as 72.5, a range such as 70-80 or < 75, or ? if it is not known."
    names = [category_words(one) for one in column.categories]
    listed = ", ".join(names[:N_SHOWN]) + (f", … {len(names) - N_SHOWN} more" if len(names) > N_SHOWN else "")
    return f"type one of {listed}, several such as '{names[0]}: 0.7, {names[-1]}: 0.3', or ? if it is not known."
