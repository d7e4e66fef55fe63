"""The dataset: an encoded table with its target and its weights.

In: a schema and encoded arrays. Out: the same arrays, kept together when rows are selected.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.column_ranges import ColumnRanges, find_column_ranges
from treewright.data.schema import Schema


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """An encoded table.

    values  float64 (n_rows, n_columns), any strides: numbers, or codes of (ordered) categories in the schema; NaN is
            a missing cell
    target  int32 class codes, or float64 numbers for regression; (n_rows,)
    weight  float64 (n_rows,), or None if every row has weight 1
    copies  whether integer weights mean copies of a row; otherwise all weights are importances
    ranges  the column ranges of `values`, or of an array that `values` replaced: use `known_ranges`
    """

    schema: Schema
    values: NDArray[np.float64]
    target: NDArray[np.int32] | NDArray[np.float64]
    weight: NDArray[np.float64] | None = None
    copies: bool = True
    ranges: ColumnRanges | None = None

    @property
    def n_rows(self) -> int:
        return self.values.shape[0]

    @property
    def n_columns(self) -> int:
        return self.values.shape[1]

    @property
    def is_counted(self) -> bool:
        """Whether the weights are counts of rows: integers that mean copies."""
        return self.weight is None or (self.copies and bool(np.all(self.weight == np.floor(self.weight))))

    @property
    def row_weights(self) -> NDArray[np.float64]:
        """The weight of each row; 1 without weights."""
        return np.ones(self.n_rows) if self.weight is None else self.weight

    @property
    def known_ranges(self) -> ColumnRanges | None:
        """The column ranges of the values, if they have been computed already."""
        return self.ranges if self.ranges is not None and self.ranges.table is self.values else None

    def take(self, rows: NDArray[np.intp]) -> "Dataset":
        """The dataset of these rows, in this order."""
        weight = None if self.weight is None else self.weight[rows]
        return Dataset(self.schema, self.values[rows], self.target[rows], weight, self.copies)

    def own(self, X: object) -> "Dataset":
        """The same rows in arrays that do not share memory with X, the table of the user."""
        shared = self.values is X or (isinstance(X, np.ndarray) and np.may_share_memory(self.values, X))
        values = self.values.copy() if shared else self.values
        weight = None if self.weight is None else self.weight.copy()
        return Dataset(self.schema, values, self.target.copy(), weight, self.copies)

    def spread(self) -> NDArray[np.float64]:
        """Highest minus lowest value of each column, among rows of weight above 0; NaN for a column without values."""
        ranges = self.known_ranges if self.weight is None else find_column_ranges(self.values[self.weight > 0])
        ranges = ranges or find_column_ranges(self.values)
        with np.errstate(over="ignore"):
            return ranges.high - ranges.low + 0.0  # -0.0 becomes 0
