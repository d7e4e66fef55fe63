"""Listing: the columns of a table from a file, as text.

In: a `Data`. Out: what print(data) shows.
"""

from typing import TYPE_CHECKING

from treewright.model.grid import Grid, counted
from treewright.model.words import beginning, printable

if TYPE_CHECKING:
    from treewright.data.files.data import Data

N_SHOWN = 40
"""Columns that are shown."""
LONGEST = 40
"""Characters of a name that are shown."""


def listing(data: "Data") -> str:
    """A table of the columns, and the notes below it."""
    rows = []
    for column in (part.column() for part in data.parts[:N_SHOWN]):
        counts = ["" if n is None else str(n) for n in (column.n_values, column.n_missing)]
        rows.append([_shown(column.name), column.kind, *counts, printable(column.why)])
    below = [f"… {counted(len(data.parts) - N_SHOWN, 'more column')}"] if len(data.parts) > N_SHOWN else []
    grid = Grid(
        ["column", "kind", "values", "missing", "why"], rows, [False, False, True, True, False], below
    )
    target = "no target" if data.target is None else f"target {_shown(data.target)}"
    head = f"{printable(data.source)}: {counted(data.X.height, 'row')}, {counted(data.X.width, 'column')}, {target}"
    return "\n".join([head, *grid.lines(), *map(printable, data.notes)])


def _shown(name: str) -> str:
    return printable(beginning(name, LONGEST))
