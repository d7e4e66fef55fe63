from treewright._core.work cimport Work

cdef bint is_missing(Work wk, long long f, long long row) noexcept nogil
cdef long long count_missing(Work wk, long long node, long long f) noexcept nogil
cdef void add_missing(Work wk, long long node, long long f) noexcept nogil
cdef double class_sum(Work wk, long long node) noexcept nogil
cdef long long raise_ghost(Work wk, long long node, long long f) noexcept nogil
cdef double gain_apart(Work wk, long long node) noexcept nogil
cdef double part_info(double weight, double total) noexcept nogil
cdef double info_with_missing(double info, double known, double missing) noexcept nogil
