# The names and C types of what the growth loop reads and writes; work.py says how it is made.
from treewright._core.coded cimport Coded

cdef class Work:
    # the table: sorted entries of every number, codes of every category, all by row
    cdef public long long n_rows
    cdef public long long n_columns
    cdef public long long n_lists            # numbers, and the list of rows behind them
    cdef public long long stride             # room of one list
    cdef public unsigned int[::1] lists      # n_lists x stride, flat; the last list has the rows by target
    cdef public int[::1] list_of             # column -> list, or -1
    cdef public int[::1] code_of             # column -> row of codes, or -1
    cdef public int[::1] byte_of             # column -> place of a coded column, or -1
    cdef public bint has_coded               # whether there are any
    cdef public Coded coded                  # their codes and tallies
    cdef public int[:, ::1] codes
    cdef public long long[::1] n_levels      # column -> categories; this code stands for a missing one
    cdef public unsigned char[::1] holes     # column -> NO_HOLE, SOME_HOLES or NO_VALUE
    cdef public unsigned char[:, ::1] absent  # list, row -> whether the number is missing
    cdef public bint renamed                 # rows go by ids of their own: shares of rows, or the rows of a twig
    cdef public int[::1] origin              # id -> row; fractional: a row in several nodes has several ids
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
    cdef public int floor                    # which columns are ranked
    cdef public double average_part          # of the description-length floor: how much of it is the average gain
    cdef public int grouping                 # what becomes of the categories of a column
    cdef public int charge                   # what a candidate pays for its description
    cdef public bint side_share              # Release 8's smallest side
    cdef public bint count_weight            # minimums count weight, not rows
    cdef public int missing                  # what is done with rows that are missing on a column
    cdef public bint info_all                # missing rows are one more branch in the split information
    cdef public int max_surrogates           # 0: none are searched
    cdef public double least_share           # in units of weight: smaller shares of a row are not made
    cdef public double close                 # weights this close, in units, are equal
    cdef public double slack
    cdef public double min_info
    cdef public double one                   # units of weight that count as one row
    cdef public double single                # the most units that a single row can have: no more tell of no other row
    cdef public double root_weight
    cdef public double root_impurity
    cdef public long long max_depth
    cdef public double min_split
    cdef public double min_leaf
    cdef public double min_leaf_weight       # in units, whatever min_leaf counts
    cdef public double min_gain
    cdef public long long max_leaves         # 0: no limit
    cdef public unsigned char[::1] wide      # column stays out of the average gain
    cdef public int fast                     # the fast paths in use: FAST_BOUNDS and the others
    cdef public long long skip_from          # rows of a node from which on blocks are skipped
    cdef public bint use_bound               # columns may be cut short once they cannot win
    cdef public bint monotone                # some column is constrained
    cdef public signed char[::1] monotonic   # column -> 1 or -1: answers rise or fall with it; 0: free

    # the draft: one entry a node
    cdef public long long n_nodes
    cdef public long long node_room
    cdef public long long ghost              # the node behind the room that stands for the known rows of a column
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
    cdef public int[::1] tally               # the slot where the coded columns are counted, or -1
    cdef public unsigned char[::1] tallied   # NOT_YET, COUNTED or HEIR
    cdef public long long[::1] table_start
    cdef public long long[::1] table_len
    cdef public int[::1] other
    cdef public int[::1] missing_branch
    cdef public long long[::1] n_missing     # rows that are missing on the split's column
    cdef public long long[::1] ids_end       # ids in use when the node was made
    cdef public long long[::1] backup_start  # the node's surrogates
    cdef public long long[::1] backup_len
    cdef public double[::1] value            # regression: mean or median
    cdef public double[::1] impurity
    cdef public double[::1] gain
    cdef public double[::1] merit
    cdef public double[::1] priority         # best first: what the split improves, rounded
    cdef public double[::1] bound_low        # monotone: what a node and those below it may answer
    cdef public double[::1] bound_high
    cdef public long long[:, ::1] stats
    cdef public long long[::1] alive_start   # the columns with more than one value, of the node or, once its
    cdef public long long[::1] alive_len     # split is noted, of its children: this part of `alive`
    cdef public long long n_alive
    cdef public int[::1] alive
    cdef public long long n_pool
    cdef public int[::1] pool_code
    cdef public int[::1] pool_branch
    cdef public long long n_backups
    cdef public int[::1] backup_column
    cdef public int[::1] backup_low          # number: the branch of low values; -1 for a category
    cdef public long long[::1] backup_low_row
    cdef public long long[::1] backup_high_row
    cdef public long long[::1] backup_agree  # in units of weight
    cdef public long long[::1] backup_known  # known weight at the node, and that of the heavier branch
    cdef public long long[::1] backup_heavy
    cdef public long long[::1] backup_table
    cdef public long long[::1] backup_table_len
    cdef public long long n_backup_pool
    cdef public int[::1] backup_code
    cdef public int[::1] backup_branch
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
    cdef public double[::1] c_charge         # what was taken off the gain
    cdef public long long[::1] c_pos
    cdef public int[::1] c_below             # coded columns: the codes on both sides of the cut
    cdef public int[::1] c_above
    cdef public long long[::1] c_cuts
    cdef public long long[::1] c_scored
    cdef public long long[::1] c_branches
    cdef public long long[::1] c_blocks      # categories that could be told apart when groups were made of them
    cdef public unsigned char[::1] c_dead    # the column has one value left
    cdef public unsigned char[::1] c_style   # EACH, SUBSET or GROUP
    cdef public unsigned char[::1] c_extra   # grouping: the last branch is that of tiny categories
    cdef public unsigned char[::1] c_way     # PLAIN, MISSING_LOW, IS_MISSING or THIRD
    cdef public long long[::1] c_missing     # rows missing at the node
    cdef public int[::1] c_missing_branch
    cdef public long long[::1] c_agree       # the column as a surrogate: its agreement, 0 for none
    cdef public long long[::1] c_agree_pos
    cdef public int[::1] c_agree_low
    cdef public long long[::1] c_barred      # monotone: cuts or divisions that would break the order
    cdef public long long[::1] c_present     # categories met at the node
    cdef public long long[::1] level_start   # where the column's part of the next two begins
    cdef public int[::1] c_code
    cdef public int[::1] c_branch
    cdef public double tie_scale             # the node's impurity: the scale on which gains tie
    cdef public double loss_scale            # absolute error: the scale on which losses tie
    cdef public double node_sum              # squares or x log2 x of the node's class counts
    cdef public double best_gain             # of the columns searched so far, for use_bound
    cdef public double most_gain             # of any column: one that has it, or all but rounding, cannot be beaten
    cdef public long long least_rows         # of a side of a cut, and the least weight in units
    cdef public double least_weight
    cdef public long long node_centre        # squared error: the node's mean to the unit, what is beyond it, its loss
    cdef public long long node_rest
    cdef public double node_scale
    cdef public long long whole              # monotone: the node in hand, its bounds, its column in hand and its sense
    cdef public double lower
    cdef public double upper
    cdef public long long in_hand
    cdef public int sense
    cdef public long long test_pos           # the cut that tells known from missing rows, which has no order; or -1

    # scratch
    cdef public long long n_entries          # where the last list's part in use ends
    cdef public long long n_ids
    cdef public long long need_entries       # what was missing when there was no room
    cdef public long long need_ids
    cdef public unsigned int[::1] strays     # the rows missing on the split in hand
    cdef public int[::1] share_first         # id -> its first new id, when it goes down several branches
    cdef public int[::1] share_len           # id -> the number of branches it goes down
    cdef public long long[::1] by_weight     # branches, the heavier first
    cdef public double[::1] portion          # their known weights
    cdef public long long[:, ::1] apart      # stats of the known and of the missing rows of a column
    cdef public unsigned int[::1] ranked     # absolute error: rows in order of y, by wk.rank
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
    cdef public long long n_blocks
    cdef public int[::1] block_at            # the blocks in the order in which they are walked
    cdef public double gone                  # weight of missing rows that count as one more branch
    cdef public double[:, ::1] pair_gain     # what merging two blocks loses in gain and split information
    cdef public double[:, ::1] pair_info
    cdef public double[::1] block_cost       # weight times impurity of a block
    cdef public int[::1] near                # least loss: the best partner of a block among those behind it
    cdef public double[::1] near_loss
    cdef public int[::1] into                # the block that took this one in, and how many were left then
    cdef public long long[::1] left_then
    cdef public double[:, ::1] log_ways      # log2 of the ways to make k groups of n categories
    cdef public long long[::1] offset
    cdef public long long[::1] last_group
    cdef public long long[::1] tree_weight   # absolute error: sums over the rows in order of y
    cdef public long long[::1] tree_moment
    cdef public long long[::1] rank
    cdef public long long[::1] losses
    cdef public long long[::1] side_weight   # target value -> sums over the rows of the side in hand
    cdef public long long[::1] side_moment
    cdef public long long[::1] value_rank    # category -> the target value in hand, and sums over its rows
    cdef public long long[::1] value_weight
    cdef public long long[::1] value_moment
    cdef public double[::1] rank_value       # monotone: rank -> target
    cdef public double[::1] low_median       # cut -> median of the rows below it
    cdef public long long n_tried            # cuts of the node in hand whose children were out of order
    cdef public int[::1] tried_column
    cdef public long long[::1] tried_pos
    cdef public long long n_shares           # branches that get a share of a row
