from treewright._core.work cimport Work

cdef bint is_single(Work wk, long long v) noexcept nogil
cdef long long told_apart(Work wk, long long n) noexcept nogil
cdef bint branch_binary(Work wk, long long node, long long f, long long n) noexcept nogil
