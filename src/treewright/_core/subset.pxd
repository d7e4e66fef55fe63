from treewright._core.work cimport Work

cdef bint branch_subsets(Work wk, long long node, long long f, long long n) noexcept nogil
cdef double cut_order(Work wk, long long node, long long f, long long n, double best, bint between) noexcept nogil
cdef double search_orders(Work wk, long long node, long long f, long long n) noexcept nogil
