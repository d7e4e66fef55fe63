from treewright._core.work cimport Work

cdef void search_number(Work wk, long long node, long long f) noexcept nogil
