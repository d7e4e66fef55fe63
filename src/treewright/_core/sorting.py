"""Sorting: short orders of categories.

In: a key for each. Out: their numbers in order of it.
"""

import cython

FEW = cython.declare(cython.longlong, 16)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def comes_after(key: cython.double[::1], a: cython.int, b: cython.int) -> cython.bint:
    return key[a] > key[b] or (key[a] == key[b] and a > b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_by_key(key: cython.double[::1], order: cython.int[::1], n: cython.longlong) -> cython.void:
    """Set order[:n] to 0 .. n - 1 sorted by (key, number): a few by insertion, more by a heap, so in n log n steps."""
    i: cython.longlong
    root: cython.longlong
    child: cython.longlong
    end: cython.longlong
    item: cython.int
    if n <= FEW:
        for i in range(n):
            child = i
            while child > 0 and key[order[child - 1]] > key[i]:
                order[child] = order[child - 1]
                child -= 1
            order[child] = cython.cast(cython.int, i)
        return
    for i in range(n):
        order[i] = cython.cast(cython.int, i)
    i = n // 2
    end = n
    while end > 1:
        if i > 0:
            i -= 1
            item = order[i]
        else:
            end -= 1
            item = order[end]
            order[end] = order[0]
        root = i
        child = 2 * root + 1
        while child < end:
            if child + 1 < end and comes_after(key, order[child + 1], order[child]):
                child += 1
            if not comes_after(key, order[child], item):
                break
            order[root] = order[child]
            root = child
            child = 2 * root + 1
        order[root] = item
