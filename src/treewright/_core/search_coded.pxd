from treewright._core.work cimport Work

cdef void search_coded(Work wk, long long node, long long f) noexcept nogil
cdef void note_code_cut(Work wk, long long node, long long f) noexcept nogil
cdef void part_by_code(Work wk, long long node) noexcept nogil
