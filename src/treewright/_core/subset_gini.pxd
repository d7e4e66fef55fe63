from treewright._core.work cimport Work

cdef bint has_squares(Work wk, long long node) noexcept nogil
cdef long long begin_squares(Work wk, long long n) noexcept nogil
cdef double try_all_squares(Work wk, long long node, long long f, long long n, double scale) noexcept nogil
cdef double cut_squares(Work wk, long long node, long long f, long long n, double scale) noexcept nogil
cdef double improve_squares(Work wk, long long node, long long f, long long n, double best, double scale,
                            int n_steps) noexcept nogil
cdef double most_of_two(Work wk, long long n) noexcept nogil
