from treewright._core.work cimport Work

cdef long long most_copies(Work wk, long long node, long long f) noexcept nogil
cdef long long begin_shares(Work wk, long long node) noexcept nogil
cdef void share_strays(Work wk, long long node) noexcept nogil
