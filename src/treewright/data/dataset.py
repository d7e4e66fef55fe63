"""Dataset: the owner of every per-row array.

In: a schema and encoded arrays. Out: the same arrays, kept together whatever rows are taken.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.ends import Ends, ends_of
from treewright.data.schema import Schema


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """An encoded table.

    values  float64 (n_rows, n_columns), any strides. A number stands as it is; an ordered or plain category
            stands as its code in the schema; NaN is a missing cell.
    target  int32 class codes, or float64 numbers for regression; (n_rows,)
    weight  float64 (n_rows,), or None when every row counts once
    copies  whether whole weights stand for copies of a row; otherwise all weights are importances
    ends    of the values or, once these were replaced, of others: ask `known_ends`
    """

    schema: Schema
    values: NDArray[np.float64]
    target: NDArray[np.int32] | NDArray[np.float64]
    weight: NDArray[np.float64] | None = None
    copies: bool = True
    ends: Ends | None = None

    @property
    def n_rows(self) -> int:
        return self.values.shape[0]

    @property
    def n_columns(self) -> int:
        return self.values.shape[1]

    @property
    def is_counted(self) -> bool:
        """Whether the weights are counts of rows: all of them whole, and meant so."""
        return self.weight is None or (self.copies and bool(np.all(self.weight == np.floor(self.weight))))

    @property
    def row_weights(self) -> NDArray[np.float64]:
        """The weight of each row: 1 where none were given."""
        return np.ones(self.n_rows) if self.weight is None else self.weight

    @property
    def known_ends(self) -> Ends | None:
        """The ends of the values, if someone has found them already."""
        return self.ends if self.ends is not None and self.ends.table is self.values else None

    def take(self, rows: NDArray[np.intp]) -> "Dataset":
        """The dataset of these rows, in this order."""
        weight = None if self.weight is None else self.weight[rows]
        return Dataset(self.schema, self.values[rows], self.target[rows], weight, self.copies)

    def own(self, X: object) -> "Dataset":
        """The same rows in arrays that are not the user's: values that are in the array X are copied."""
        shared = self.values is X or (isinstance(X, np.ndarray) and np.may_share_memory(self.values, X))
        values = self.values.copy() if shared else self.values
        weight = None if self.weight is None else self.weight.copy()
        return Dataset(self.schema, values, self.target.copy(), weight, self.copies)

    def spread(self) -> NDArray[np.float64]:
        """Highest less lowest value of each column, among the rows that count; NaN where no value is known."""
        ends = self.known_ends if self.weight is None else ends_of(self.values[self.weight > 0])
        ends = ends or ends_of(self.values)
        with np.errstate(over="ignore"):
            return ends.high - ends.low + 0.0  # -0.0 reads as 0
