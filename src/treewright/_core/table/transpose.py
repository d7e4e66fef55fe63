"""A table by rows -> its columns, one after the other: copies, sorted lists, codes.

In: cells in any layout. Out: columns as the caller or the growth loop reads them. A row of the table is read
once for several columns, where a copy of each by itself would read the whole table every time.
"""

import cython
import numpy as np

if not cython.compiled:
    from treewright._core.table.sort_columns import n_counts, sort_column

NAN_BITS = cython.declare(cython.ulonglong, 0x7FF8000000000000)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_columns(table: cython.const[cython.double][:, :], columns: cython.int[::1],
                 out: cython.double[:, ::1]) -> cython.void:
    """What `take_columns` says; `out` may have more rows."""
    i: cython.longlong
    j: cython.longlong
    for i in range(out.shape[1]):
        for j in range(columns.shape[0]):
            out[j, i] = table[i, columns[j]]


def take_columns(table: cython.const[cython.double][:, :], columns: cython.int[::1],
                 out: cython.double[:, ::1]) -> None:
    """Copy these columns of the table into the rows of `out`."""
    with cython.nogil:
        copy_columns(table, columns, out)


def copy_table(table: cython.const[cython.double][:, :], out: cython.double[:, :]) -> None:
    """Copy a table; -0.0 becomes 0.0: they are one number."""
    i: cython.longlong
    j: cython.longlong
    with cython.nogil:
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = table[i, j] + 0.0


def rows_by_class(labels: cython.int[::1], n_classes: cython.longlong, shift: cython.int, packed: cython.bint,
                  entries: cython.uint[::1]) -> None:
    """Fill `entries` with the rows in order of their class; where labels are packed, each has its own above `shift`."""
    place: cython.longlong[::1] = np.zeros(n_classes + 1, np.int64)
    i: cython.longlong
    k: cython.longlong
    with cython.nogil:
        for i in range(labels.shape[0]):
            place[labels[i] + 1] += 1
        for k in range(n_classes):
            place[k + 1] += place[k]
        for i in range(labels.shape[0]):
            k = labels[i]
            entries[place[k]] = cython.cast(cython.uint, i)
            if packed:
                entries[place[k]] |= cython.cast(cython.uint, k << shift)
            place[k] += 1


def fill_columns(table: cython.const[cython.double][:, :], columns: cython.int[::1], places: cython.int[:, ::1],
                 n_levels: cython.longlong[::1], row_mask: cython.uint, lists: cython.uint[:, ::1],
                 codes: cython.int[:, ::1]) -> None:
    """Sort the numbers and code the categories among these columns, each into its row of `lists` or `codes`.

    places  the rows of lists, and behind them those of codes, by column
    lists   the last one has the rows by target, the order that rows of one value keep; a missing number is behind all
            others, and the code of a missing category is `n_levels`
    """
    n: cython.longlong = table.shape[0]
    k: cython.longlong = columns.shape[0]
    copies = np.empty((k + 3, n))  # of the columns, and room to sort; the same memory seen as whole numbers
    cells: cython.double[:, ::1] = copies
    bits: cython.ulonglong[:, ::1] = copies.view(np.uint64)
    count: cython.uint[::1] = np.empty(n_counts(n), np.uint32)
    last: cython.longlong = lists.shape[0] - 1
    i: cython.longlong
    j: cython.longlong
    f: cython.int
    code_row: cython.int
    with cython.nogil:
        copy_columns(table, columns, cells)
        for j in range(k):
            f = columns[j]
            code_row = places[1, f]
            if code_row >= 0:
                for i in range(n):
                    if cells[j, i] == cells[j, i]:
                        codes[code_row, i] = cython.cast(cython.int, cells[j, i])
                    else:
                        codes[code_row, i] = cython.cast(cython.int, n_levels[f])
                continue
            for i in range(n):
                if cells[j, i] != cells[j, i]:
                    bits[j, i] = NAN_BITS
            sort_column(bits[j], lists[last], row_mask, lists[places[0, f]], bits[k:], count)
