from treewright._core.scan cimport Cut

cdef Cut scan_mean_weighted(unsigned int[::1] entries, long long base, long long lo, long long hi,
                            double min_weight, unsigned int row_mask, long long[::1] moments,
                            long long[::1] weights, long long total_weight, long long centre,
                            long long rest, double scale, double best, long long[::1] left) noexcept nogil
