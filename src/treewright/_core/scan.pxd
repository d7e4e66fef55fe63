cdef struct Cut:
    long long pos
    long long cuts
    long long scored
    long long low
    double gain

cdef Cut no_cut() noexcept nogil

cdef long long count_cuts(unsigned int[::1] entries, long long base, long long lo, long long hi) noexcept nogil

cdef bint run_goes_on(unsigned int[::1] entries, long long base, long long m, long long j, int label,
                      int shift, unsigned int mask, unsigned int row_mask, int[::1] labels) noexcept nogil
