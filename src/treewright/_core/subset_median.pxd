from treewright._core.work cimport Work

cdef bint branch_by_median(Work wk, long long node, long long f, long long n) noexcept nogil
