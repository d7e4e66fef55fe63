"""Importance: what each column did for a tree while it grew.

In: a tree. Out: for each column the impurity its splits took away, as a share of all that was taken away; in a table
with the number of these splits. It is read from the tree alone, so it says what the training rows gained; for what new
rows lose without a column, permute it (docs/importance.md).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.grid import Grid, counted, new_frame
from treewright.model.limit import read_limit
from treewright.model.plain import plain
from treewright.model.tree import Tree
from treewright.model.words import beginning, printable

N_SHOWN = 30
"""Columns that a printed table lists."""

LONGEST_NAME = 60
"""Characters shown of a name; fields have it whole."""


@dataclass(frozen=True, slots=True)
class Importance:
    """One column: its name, its share of the gain, its splits, and the splits that it stands in for as a surrogate."""

    name: str
    importance: float
    n_splits: int
    n_surrogates: int


@dataclass(frozen=True, slots=True)
class Importances:
    """The columns by importance, the most important first; print it, or read its rows.

    rows     an `Importance` for each column
    """

    rows: tuple[Importance, ...]

    def to_text(self, max_rows: int | None = None) -> str:
        """The table for a terminal; `max_rows` columns are listed, None is all."""
        return "\n".join(self._grid(read_limit("max_rows", max_rows, "number of rows")).lines())

    def to_frame(self) -> Any:
        """A row for each column, as a data frame of pandas, or of polars where pandas is not installed."""
        names = ("name", "importance", "n_splits", "n_surrogates")
        return new_frame({name: [getattr(row, name) for row in self.rows] for name in names})

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain Python that JSON can hold."""
        made: dict[str, Any] = plain(self)
        return made

    def to_html(self) -> str:
        """The table for a page or a notebook."""
        return f"<div>{self._grid(None).html()}</div>"

    def __str__(self) -> str:
        return self.to_text(N_SHOWN)

    def _repr_html_(self) -> str:
        return f"<div>{self._grid(N_SHOWN).html()}</div>"

    def _grid(self, n_rows: int | None) -> Grid:
        stand_ins = any(row.n_surrogates for row in self.rows)
        shown = self.rows[:n_rows]
        rows = [
            [_short(row.name), f"{row.importance:.4f}", str(row.n_splits), *[str(row.n_surrogates)] * stand_ins]
            for row in shown
        ]
        n_more = len(self.rows) - len(shown)
        below = [f"… {counted(n_more, 'more column')}"] if n_more else []
        head = ["column", "importance", "splits", *["surrogates"] * stand_ins]
        return Grid(head, rows, [False, *[True] * (len(head) - 1)], below)


def importances(tree: Tree) -> Importances:
    """The columns of a tree by importance; on a tie in the order of the table.

    >>> from treewright.model.build import golf_example
    >>> print(importances(golf_example()))
    column    importance  splits
    humidity      0.3688       1
    windy         0.3688       1
    outlook       0.2624       1
    """
    share, inner = column_gains(tree), tree.column[tree.column >= 0]
    n_columns = tree.schema.n_columns
    n_splits = np.bincount(inner, minlength=n_columns)
    seconds = tree.surrogates
    n_surrogates = np.bincount([] if seconds is None else seconds.column, minlength=n_columns).astype(np.int64)
    order = np.argsort(-share, kind="stable").tolist()
    names = tree.schema.names
    return Importances(
        tuple(Importance(names[f], float(share[f]), int(n_splits[f]), int(n_surrogates[f])) for f in order)
    )


def column_gains(tree: Tree) -> NDArray[np.float64]:
    """What the splits of each column gained, weighted by the rows they saw; the sum is 1, or all are 0.

    A surrogate has its part, as in rpart: the gain of the split it stands in for, times its adjusted agreement.

    >>> from treewright.model.build import golf_example
    >>> column_gains(golf_example()).round(4).tolist()
    [0.2624, 0.3688, 0.3688]
    """
    n_columns, inner = tree.schema.n_columns, tree.column >= 0
    gain = tree.gain * tree.weight
    gained = np.bincount(tree.column[inner], weights=gain[inner], minlength=n_columns).astype(np.float64, copy=False)
    seconds = tree.surrogates
    if seconds is not None:
        node = np.repeat(np.arange(tree.n_nodes), np.diff(seconds.start))
        gained += np.bincount(seconds.column, weights=gain[node] * seconds.adjusted, minlength=n_columns)
    total = gained.sum()
    return gained / total if total > 0 else np.zeros_like(gained)


def _short(text: str) -> str:
    return printable(beginning(text, LONGEST_NAME))
