from treewright._core.work cimport Work

cdef void find_live(Work wk, long long node, long long low, long long high) noexcept nogil
cdef void count_node(Work wk, long long node, long long low, long long high) noexcept nogil
cdef void share_tally(Work wk, long long node, long long low, long long high) noexcept nogil
