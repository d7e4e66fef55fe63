cdef double estimate(double n, double e, int limit, double confidence, double square) noexcept nogil
