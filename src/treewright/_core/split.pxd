from treewright._core.work cimport Work

cdef void sides_by_cut(Work wk, long long node) noexcept nogil
cdef void sides_by_table(Work wk, long long node) noexcept nogil
cdef void place_strays(Work wk, long long node) noexcept nogil
cdef void name_heaviest(Work wk, long long node) noexcept nogil
cdef bint make_children(Work wk, long long node) noexcept nogil
cdef void share_out(Work wk, long long node, long long low, long long high) noexcept nogil
