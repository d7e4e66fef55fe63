"""Records: rows as dicts by column name.

In: a dict, or a list of them, and the names of a tree's columns. Out: their cells in the order of the columns. A column
that a dict leaves out is missing; a name that is no column is refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.frames import unnamed
from treewright.errors import InputError, KindError

N_SHOWN = 8
"""Column names listed in an error."""


def are_records(X: object) -> bool:
    """Whether this is a list of dicts, by its first row.

    >>> are_records([{"age": 30}]), are_records([[30]])
    (True, False)
    """
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], Mapping)


def read_records(X: Sequence[Any], names: Sequence[str]) -> NDArray[np.object_]:
    """A list of dicts as a table.

    >>> read_records([{"windy": True}, {"humidity": 80}], ["humidity", "windy"]).tolist()
    [[None, True], [80, None]]
    """
    places = column_places(names, named=tuple(names) != unnamed(len(names)))
    cells = np.full((len(X), len(names)), None, dtype=object)
    for i, row in enumerate(X):
        if not isinstance(row, Mapping):
            raise KindError(f"Row {i} of X is a {type(row).__name__}, but row 0 is a dict; give a dict for each row.")
        put_cells(row.items(), places, names, cells[i], f"Row {i} of X")
    return cells


def column_places(names: Sequence[str], named: bool) -> dict[object, int]:
    """The place of each column by what it may be called: its name and, where nobody named the columns, its number."""
    places: dict[object, int] = {name: i for i, name in enumerate(names)}
    return places if named else places | {i: i for i in range(len(names))}


def put_cells(
    items: Iterable[tuple[Any, Any]],
    places: Mapping[object, int],
    names: Sequence[str],
    cells: NDArray[np.object_],
    who: str,
) -> None:
    """Put values into the cells of one row, by column name; `who` is what errors call the row."""
    given: set[int] = set()
    for label, cell in items:
        i = places.get(label, places.get(str(label), -1)) if isinstance(label, str | int | np.integer) else -1
        if i < 0:
            close = get_close_matches(str(label), names, n=N_SHOWN)
            listed = ", ".join(map(repr, close or names[:N_SHOWN]))
            which = "the closest are" if close else "its first columns are"
            raise InputError(f"{who} has a value for {label!r}, which is no column of the tree; {which} {listed}.")
        if i in given:
            raise InputError(f"{who} has more than one value for column {names[i]!r}; give one.")
        given.add(i)
        cells[i] = cell
