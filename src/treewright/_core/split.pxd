from treewright._core.work cimport Work

cdef bint make_children(Work wk, long long node) noexcept nogil
cdef void share_out(Work wk, long long node, long long low, long long high) noexcept nogil
