cdef void sort_by_key(double[::1] key, int[::1] order, int[::1] spare, long long n) noexcept nogil
