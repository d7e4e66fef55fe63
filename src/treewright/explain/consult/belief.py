"""What is known of one column of a case: a value, a range, categories with probabilities, or nothing.

`parse_answer` reads what a person types, `parse_json_answer` a value from a JSON file, and `split_belief` divides what
is known among the branches of a split. Within a range all numbers are equally probable. A range that is open at one end
cannot be divided evenly: it is divided by the training rows of the branches, as long as it is open.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import inf, isfinite
from typing import Any, NamedTuple

import numpy as np

from treewright.data.dates import DAYS, read_moments
from treewright.data.files.date_forms import parse_date
from treewright.data.schema import Column, Kind
from treewright.errors import InputError
from treewright.language import messages
from treewright.model.formatting import format_category, format_value
from treewright.model.split import Split

UNKNOWN_WORDS = ("?", "？", "unknown", "未知", "n/a", "na", "nan")
"""Words for an unknown number; for a category only a question mark, because the others may be names."""

N_SHOWN = 8
"""Categories listed in a message."""

MAX_DIGITS = 9
"""Digits of the number of a category in its list; Python refuses to read a few thousand of them."""

SUM_TOLERANCE = 0.011
"""How far the sum of probabilities may be from 1, because they may be rounded."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|–|—|\.\.+|…|\bto\b)\s*({_NUMBER})")
_OPEN_RANGE = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_NUMBER})")
_LEVELS = re.compile(r"(.+?)\s*(?:\.\.+|…|\bto\b|\s-\s)\s*(.+)")
_PROBABILITY = re.compile(r"(.+?)\s*[:=]\s*((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(%?)")


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number from `low` to `high`; known exactly if they are the same."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some categories, by their codes, rising, with probabilities whose sum is 1."""

    codes: tuple[int, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """The person does not know it: the missing-value policy of the tree decides."""


@dataclass(frozen=True, slots=True)
class NotAsked:
    """It was not asked yet: what it may still be, and whether it may be missing."""

    values: "Numbers | Choice"
    missing: bool = False


Known = Numbers | Choice
Belief = Numbers | Choice | Unknown | NotAsked
UNKNOWN = Unknown()


class BranchPart(NamedTuple):
    """A branch of a split, its probability, and what is known in it."""

    branch: int
    probability: float
    known: Known


class ParsedAnswer(NamedTuple):
    """What is known after an answer, and the same as text."""

    belief: Belief
    words: str


def unasked_belief(column: Column, missing: bool) -> NotAsked:
    """Return the belief in which everything is possible."""
    if column.kind is Kind.NUMBER:
        return NotAsked(Numbers(-inf, inf), missing)
    return NotAsked(choice_from_weights(dict.fromkeys(range(column.n_categories), 1.0)), missing)


def choice_from_weights(weights: Mapping[int, float]) -> Choice:
    """Return categories with weights as probabilities.

    >>> choice_from_weights({2: 3.0, 0: 1.0})
    Choice(codes=(0, 2), probabilities=(0.25, 0.75))
    """
    total = sum(weights.values())
    codes = sorted(weights)
    return Choice(tuple(codes), tuple(weights[code] / total for code in codes))


def split_belief(split: Split, known: Known, weights: Sequence[float]) -> list[BranchPart]:
    """Return the branches that what is known may take, in order; branch -1 for categories that the split lacks.

    weights  of the training rows in the branches, for open ranges

    >>> humidity = Split(Column("humidity", Kind.NUMBER), 0, 2, threshold=75.0)
    >>> [part.known for part in split_belief(humidity, Numbers(70, 80), (5, 9))]
    [Numbers(low=70, high=75.0), Numbers(low=75.0, high=80)]
    >>> split_belief(humidity, Numbers(80, 80), (5, 9))
    [BranchPart(branch=1, probability=1.0, known=Numbers(low=80, high=80))]
    """
    if isinstance(known, Numbers):
        return _split_numbers(split, known, weights)
    by_branch: dict[int, dict[int, float]] = {}
    table = None if split.table is None else dict(zip(*split.table, strict=True))
    for code, probability in zip(known.codes, known.probabilities, strict=True):
        if table is None:
            branch = int(split.threshold is not None and code > split.threshold)
        else:
            branch = table.get(code, -1 if split.other is None else split.other)
        by_branch.setdefault(branch, {})[code] = probability
    if len(by_branch) == 1:
        return [BranchPart(next(iter(by_branch)), 1.0, known)]
    return [
        BranchPart(branch, sum(by_branch[branch].values()), choice_from_weights(by_branch[branch]))
        for branch in sorted(by_branch)
    ]


def _split_numbers(split: Split, known: Numbers, weights: Sequence[float]) -> list[BranchPart]:
    threshold = inf if split.threshold is None else split.threshold
    if known.high <= threshold:
        return [BranchPart(0, 1.0, known)]
    if known.low >= threshold:  # the threshold itself takes branch 0, but a single point of a range has no width
        return [BranchPart(1, 1.0, known)]
    width = known.high - known.low
    if isfinite(width):
        probability = (threshold - known.low) / width
    else:
        total = weights[0] + weights[1]
        probability = weights[0] / total if total > 0 else 0.5
    parts = [
        BranchPart(0, probability, replace(known, high=threshold)),
        BranchPart(1, 1.0 - probability, replace(known, low=threshold)),
    ]
    return [part for part in parts if part.probability > 0.0]


def parse_answer(column: Column, text: str, language: str = "en") -> ParsedAnswer:
    """Read a typed answer.

    A value, the beginning of a category or its number in the list, categories with probabilities, a range, or "?".

    >>> parse_answer(Column("humidity", Kind.NUMBER), "70-80")
    ParsedAnswer(belief=Numbers(low=70.0, high=80.0), words='70 to 80')
    >>> outlook = Column("outlook", Kind.CATEGORY, ("overcast", "rain", "sunny"))
    >>> parse_answer(outlook, "sun").words, parse_answer(outlook, "rain: 0.3, sunny: 0.7").words
    ('sunny', '30% rain, 70% sunny')
    """
    return _AnswerParser(column, language).parse(text)


def parse_json_answer(column: Column, given: Any, language: str = "en") -> ParsedAnswer:
    """Read an answer from a JSON file: null, a number, a text, a list or an object of probabilities.

    >>> parse_json_answer(Column("humidity", Kind.NUMBER), [70, 80]).words
    '70 to 80'
    >>> parse_json_answer(Column("humidity", Kind.NUMBER), None).words
    'unknown'
    """
    return _AnswerParser(column, language).parse_json(given)


def describe_belief(column: Column, belief: Belief, language: str = "en") -> str:
    """Return what is known as text."""
    _ = messages(language)
    if isinstance(belief, Numbers):
        low, high = format_value(column, belief.low), format_value(column, belief.high)
        if belief.low == belief.high:
            return low
        if belief.low == -inf:
            return _("at most {number}", number=high)
        return _("at least {number}", number=low) if belief.high == inf else _("{low} to {high}", low=low, high=high)
    if not isinstance(belief, Choice):
        return _("unknown")
    names = [format_category(column.categories[code]) for code in belief.codes]
    if len(names) == 1:
        return names[0]
    pairs = zip(names, belief.probabilities, strict=True)
    return ", ".join(f"{100 * probability:.3g}% {name}" for name, probability in pairs)


def _days(text: str) -> float | None:
    """The days since 1970-01-01 of a date, such as 2024-02-29 or 2024-02-29 12:00; None for other texts.

    >>> _days("2023-02-09"), _days("2023-02-09 18:00"), _days("19397")
    (19397.0, 19397.75, None)
    """
    moments = read_moments(np.array([parse_date(text, "ymd")], dtype=object))
    return None if moments is None else float(moments.part(DAYS)[0])


class _AnswerParser:
    """Reads answers for one column; what it cannot read is an InputError that says what can be typed."""

    def __init__(self, column: Column, language: str) -> None:
        self.column, self.language = column, language
        self.names = [format_category(one) for one in column.categories]

    def parse(self, text: str) -> ParsedAnswer:
        text, _ = text.strip(), messages(self.language)
        is_number = self.column.kind is Kind.NUMBER
        if text in ("?", "？") or (is_number and text.lower() in UNKNOWN_WORDS):
            return self._parsed(UNKNOWN)
        if not text:
            raise self._error(_("The value for {column!r} is empty.", column=self.column.name))
        return self._parsed(self._number(text) if is_number else self._categories(text))

    def parse_json(self, given: Any) -> ParsedAnswer:
        if given is None:
            return self._parsed(UNKNOWN)
        if self.column.kind is Kind.NUMBER:
            if isinstance(given, list) and len(given) == 2:
                return self.parse(f"{given[0]} to {given[1]}")
            return self.parse(str(given))
        if isinstance(given, Mapping):
            for name, probability in given.items():
                if isinstance(probability, bool) or not isinstance(probability, int | float):
                    raise InputError(
                        f"The probability of {name!r} for {self.column.name!r} must be a number, got {probability!r}."
                    )
            return self._parsed(self._choice([(str(name), float(p)) for name, p in given.items()]))
        if isinstance(given, list):
            return self._parsed(self._choice([(format_category(name), 1 / len(given)) for name in given]))
        return self.parse(format_category(given))

    def _parsed(self, belief: Belief) -> ParsedAnswer:
        return ParsedAnswer(belief, describe_belief(self.column, belief, self.language))

    def _number(self, text: str) -> Numbers:
        if self.column.part == "days":
            day = _days(text)
            if day is not None:
                return self._range(day, day)
        found = re.fullmatch(_NUMBER, text)
        if found:
            return self._range(float(text), float(text))
        found = _RANGE.fullmatch(text)
        if found:
            return self._range(float(found[1]), float(found[2]))
        found = _OPEN_RANGE.fullmatch(text)
        if found:
            limit = self._range(float(found[2]), float(found[2]))
            return replace(limit, low=-inf) if found[1] in ("<", "<=", "≤") else replace(limit, high=inf)
        _ = messages(self.language)
        raise self._error(_("{text!r} is not a number for {column!r}.", text=text, column=self.column.name))

    def _range(self, low: float, high: float) -> Numbers:
        _ = messages(self.language)
        if not (isfinite(low) and isfinite(high)):
            raise self._error(_("The number for {column!r} is too large.", column=self.column.name))
        if low > high:
            raise InputError(_("The range for {column!r} must start with the lower limit.", column=self.column.name))
        return Numbers(low + 0.0, high + 0.0)

    def _categories(self, text: str) -> Choice:
        code = self._code(text)
        if code is not None:
            return Choice((code,), (1.0,))
        if self.column.kind is Kind.ORDERED:
            levels = self._levels(text)
            if levels is not None:
                return levels
        pieces = [piece.strip() for piece in re.split(r"[,;]|\bor\b", text) if piece.strip()]
        found = [_PROBABILITY.fullmatch(piece) for piece in pieces]
        if any(found):
            if not all(found):
                _ = messages(self.language)
                raise self._error(
                    _("Some probabilities for {column!r} are missing or negative.", column=self.column.name)
                )
            return self._choice([(one[1], float(one[2]) / (100.0 if one[3] else 1.0)) for one in found if one])
        if len(pieces) > 1:
            return self._choice([(piece, 1 / len(pieces)) for piece in pieces])
        raise self._unknown_category(text)

    def _choice(self, given: list[tuple[str, float]]) -> Choice:
        """Return categories with probabilities, whose sum must be about 1."""
        weights: dict[int, float] = {}
        for name, probability in given:
            code = self._code(name)
            if code is None:
                raise self._unknown_category(name)
            weights[code] = weights.get(code, 0.0) + probability
        total = sum(weights.values())
        if not abs(total - 1.0) <= SUM_TOLERANCE or any(weight < 0 for weight in weights.values()):
            _ = messages(self.language)
            raise InputError(
                _(
                    "The probabilities for {column!r} must sum to 1, but they sum to {total}.",
                    column=self.column.name,
                    total=f"{total:g}",
                )
            )
        return choice_from_weights({code: weight for code, weight in weights.items() if weight > 0})

    def _code(self, text: str) -> int | None:
        """Find a category by its name, its number in the list, or a beginning that no other category has."""
        text = text.strip()
        for form in (str, str.casefold):
            found = [code for code, name in enumerate(self.names) if form(name) == form(text)]
            if len(found) == 1:
                return found[0]
        if text.isdecimal() and len(text) <= MAX_DIGITS and 1 <= int(text) <= len(self.names):
            return int(text) - 1
        found = [code for code, name in enumerate(self.names) if name.casefold().startswith(text.casefold())]
        if len(found) > 1:
            _ = messages(self.language)
            listed = ", ".join(self.names[code] for code in found[:N_SHOWN]) + (", …" if len(found) > N_SHOWN else "")
            raise InputError(
                _(
                    "{text!r} matches several categories of {column!r}: {categories}. Type more characters.",
                    text=text,
                    column=self.column.name,
                    categories=listed,
                )
            )
        return found[0] if found else None

    def _levels(self, text: str) -> Choice | None:
        """Return a range of an ordered category, all levels equally probable; None if the text is not a range."""
        low, high = 0, self.column.n_categories - 1
        limit = re.fullmatch(r"(<=|>=|<|>|≤|≥)\s*(.+)", text)
        if limit:
            code = self._code(limit[2])
            if code is None:
                raise self._unknown_category(limit[2])
            low, high = {"<": (low, code - 1), ">": (code + 1, high)}.get(
                limit[1], (low, code) if limit[1] in ("<=", "≤") else (code, high)
            )
        else:
            ends = _LEVELS.fullmatch(text)
            codes = (None, None) if ends is None else (self._code(ends[1]), self._code(ends[2]))
            if codes[0] is None or codes[1] is None:
                return None
            low, high = codes[0], codes[1]
        if low > high:
            _ = messages(self.language)
            raise self._error(_("{text!r} contains no category of {column!r}.", text=text, column=self.column.name))
        return choice_from_weights(dict.fromkeys(range(low, high + 1), 1.0))

    def _unknown_category(self, text: str) -> InputError:
        _ = messages(self.language)
        message = _("{text!r} is not a category of {column!r}.", text=text, column=self.column.name)
        close = get_close_matches(text, self.names, n=3)
        if close:
            message += " " + _("Did you mean {categories}?", categories=", ".join(close))
        return self._error(message)

    def _error(self, message: str) -> InputError:
        """Return an error that ends with what can be typed."""
        _ = messages(self.language)
        if self.column.kind is Kind.NUMBER:
            advice = _("Type a number such as 72.5, a range such as 70-80 or < 75, or ? if it is unknown.")
            return InputError(f"{message} {advice}")
        listed = ", ".join(self.names[:N_SHOWN])
        if len(self.names) > N_SHOWN:
            listed += ", " + _("… {n} more", n=len(self.names) - N_SHOWN)
        advice = _(
            "Type one of {categories}; several with probabilities, such as {example!r}; or ? if it is unknown.",
            categories=listed,
            example=f"{self.names[0]}: 0.7, {self.names[-1]}: 0.3",
        )
        return InputError(f"{message} {advice}")
