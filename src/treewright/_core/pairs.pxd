from treewright._core.work cimport Work

cdef bint are_pairs(Work wk, long long node) noexcept nogil
cdef void share_pairs(Work wk, long long node) noexcept nogil
