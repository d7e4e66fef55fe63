"""Reading: rows to be answered, in the codes of the training table.

In: a table as the estimator takes it, or one row. Out: encoded values. Categories that training never showed are warned
of in a table; in one row the explanation says it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import Unseen, encode_table, refuse_missing
from treewright.data.frames import open_sheet
from treewright.data.records import are_records
from treewright.data.schema import Column
from treewright.data.unseen import warn_unseen
from treewright.errors import InputError
from treewright.explain.row import cells_of


@dataclass(frozen=True, slots=True)
class Reader:
    """How rows are read.

    columns  what the columns are
    names    their names, None where the training table had none
    unseen   what a category becomes that training never showed: "error", "missing" or "mark"
    words    what the warning says of it
    complete whether a row with a missing value is refused
    """

    columns: tuple[Column, ...]
    names: tuple[str, ...] | None
    unseen: str
    words: str
    complete: bool = False

    def table(self, X: Any) -> NDArray[np.float64]:
        """The rows of a table.

        >>> from treewright.data.schema import Kind
        >>> Reader((Column("colour", Kind.CATEGORY, ("blue", "red")),), None, "mark", "").table([["red"]])
        array([[1.]])
        """
        if self.names is not None and type(X) is not np.ndarray and not are_records(X):
            self._refuse_other_names(X)
        values, found = self._encoded(X)
        if found:
            warn_unseen(found, f"such a value {self.words}")
        return values

    def row(self, row: Any) -> NDArray[np.float64]:
        """One row, as a table of one: a dict by column name, a list, a Series, or a table of one row."""
        cells = cells_of(row, [column.name for column in self.columns], self.names is not None)
        if cells is not None:
            return self._encoded(cells)[0]
        if self.names is not None and type(row) is not np.ndarray:
            self._refuse_other_names(row)
        return self._encoded(row)[0]

    def _encoded(self, X: Any) -> tuple[NDArray[np.float64], tuple[Unseen, ...]]:
        encoded = encode_table(X, self.columns, self.unseen)
        if self.complete:
            refuse_missing(self.columns, encoded.values)
        return encoded.values, encoded.unseen

    def _refuse_other_names(self, X: Any) -> None:
        given = open_sheet(X).feature_names
        if given is None or tuple(given) == self.names:
            return
        pairs = zip(given, self.names or (), strict=False)
        here = next(((one, other) for one, other in pairs if one != other), None)
        if here is not None:
            raise InputError(
                f"X has the column {here[0]!r} where the rules expect {here[1]!r}; give the columns of the training "
                "table in the same order."
            )
