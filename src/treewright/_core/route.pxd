cdef struct Cell:
    double cut
    int child
    int column

cdef int branch_of(Cell[::1] cells, int[::1] n_codes, int[::1] dense, long long[:, ::1] spans, int[:, ::1] entries,
                   long long node, double value) noexcept nogil
