"""Read one row, in any form that a user may have it.

A dict or another record by column name, alone or in a list; a list, tuple or one-dimensional array; a Series. A table
is left to its reader.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.frames import N_SHOWN, as_mapping, as_records, column_positions, fill_row, to_narwhals
from treewright.errors import InputError, KindError


def read_row(row: Any, names: Sequence[str], named: bool) -> NDArray[np.object_] | None:
    """Return the cells of a row in the order of the columns, as a table of one row; None if it is a table already.

    names  of the columns
    named  whether the user's table had these names; otherwise columns may be given by number too

    A dict, or a Series whose index has the names, may leave columns out: they are missing.

    >>> read_row({"windy": True}, ["humidity", "windy"], True).tolist()
    [[None, True]]
    >>> read_row([80, True], ["humidity", "windy"], True).tolist()
    [[80, True]]
    """
    records = as_records(row, names)
    if records is not None:
        values = as_mapping(records[0], names) or {}
        return _by_name(list(values.items()), names, named) if len(records) == 1 else None
    import narwhals.stable.v2 as nw

    frame = to_narwhals(row)
    if isinstance(frame, nw.Series):
        return _of_series(frame, names, named)
    if isinstance(frame, nw.DataFrame) or _has_rows(row):
        return None
    if isinstance(row, tuple) and hasattr(row, "_fields"):  # itertuples() puts the index first, and renames columns
        row = list(row[1:] if len(row) == len(names) + 1 and row._fields[0] == "Index" else row)
    elif hasattr(row, "__array__"):
        row = (row if isinstance(row, np.ndarray) else np.asarray(row)).tolist()
    if not isinstance(row, list | tuple):
        raise KindError(
            "A row must be a dict by column name, a list with a value for each column, or a table, got "
            f"{type(row).__name__}."
        )
    return _in_order(row, names)


def _has_rows(data: Any) -> bool:
    """Whether this is an array of two dimensions, or a list of rows."""
    if hasattr(data, "__array__"):
        return np.ndim(data) != 1
    if not isinstance(data, list | tuple):
        return False
    return len(data) > 0 and all(isinstance(cell, list | tuple | np.ndarray) for cell in data)


def _of_series(series: Any, names: Sequence[str], named: bool) -> NDArray[np.object_]:
    """Return the cells of a Series: by its index if that has the names, else in order."""
    native = series.to_native()
    labels = list(getattr(native, "index", ()))
    cells = series.to_list()
    # The index 0, 1, 2, ... is the default of a Series, so it names no columns.
    if labels and not (labels == list(range(len(labels))) and len(cells) == len(names)):
        return _by_name(list(zip(labels, cells, strict=True)), names, named)
    return _in_order(cells, names)


def _by_name(items: Sequence[tuple[Any, Any]], names: Sequence[str], named: bool) -> NDArray[np.object_]:
    cells = np.full((1, len(names)), None, dtype=object)
    fill_row(items, column_positions(names, named), names, cells[0], "The row")
    return cells


def _in_order(row: Sequence[Any], names: Sequence[str]) -> NDArray[np.object_]:
    if len(row) != len(names):
        shown = ", ".join(map(repr, names[:N_SHOWN])) + (", …" if len(names) > N_SHOWN else "")
        raise InputError(
            f"The row has {len(row)} values, but the tree has {len(names)} columns ({shown}); pass one for each, or "
            "a dict by column name, which may leave some out."
        )
    cells = np.empty((1, len(names)), dtype=object)
    for i, cell in enumerate(row):  # one by one: a cell may be a tuple, which numpy would take apart
        cells[0, i] = cell
    return cells


def refuse_several(n_rows: int) -> None:
    """Raise an error unless there is one row."""
    if n_rows != 1:
        raise InputError(
            f"Expected one row, got {n_rows}; pass a table of one row, for example X[:1] or X.iloc[[0]], or a dict by "
            "column name."
        )
