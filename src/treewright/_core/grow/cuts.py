"""What the scans of a sorted column have in common: the best cut of some entries.

In: `entries[base : base + m]`, one packed 32-bit entry a row, sorted by value, then label: the top bit says
"first of its value", the bits from `shift` on hold the label, the low bits the row. Cut j lies behind entry
j; cuts lo to hi - 1 leave both sides large enough. Out: the best cut and its gain.

Cuts are compared by a cheap proxy that rises with the gain; the gain itself is worked out once a column. A
proxy has to be larger by one part in 10^12 to win, so that rounding never breaks a tie: the lowest wins.
There is a scan for each kind of target and weight. Most take their arrays from a Work: to hand on one array
costs as much as a short scan.
"""

import cython

if not cython.compiled:
    from treewright._core.grow.workspace import Table

# pos: the last entry below the cut, -1 for none; cuts: how many there are; low: the weight below it;
# gain: what it takes off the impurity (where the scan works it out itself)
Cut = cython.struct(pos=cython.longlong, cuts=cython.longlong, low=cython.longlong, gain=cython.double)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def no_cut() -> Cut:
    """What a scan starts from."""
    cut = cython.declare(Cut)
    cut.pos = -1
    cut.cuts = 0
    cut.low = 0
    cut.gain = 0.0
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_cuts(entries: cython.uint[::1], base: cython.longlong, lo: cython.longlong,
               hi: cython.longlong) -> cython.longlong:
    """How many of the cuts lo to hi - 1 lie between two different values."""
    n: cython.longlong = 0
    j: cython.longlong
    for j in range(lo, hi):
        n += entries[base + j + 1] >> 31
    return n


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def label_in(table: Table, entry: cython.uint) -> cython.int:
    """The label packed in an entry, or looked up by its row where there was no room to pack it."""
    if table.label_mask:
        return cython.cast(cython.int, (entry >> table.shift) & table.label_mask)
    return table.labels[entry & table.row_mask]
