"""Cases: the training rows, as the making of rules counts them.

In: a dataset. Out: its columns, its classes, and what each row counts for. Quinlan's program knows no weights: there a
case counts 1. Here a row of weight 2 is two cases where weights are whole; otherwise a row counts its weight divided by
the mean weight. Sums are those of whole numbers, so they do not depend on the order of rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Schema
from treewright.data.units import weights_in_units


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """The rows that count.

    schema   what their columns are
    columns  float64, one array for each column
    target   the class codes
    units    what each row counts for, in small units, as whole float64 numbers
    one      how many units are one case
    weight   the weight of one case
    """

    schema: Schema
    columns: tuple[NDArray[np.float64], ...]
    target: NDArray[np.int32]
    units: NDArray[np.float64]
    one: float
    weight: float

    @property
    def n_rows(self) -> int:
        return len(self.target)

    @property
    def n_classes(self) -> int:
        return self.schema.target.n_classes

    @property
    def total(self) -> float:
        """N, the number of cases."""
        return float(self.units.sum()) / self.one

    @property
    def frequency(self) -> NDArray[np.float64]:
        """The cases of each class."""
        return self.count(self.target, self.n_classes)

    def count(
        self, of: NDArray[np.integer], n: int, rows: NDArray[np.integer] | None = None
    ) -> NDArray[np.float64]:
        """The cases of each number from 0 to n - 1; of these rows, where they are given.

        >>> from treewright.data.schema import Target
        >>> data = Dataset(Schema((), Target(classes=("a", "b"))), np.zeros((3, 0)), np.array([0, 1, 1], np.int32))
        >>> cases_of(data).count(np.array([0, 2, 2]), 3).tolist()
        [1.0, 0.0, 2.0]
        """
        return np.bincount(of, self.units if rows is None else self.units[rows], n) / self.one


def cases_of(rows: Dataset) -> Cases:
    """The rows of a dataset that have weight.

    >>> from treewright.data.schema import Target
    >>> schema = Schema((), Target(classes=("a", "b")))
    >>> data = Dataset(schema, np.zeros((3, 0)), np.array([0, 1, 1], np.int32), np.array([0.5, 0.0, 1.5]))
    >>> cases_of(data).frequency.tolist()
    [0.5, 1.5]
    """
    weight, used = rows.weight, rows
    if weight is not None and not weight.all():
        used = rows.take(np.flatnonzero(weight))
    found = weights_in_units(used.weight)
    units = np.ones(used.n_rows) if found.whole is None else found.whole.astype(np.float64)
    one = 1.0 if rows.is_counted else float(units.sum()) / used.n_rows
    columns = tuple(np.ascontiguousarray(column) for column in used.values.T)
    # Not the mean of the weights: that would depend on the order in which they are added up.
    weight_of_one = one * found.unit
    return Cases(rows.schema, columns, used.target.astype(np.int32, copy=False), units, one, weight_of_one)
