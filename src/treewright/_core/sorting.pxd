cdef void sort_by_key(double[::1] key, int[::1] order, long long n) noexcept nogil
