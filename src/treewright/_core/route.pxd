# Rows that go down at once, and steps between two looks at where they are; route.py has the same for Python.
cdef enum:
    LANES = 8
    STEPS = 4

cdef enum:
    PLAIN = 0
    CODED = 1
    STRANGE = 2

cdef struct Cell:
    double cut
    int child
    int column

cdef int branch_of(Cell[::1] cells, int[::1] n_codes, int[::1] dense, long long[:, ::1] spans, int[:, ::1] entries,
                   long long node, double value) noexcept nogil
