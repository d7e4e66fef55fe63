from treewright._core.work cimport Work

cdef void begin_cuts(Work wk, long long node) noexcept nogil
cdef void search_number(Work wk, long long node, long long f) noexcept nogil
cdef void settle_gain(Work wk, long long node, long long f) noexcept nogil
