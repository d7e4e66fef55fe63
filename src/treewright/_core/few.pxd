from treewright._core.route cimport Cell

cdef class Ways:
    cdef Cell[::1] cells
    cdef int[::1] n_codes
    cdef int[::1] dense
    cdef long long[:, ::1] spans
    cdef int[:, ::1] entries
    cdef long long[::1] first
    cdef long long[::1] length
    cdef int[::1] codes
    cdef double code_of(self, long long column, double value) noexcept nogil
