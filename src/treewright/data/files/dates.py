"""Dates: whether words are dates or times.

In: the distinct words of a column. Out: whether all are dates or times.
"""

import re
from collections.abc import Iterable

_DAY = (
    r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}年\d{1,2}月\d{1,2}日)"
)
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:[AaPp][Mm])?(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
_MOMENT = re.compile(rf"(?:{_DAY}(?:[T ]\s?{_TIME})?|{_TIME})\Z", re.ASCII)


def are_dates(words: Iterable[str]) -> bool:
    """Whether all of the words are dates or times; no word is no date.

    >>> are_dates(["2024-02-29", "2024-03-01 12:30"]), are_dates(["2024-02-29", "never"]), are_dates([])
    (True, False, False)
    """
    words = iter(words)
    first = next(words, None)
    return first is not None and _is_date(first) and all(map(_is_date, words))


def _is_date(word: str) -> bool:
    return _MOMENT.match(word) is not None
