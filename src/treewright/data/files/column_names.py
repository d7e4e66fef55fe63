"""The names of the columns of a file, and the columns that a parameter names.

In: a row of names, or names in a parameter. Out: unique, non-empty names; or an error with the closest names.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from treewright.data.files.error_text import closest_names
from treewright.data.files.translatable import Translatable
from treewright.data.frames import default_names
from treewright.errors import InputError, ParameterError
from treewright.language import N_

if TYPE_CHECKING:
    import polars as pl

MAX_COLUMNS = 100_000
"""The most columns of a table in a file."""


def read_names_row(header: Any, width: int, name: str) -> tuple[tuple[str, ...], str | None]:
    """The names of the columns, and a note if a name was made up; `header` is a row of names, or None or False.

    >>> read_names_row(["a", ""], 2, "'x.csv'")
    (('a', 'x1'), "Column 2 of 'x.csv' has no name and is called 'x1'.")
    """
    refuse_many_columns(width, name)
    if header is None or isinstance(header, bool):
        return default_names(width), None
    names = [str(one).strip() for one in header]
    if len(names) != width:
        raise ParameterError(f"`header` must have {width} names, one for each column of {name}, got {len(names)}.")
    taken, note = set(names), None
    for i, one in enumerate(names):
        if not one:
            names[i] = next(free for free in (f"x{j}" for j in range(i, i + width + 1)) if free not in taken)
            taken.add(names[i])
            note = note or Translatable(
                N_("Column {number} of {source} has no name and is called {name}."),
                number=i + 1,
                source=name,
                name=repr(names[i]),
            )
    if len(set(names)) < len(names):
        repeated = Counter(names).most_common(1)[0][0]
        raise InputError(f"{name} has several columns named {repeated!r}; column names must be unique.")
    return tuple(names), note


def refuse_many_columns(n_columns: int, name: str) -> None:
    """Raise an error if a table has more columns than `MAX_COLUMNS`."""
    if n_columns > MAX_COLUMNS:
        raise InputError(
            f"{name} has {n_columns:,} columns, but a table may have at most {MAX_COLUMNS:,}; check its delimiter and "
            "its line ends, or split the table."
        )


def columns_named(names: str | Iterable[str]) -> "pl.Expr":
    """The columns with exactly these names, as an expression.

    polars reads `*` and `^a.*$` as patterns, in `pl.col`, in `frame.select` and even in most methods of a series of
    that name; so methods of a series of a file are called on `series.alias("")`.

    >>> import polars as pl
    >>> pl.DataFrame({"*": [1], "a": [2]}).select(columns_named("*")).columns
    ['*']
    """
    import polars.selectors as cs

    return cs.by_name([names] if isinstance(names, str) else list(names)).as_expr()


def known_columns(parameter: str, columns: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The columns that a parameter names; an error if the table does not have one of them.

    >>> known_columns("ignore", "age", ("age", "colour"))
    ('age',)
    """
    columns = (columns,) if isinstance(columns, str) else tuple(columns)
    there = set(names)
    for one in columns:
        if one not in there:
            raise ParameterError(
                f"Unknown column {one!r} in `{parameter}`; the closest names are {closest_names(one, names)}."
            )
    return columns


def quote_name(name: str) -> str:
    """Quote a column name for an option that takes several names.

    >>> quote_name("size"), quote_name("size, in $")
    ('size', "'size\\\\, in $'")
    """
    return shlex.quote(name.replace(",", "\\,"))
