from treewright._core.work cimport Work

cdef void note_split(Work wk, long long node, long long f) noexcept nogil
