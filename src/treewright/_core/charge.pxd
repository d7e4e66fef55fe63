from treewright._core.work cimport Work

cdef double bits_of_groups(Work wk, long long node, int style, long long n, long long k) noexcept nogil
cdef double charge_of_cut(Work wk, long long node, long long cuts) noexcept nogil
cdef double loss_of_bits(Work wk, double rest, double bits) noexcept nogil
cdef double charge_of_groups(Work wk, long long node, long long f) noexcept nogil
