from treewright._core.work cimport Work

cdef void search_column(Work wk, long long node, long long f) noexcept nogil
cdef void search_columns(Work wk, long long node, long long low, long long high) noexcept nogil
