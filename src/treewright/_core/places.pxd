# The names and C types of a tree while it is pruned; places.py says what is done with it.
from treewright._core.route cimport Cell
from treewright._core.stand_in cimport StandIn

cdef enum:
    KEPT = 0
    PRUNED = 1
    RAISED = 2

cdef class Places:
    # the table: rows with weight only
    cdef public const double[:, :] values
    cdef public const int[::1] labels
    cdef public const long long[::1] weights      # in units
    cdef public int n_classes

    # the splits, by place; a raised branch's split is copied to where it stands from then on
    cdef public Cell[::1] cells
    cdef public int[::1] n_codes
    cdef public int[::1] dense
    cdef public long long[:, ::1] spans
    cdef public int[:, ::1] entries
    cdef public long long[::1] split_of           # the node of the grown tree whose split stands here; -1 at a leaf
    cdef public long long[::1] n_branches
    cdef public int[::1] missing_branch           # without entries: rows stop where a value is missing
    cdef public const long long[::1] first_stand_in
    cdef public StandIn[::1] stand_ins
    cdef public int[:, ::1] stand_in_entries

    # the rows at each place, in sums
    cdef public long long[::1] count
    cdef public long long[::1] weight
    cdef public long long[::1] best               # the weight of the majority
    cdef public long long[:, ::1] stats
    cdef public unsigned char[::1] changed        # other rows came here than in growth

    # estimated errors
    cdef public double[:, ::1] costs              # (true class, answered class); without entries: 1 for each wrong one
    cdef public double[::1] as_leaf
    cdef public double[::1] now                   # of the subtree as it stands
    cdef public int limit
    cdef public double confidence
    cdef public double square
    cdef public double scale                      # the size of a unit of weight, which counts rows
    cdef public double allowance                  # in rows

    # the nodes still to be visited: all before `following`, and those that wait because rows came to them
    cdef public long long following
    cdef public long long n_waiting
    cdef public long long[::1] waiting            # a heap, the highest number first
    cdef public unsigned char[::1] waits

    # the last visit of each node of the grown tree
    cdef public double[:, ::1] noted              # as a leaf, subtree, largest branch
    cdef public signed char[::1] verdict

    # scratch
    cdef public long long n_steps                 # of rows, since the last pause
    cdef public long long n_touched
    cdef public long long[::1] touched
    cdef public long long[::1] stack
    cdef public long long[::1] behind             # where the rows of the places on the stack start
    cdef public unsigned char[::1] marked
    cdef public int[::1] side                     # the branch of each row on its way; -1 where the value is missing
    cdef public int[::1] row_aside
    cdef public long long[::1] known              # by branch: known weight
    cdef public long long[::1] n_known            # by branch: rows

    # one way: the rows that end at a place are a list
    cdef public bint stops
    cdef public int[::1] first_row
    cdef public int[::1] last_row
    cdef public int[::1] next_row
    cdef public long long[::1] staying            # the weight of rows that stop at an inner place
    cdef public int[::1] moved                    # rows on their way

    # shared rows: the shares at a leaf are a segment of the store
    cdef public double close                      # weights this close, in units, are equal
    cdef public double least_share                # in units
    cdef public const int[::1] usual_branch       # by node of the grown tree: where rows go when all miss the value
    cdef public long long n_stored
    cdef public long long[::1] start              # of each leaf's segment
    cdef public int[::1] stored_row
    cdef public long long[::1] stored_weight
    cdef public long long[::1] gathered           # the weight of each row; 0 between visits
    cdef public int[::1] row_at                   # rows on their way, and their weights
    cdef public long long[::1] weight_at
    cdef public long long[::1] weight_aside
    cdef public long long n_ended                 # shares that ended in leaves
    cdef public long long[::1] sums               # by class; 0 between leaves
    cdef public double[::1] key
    cdef public int[::1] side_of
    cdef public int[::1] order
    cdef public int[::1] by_weight
    cdef public double[::1] portion

cdef double least_cost(double[:, ::1] costs, long long[::1] weights) noexcept nogil
cdef double leaf_estimate(Places p, long long place) noexcept nogil
cdef long long branch_at(Places p, long long place, long long row) noexcept nogil
cdef void wait(Places p, long long place) noexcept nogil
cdef long long next_place(Places p) noexcept nogil
cdef int judge(Places p, long long place, double subtree, double branch, bint tried) noexcept nogil
cdef void become_leaf(Places p, long long place) noexcept nogil
cdef void take_over(Places p, long long place, long long child) noexcept nogil
