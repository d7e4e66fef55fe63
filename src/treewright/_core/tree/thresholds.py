"""Cuts of many columns -> the largest values of their columns that are not above them.

In: a table by rows, and cuts in order of column, then size. Out: a value for each cut. The table is read
once, in any order of its rows: no column is sorted for it.
"""

import cython

ROWS = cython.declare(cython.Py_ssize_t, 256)  # read together, so that the cuts of one column stay at hand


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def not_below(cuts: cython.double[::1], first: cython.longlong, n: cython.longlong,
              value: cython.double) -> cython.longlong:
    """The first of n rising cuts, from `first` on, that is not below a value, or the one behind them all.

    No branch depends on the value: the processor looks several values up at once.
    """
    half: cython.longlong
    while n > 1:
        half = n >> 1
        first += half if cuts[first + half - 1] < value else 0
        n -= half
    return first + (1 if cuts[first] < value else 0)


def values_up_to(values: cython.const[cython.double][:, :], start: cython.longlong[::1], cuts: cython.double[::1],
                 best: cython.double[::1]) -> None:
    """Fill `best` with the largest value of each cut's column that is not above it; where there is none it stays.

    start  column -> its first cut, and behind them all the number of cuts
    best   starts with numbers that every value is above; missing values are above nothing
    """
    n: cython.Py_ssize_t = values.shape[0]
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t
    i: cython.Py_ssize_t
    f: cython.Py_ssize_t
    at: cython.longlong
    value: cython.double
    with cython.nogil:
        while low < n:
            high = low + ROWS if low + ROWS < n else n
            for f in range(values.shape[1]):
                if start[f] == start[f + 1]:
                    continue
                for i in range(low, high):
                    value = values[i, f]
                    at = not_below(cuts, start[f], start[f + 1] - start[f], value)
                    if at < start[f + 1] and value > best[at]:
                        best[at] = value
            low = high
        for f in range(values.shape[1]):  # so far each has the largest value between it and the cut before
            for at in range(start[f] + 1, start[f + 1]):
                if best[at - 1] > best[at]:
                    best[at] = best[at - 1]
