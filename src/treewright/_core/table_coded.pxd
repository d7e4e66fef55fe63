from treewright._core.work cimport Work

cdef long long tabulate_coded(Work wk, long long node, long long f) noexcept nogil
