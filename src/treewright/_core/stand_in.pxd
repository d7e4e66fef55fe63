cdef struct StandIn:
    double cut
    long long start
    long long stop
    int column
    int low

cdef int stand_in_branch(const double[:, :] values, long long row, StandIn[::1] stand_ins, int[:, ::1] entries,
                         long long first, long long behind) noexcept nogil
