"""Row: one case as the user has it.

In: a dict by column name, alone or in a list; a list, tuple or one-dimensional array, a pandas Series, or any table of
one row. Out: its cells, one for each column of the tree; or word that it is a table already, and of one row.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.frames import to_narwhals
from treewright.data.records import N_SHOWN, are_records, column_places, put_cells
from treewright.errors import InputError, KindError


def cells_of(row: Any, names: Sequence[str], named: bool) -> NDArray[np.object_] | None:
    """The cells of a row in the order of the columns, as a table of one row; None where the row is such a table.

    names  of the columns
    named  whether the user's table had these names; otherwise columns may be called by their numbers, too

    A dict, or a Series whose index has the names, may leave columns out: they are missing.

    >>> cells_of({"windy": True}, ["humidity", "windy"], True).tolist()
    [[None, True]]
    >>> cells_of([80, True], ["humidity", "windy"], True).tolist()
    [[80, True]]
    """
    if are_records(row):
        _refuse_several(len(row))
        row = row[0]
    if isinstance(row, Mapping):
        return _by_name(list(row.items()), names, named)
    import narwhals.stable.v2 as nw

    frame = to_narwhals(row)
    if isinstance(frame, nw.DataFrame):
        _refuse_several(len(frame))
        return None
    if isinstance(frame, nw.Series):
        return _of_series(frame, names, named)
    if isinstance(row, tuple) and hasattr(row, "_fields"):  # itertuples() of pandas puts the index first
        fields = row._fields
        row = list(row[1:] if len(row) == len(names) + 1 and fields[0] == "Index" else row)
    elif isinstance(row, np.ndarray) or hasattr(row, "__array__"):
        array = row if isinstance(row, np.ndarray) else np.asarray(row)
        if array.ndim != 1:
            _refuse_several(len(array) if array.ndim else 1)
            return None
        row = array.tolist()
    if not isinstance(row, list | tuple):
        raise KindError(
            f"A row cannot be read from an object of type {type(row).__name__}; give a dict by column name, a list "
            "with a value for each column, or a table of one row."
        )
    if row and all(isinstance(cell, list | tuple | np.ndarray) for cell in row):
        _refuse_several(len(row))
        return None
    return _in_order(row, names)


def _of_series(series: Any, names: Sequence[str], named: bool) -> NDArray[np.object_]:
    """The cells of a Series: by its index where that has the names, else in order."""
    native = series.to_native()
    labels = list(getattr(native, "index", ()))
    cells = series.to_list()
    # The index 0, 1, 2, ... is what a Series has when nobody gave it one, so it names nothing.
    if labels and not (labels == list(range(len(labels))) and len(cells) == len(names)):
        return _by_name(list(zip(labels, cells, strict=True)), names, named)
    return _in_order(cells, names)


def _by_name(items: Sequence[tuple[Any, Any]], names: Sequence[str], named: bool) -> NDArray[np.object_]:
    cells = np.full((1, len(names)), None, dtype=object)
    put_cells(items, column_places(names, named), names, cells[0], "The row")
    return cells


def _in_order(row: Sequence[Any], names: Sequence[str]) -> NDArray[np.object_]:
    if len(row) != len(names):
        shown = ", ".join(map(repr, names[:N_SHOWN])) + (", …" if len(names) > N_SHOWN else "")
        raise InputError(
            f"The row has {len(row)} values, but the tree knows {len(names)} columns ({shown}); give one for each, or "
            "a dict by column name, which may leave some out."
        )
    cells = np.empty((1, len(names)), dtype=object)
    for i, cell in enumerate(row):  # one by one: a cell may be a tuple, which numpy would take apart
        cells[0, i] = cell
    return cells


def _refuse_several(n_rows: int) -> None:
    if n_rows != 1:
        raise InputError(
            f"One row is explained at a time, but {n_rows} were given; give a table of one row, for example X[:1] or "
            "X.iloc[[0]], or a dict by column name."
        )
