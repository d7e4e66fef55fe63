from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef Cut scan_two_codes(Work wk, long long node, long long at, long long n, double best) noexcept nogil
cdef Cut scan_gini_codes(Work wk, long long node, long long at, long long n, double best) noexcept nogil
cdef Cut scan_entropy_codes(Work wk, long long node, long long at, long long n, double best) noexcept nogil
cdef Cut scan_mean_codes(Work wk, long long node, long long at, long long sums, long long n,
                         double best) noexcept nogil
