from treewright._core.scan cimport Cut

cdef Cut scan_two(unsigned int[::1] entries, long long base, long long m, long long lo, long long hi,
                  int shift, long long ones, double bound, bint twoing,
                  bint in_blocks) noexcept nogil
cdef double gain_of_two(double gap, long long low, long long m, bint twoing) noexcept nogil
