from treewright._core.work cimport Work

cdef enum:
    NOT_YET = 0
    COUNTED = 1
    HEIR = 2

cdef void keep_tally(Work wk, long long node) noexcept nogil
cdef void give_back(Work wk, long long node) noexcept nogil
cdef void pass_on(Work wk, long long node) noexcept nogil
