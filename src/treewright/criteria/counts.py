"""Reading what a person types: class counts, branch tables, target values.

In: array-likes. Out: checked float64 arrays, or one sentence that says what is wrong.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.errors import InputError


def _as_float(given: ArrayLike, name: str, advice: str) -> NDArray[np.float64]:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} cannot be read as numbers in rows of one length; {advice}.") from None


def _refuse_bad_counts(counts: NDArray[np.float64], name: str, advice: str) -> None:
    bad = ~np.isfinite(counts) | (counts < 0)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        at = where[0] if len(where) == 1 else where
        raise InputError(f"{name} has {counts[where]:g} at position {at}; {advice}.")
    with np.errstate(over="ignore"):
        if not np.isfinite(counts.sum()):
            raise InputError(f"{name} sums to more than a 64-bit float holds; divide it by a constant.")
    if not counts.any():
        raise InputError(f"{name} is empty or all zero, so it has no class shares; {advice}.")


def read_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Class counts, weights or probabilities as a float64 vector.

    >>> read_counts([8, 9])
    array([8., 9.])
    """
    advice = "give counts, weights or probabilities of at least 0, such as [8, 9]"
    read = _as_float(counts, "the class counts", advice)
    if read.ndim != 1:
        raise InputError(f"the class counts have {read.ndim} dimensions instead of 1; {advice}.")
    _refuse_bad_counts(read, "the class counts", advice)
    return read


def read_branches(table: ArrayLike) -> NDArray[np.float64]:
    """A table of counts, one row per branch and one column per class, as a float64 matrix.

    >>> read_branches([[3, 3], [4, 2], [1, 4]]).shape
    (3, 2)
    """
    advice = "give one row of class counts per branch, such as [[3, 3], [4, 2], [1, 4]]"
    read = _as_float(table, "the branch table", advice)
    if read.ndim != 2:
        raise InputError(f"the branch table has {read.ndim} dimensions instead of 2; {advice}.")
    _refuse_bad_counts(read, "the branch table", advice)
    return read


def read_targets(
    y: ArrayLike, weight: ArrayLike | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Target numbers and their weights (1 each unless given) as float64 vectors of one length.

    >>> read_targets([4.5, 4.75])
    (array([4.5 , 4.75]), array([1., 1.]))
    """
    advice = "give one finite number per row, such as [4.5, 4.75, 4.91]"
    values = _as_float(y, "the target", advice)
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"the target has shape {values.shape}; {advice}.")
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(f"the target is {values[row]:g} in row {row}; {advice}.")
    return values, read_weight(weight, values.size)


def read_weight(weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    """Row weights as a float64 vector; 1 each unless given.

    >>> read_weight(None, 2)
    array([1., 1.])
    """
    if weight is None:
        return np.ones(n_rows)
    advice = "give one finite weight of at least 0 per row, not all 0"
    read = _as_float(weight, "the weight", advice)
    if read.shape != (n_rows,):
        raise InputError(f"the weight has shape {read.shape} for {n_rows} rows; {advice}.")
    _refuse_bad_counts(read, "the weight", advice)
    return read


def shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each entry's share of the sum.

    >>> shares(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    return np.asarray(counts / counts.sum(), dtype=np.float64)
