"""Medians: the loss of absolute error for every beginning of a list of rows.

In: rows in the order of a column, each with the rank of its target. Out: the sum of w |y - median| of the first n of
them, for many n at once. The ranks are sorted out bit by bit, as in a wavelet tree, and all questions descend together:
the time grows with rows times the bits of a rank.
"""

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


def medians_of_beginnings(
    rank: Whole, weight: Whole, values: NDArray[np.float64], length: Whole
) -> NDArray[np.float64]:
    """The median of the first `length` rows, for each length; halfway between two values that share the middle.

    rank    of the target among the distinct ones, from 0; `values` are these, rising

    >>> rank, one, values = np.array([0, 2, 1]), np.ones(3, np.int64), np.array([1.0, 2.0, 6.0])
    >>> medians_of_beginnings(rank, one, values, np.array([1, 2, 3])).tolist()
    [1.0, 3.5, 2.0]
    """
    low, high = (values[_middle_ranks(rank, weight, length, more)] for more in (0, 1))
    return np.where(low == high, low, low / 2 + high / 2)


def _middle_ranks(rank: Whole, weight: Whole, length: Whole, more: int) -> Whole:
    """The first rank at which half of the weight is reached (`more` is 0) or gone beyond (1)."""
    half = np.concatenate([[0], np.cumsum(weight)])[length] + more
    first, last = np.zeros(len(length), np.int64), length.astype(np.int64)
    before, found = np.zeros(len(length), np.int64), np.zeros(len(length), np.int64)
    for bit in range(int(rank.max(initial=0)).bit_length() - 1, -1, -1):
        low = (rank >> bit & 1) == 0
        n_low, w_low = (np.concatenate([[0], np.cumsum(np.where(low, a, 0))]) for a in (np.ones_like(weight), weight))
        here = w_low[last] - w_low[first]
        goes_low = 2 * (before + here) >= half
        before += np.where(goes_low, 0, here)
        found |= np.where(goes_low, 0, 1 << bit)
        first, last = (np.where(goes_low, n_low[a], n_low[-1] + a - n_low[a]) for a in (first, last))
        order = np.argsort(~low, kind="stable")
        rank, weight = rank[order], weight[order]
    return found


def losses_of_beginnings(rank: Whole, weight: Whole, moment: Whole, length: Whole) -> NDArray[np.float64]:
    """The loss of the first `length` rows, for each length, in units of the moment.

    rank    of the target among the distinct ones, from 0; moment is weight times target

    >>> y, one = np.array([1, 6, 2]), np.ones(3, np.int64)
    >>> losses_of_beginnings(np.array([0, 2, 1]), one, y, np.array([1, 2, 3])).tolist()
    [0.0, 5.0, 5.0]
    """
    total, all_moment = (np.concatenate([[0], np.cumsum(a)])[length] for a in (weight, moment))
    # the part of the list that holds the ranks still possible: from `first` up to `last`
    first, last = np.zeros(len(length), np.int64), length.astype(np.int64)
    before, below = np.zeros(len(length), np.int64), np.zeros(len(length), np.int64)
    for bit in range(int(rank.max(initial=0)).bit_length() - 1, -1, -1):
        low = (rank >> bit & 1) == 0
        n_low, w_low, m_low = (
            np.concatenate([[0], np.cumsum(np.where(low, a, 0))]) for a in (np.ones_like(weight), weight, moment)
        )
        here = w_low[last] - w_low[first]
        goes_low = 2 * (before + here) >= total
        before += np.where(goes_low, 0, here)
        below += np.where(goes_low, 0, m_low[last] - m_low[first])
        first, last = (np.where(goes_low, n_low[a], n_low[-1] + a - n_low[a]) for a in (first, last))
        order = np.argsort(~low, kind="stable")
        rank, weight, moment = rank[order], weight[order], moment[order]
    own, own_moment = (
        np.concatenate([[0], np.cumsum(a)])[last] - np.concatenate([[0], np.cumsum(a)])[first]
        for a in (weight, moment)
    )
    median = own_moment / own
    above, rest = all_moment - below - own_moment, total - before - own
    return (above - below) - median * (rest - before)
