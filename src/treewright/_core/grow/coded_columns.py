"""Coded columns and the histograms of nodes: a part of the workspace.

Coded columns are numbers and categories of few different values. They have no sorted list but a byte for each
row, the code of its value; the codes of a row are adjacent. A histogram of a node has a cell for each value:
the rows of each class, or the rows and the sum of the target. The best cut of a histogram is the best cut of
the sorted list.
"""

import cython


@cython.cclass
class Coded:
    """The coded columns of a table and the histograms of nodes."""

    # the table
    codes = cython.declare(cython.uchar[:, ::1], visibility="public")  # row, place -> code
    # the same by the rows of the table, where a subtree has rows of its own
    table_codes = cython.declare(cython.uchar[:, ::1], visibility="public")
    n_codes = cython.declare(cython.longlong[::1], visibility="public")  # place -> different values
    first_cell = cython.declare(cython.longlong[::1], visibility="public")  # place -> its first cell in a histogram
    row_of = cython.declare(cython.int[::1], visibility="public")  # cell -> a row that has this value

    # histograms: a slot has `width` counts for each cell and, for regression, a sum
    width = cython.declare(cython.longlong, visibility="public")  # classes; 1 for regression
    n_cells = cython.declare(cython.longlong, visibility="public")
    counts = cython.declare(cython.int[::1], visibility="public")  # slots x cells x width, flat
    sums = cython.declare(cython.longlong[::1], visibility="public")  # slots x cells, flat: moments
    # a node of fewer rows has no histogram: its columns are counted one by one
    least_kept = cython.declare(cython.longlong, visibility="public")
    n_free = cython.declare(cython.longlong, visibility="public")
    free = cython.declare(cython.int[::1], visibility="public")  # the slots that no node has

    # of this thread
    # its slot for nodes that would have a histogram but got no slot
    spare_slot = cython.declare(cython.longlong, visibility="public")
    # a node that is counted there, whose parent's histogram is not passed on yet; or -1
    spare_node = cython.declare(cython.longlong, visibility="public")
    # its slot for smaller nodes, all 0 between two columns
    zero_slot = cython.declare(cython.longlong, visibility="public")
    n_live = cython.declare(cython.longlong, visibility="public")  # the places that are counted
    live = cython.declare(cython.int[::1], visibility="public")
    cell_at = cython.declare(cython.longlong[::1], visibility="public")  # where their counts begin
    # the rows of a small node, and their classes or moments
    row_at = cython.declare(cython.int[::1], visibility="public")
    class_at = cython.declare(cython.int[::1], visibility="public")
    moment_at = cython.declare(cython.longlong[::1], visibility="public")
    # and their units: see cuts_small_histogram.py
    unit_at = cython.declare(cython.ulonglong[::1], visibility="public")
    # code -> the units of its rows; those that have some, one by one
    packed_counts = cython.declare(cython.ulonglong[::1], visibility="public")
    packed_present = cython.declare(cython.ulonglong[::1], visibility="public")
    # a bit for each code of the current column; all 0 between two columns
    present_bits = cython.declare(cython.ulonglong[::1], visibility="public")
    # code x 4: rows by branch, of a small node's column, then of all cells
    sides = cython.declare(cython.int[::1], visibility="public")

    # the current node
    least_rows = cython.declare(cython.longlong, visibility="public")  # the rows that both sides of a cut must have
    # classes told apart: those of a small node, else all
    n_classes = cython.declare(cython.longlong, visibility="public")
    class_of = cython.declare(cython.int[::1], visibility="public")  # label -> number among these
    # their rows, and those below the current cut
    class_rows = cython.declare(cython.longlong[::1], visibility="public")
    class_rows_below = cython.declare(cython.longlong[::1], visibility="public")

    # whether its rows have units, and the mirror image of what they add up to
    is_packed = cython.declare(cython.bint, visibility="public")
    mirrored = cython.declare(cython.ulonglong, visibility="public")

    # the current column
    present = cython.declare(cython.int[::1], visibility="public")  # the codes to be looked at
    n_present = cython.declare(cython.longlong, visibility="public")  # how many have rows, as far as was looked
    low_code = cython.declare(cython.longlong, visibility="public")  # the codes on both sides of the best cut
    high_code = cython.declare(cython.longlong, visibility="public")

    def __init__(self, **fields: object) -> None:
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            setattr(self, name, value)
