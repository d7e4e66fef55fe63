"""Contingency: the table of counts that all merits are computed from.

In: a column of categories and a column of classes, in any language. Out: branches by classes, with names.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from treewright.criteria.counts import read_weight
from treewright.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """Counts (or weights) of branches by classes; itself an array-like, so every merit takes it as it is."""

    branches: tuple[object, ...]
    classes: tuple[object, ...]
    counts: NDArray[np.float64]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.float64]:
        return self.counts.astype(dtype or np.float64, copy=bool(copy))

    def row(self, branch: object) -> NDArray[np.float64]:
        """The class counts of one branch."""
        if branch not in self.branches:
            names = ", ".join(repr(b) for b in self.branches)
            raise InputError(f"there is no branch {branch!r}; the branches are {names}.")
        counts: NDArray[np.float64] = self.counts[self.branches.index(branch)]
        return counts


def contingency(x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None) -> Contingency:
    """Count each pair of category and class; both stand in the order in which they first occur.

    >>> colour = ["青绿", "乌黑", "乌黑", "浅白", "青绿"]
    >>> table = contingency(colour, ["是", "是", "是", "否", "否"])
    >>> table.branches, table.classes
    (('青绿', '乌黑', '浅白'), ('是', '否'))
    >>> table.counts.tolist()
    [[1.0, 1.0], [2.0, 0.0], [0.0, 1.0]]
    """
    cells, labels = read_labels(x, "x"), read_labels(y, "y")
    if len(cells) != len(labels):
        raise InputError(f"x has {len(cells)} rows and y has {len(labels)}; give one class per row.")
    branches, branch_code = _codes(cells)
    classes, class_code = _codes(labels)
    counts = np.zeros((len(branches), len(classes)))
    np.add.at(counts, (branch_code, class_code), read_weight(weight, len(cells)))
    counts.setflags(write=False)
    return Contingency(branches, classes, counts)


def read_labels(column: ArrayLike, name: str) -> list[object]:
    """The cells of a column of words (or whole numbers, or truth values), none of them missing.

    >>> read_labels(np.array(["是", "否"]), "y")
    ['是', '否']
    """
    cells = np.asarray(column, dtype=object)
    if cells.ndim != 1 or cells.size == 0:
        raise InputError(f"{name} has shape {cells.shape}; give a column with at least one row.")
    read: list[object] = cells.tolist()
    for row, cell in enumerate(read):
        if _is_missing(cell):
            raise InputError(f"{name} is missing in row {row}; leave that row out or name the missing value.")
    return read


def _is_missing(cell: object) -> bool:
    # NaN and NaT differ from themselves; pandas' NA answers neither yes nor no.
    try:
        return cell is None or bool(cell != cell)
    except TypeError:
        return True


def _codes(cells: list[object]) -> tuple[tuple[object, ...], NDArray[np.intp]]:
    position: dict[object, int] = {}
    codes = [position.setdefault(cell, len(position)) for cell in cells]
    return tuple(position), np.array(codes, dtype=np.intp)
