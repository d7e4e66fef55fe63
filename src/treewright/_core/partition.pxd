from treewright._core.work cimport Work

cdef void split_in_two(Work wk, long long base, long long m) noexcept nogil
cdef void split_shared(Work wk, long long which, long long node, unsigned int[::1] lists, unsigned char[::1] sides,
                       unsigned int[::1] buffer) noexcept nogil
cdef void split_in_many(Work wk, long long which, long long node) noexcept nogil
cdef void split_rows(unsigned int[::1] entries, long long base, long long m, unsigned int row_mask,
                     unsigned char[::1] side, unsigned int[::1] buffer) noexcept nogil
