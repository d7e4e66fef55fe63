"""Numbers that are written for people: $1,234.50, (12.00), 45 %, 1.234,5 kg.

In: the distinct cells of a column of text. Out: the `NumberForm` that fits them, which reads a cell as a number. The
text of a form, such as "$1,234.5", is stored with the column of a model, so that rows for the model are read
likewise.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treewright.data.files.cell_parsing import CODE, MISSING_MARKERS, is_number

MOSTLY = 0.95
"""A column has a form if at least this fraction of its known cells has it; the others become missing."""
N_FIRST = 200
"""Distinct cells that are looked at first: if many of them do not fit, the column is text."""
NUMBER_MARKERS = frozenset(("n/a", "na", "none", "null", "nan", "-", "--", "#n/a", "#div/0!", "#value!"))
"""Cells, in lower case, that are missing in a column of numbers or dates, unless the user passed other markers."""
CURRENCIES = (
    "USD", "EUR", "GBP", "JPY", "CNY", "RMB", "INR", "CHF", "CAD", "AUD", "NZD", "HKD", "SGD", "SEK", "NOK", "DKK",
    "PLN", "CZK", "HUF", "RON", "RUB", "TRY", "BRL", "MXN", "ZAR", "KRW", "TWD", "THB", "IDR", "ILS",
)  # fmt: skip
EXAMPLES = {".": "1,234.5", ",": "1.234,5"}
"""A number in each form, by its decimal mark."""

_SPACE = r"[\ \u00a0\u2009\u202f]"
_CURRENCY = rf"(?:(?:[A-Z]{{1,2}})?[$€£¥₹]|{'|'.join(CURRENCIES)})"
_CELL = re.compile(
    rf"""(?P<open>\()?(?P<sign>[-+−])?{_SPACE}?(?P<before>{_CURRENCY})?{_SPACE}?(?P<sign2>[-+−])?
    (?P<digits>[.,]?[0-9](?:(?:[0-9.,]|['’ \u00a0\u2009\u202f](?=[0-9]))*[0-9])?)
    (?:{_SPACE}?(?P<after>[^\W\d_][^\d\s()]{{0,11}}|[%$€£¥₹°‰][^\d\s()]{{0,5}}))?(?P<close>\))?\Z""",
    re.VERBOSE,
)
_IS_CURRENCY = re.compile(rf"{_CURRENCY}\Z")
_GROUPS = {
    mark: re.compile(rf"[1-9]\d{{0,2}}([{other}' ])\d{{3}}(?:\1\d{{3}})*\Z|[1-9]\d?(?:{other}\d\d)+{other}\d{{3}}\Z")
    for mark, other in ((".", ","), (",", r"\."))
}
_ANY_SPACE = re.compile("[\u00a0\u2009\u202f]")


@dataclass(frozen=True)
class NumberForm:
    """How the numbers of a column are written.

    decimal  the decimal mark, "." or ","; the other one may separate thousands, as may spaces and apostrophes
    mark     the currency, unit or % that is removed; "" if there is none

    >>> NumberForm(".", "$").parse("($1,234.50)"), NumberForm(",", "kg").parse("1.234,5 kg")
    (-1234.5, 1234.5)
    """

    decimal: str = "."
    mark: str = ""

    @classmethod
    def from_text(cls, text: str) -> "NumberForm | None":
        """The form with this text; None if the text is not that of a form.

        >>> NumberForm.from_text("1.234,5 kg")
        NumberForm(decimal=',', mark='kg')
        """
        for decimal, example in EXAMPLES.items():
            before, found, after = text.partition(example)
            form = cls(decimal, before or after.removeprefix(" "))
            if found and form.text == text:
                return form
        return None

    @cached_property
    def is_currency(self) -> bool:
        return _IS_CURRENCY.match(self.mark) is not None

    @property
    def text(self) -> str:
        """The form as text: an example.

        >>> NumberForm(".", "$").text, NumberForm(".", "%").text
        ('$1,234.5', '1,234.5 %')
        """
        example = EXAMPLES[self.decimal]
        if self.is_currency:
            return self.mark + example
        return f"{example} {self.mark}" if self.mark else example

    def parse(self, cell: str) -> float | None:
        """The number in a cell; None if the cell does not have this form."""
        found = _CELL.match(cell)
        if found is None:
            plain = not self.mark or self.is_currency
            return float(cell.replace(",", ".")) if plain and is_number(cell, self.decimal) else None
        signs = [sign for sign in found.group("sign", "sign2") if sign]
        marks = [mark for mark in found.group("before", "after") if mark]
        in_parentheses = found["open"] is not None
        if in_parentheses != (found["close"] is not None) or len(signs) + in_parentheses > 1 or len(marks) > 1:
            return None
        if (marks[0] != self.mark) if marks else (self.mark and not self.is_currency):
            return None
        value = _parse_digits(found["digits"], self.decimal)
        if value is None:
            return None
        return -value if in_parentheses or (signs and signs[0] != "+") else value


def _parse_digits(text: str, decimal: str) -> float | None:
    """Digits with thousands separators; None if they are a code, or separated in another way."""
    whole, mark, fraction = _ANY_SPACE.sub(" ", text).replace("’", "'").partition(decimal)
    if mark and not (fraction.isdigit() or (whole and not fraction)):
        return None
    if not whole.isdigit():
        if whole and _GROUPS[decimal].match(whole) is None:
            return None
        whole = re.sub(r"\D", "", whole)
    if re.match(CODE, whole):
        return None
    return float(f"{whole or 0}.{fraction or 0}")


@dataclass(frozen=True, slots=True)
class FormFound:
    """A form and what it reads.

    values     the number of each distinct cell that has the form; None for markers of missing values
    n_wrong    known cells that do not have it
    ambiguous  a cell that would also be a number with the other decimal mark, as all cells would; or ""
    grouped    whether a cell has thousands separators
    """

    form: NumberForm
    values: dict[str, float | None]
    n_wrong: int
    n_known: int
    ambiguous: str = ""
    grouped: bool = False


def find_number_form(counts: Mapping[str, int], decimal: str, missing: Sequence[str]) -> FormFound | None:
    """The form of most of the cells, given with their counts; None if fewer than `MOSTLY` have one, or one is a code.

    The decimal mark is the one that fits more cells, or `decimal`, that of the file, if both fit equally many.

    >>> find_number_form({"1,234": 3, "12,5": 1}, ".", ()).form
    NumberForm(decimal=',', mark='')
    >>> find_number_form({"12 kg": 9, "12 lb": 9}, ".", ()) is None
    True
    """
    absent: dict[str, float | None] = {cell: None for cell in counts if is_number_marker(cell, missing)}
    known = {cell: n for cell, n in counts.items() if cell not in absent}
    first = dict(list(known.items())[:N_FIRST])
    readable = sum(n for cell, n in first.items() if _CELL.match(cell) is not None or is_number(cell, decimal))
    if 2 * readable < sum(first.values()) or not known or any(re.match(CODE, cell) for cell in known):
        return None
    mark = _most_common_mark(known)
    found = [
        _read_all(NumberForm(one, mark), known) for one in (decimal, "," if decimal == "." else ".")
    ]
    best = min(found, key=lambda one: one.n_wrong)
    if best.n_wrong > (1 - MOSTLY) * best.n_known:
        return None
    other = found[1 - found.index(best)]
    differs = (cell for cell, value in best.values.items() if other.values.get(cell, value) != value)
    ambiguous = next(differs, "") if other.n_wrong == best.n_wrong else ""
    return replace(best, values=best.values | absent, ambiguous=ambiguous)


def read_given_form(counts: Mapping[str, int], form: NumberForm, missing: Sequence[str]) -> FormFound | None:
    """The cells in a form that is known; None if fewer than `MOSTLY` have it."""
    absent: dict[str, float | None] = {cell: None for cell in counts if is_number_marker(cell, missing)}
    found = _read_all(form, {cell: n for cell, n in counts.items() if cell not in absent})
    if found.n_wrong > (1 - MOSTLY) * found.n_known:
        return None
    return replace(found, values=found.values | absent)


def is_number_marker(cell: str, missing: Sequence[str]) -> bool:
    """Whether a cell is missing in a column of numbers, given the missing-value markers of a text.

    >>> is_number_marker("N/a", MISSING_MARKERS), is_number_marker("N/a", ["?"])
    (True, False)
    """
    return cell.lower() in NUMBER_MARKERS and tuple(missing) == MISSING_MARKERS


def _most_common_mark(known: Mapping[str, int]) -> str:
    marks: Counter[str] = Counter()
    for cell, n in known.items():
        found = _CELL.match(cell)
        if found is not None:
            marks[found["before"] or found["after"] or ""] += n
    written = {mark: n for mark, n in marks.items() if mark}
    mark = max(written, key=lambda mark: (written[mark], mark), default="")
    # Amounts without a currency are amounts too, but a number without its unit is another form.
    return mark if NumberForm(".", mark).is_currency or written.get(mark, 0) > marks[""] else ""


def _read_all(form: NumberForm, known: Mapping[str, int]) -> FormFound:
    values: dict[str, float | None] = {}
    n_wrong, grouped = 0, False
    for cell, n in known.items():
        value = form.parse(cell)
        if value is None:
            n_wrong += n
            continue
        values[cell] = value
        digits = _CELL.match(cell)
        grouped = grouped or (digits is not None and not is_number(digits["digits"], form.decimal))
    return FormFound(form, values, n_wrong, sum(known.values()), grouped=grouped)


def parse_column(text: Any, read: Any, missing: Sequence[str]) -> tuple[Any, list[str]]:
    """A text column as numbers (null if missing), and the distinct cells that `read` refuses by None."""
    import polars as pl

    values: dict[str, float | None] = {}
    wrong = []
    for cell in text.alias("").drop_nulls().unique(maintain_order=True).to_list():
        value = None if is_number_marker(cell, missing) else read(cell)
        if value is None and not is_number_marker(cell, missing):
            wrong.append(cell)
        values[cell] = value
    return map_cells(text, values, pl.Float64), wrong


def map_cells(text: Any, values: Mapping[str, Any], dtype: Any) -> Any:
    """The value of each cell; null for cells without one."""
    import polars as pl

    found = text.alias("").replace_strict(
        pl.Series(list(values), dtype=pl.String), pl.Series(list(values.values()), dtype=dtype), default=None,
        return_dtype=dtype,
    )  # fmt: skip
    return found.alias(text.name)
