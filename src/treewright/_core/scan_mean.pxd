from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef Cut scan_mean(Work wk, unsigned int[::1] entries, long long base, long long node, long long lo,
                   long long hi, double best) noexcept nogil
cdef Cut scan_list(Work wk, long long base, long long node, long long lo, long long hi, double best) noexcept nogil
