from treewright._core.work cimport Work

cdef long long add_row(Work wk, long long[:, ::1] stats, long long place, long long row) noexcept nogil
cdef long long new_node(Work wk, long long depth) noexcept nogil
cdef void add_to_node(Work wk, long long node, long long row) noexcept nogil
cdef void measure(Work wk, long long node) noexcept nogil
cdef bint is_pure(Work wk, long long node) noexcept nogil
cdef bint is_closed(Work wk, long long node) noexcept nogil
cdef void open_root(Work wk) noexcept nogil
