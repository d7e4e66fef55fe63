from treewright._core.work cimport Work

cdef bint branch_groups(Work wk, long long node, long long f, long long n) noexcept nogil
