"""Class counts: read counts, branch tables and target values, and count classes by branch.

Everything that a person may type is checked here; what is wrong is an `InputError`. `contingency` counts two columns.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from treewright.errors import InputError


def read_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Return class counts, weights or probabilities as a float64 vector.

    >>> read_counts([8, 9])
    array([8., 9.])
    """
    advice = "pass counts, weights or probabilities of at least 0, such as [8, 9]"
    read = _as_float(counts, "The class counts", advice)
    if read.ndim != 1:
        raise InputError(f"The class counts must have 1 dimension, got {read.ndim}; {advice}.")
    _check_counts(read, "The class counts", advice)
    return read


def read_branches(table: ArrayLike) -> NDArray[np.float64]:
    """Return a table of counts as a float64 matrix: one row per branch, one column per class.

    >>> read_branches([[3, 3], [4, 2], [1, 4]]).shape
    (3, 2)
    """
    advice = "pass one row of class counts per branch, such as [[3, 3], [4, 2], [1, 4]]"
    read = _as_float(table, "The branch table", advice)
    if read.ndim != 2:
        raise InputError(f"The branch table must have 2 dimensions, got {read.ndim}; {advice}.")
    _check_counts(read, "The branch table", advice)
    return read


def read_targets(
    y: ArrayLike, weight: ArrayLike | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return target numbers and their weights (default 1) as float64 vectors of the same length.

    >>> read_targets([4.5, 4.75])
    (array([4.5 , 4.75]), array([1., 1.]))
    """
    advice = "pass one finite number per row, such as [4.5, 4.75, 4.91]"
    values = _as_float(y, "The target", advice)
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"The target must be one-dimensional and not empty, got the shape {values.shape}; {advice}.")
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(f"The target must be finite, got {values[row]:g} in row {row}; {advice}.")
    return values, read_weight(weight, values.size)


def read_weight(weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    """Return row weights as a float64 vector; without weights every row counts 1.

    >>> read_weight(None, 2)
    array([1., 1.])
    """
    if weight is None:
        return np.ones(n_rows)
    advice = "pass one finite weight of at least 0 per row, not all 0"
    read = _as_float(weight, "`weight`", advice)
    if read.shape != (n_rows,):
        raise InputError(f"`weight` must have the shape ({n_rows},), got {read.shape}; {advice}.")
    _check_counts(read, "`weight`", advice)
    return read


def read_labels(column: ArrayLike, name: str) -> list[object]:
    """Return the cells of a column of categories; a missing cell is an error.

    >>> read_labels(np.array(["是", "否"]), "y")
    ['是', '否']
    """
    cells = np.asarray(column, dtype=object)
    if cells.ndim != 1 or cells.size == 0:
        raise InputError(f"`{name}` must be one-dimensional and not empty, got the shape {cells.shape}.")
    read: list[object] = cells.tolist()
    for row, cell in enumerate(read):
        if _is_missing(cell):
            raise InputError(f"`{name}` is missing in row {row}; drop that row or replace the missing value.")
    return read


def proportions(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each entry divided by the sum of all entries.

    >>> proportions(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    return np.asarray(counts / counts.sum(), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """Counts (or weights) of branches by classes; an array-like that every merit accepts.

    Attributes
    ----------
    branches : tuple
        The categories, one for each row of the table.
    classes : tuple
        The classes, one for each column of the table.
    counts : ndarray of shape (n_branches, n_classes)
        The count, or the sum of the weights, of each pair.

    Examples
    --------
    >>> from treewright.criteria import information_gain
    >>> table = contingency(["sunny", "sunny", "rain", "rain"], ["no", "no", "yes", "yes"])
    >>> table.branches, table.classes
    (('sunny', 'rain'), ('no', 'yes'))
    >>> information_gain(table)
    1.0
    """

    branches: tuple[object, ...]
    classes: tuple[object, ...]
    counts: NDArray[np.float64]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.float64]:
        return self.counts.astype(dtype or np.float64, copy=bool(copy))

    def row(self, branch: object) -> NDArray[np.float64]:
        """Return the class counts of one branch.

        Parameters
        ----------
        branch : object
            A category in `branches`.

        Returns
        -------
        ndarray of shape (n_classes,)

        Examples
        --------
        >>> contingency(["sunny", "sunny", "rain"], ["no", "yes", "yes"]).row("rain").tolist()
        [0.0, 1.0]
        """
        if branch not in self.branches:
            names = ", ".join(repr(b) for b in self.branches)
            raise InputError(f"Unknown branch {branch!r}; the branches are {names}.")
        counts: NDArray[np.float64] = self.counts[self.branches.index(branch)]
        return counts


def contingency(x: ArrayLike, y: ArrayLike, weight: ArrayLike | None = None) -> Contingency:
    """Count each pair of category and class.

    Parameters
    ----------
    x : array-like
        A column of categories.
    y : array-like
        The class of each row.
    weight : array-like, optional
        The weight of each row; 1 by default.

    Returns
    -------
    Contingency
        Categories and classes in the order in which they first occur.

    Examples
    --------
    >>> colour = ["青绿", "乌黑", "乌黑", "浅白", "青绿"]
    >>> table = contingency(colour, ["是", "是", "是", "否", "否"])
    >>> table.branches, table.classes
    (('青绿', '乌黑', '浅白'), ('是', '否'))
    >>> table.counts.tolist()
    [[1.0, 1.0], [2.0, 0.0], [0.0, 1.0]]
    """
    cells, labels = read_labels(x, "x"), read_labels(y, "y")
    if len(cells) != len(labels):
        raise InputError(f"`x` has {len(cells)} rows and `y` has {len(labels)}; pass one class per row.")
    branches, branch_code = _encode(cells)
    classes, class_code = _encode(labels)
    counts = np.zeros((len(branches), len(classes)))
    np.add.at(counts, (branch_code, class_code), read_weight(weight, len(cells)))
    counts.setflags(write=False)
    return Contingency(branches, classes, counts)


def _encode(cells: list[object]) -> tuple[tuple[object, ...], NDArray[np.intp]]:
    """The different cells in the order of their first occurrence, and the position of each cell among them."""
    position: dict[object, int] = {}
    codes = [position.setdefault(cell, len(position)) for cell in cells]
    return tuple(position), np.array(codes, dtype=np.intp)


def _is_missing(cell: object) -> bool:
    # NaN and NaT differ from themselves; a comparison with pandas' NA is neither true nor false.
    try:
        return cell is None or bool(cell != cell)
    except TypeError:
        return True


def _as_float(given: ArrayLike, name: str, advice: str) -> NDArray[np.float64]:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers in rows of equal length; {advice}.") from None


def _check_counts(counts: NDArray[np.float64], name: str, advice: str) -> None:
    bad = ~np.isfinite(counts) | (counts < 0)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        at = where[0] if len(where) == 1 else where
        raise InputError(f"{name} must be finite and at least 0, got {counts[where]:g} at position {at}; {advice}.")
    with np.errstate(over="ignore"):
        if not np.isfinite(counts.sum()):
            raise InputError(f"{name} must have a sum within the range of a 64-bit float; divide by a constant.")
    if not counts.any():
        raise InputError(f"{name} must have an entry above 0; {advice}.")
