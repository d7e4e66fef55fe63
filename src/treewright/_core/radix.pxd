cdef void sort_column(
    unsigned long long[::1] bits, unsigned int[::1] start, unsigned int row_mask, unsigned int[::1] entries,
    unsigned long long[:, ::1] room, unsigned int[::1] count,
) noexcept nogil
cdef long long n_counts(long long n)
