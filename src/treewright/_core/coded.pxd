# The names and C types of coded columns and of their tallies; coded.py says what they are.
cdef class Coded:
    # the table
    cdef public unsigned char[:, ::1] codes  # row, place -> code
    cdef public long long[::1] n_codes       # place -> different values
    cdef public long long[::1] first         # place -> its first cell in a tally
    cdef public int[::1] row_of              # cell -> a row that has this value

    # tallies: a slot has `width` counts for each cell and, for regression, a sum
    cdef public long long width              # classes; 1 for regression
    cdef public long long n_cells
    cdef public int[::1] counts              # slots x cells x width, flat
    cdef public long long[::1] sums          # slots x cells, flat: moments
    cdef public long long least              # a node of fewer rows has no tally: its columns are counted one by one
    cdef public long long n_free
    cdef public int[::1] free                # the slots that no node has

    # of this thread
    cdef public long long own                # its slot for nodes that would have a tally but got no slot
    cdef public long long blank              # its slot for smaller nodes, all 0 between two columns
    cdef public long long n_live             # the places that are counted
    cdef public int[::1] live
    cdef public long long[::1] cell_at       # where their counts begin
    cdef public int[::1] row_at              # the rows of a small node, and their classes or moments
    cdef public int[::1] kind_at
    cdef public long long[::1] moment_at
    cdef public unsigned long long[::1] unit_at  # and their units: see scan_packed.py
    cdef public unsigned long long[::1] words    # code -> the units of its rows; those that have some, one by one
    cdef public unsigned long long[::1] held
    cdef public unsigned long long[::1] met  # a bit for each code of the column in hand; all 0 between two columns
    cdef public int[::1] sides               # code x 4: rows by branch, of a small node's column, then of all cells

    # the node in hand
    cdef public long long need               # the rows that both sides of a cut must have
    cdef public long long n_kinds            # classes told apart: those of a small node, else all
    cdef public int[::1] kind_of             # label -> number among these
    cdef public long long[::1] whole         # their rows, and those below the cut in hand
    cdef public long long[::1] below

    cdef public bint packed                  # whether its rows have units, and the mirror image of what they add up to
    cdef public unsigned long long turned

    # the column in hand
    cdef public int[::1] code                # the codes to be looked at
    cdef public long long n_met              # how many have rows, as far as was looked
    cdef public long long last_low           # the codes on both sides of the best cut
    cdef public long long first_high
