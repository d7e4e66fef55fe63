from treewright._core.work cimport Work

cdef bint beats(double a, double b, double scale) noexcept nogil

cdef long long choose(Work wk, long long node) noexcept nogil
