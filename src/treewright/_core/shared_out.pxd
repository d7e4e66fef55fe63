from treewright._core.places cimport Places

cdef long long weigh_branches(Places p, long long place, long long start, long long stop) noexcept nogil
cdef long long share_out(Places p, long long place, long long start, long long stop) noexcept nogil
