from treewright._core.work cimport Work

cdef void count_unit(Work wk, long long base, long long m, long long which, bint by_slot) noexcept nogil
cdef void count_weighted(Work wk, long long base, long long m, long long which, bint by_slot) noexcept nogil
cdef void count_moments(Work wk, long long base, long long m, long long which, bint by_slot) noexcept nogil
cdef long long list_codes_met(Work wk, long long base, long long m, long long f) noexcept nogil
