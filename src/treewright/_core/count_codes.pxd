from treewright._core.work cimport Work

cdef long long list_met(Work wk, long long p) noexcept nogil
cdef long long count_column(Work wk, long long p, long long m, long long at, long long sums) noexcept nogil
cdef void forget(Work wk, long long at, long long sums, long long n) noexcept nogil
