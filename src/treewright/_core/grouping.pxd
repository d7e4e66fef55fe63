from treewright._core.work cimport Work

cdef bint branch_groups(Work wk, long long node, long long f, long long n) noexcept nogil
cdef double block_weight(Work wk, long long b) noexcept nogil
cdef double xlog(double x) noexcept nogil
