from treewright._core.work cimport Work

cdef void split_in_two(unsigned int[::1] entries, long long base, long long m, unsigned int row_mask,
                       unsigned char[::1] side, unsigned int[::1] buffer) noexcept nogil
cdef void split_in_many(Work wk, long long base, long long m, long long node) noexcept nogil
