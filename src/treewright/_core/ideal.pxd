from treewright._core.work cimport Work

cdef double most_gain_of(Work wk, long long node) noexcept nogil
