from treewright._core.places cimport Places

cdef long long list_others(Places p, long long place, long long largest) noexcept nogil
cdef void join_lists(Places p, long long place) noexcept nogil
