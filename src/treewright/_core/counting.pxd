cdef void count_unit(unsigned int[::1] entries, long long base, long long m, int[:, ::1] codes, long long which,
                     int[::1] slot, bint by_slot, int shift, unsigned int mask, unsigned int row_mask,
                     long long[:, ::1] table) noexcept nogil
cdef void count_weighted(unsigned int[::1] entries, long long base, long long m, int[:, ::1] codes, long long which,
                         int[::1] slot, bint by_slot, int shift, unsigned int mask, unsigned int row_mask,
                         long long[::1] weights, long long[:, ::1] table) noexcept nogil
cdef void count_moments(unsigned int[::1] entries, long long base, long long m, int[:, ::1] codes, long long which,
                        int[::1] slot, bint by_slot, unsigned int row_mask, long long[::1] moments,
                        long long[:, ::1] table) noexcept nogil
cdef long long codes_met(unsigned int[::1] entries, long long base, long long m, int[:, ::1] codes, long long which,
                         unsigned int row_mask, int[::1] slot, double[::1] met) noexcept nogil
