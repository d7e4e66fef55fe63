cdef void take_back(long long[::1] first_child, long long[::1] n_children, long long[:, ::1] stats,
                    long long[::1] weight, long long n_nodes, double slack, long long[::1] errors) noexcept nogil
cdef long long level_order(long long[::1] first_child, long long[::1] n_children, long long[::1] order,
                           long long[::1] new_parent, long long[::1] new_first) noexcept nogil
cdef double halfway(double below, double above) noexcept nogil
