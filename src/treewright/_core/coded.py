"""Coded columns: numbers of few different values, which need no sorted list, and categories of few values.

In: a byte for each row and column, its code, which rises with the value; the codes of a row stand side by side. Out:
tallies of nodes: for each value, a cell, the rows of each class, or the rows and the sum of moments. A cut is found in
a tally as it is found in a sorted list, and it is the same cut. A category, whose code is its own, may have missing
cells, with one code more; its tally is the table that its branches are found in. Several threads each have a Coded;
what they share is the same arrays behind it.
"""

import cython


@cython.cclass
class Coded:
    """A plain record; see coded.pxd for what each name holds."""

    def __init__(self, **fields: object) -> None:
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            setattr(self, name, value)
