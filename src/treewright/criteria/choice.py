"""What C4.5 does with gains before it ranks columns: the charge for many cuts, and the average floor.

In: gains of columns in bits, numbers of cuts. Out: the charge, the average, and who may be ranked.
"""

from math import isfinite, log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.errors import InputError


def cut_charge(n_cuts: int, weight: float) -> float:
    """Bits a cut of a number pays in C4.5 Release 8: log2 of the number of admissible cuts, divided by the
    weight of the node's rows.

    Density (密度) of Zhou's 17 melons has 16 cuts:

    >>> round(cut_charge(16, 17), 4)
    0.2353
    """
    if n_cuts < 1:
        raise InputError(
            f"n_cuts is {n_cuts}, but a column that can be cut has at least 1; leave others out."
        )
    if not (isfinite(weight) and weight > 0):
        raise InputError(f"the node's weight is {weight}; give a finite weight above 0.")
    return log2(n_cuts) / weight


def read_gains(gains: ArrayLike) -> NDArray[np.float64]:
    """Gains as a float64 vector, one per column.

    >>> read_gains([0.25, 0.03])
    array([0.25, 0.03])
    """
    read = np.asarray(gains, dtype=np.float64)
    if read.ndim != 1 or read.size == 0 or not np.isfinite(read).all():
        raise InputError(f"the gains are {gains!r}; give one finite gain per column, such as [0.25, 0.03].")
    return read


def average_gain(gains: ArrayLike) -> float:
    """The mean gain of the columns that have a candidate.

    The six columns of Zhou's melons 2.0:

    >>> round(average_gain([0.1081, 0.1427, 0.1408, 0.3806, 0.2892, 0.0060]), 4)
    0.1779
    """
    return float(read_gains(gains).mean())


def at_least_average(gains: ArrayLike, slack: float = 1e-10) -> NDArray[np.bool_]:
    """Which columns C4.5 ranks by gain ratio: those whose gain is at least the average, less a slack.

    Only texture (纹理) and navel (脐部) of Zhou's melons 2.0 are ranked:

    >>> at_least_average([0.1081, 0.1427, 0.1408, 0.3806, 0.2892, 0.0060]).tolist()
    [False, False, False, True, True, False]
    """
    read = read_gains(gains)
    ranked: NDArray[np.bool_] = read >= read.mean() - slack
    return ranked
