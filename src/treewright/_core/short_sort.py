"""Short lists in order of a key: the categories of a node, the branches of a split.

In: a key for each. Out: their numbers in order of it.
"""

import cython

SHORT_LIST = cython.declare(cython.longlong, 16)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def insertion_sort(key: cython.double[::1], order: cython.int[::1], first: cython.longlong,
             end: cython.longlong) -> cython.void:
    """Set order[first:end] to the numbers first to end - 1 sorted by (key, number), by insertion."""
    i: cython.longlong
    j: cython.longlong
    for i in range(first, end):
        j = i
        while j > first and key[order[j - 1]] > key[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = cython.cast(cython.int, i)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_runs(key: cython.double[::1], order: cython.int[::1], out: cython.int[::1], size: cython.longlong,
          n: cython.longlong) -> cython.void:
    """Merge every two neighbouring runs of this size; where keys are equal the first run has the lower numbers."""
    start: cython.longlong = 0
    a: cython.longlong
    b: cython.longlong
    middle: cython.longlong
    end: cython.longlong
    at: cython.longlong
    while start < n:
        middle = start + size if start + size < n else n
        end = middle + size if middle + size < n else n
        a = start
        b = middle
        for at in range(start, end):
            if b >= end or (a < middle and key[order[a]] <= key[order[b]]):
                out[at] = order[a]
                a += 1
            else:
                out[at] = order[b]
                b += 1
        start = end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_by_key(key: cython.double[::1], order: cython.int[::1], spare: cython.int[::1],
                n: cython.longlong) -> cython.void:
    """Set order[:n] to 0 .. n - 1 sorted by (key, number): runs of a few, merged; `spare` is as long, and is lost."""
    size: cython.longlong = SHORT_LIST
    first: cython.longlong = 0
    i: cython.longlong
    while first < n:
        insertion_sort(key, order, first, first + SHORT_LIST if first + SHORT_LIST < n else n)
        first += SHORT_LIST
    while size < n:
        merge_runs(key, order, spare, size, n)
        size *= 2
        if size >= n:
            for i in range(n):
                order[i] = spare[i]
            return
        merge_runs(key, spare, order, size, n)
        size *= 2
