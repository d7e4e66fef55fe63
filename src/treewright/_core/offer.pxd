from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef void offer(Work wk, long long f, double gain, double info) noexcept nogil
cdef void offer_cut(Work wk, long long node, long long f, Cut cut, double gain, double info) noexcept nogil
cdef void offer_branches(Work wk, long long node, long long f, double gain, double info) noexcept nogil
cdef double info_for_node(Work wk, long long node, long long ghost, long long f, double info) noexcept nogil
cdef double whole_gain(Work wk, long long node, long long ghost, double gain) noexcept nogil
cdef void offer_test(Work wk, long long node, long long ghost, long long f) noexcept nogil
