"""Numbers, categories and conditions as text, short, exact and safe to print; and limits of how much is printed."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from math import floor
from operator import index

from treewright.data.schema import Column
from treewright.errors import ParameterError
from treewright.language import messages
from treewright.text_table import printable, truncate

__all__ = [
    "MAX_CATEGORIES_SHOWN", "display_value", "format_categories", "format_category", "format_number", "format_value",
    "format_weight", "join_conditions", "printable", "read_limit", "truncate",
]  # fmt: skip

MAX_CATEGORIES_SHOWN = 12
"""How many categories of a branch are listed; the others are counted."""


def format_number(number: float) -> str:
    """The number in at most 12 digits where these are exact, otherwise with all its digits.

    >>> format_number(75.0), format_number(0.1 + 0.2), format_number(1 + 1e-9), format_number(1 / 3)
    ('75', '0.3', '1.000000001', '0.3333333333333333')
    """
    number = float(number)
    short = format(number, ".12g")
    return short if abs(float(short) - number) <= 1e-15 * abs(number) else repr(number)


def format_value(column: Column, value: float) -> str:
    """A value or a threshold of a column in the words of the user: a date, a time of day, a category or a number.

    >>> from treewright.data.schema import Kind
    >>> days = Column("sold", Kind.NUMBER, source="sold", part="days")
    >>> format_value(days, 19397.0), format_value(days, 19397.5), format_value(days, -0.25)
    ('2023-02-09', '2023-02-09 12:00', '1969-12-31 18:00')
    >>> format_value(Column("start", Kind.NUMBER, source="start", part="hours"), 13.75)
    '13:45'
    >>> format_value(Column("size", Kind.ORDERED, ("S", "M", "L")), 1.5)
    'M'
    """
    if column.categories:
        return format_category(column.categories[floor(value)])
    if column.part == "days" and -719_162 <= value < 2_932_896:  # the years 1 to 9999
        return _format_moment(value, 86_400_000_000)
    if column.part == "hours" and 0 <= value < 24:
        return _format_moment(value, 3_600_000_000, clock=True)
    return format_number(value)


def display_value(column: Column, value: float) -> object:
    """A known value of a column as the user has it: a category, a date or time as text, or a number.

    >>> from treewright.data.schema import Kind
    >>> display_value(Column("age", Kind.NUMBER), 7.0)
    7.0
    """
    if column.categories:
        return column.categories[floor(value)]
    return format_value(column, value) if column.is_moment else value


def _format_moment(value: float, unit: int, *, clock: bool = False) -> str:
    """A moment since 1970-01-01 with as many digits as it needs, or only its time of day; `unit` in microseconds.

    Cells are whole microseconds; their numbers of days are off by less than 0.16 microseconds until the year 2059. A
    threshold between two adjacent cells is rounded down, so that the text separates the same cells.
    """
    top, bottom = float(value).as_integer_ratio()
    whole, rest = divmod(top * unit, bottom)
    whole += rest / bottom > 0.83
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=whole)
    digits = "microseconds" if moment.microsecond else "seconds" if moment.second else "minutes"
    day, time = moment.date().isoformat(), moment.time().isoformat(digits)
    if clock:
        return time
    return day if time == "00:00" else f"{day} {time}"


def format_weight(weight: float) -> str:
    """A weight as C4.5 prints it: an integer, or up to two decimals.

    >>> format_weight(3.0), format_weight(3.4), format_weight(0.125), format_weight(0.0004)
    ('3', '3.4', '0.12', '0.0004')
    """
    weight = float(weight)
    if 0 < weight < 0.01:
        return format(weight, ".2g")
    text = format(weight, ".2f")
    return text.rstrip("0").rstrip(".")


def format_category(category: object) -> str:
    """A category as the user wrote it; an empty or blank one is quoted.

    >>> format_category("sunny"), format_category(True), format_category(None), format_category("")
    ('sunny', 'True', 'None', "''")
    """
    text = str(category)
    return text if text.strip() else repr(text)


def format_categories(categories: Sequence[object], language: str = "en") -> str:
    """Several categories in braces; of many only the first ones are listed.

    >>> format_categories(["red", "blue"])
    '{red, blue}'
    >>> format_categories(range(1000))
    '{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … 988 more}'
    """
    words = [format_category(c) for c in categories[:MAX_CATEGORIES_SHOWN]]
    if len(categories) > MAX_CATEGORIES_SHOWN:
        _ = messages(language)
        words.append(_("… {n} more", n=len(categories) - MAX_CATEGORIES_SHOWN))
    return "{" + ", ".join(words) + "}"


def join_conditions(conditions: Iterable[str], language: str = "en") -> str:
    """Conditions that hold together, as one text; the conditions of a path come from `Node.path(language)`.

    >>> join_conditions(["outlook = sunny", "humidity > 75"])
    'outlook = sunny and humidity > 75'
    >>> join_conditions(["outlook = sunny", "humidity > 75"], language="zh")
    'outlook = sunny 且 humidity > 75'
    """
    # The message without its values is the text between two conditions.
    _ = messages(language)
    return _("{left} and {right}", left="", right="").join(conditions)


def read_limit(name: str, value: object, low: int = 0) -> int | None:
    """Check a parameter that limits how much is shown: an integer of at least `low`, or None for no limit.

    >>> read_limit("max_depth", 3), read_limit("max_depth", None)
    (3, None)
    """
    if value is None:
        return None
    try:
        limit = low - 1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        limit = low - 1
    if limit < low:
        raise ParameterError(f"`{name}` must be an integer of at least {low}, or None, got {value!r}.")
    return int(limit)
