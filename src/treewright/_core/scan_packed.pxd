from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef void pack_rows(Work wk, long long node) noexcept nogil
cdef bint is_packed(Work wk, long long p) noexcept nogil
cdef Cut find_packed_cut(Work wk, long long node, long long p, bint two, double best) noexcept nogil
