from treewright._core.work cimport Work

cdef void free_root(Work wk) noexcept nogil
cdef void begin_node(Work wk, long long node) noexcept nogil
cdef void begin_column(Work wk, long long f) noexcept nogil
cdef void end_column(Work wk, long long f) noexcept nogil
cdef double answer_of(Work wk, long long node, long long weight, long long moment) noexcept nogil
cdef bint is_within(Work wk, double answer) noexcept nogil
cdef bint keeps_order(Work wk, double low, double high, int sense) noexcept nogil
cdef bint sides_keep_order(Work wk, long long node, long long low, long long high) noexcept nogil
cdef bint branch_is_within(Work wk, long long node, long long b) noexcept nogil
cdef double answer_at(Work wk, long long node) noexcept nogil
cdef void bound_children(Work wk, long long node) noexcept nogil
cdef bint may_stand_in(Work wk, long long node, long long f) noexcept nogil
