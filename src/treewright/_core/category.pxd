from treewright._core.work cimport Work

cdef bint large_enough(Work wk, long long rows, long long weight) noexcept nogil
cdef long long tabulate(Work wk, long long node, long long f) noexcept nogil
cdef bint branch_each(Work wk, long long f, long long n) noexcept nogil
cdef long long whole_rows(double least) noexcept nogil
cdef void level_keys(Work wk, long long n) noexcept nogil
