"""Column importances: the impurity decrease of a column's splits, as a proportion of the total decrease.

They are read from the tree alone, so they are about the training rows; for what new rows lose without a column, use
permutation importance (docs/importance.md).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.language import messages
from treewright.model.formatting import printable, read_limit, truncate
from treewright.model.json_values import to_json_value
from treewright.model.tree import Tree
from treewright.text_table import Grid, new_frame

N_SHOWN = 30
"""Columns that a printed table lists."""

MAX_NAME = 60
"""Characters shown of a name; attributes have all of it."""


@dataclass(frozen=True, slots=True)
class Importance:
    """One column: its name, its importance, its splits, and how often it is a surrogate."""

    name: str
    importance: float
    n_splits: int
    n_surrogates: int


@dataclass(frozen=True, slots=True)
class Importances:
    """The columns by importance, the most important first; print it, or read its rows.

    Attributes
    ----------
    rows : tuple of Importance
        One for each column.
    language : str
        Language of the text: "en" or "zh".

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1, 5], [2, 5], [3, 6], [4, 6]], ["a", "a", "b", "b"])
    >>> found = model.importances()
    >>> [(row.name, row.importance, row.n_splits) for row in found.rows]
    [('x0', 1.0, 1), ('x1', 0.0, 0)]
    """

    rows: tuple[Importance, ...]
    language: str = "en"

    def to_text(self, max_rows: int | None = None) -> str:
        """Return the table as text.

        Parameters
        ----------
        max_rows : int, optional
            Number of columns to list, the most important first; all by default.

        Returns
        -------
        str

        Examples
        --------
        >>> print(Importances((Importance("x0", 1.0, 2, 0), Importance("x1", 0.0, 0, 0))).to_text(max_rows=1))
        column  importance  splits
        x0          1.0000       2
        … 1 more column
        """
        return "\n".join(self._grid(read_limit("max_rows", max_rows)).lines())

    def to_frame(self) -> Any:
        """Return a pandas data frame, or a polars one if pandas is not installed; a row for each column."""
        names = ("name", "importance", "n_splits", "n_surrogates")
        return new_frame({name: [getattr(row, name) for row in self.rows] for name in names})

    def to_dict(self) -> dict[str, Any]:
        """Return the table as values that JSON can hold."""
        return {"rows": to_json_value(self.rows)}

    def to_html(self) -> str:
        """Return the table as HTML for a page or a notebook."""
        return f"<div>{self._grid(None).html()}</div>"

    def __str__(self) -> str:
        return self.to_text(N_SHOWN)

    def _repr_html_(self) -> str:
        return f"<div>{self._grid(N_SHOWN).html()}</div>"

    def _grid(self, n_rows: int | None) -> Grid:
        _ = messages(self.language)
        has_surrogates = any(row.n_surrogates for row in self.rows)
        shown = self.rows[:n_rows]
        rows = [
            [_short(row.name), f"{row.importance:.4f}", str(row.n_splits), *[str(row.n_surrogates)] * has_surrogates]
            for row in shown
        ]
        n_more = len(self.rows) - len(shown)
        below = [_.plural("… {n} more column", "… {n} more columns", n_more)] if n_more else []
        head = [_("column"), _("importance"), _("splits"), *[_("surrogates")] * has_surrogates]
        return Grid(head, rows, [False, *[True] * (len(head) - 1)], below)


def importances(tree: Tree, language: str = "en") -> Importances:
    """Return the columns of a tree by importance; on a tie in the order of the table.

    >>> from treewright.model.build import golf_example
    >>> print(importances(golf_example()))
    column    importance  splits
    humidity      0.3688       1
    windy         0.3688       1
    outlook       0.2624       1
    """
    messages(language)
    importance, inner = column_gains(tree), tree.column[tree.column >= 0]
    n_columns = tree.schema.n_columns
    n_splits = np.bincount(inner, minlength=n_columns)
    surrogates = tree.surrogates
    n_surrogates = np.bincount([] if surrogates is None else surrogates.column, minlength=n_columns).astype(np.int64)
    order = np.argsort(-importance, kind="stable").tolist()
    names = tree.schema.names
    return Importances(
        tuple(Importance(names[f], float(importance[f]), int(n_splits[f]), int(n_surrogates[f])) for f in order),
        language,
    )


def column_gains(tree: Tree) -> NDArray[np.float64]:
    """Return the gain of the splits of each column, weighted by their rows; the sum is 1, or all are 0.

    As in rpart a surrogate counts too, with the gain of the split it replaces times its adjusted agreement.

    >>> from treewright.model.build import golf_example
    >>> column_gains(golf_example()).round(4).tolist()
    [0.2624, 0.3688, 0.3688]
    """
    n_columns, inner = tree.schema.n_columns, tree.column >= 0
    gain = tree.gain * tree.weight
    gained = np.bincount(tree.column[inner], weights=gain[inner], minlength=n_columns).astype(np.float64, copy=False)
    surrogates = tree.surrogates
    if surrogates is not None:
        node = np.repeat(np.arange(tree.n_nodes), np.diff(surrogates.start))
        gained += np.bincount(surrogates.column, weights=gain[node] * surrogates.adjusted, minlength=n_columns)
    total = gained.sum()
    return gained / total if total > 0 else np.zeros_like(gained)


def _short(text: str) -> str:
    return printable(truncate(text, MAX_NAME))
