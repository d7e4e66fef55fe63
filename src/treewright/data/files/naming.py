"""Naming: the names of columns in a file, and which columns a parameter means.

In: a row of names, or names in a parameter. Out: names, none empty and none repeated; or an error with the closest.
"""

from collections.abc import Sequence
from typing import Any

from treewright.data.files.wording import closest
from treewright.data.frames import unnamed
from treewright.errors import InputError, ParameterError


def names_of(given: Any, width: int, name: str) -> tuple[tuple[str, ...], str | None]:
    """The names of the columns, and a sentence where some had to be made up; `given` is a row of names or none.

    >>> names_of(["a", ""], 2, "'x.csv'")
    (('a', 'x1'), "Column 2 of 'x.csv' has no name and is called 'x1'.")
    """
    if given is None or isinstance(given, bool):
        return unnamed(width), None
    names = [str(one).strip() for one in given]
    if len(names) != width:
        raise ParameterError(
            f"header has {len(names)} names, but {name} has {width} columns; give one for each."
        )
    taken, note = set(names), None
    for i, one in enumerate(names):
        if not one:
            names[i] = next(free for free in (f"x{j}" for j in range(i, i + width + 1)) if free not in taken)
            taken.add(names[i])
            note = note or f"Column {i + 1} of {name} has no name and is called {names[i]!r}."
    refuse_repeated(names, name)
    return tuple(names), note


def refuse_repeated(names: Sequence[str], name: str) -> None:
    """Raise an error that names the first column whose name another one has too."""
    if len(set(names)) < len(names):
        repeated = next(one for i, one in enumerate(names) if one in names[:i])
        raise InputError(f"{name} has more than one column {repeated!r}; give each a name of its own.")


def known_columns(parameter: str, given: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The columns that a parameter names, each of which must be there.

    >>> known_columns("ignore", "age", ("age", "colour"))
    ('age',)
    """
    columns = (given,) if isinstance(given, str) else tuple(given)
    there = set(names)
    for one in columns:
        if one not in there:
            raise ParameterError(
                f"{parameter} names the column {one!r}, which the table does not have; "
                f"the closest names are {closest(one, names)}."
            )
    return columns
