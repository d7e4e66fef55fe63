"""Table: the rows of a textbook's example, to be counted by hand or given to an estimator.

In: the text of a table. Out: a `Table`: columns of words or numbers in the order of the book, the target last. A
missing cell is None.
"""

import csv
from dataclasses import dataclass
from io import StringIO

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Table:
    """Rows of a textbook's table; the last column is the target."""

    names: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    @property
    def features(self):
        return self.names[:-1]

    @property
    def y(self):
        return self[self.names[-1]]

    def __getitem__(self, name):
        at = self.names.index(name)
        return [row[at] for row in self.rows]

    def where(self, name, value):
        """The rows in which a column has a value."""
        at = self.names.index(name)
        return Table(self.names, tuple(row for row in self.rows if row[at] == value))

    def known(self, name):
        """The rows in which a column is not missing."""
        at = self.names.index(name)
        return Table(self.names, tuple(row for row in self.rows if row[at] is not None))

    def without(self, **rows):
        """The same table with cells missing: for each column the numbers of the rows, counted from 1 as books do."""
        return Table(
            self.names,
            tuple(
                tuple(None if n in rows.get(c, ()) else cell for c, cell in zip(self.names, row, strict=True))
                for n, row in enumerate(self.rows, start=1)
            ),
        )

    def frame(self):
        """The features as pandas reads them: numbers as floats, words as categories in order of appearance."""
        columns = {name: self[name] for name in self.features}
        known = {name: [c for c in cells if c is not None] for name, cells in columns.items()}
        return pd.DataFrame(
            {
                name: np.array(cells, dtype=float)
                if isinstance(known[name][0], float)
                else pd.Categorical(cells, categories=list(dict.fromkeys(known[name])))
                for name, cells in columns.items()
            }
        )


def read(text, numbers=()):
    """A table from its text: names first, then rows; `numbers` names the columns of numbers."""
    names, *rows = csv.reader(StringIO(text.strip()))
    is_number = [name in numbers for name in names]
    return Table(
        tuple(names),
        tuple(tuple(float(c) if n else c for c, n in zip(r, is_number, strict=True)) for r in rows),
    )
