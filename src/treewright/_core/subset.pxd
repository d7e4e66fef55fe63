from treewright._core.work cimport Work

cdef bint branch_subsets(Work wk, long long node, long long f, long long n) noexcept nogil
cdef void start_sides(Work wk, long long n) noexcept nogil
cdef void move(Work wk, long long v, int goal) noexcept nogil
cdef double proxy_scale(Work wk, long long node) noexcept nogil
cdef double proxy_of_sides(Work wk, long long node, long long low_rows, long long low_weight) noexcept nogil
cdef double search_orders(Work wk, long long node, long long f, long long n) noexcept nogil
