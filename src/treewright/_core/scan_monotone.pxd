from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef Cut scan_monotone(Work wk, long long node, unsigned int[::1] entries, long long base, long long lo, long long hi,
                       double min_weight) noexcept nogil
