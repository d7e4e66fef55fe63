cdef double impurity_of(long long[:, ::1] table, long long row, int n_classes, int criterion) noexcept nogil

cdef long long weight_of(long long[:, ::1] table, long long row, int n_classes, int criterion) noexcept nogil

cdef double gain_of(long long[:, ::1] table, long long n_branches, int n_classes, int criterion,
                    double impurity, double y_unit) noexcept nogil

cdef double gain_of_means(long long low, long long moment, long long total, long long rest,
                          double y_unit) noexcept nogil

cdef double info_of(long long[:, ::1] table, long long n_branches, int n_classes, int criterion) noexcept nogil

cdef double mean_of(long long moment, long long weight) noexcept nogil

cdef long long centre_of(long long moment, long long weight) noexcept nogil
