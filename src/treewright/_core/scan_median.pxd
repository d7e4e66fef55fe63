from treewright._core.scan cimport Cut
from treewright._core.work cimport Work

cdef long long loss_of_rows(Work wk, unsigned int[::1] entries, long long base, long long m) noexcept nogil

cdef long long part_of_median(long long moment, long long weight, long long below) noexcept nogil

cdef double median_of_rows(Work wk, long long base, long long m) noexcept nogil

cdef long long loss_of_value(long long moment, long long weight, long long below) noexcept nogil

cdef long long weight_at(Work wk, long long row) noexcept nogil

cdef void clear_side(Work wk, long long m) noexcept nogil

cdef void join(Work wk, long long m, long long row) noexcept nogil

cdef long long loss_of_side(Work wk, long long m, long long top, long long weight, long long moment) noexcept nogil

cdef void rank_next(Work wk, long long i) noexcept nogil

cdef void rank_rows(Work wk, long long node) noexcept nogil

cdef Cut scan_median(Work wk, unsigned int[::1] entries, long long base, long long m, long long lo, long long hi,
                     double min_weight, long long total_weight, double scale) noexcept nogil
