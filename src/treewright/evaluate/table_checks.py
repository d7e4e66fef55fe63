"""Checks of the columns of a table before a tree is grown on it: identifiers, free text, constant columns, copies.

In: encoded columns. Out: what is wrong with them, as data. `inspect`, `fit`, `cv` and `compare` use these rules. No
check depends on the order of the rows, on sample weights or on a random seed.
"""

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from treewright.data.ignored_columns import IgnoredColumn
from treewright.data.schema import Column, Kind

ID_ROWS = 10
"""Identifiers and free text are looked for among at least so many known values."""

ID_FRACTION = 0.95
"""A text column with so many distinct values per known value is an identifier."""

TEXT_WORDS, TEXT_FRACTION = 5, 0.5
"""Free text: so many words on average, and so many distinct values per known value."""

N_TEXTS = 1_000
"""Texts whose words are counted."""

FEW_NUMBERS = 10
"""Whole numbers with at most so many distinct values are classes."""

_ID_NAMES = {"id", "index", "row", "rownames", "key", "number", "no", "nr", "num", "code", "x", "unnamed: 0", ""}
_ID_PARTS = {"id", "ids", "idx", "uuid", "guid"}
_ID_ENDS = re.compile(
    r"(user|customer|client|passenger|patient|order|student|employee|product|sample|object|row|case|person|account"
    r"|member|record|item)(id|no|number)$|号$|编码$|代码$"
)
_TIME_PARTS = {"year", "month", "week", "day", "hour", "minute", "second", "time", "date", "age", "period", "quarter"}
_TIME_ENDS = re.compile(r"[年月周日时期龄]$|时间$|季度$")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CJK = re.compile(r"[\u3400-\u9fff]")


def is_regression_target(numbers: NDArray[np.float64]) -> bool:
    """Return whether a target of numbers is a quantity rather than a few whole numbers that mean classes.

    >>> is_regression_target(np.array([0.0, 1.0, 1.0])), is_regression_target(np.array([0.5, 1.0]))
    (False, True)
    """
    known = numbers[~np.isnan(numbers)]
    return bool((known != np.floor(known)).any()) or len(np.unique(known)) > FEW_NUMBERS


def find_ignored(
    columns: Iterable[Column], values: NDArray[np.float64], kept: Iterable[str] = ()
) -> list[IgnoredColumn]:
    """Return the columns to leave out, except those in `kept`; none if no column would be left.

    >>> columns = [Column("x", Kind.NUMBER), Column("day no", Kind.NUMBER)]
    >>> find_ignored(columns, np.column_stack([np.arange(20) % 3, np.arange(20)]).astype(float))
    [IgnoredColumn(name='day no', reason='row_number')]
    """
    columns, keep = list(columns), set(kept)
    keep |= {column.name for column in columns if column.kind is Kind.ORDERED}  # somebody listed their categories
    found = []
    for column, cells in zip(columns, values.T, strict=True):
        is_date = column.source is not None
        reason = None if is_date or column.name in keep else _reason_to_ignore(column, cells)
        if reason is not None:
            found.append(IgnoredColumn(column.name, reason))
    return [] if len(found) == len(columns) else found


def _reason_to_ignore(column: Column, cells: NDArray[np.float64]) -> str | None:
    known = cells[~np.isnan(cells)]
    if not len(known):
        return "empty"
    low, high = known.min(), known.max()
    if low == high:
        return "constant" if len(known) == len(cells) and len(cells) > 1 else None
    if len(known) < ID_ROWS:
        return None
    if column.kind is Kind.NUMBER:
        return _kind_of_numbers(column.name, known, high - low, len(cells))
    counts = np.bincount(known.astype(np.int64), minlength=column.n_categories)
    n_values = int(np.count_nonzero(counts))
    if n_values >= TEXT_FRACTION * len(known):
        texts = [str(column.categories[code]) for code in np.flatnonzero(counts)[:N_TEXTS]]
        if sum(map(count_words, texts)) >= TEXT_WORDS * len(texts):
            return "free_text"
    return "identifier" if n_values >= ID_FRACTION * len(known) else None


def _kind_of_numbers(name: str, known: NDArray[np.float64], spread: float, n_rows: int) -> str | None:
    """Return "row_number" for consecutive integers, "identifier" for distinct integers with such a name."""
    consecutive = len(known) == n_rows and spread == n_rows - 1 and not _names_time(name)
    if not (consecutive or names_identifier(name)) or (known != np.floor(known)).any():
        return None
    if len(np.unique(known)) < len(known):
        return None
    return "row_number" if consecutive else "identifier"


def names_identifier(name: str) -> bool:
    """Return whether a column name is one of an identifier.

    >>> [names_identifier(name) for name in ("CustomerID", "order_id", "学号", "humidity", "grid")]
    [True, True, True, False, False]
    """
    parts = [part.lower() for part in _PARTS.findall(name)]
    plain = name.strip().lower()
    return plain in _ID_NAMES or bool(_ID_PARTS & {*parts[:1], *parts[-1:]}) or bool(_ID_ENDS.search(plain))


def _names_time(name: str) -> bool:
    parts = [part.lower().removesuffix("s") for part in _PARTS.findall(name)]
    return bool(_TIME_PARTS & {*parts[-1:]}) or bool(_TIME_ENDS.search(name))


def count_words(text: str) -> int:
    """Return the number of words; two Chinese characters count as one.

    >>> count_words("the battery is empty"), count_words("电池没电了吗")
    (4, 3)
    """
    n_chinese = len(_CJK.findall(text))
    return n_chinese // 2 + len(_CJK.sub(" ", text).split())


def find_copies(columns: Iterable[Column], values: NDArray[np.float64]) -> list[tuple[str, str]]:
    """Return the columns with the same values as an earlier one, and that one.

    >>> columns = [Column(name, Kind.NUMBER) for name in "abc"]
    >>> find_copies(columns, np.array([[1.0, 2.0, 1.0], [3.0, 4.0, 3.0]]))
    [('c', 'a')]
    """
    first: dict[object, str] = {}
    found = []
    for column, cells in zip(columns, values.T, strict=True):
        digest = blake2b((cells + 0.0).tobytes()).digest()
        key = column.kind, column.categories, digest
        if key in first:
            found.append((column.name, first[key]))
        else:
            first[key] = column.name
    return found


def count_repeated_rows(columns: Sequence[NDArray[np.float64]]) -> int:
    """Return the number of rows that equal an earlier row.

    >>> count_repeated_rows([np.array([1.0, 1.0, np.nan]), np.array([np.nan, np.nan, 1.0])])
    1
    """
    hashes = row_hashes(columns)
    return len(hashes) - len(np.unique(hashes))


def row_hashes(columns: Sequence[NDArray[np.float64]]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each row; of a million different rows, two are equal with a probability of 1 in 10^7."""
    mixed = np.zeros(len(columns[0]) if columns else 0, np.uint64)
    for cells in columns:
        bits = (np.ascontiguousarray(cells) + 0.0).view(np.uint64)  # -0.0 becomes 0.0
        mixed = (mixed ^ bits ^ (bits >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
    return mixed
