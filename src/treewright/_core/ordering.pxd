from treewright._core.work cimport Work

cdef void sort_categories(Work wk, long long n) noexcept nogil
