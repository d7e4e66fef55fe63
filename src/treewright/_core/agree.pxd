from treewright._core.work cimport Work

cdef void agree_number(Work wk, long long node, long long f, long long heavy) noexcept nogil
cdef void agree_category(Work wk, long long node, long long f, long long heavy) noexcept nogil
cdef long long tabulate_sides(Work wk, long long node, long long f) noexcept nogil
