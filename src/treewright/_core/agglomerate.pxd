from treewright._core.work cimport Work

cdef bint branch_least_loss(Work wk, long long node, long long f, long long n) noexcept nogil
cdef bint branch_two_of_blocks(Work wk, long long node, long long f, long long n) noexcept nogil
