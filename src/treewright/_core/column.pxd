from treewright._core.work cimport Work

cdef void search_column(Work wk, long long node, long long f) noexcept nogil
