from treewright._core.scan cimport Cut

cdef Cut scan_two_weighted(unsigned int[::1] entries, long long base, long long m, long long lo, long long hi,
                           double min_weight, int shift, unsigned int row_mask, long long[::1] weights,
                           long long total, long long ones, bint entropy, double best,
                           double slack, int fast, long long[::1] left) noexcept nogil
