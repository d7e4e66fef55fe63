"""A table by rows -> the lowest and the highest value of each column, and whether cells are missing.

In: cells, the columns of a row side by side. Out: all three in one pass, several columns at a step, where to
ask for each by itself reads the table three times.
"""

import cython


def find_ends(table: cython.const[cython.double][:, ::1], low: cython.double[::1], high: cython.double[::1],
              gap: cython.double[::1]) -> None:
    """Lower `low` and raise `high` to the values met, passing over NaN; make `gap` NaN where one is not finite."""
    n: cython.longlong = table.shape[1]
    i: cython.longlong
    j: cython.longlong
    x: cython.double
    with cython.nogil:
        for i in range(table.shape[0]):
            for j in range(n):
                x = table[i, j]
                low[j] = x if x < low[j] else low[j]
                high[j] = x if x > high[j] else high[j]
                gap[j] += x - x
