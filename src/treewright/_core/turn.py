"""A table by rows -> some of its columns, one after the other.

In: cells in any layout. Out: copies of columns. A row of the table is read once for all of them, where a copy of each
column by itself would read the whole table every time.
"""

import cython


def take_columns(table: cython.double[:, :], columns: cython.int[::1], out: cython.double[:, ::1]) -> None:
    """Copy these columns of the table into the rows of `out`."""
    n: cython.longlong = out.shape[1]
    k: cython.longlong = columns.shape[0]
    i: cython.longlong
    j: cython.longlong
    with cython.nogil:
        for i in range(n):
            for j in range(k):
                out[j, i] = table[i, columns[j]]
