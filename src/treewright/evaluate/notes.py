"""Notes: what is striking about a table, before trees are grown on it.

In: encoded rows. Out: sentences about columns that name the rows, columns that say nothing, and a target of too many
classes, each with what to do.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind

N_SHOWN = 6
"""Columns that a note names."""

ID_ROWS = 10
"""Columns are taken for names of the rows in tables of at least so many rows."""

ID_SHARE = 0.95
"""A column of categories with so many different values for each row looks like names of the rows."""

MANY_CLASSES = 30
"""Classes that are no reason to doubt, however few rows there are."""


def table_notes(rows: Dataset) -> list[str]:
    """What is striking about a table.

    >>> from treewright.data.schema import Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER), Column("day", Kind.NUMBER)), Target("y", ("a", "b")))
    >>> values = np.column_stack([np.arange(20) % 3, np.arange(20)]).astype(float)
    >>> table_notes(Dataset(schema, values, np.arange(20) % 2))[0][:51]
    "Column 'day' has another value in nearly every row,"
    """
    found, idle = [], []
    for column, cells in zip(rows.schema.columns, rows.values.T, strict=True):
        known = cells[~np.isnan(cells)]
        if _names_rows(column, known, rows):
            found.append(
                f"Column {column.name!r} has another value in nearly every row, so that it names the rows and says "
                f"nothing of new ones; leave it out with --ignore {column.name!r}."
            )
        elif rows.n_rows > 1 and len(np.unique(known)) <= 1:
            idle.append(repr(column.name))
    if idle:
        which = f"Column {idle[0]} has" if len(idle) == 1 else f"Columns {', '.join(idle[:N_SHOWN])} have"
        more = f" (and {len(idle) - N_SHOWN} more)" if len(idle) > N_SHOWN else ""
        found.append(f"{which}{more} one value only, so that no tree can use {'it' if len(idle) == 1 else 'them'}.")
    target = rows.schema.target
    if target.n_classes > max(rows.n_rows / 4, MANY_CLASSES):
        found.append(
            f"The target {target.name!r} has {target.n_classes} classes in {rows.n_rows} rows; if it is a number, use "
            "--regression, and if it names the rows, choose another target."
        )
    return found


def _names_rows(column: Column, known: NDArray[np.float64], rows: Dataset) -> bool:
    """Whether nearly every row has another category; of numbers, whether they are 1, 2, 3 and so on, each once."""
    n, n_values = rows.n_rows, len(np.unique(known))
    if n < ID_ROWS:
        return False
    if column.kind is not Kind.NUMBER:
        return n_values >= ID_SHARE * n
    return rows.n_columns > 1 and len(known) == n_values == n and bool(np.ptp(known) == n - 1)
