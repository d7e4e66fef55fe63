from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef enum:
    MOST_ROWS = 32767
    MOST_KINDS = 32

cdef Cut scan_gini_short(Work wk, long long node, long long at, long long n, double best) noexcept nogil
