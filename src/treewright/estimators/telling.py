"""Telling holes: whether missing values say something about the target.

In: the training rows. Out: the column whose holes tell most, where they tell more than it costs to say so. Then a
missing value is as good as a value, and rows go where that gains; otherwise it is one that nobody wrote down, and rows
are shared out.
"""

from math import log2

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset


def telling_column(rows: Dataset) -> int | None:
    """The column whose holes save most bits about the target, if they save more than their description; None: none.

    To split all rows into those with and those without a value is described by the bit that there is a split, log2 of
    the columns, and half a bit for each doubling of the rows and each number that one leaf more answers with: a share
    for each class but one, or a mean.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("income", Kind.NUMBER),), Target("pays", ("no", "yes")))
    >>> pays = np.repeat(np.array([0, 1], np.int32), 50)
    >>> telling_column(Dataset(schema, np.where(pays, 1000.0, np.nan)[:, None], pays))
    0
    >>> every_other = np.where(np.arange(100) % 2, 1000.0, np.nan)[:, None]
    >>> telling_column(Dataset(schema, every_other, pays)) is None
    True
    """
    weight = rows.row_weights
    weight = weight * (np.count_nonzero(weight) / max(float(weight.sum()), 1e-300))  # a row is 1 on average
    n = float(weight.sum())
    if n < 2:
        return None
    is_number, target = rows.schema.target.is_number, rows.target
    if is_number:  # only proportions of squares matter: none of them is to be infinite or 0
        target = np.ldexp(target, -int(np.frexp(np.abs(target).max())[1]))
    whole = _bits(target, weight, rows.schema.target.n_classes)
    best, most = None, 0.0
    for f in range(rows.n_columns):
        gone = np.isnan(rows.values[:, f]) & (weight > 0)
        known = ~gone & (weight > 0)
        if not (gone.any() and known.any()):
            continue
        parts = sum(_bits(target[side], weight[side], rows.schema.target.n_classes) for side in (gone, known))
        saved = n / 2.0 * log2(whole / parts) if is_number and parts > 0 else whole - parts
        if saved > most:
            best, most = f, saved
    answers = 1 if is_number else rows.schema.target.n_classes - 1
    price = 1.0 + log2(rows.n_columns) + answers / 2.0 * log2(n)
    return best if most > price else None


def _bits(target: NDArray[np.generic], weight: NDArray[np.float64], n_classes: int) -> float:
    """Weight times entropy of classes; of numbers the sum of squares about the mean."""
    total = float(weight.sum())
    if not n_classes:
        mean = float(weight @ target.astype(np.float64)) / total
        return float(weight @ np.square(target.astype(np.float64) - mean))
    counts = np.bincount(target.astype(np.intp), weight, n_classes)
    counts = counts[counts > 0]
    return float(total * log2(total) - counts @ np.log2(counts))
