# The names and C types of what the growth loop reads and writes; work.py says how it is made.

cdef class Work:
    # the table: sorted entries of every number, codes of every category, all by row
    cdef public long long n_rows
    cdef public long long n_columns
    cdef public long long n_lists            # numbers, and the list of rows behind them
    cdef public unsigned int[::1] lists      # n_lists x n_rows, flat; the last list has the rows by target
    cdef public int[::1] list_of             # column -> list, or -1
    cdef public int[::1] code_of             # column -> row of codes, or -1
    cdef public int[:, ::1] codes
    cdef public long long[::1] n_levels      # column -> categories
    cdef public int[::1] labels
    cdef public long long[::1] moments       # weight x y
    cdef public long long[::1] weights
    cdef public bint weighted
    cdef public int shift
    cdef public unsigned int label_mask      # 0: labels are not packed into entries
    cdef public unsigned int row_mask
    cdef public int n_classes                # 0: regression
    cdef public int width                    # numbers in a row of stats: classes, or weight and moment
    cdef public double y_unit                # size of a unit of moment over that of a unit of weight
    cdef public double y_centre              # moments are counted from here
    cdef public double[::1] y                # the numbers themselves, to tell whether a node is pure
    cdef public double[::1] xlogx

    # the plan
    cdef public int criterion
    cdef public bint by_ratio
    cdef public bint average_floor
    cdef public int category
    cdef public bint charge
    cdef public bint side_share              # Release 8's smallest side
    cdef public bint count_weight            # minimums count weight, not rows
    cdef public double slack
    cdef public double min_info
    cdef public double one                   # units of weight that count as one row
    cdef public double root_weight
    cdef public double root_impurity
    cdef public long long max_depth
    cdef public double min_split
    cdef public double min_leaf
    cdef public double min_leaf_weight       # in units, whatever min_leaf counts
    cdef public double min_gain
    cdef public long long max_leaves         # 0: no limit
    cdef public unsigned char[::1] wide      # column stays out of the average gain
    cdef public bint use_bound               # columns may be cut short once they cannot win

    # the draft: one entry a node
    cdef public long long n_nodes
    cdef public long long[::1] parent
    cdef public long long[::1] first_child
    cdef public long long[::1] n_children
    cdef public long long[::1] depth
    cdef public long long[::1] start         # the node's rows are entries start .. start + rows of each list
    cdef public long long[::1] rows
    cdef public long long[::1] weight
    cdef public signed char[::1] kind
    cdef public int[::1] column
    cdef public long long[::1] low_row       # the rows on both sides of the chosen cut
    cdef public long long[::1] high_row
    cdef public long long[::1] split_rows    # rows below the cut
    cdef public long long[::1] table_start
    cdef public long long[::1] table_len
    cdef public int[::1] other
    cdef public double[::1] value            # regression: mean or median
    cdef public double[::1] impurity
    cdef public double[::1] gain
    cdef public double[::1] merit
    cdef public double[::1] priority         # best first: what the split improves, rounded
    cdef public long long[:, ::1] stats
    cdef public long long[::1] alive_start   # the columns with more than one value, of the node or, once its
    cdef public long long[::1] alive_len     # split is noted, of its children: this part of `alive`
    cdef public long long n_alive
    cdef public int[::1] alive
    cdef public long long n_pool
    cdef public int[::1] pool_code
    cdef public int[::1] pool_branch
    cdef public long long n_stack
    cdef public long long[::1] stack         # nodes that wait for their split to be found
    cdef public long long n_heap
    cdef public long long[::1] heap          # nodes that wait for their turn, best first
    cdef public long long n_leaves

    # the candidates of the node in hand: one entry a column
    cdef public unsigned char[::1] c_ok
    cdef public double[::1] c_gain
    cdef public double[::1] c_info
    cdef public double[::1] c_merit
    cdef public long long[::1] c_pos
    cdef public long long[::1] c_cuts
    cdef public long long[::1] c_scored
    cdef public long long[::1] c_branches
    cdef public unsigned char[::1] c_dead    # the column has one value left
    cdef public unsigned char[::1] c_style   # EACH, SUBSET or GROUP
    cdef public unsigned char[::1] c_extra   # grouping: the last branch is that of tiny categories
    cdef public long long[::1] c_present     # categories met at the node
    cdef public long long[::1] level_start   # where the column's part of the next two begins
    cdef public int[::1] c_code
    cdef public int[::1] c_branch
    cdef public double loss_scale            # absolute error: the scale on which losses tie
    cdef public double node_sum              # squares or x log2 x of the node's class counts
    cdef public double best_gain             # of the columns searched so far, for use_bound

    # scratch
    cdef public unsigned char[::1] side      # row -> branch of the split in hand
    cdef public int[::1] wide_side           # the same for more than two branches
    cdef public unsigned int[::1] buffer
    cdef public long long[:, ::1] sides      # stats of two branches, and of a block of entries
    cdef public double[::1] pair             # running sums of two branches, and the best proxy
    cdef public long long[::1] left
    cdef public int[::1] slot                # code -> place in the contingency table
    cdef public long long[:, ::1] table
    cdef public long long[::1] sums
    cdef public long long[::1] table_rows
    cdef public double[::1] key
    cdef public int[::1] order
    cdef public double[::1] mean             # class shares of the node
    cdef public double[::1] direction
    cdef public double[::1] turned
    cdef public long long[:, ::1] blocks     # grouping: stats of the blocks, and a last row for their sums
    cdef public long long[::1] block_rows
    cdef public int[::1] block_of            # category present -> block, -1 for the extra one
    cdef public double[:, ::1] pair_gain     # what merging two blocks loses in gain and split information
    cdef public double[:, ::1] pair_info
    cdef public long long[::1] offset
    cdef public long long[::1] last_group
    cdef public long long[::1] tree_weight   # absolute error: sums over the rows in order of y
    cdef public long long[::1] tree_moment
    cdef public long long[::1] rank
    cdef public long long[::1] losses
