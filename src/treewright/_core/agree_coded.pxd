from treewright._core.work cimport Work

cdef void begin_sides(Work wk, long long node) noexcept nogil
cdef void agree_coded(Work wk, long long node, long long f, long long heavy) noexcept nogil
cdef void agree_code_category(Work wk, long long node, long long f, long long heavy) noexcept nogil
cdef long long tabulate_code_sides(Work wk, long long node, long long f) noexcept nogil
cdef void note_code_surrogate(Work wk, long long s, long long f) noexcept nogil
cdef long long send_by_code(Work wk, long long node, long long s) noexcept nogil
