from treewright._core.scan cimport Cut

cdef Cut scan_weighted(unsigned int[::1] entries, long long base, long long m, long long lo, long long hi,
                       double min_weight, int shift, unsigned int mask, unsigned int row_mask, int[::1] labels,
                       long long[::1] weights, bint weighted, int n_classes, long long[:, ::1] stats,
                       long long node, int criterion, double slack, int fast, long long skip_from,
                       long long[:, ::1] sides,
                       long long[::1] left) noexcept nogil

cdef double proxy_of(long long[:, ::1] sides, int n_classes, int criterion, double low,
                     double high) noexcept nogil
