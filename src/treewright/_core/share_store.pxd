from treewright._core.places cimport Places

cdef long long gather(Places p, long long place) noexcept nogil
cdef void store(Places p, long long place, long long start, long long stop) noexcept nogil
