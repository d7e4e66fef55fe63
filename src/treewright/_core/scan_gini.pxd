from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef Cut scan_gini(Work wk, unsigned int[::1] entries, long long base, long long node, long long lo,
                   long long hi, double best) noexcept nogil
