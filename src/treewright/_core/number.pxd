from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef void begin_cuts(Work wk, long long node) noexcept nogil
cdef double proxy_to_reach(Work wk, long long node, bint two) noexcept nogil
cdef double info_of_cut(Work wk, long long node, Cut cut) noexcept nogil
cdef void search_number(Work wk, long long node, long long f) noexcept nogil
cdef void settle_gain(Work wk, long long node, long long f) noexcept nogil
