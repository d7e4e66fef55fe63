"""Resample: a table drawn again from itself.

In: a dataset and a seed. Out: resamples: as many rows as there are are drawn with replacement, as in the bootstrap of
Efron (1979), and a row that is drawn twice counts once. So a resample has about 63 of 100 rows. Copies would be taken
for further evidence by everything that counts rows, above all by pruning, and would leave trees several times as large.

Rows are drawn from the order in which folds are dealt, which does not depend on the order of the table; a row of weight
3 is three rows, unless weights are importances.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.folds import deal

MOST_DRAWN = 2**24
"""So many rows are drawn one by one; beyond, only how many copies of each are drawn."""


class Resamples:
    """The resamples of a dataset; number i is the same, however many are made.

    rows    the rows that count, in the order they are drawn from
    n_rows  how many there are, where whole weights are counts
    """

    def __init__(self, dataset: Dataset, seed: int) -> None:
        dealt = deal(dataset)
        self.rows = dealt.dataset.take(dealt.order)
        self.n_rows = dealt.n_units
        self._stops, self._counted, self._seed = dealt.stops, dealt.counted, seed

    def draw(self, i: int) -> tuple[Dataset, Dataset]:
        """Resample number i, and the rows that it left out.

        >>> from treewright.data.schema import Column, Kind, Schema, Target
        >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
        >>> rows = Dataset(schema, np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1]))
        >>> drawn, left_out = Resamples(rows, 0).draw(3)
        >>> drawn.values.ravel().tolist(), left_out.values.ravel().tolist()
        ([1.0, 5.0, 3.0, 4.0], [2.0, 0.0])
        """
        drawn = self._drawn(np.random.default_rng((self._seed, i)))
        return self._part(drawn), self._part(np.diff(self._stops, prepend=0) - drawn)

    def _drawn(self, chance: np.random.Generator) -> NDArray[np.int64]:
        """How many copies of each row are drawn at least once."""
        n = self.n_rows
        if n > MOST_DRAWN:
            return chance.binomial(np.diff(self._stops, prepend=0), 1.0 - (1.0 - 1.0 / n) ** n)
        units = np.zeros(n, np.int64)
        units[chance.integers(0, n, n)] = 1
        return np.add.reduceat(units, self._stops - np.diff(self._stops, prepend=0))

    def _part(self, times: NDArray[np.int64]) -> Dataset:
        some = np.flatnonzero(times)
        rows = self.rows.take(some)
        return replace(rows, weight=times[some].astype(np.float64)) if self._counted else rows
