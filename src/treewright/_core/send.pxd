cdef long long send_labels(unsigned int[::1] entries, long long base, long long m, unsigned int row_mask, int shift,
                           unsigned int mask, int[:, ::1] codes, long long which, int[::1] slot,
                           unsigned char[::1] side, unsigned int[::1] strays, long long[:, ::1] stats,
                           long long child) noexcept nogil
cdef long long send_moments(unsigned int[::1] entries, long long base, long long m, unsigned int row_mask,
                            long long[::1] moments, int[:, ::1] codes, long long which, int[::1] slot,
                            unsigned char[::1] side, unsigned int[::1] strays, long long[:, ::1] stats,
                            long long child) noexcept nogil
