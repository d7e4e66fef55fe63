"""The store of shares: which rows, with how much of their weight, end at the leaves of a tree.

In: `Places` with rows on their way, each leaf with a segment of the store. Out: segments; or the rows of a place, put
together from the shares at the leaves below it, which sum to what each row has at the place. No recursion: a tree may
be as deep as it has rows.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.places import Places
else:
    from treewright._core.places import Places


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gather(p: Places, place: cython.longlong) -> cython.longlong:
    """Put the rows of a place on their way, from the shares at the leaves below it; how many there are."""
    n: cython.longlong = 0
    top: cython.longlong = 1
    node: cython.longlong
    i: cython.longlong
    row: cython.int
    p.stack[0] = place
    while top > 0:
        top -= 1
        node = p.stack[top]
        if p.cells[node].child >= 0:
            for i in range(p.n_branches[node]):
                p.stack[top] = p.cells[node].child + i
                top += 1
            continue
        for i in range(p.start[node], p.start[node] + p.count[node]):
            row = p.stored_row[i]
            if p.gathered[row] == 0:
                p.row_at[n] = row
                n += 1
            p.gathered[row] += p.stored_weight[i]
    for i in range(n):
        p.weight_at[i] = p.gathered[p.row_at[i]]
        p.gathered[p.row_at[i]] = 0
    p.n_steps += n
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store(p: Places, place: cython.longlong, start: cython.longlong, stop: cython.longlong) -> cython.void:
    """Make a segment of the rows on their way that end at a leaf."""
    i: cython.longlong
    p.start[place] = p.n_stored
    for i in range(start, stop):
        p.stored_row[p.n_stored] = p.row_at[i]
        p.stored_weight[p.n_stored] = p.weight_at[i]
        p.n_stored += 1


def move_store(p: Places, rows: cython.int[::1], weights: cython.longlong[::1]) -> int:
    """Copy the segments of the leaves that the root still reaches into another store; how many shares they hold."""
    n: cython.longlong = 0
    top: cython.longlong = 1
    node: cython.longlong
    start: cython.longlong
    i: cython.longlong
    with cython.nogil:
        p.stack[0] = 0
        while top > 0:
            top -= 1
            node = p.stack[top]
            if p.cells[node].child >= 0:
                for i in range(p.n_branches[node]):
                    p.stack[top] = p.cells[node].child + i
                    top += 1
                continue
            start = p.start[node]
            p.start[node] = n
            for i in range(start, start + p.count[node]):
                rows[n] = p.stored_row[i]
                weights[n] = p.stored_weight[i]
                n += 1
        p.n_stored = n
    return n
