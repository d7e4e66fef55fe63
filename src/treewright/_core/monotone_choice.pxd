from treewright._core.work cimport Work

cdef long long choose_monotone(Work wk, long long node) noexcept nogil
