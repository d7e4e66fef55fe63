from treewright._core.work cimport Work

cdef void note_surrogates(Work wk, long long node) noexcept nogil
cdef void send_strays(Work wk, long long node) noexcept nogil
