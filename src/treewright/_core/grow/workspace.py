"""The workspace of growth: everything the growth loop reads and writes, by name and C type.

In: arrays and numbers by name. Out: the same, for the kernels to use without the interpreter. Several threads
each have a workspace; the arrays of the table and of the draft are shared.

Coded columns are numbers and categories of few different values. They have no sorted list but a byte for each
row, the code of its value; the codes of a row are adjacent. A histogram of a node has a cell for each value:
the rows of each class, or the rows and the sum of the target. The best cut of a histogram is the best cut of
the sorted list.

Most arrays are rows of a few blocks: passing a block costs as much as passing one array, and a small table is
grown in less time than a hundred arrays take to make.
"""

import cython
import numpy as np


@cython.cclass
class Coded:
    """The coded columns of a table and the histograms of nodes."""

    # the table
    codes = cython.declare(cython.uchar[:, ::1], visibility="public")  # row, place -> code
    # the same by the rows of the table, where a subtree has rows of its own
    table_codes = cython.declare(cython.uchar[:, ::1], visibility="public")
    n_codes = cython.declare(cython.longlong[::1], visibility="public")  # place -> different values
    first = cython.declare(cython.longlong[::1], visibility="public")  # place -> its first cell in a tally
    row_of = cython.declare(cython.int[::1], visibility="public")  # cell -> a row that has this value

    # tallies: a slot has `width` counts for each cell and, for regression, a sum
    width = cython.declare(cython.longlong, visibility="public")  # classes; 1 for regression
    n_cells = cython.declare(cython.longlong, visibility="public")
    counts = cython.declare(cython.int[::1], visibility="public")  # slots x cells x width, flat
    sums = cython.declare(cython.longlong[::1], visibility="public")  # slots x cells, flat: moments
    # a node of fewer rows has no tally: its columns are counted one by one
    least = cython.declare(cython.longlong, visibility="public")
    n_free = cython.declare(cython.longlong, visibility="public")
    free = cython.declare(cython.int[::1], visibility="public")  # the slots that no node has

    # of this thread
    # its slot for nodes that would have a tally but got no slot
    own = cython.declare(cython.longlong, visibility="public")
    # a node that is counted there, whose parent's tally is not yet shared out; or -1
    own_node = cython.declare(cython.longlong, visibility="public")
    # its slot for smaller nodes, all 0 between two columns
    blank = cython.declare(cython.longlong, visibility="public")
    n_live = cython.declare(cython.longlong, visibility="public")  # the places that are counted
    live = cython.declare(cython.int[::1], visibility="public")
    cell_at = cython.declare(cython.longlong[::1], visibility="public")  # where their counts begin
    # the rows of a small node, and their classes or moments
    row_at = cython.declare(cython.int[::1], visibility="public")
    kind_at = cython.declare(cython.int[::1], visibility="public")
    moment_at = cython.declare(cython.longlong[::1], visibility="public")
    # and their units: see cuts_small_histogram.py
    unit_at = cython.declare(cython.ulonglong[::1], visibility="public")
    # code -> the units of its rows; those that have some, one by one
    words = cython.declare(cython.ulonglong[::1], visibility="public")
    held = cython.declare(cython.ulonglong[::1], visibility="public")
    # a bit for each code of the column in hand; all 0 between two columns
    met = cython.declare(cython.ulonglong[::1], visibility="public")
    # code x 4: rows by branch, of a small node's column, then of all cells
    sides = cython.declare(cython.int[::1], visibility="public")

    # the node in hand
    need = cython.declare(cython.longlong, visibility="public")  # the rows that both sides of a cut must have
    # classes told apart: those of a small node, else all
    n_kinds = cython.declare(cython.longlong, visibility="public")
    kind_of = cython.declare(cython.int[::1], visibility="public")  # label -> number among these
    # their rows, and those below the cut in hand
    whole = cython.declare(cython.longlong[::1], visibility="public")
    below = cython.declare(cython.longlong[::1], visibility="public")

    # whether its rows have units, and the mirror image of what they add up to
    packed = cython.declare(cython.bint, visibility="public")
    turned = cython.declare(cython.ulonglong, visibility="public")

    # the column in hand
    code = cython.declare(cython.int[::1], visibility="public")  # the codes to be looked at
    n_met = cython.declare(cython.longlong, visibility="public")  # how many have rows, as far as was looked
    last_low = cython.declare(cython.longlong, visibility="public")  # the codes on both sides of the best cut
    first_high = cython.declare(cython.longlong, visibility="public")

    def __init__(self, **fields: object) -> None:
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            setattr(self, name, value)


NODE_LONGS = (
    "first_child", "n_children", "rows", "weight", "low_row", "high_row", "table_start", "table_len", "backup_start",
    "backup_len", "depth", "start", "split_rows", "alive_start", "alive_len", "n_missing", "ids_end",
    "stack", "heap",
)  # fmt: skip
NODE_DOUBLES = ("impurity", "gain", "merit", "value", "priority", "bound_low", "bound_high",
                "exact_impurity")
NODE_INTS = ("column", "other", "missing_branch", "tally")
"""The rows of the draft's blocks, those that a finished tree is made of first; `lay_nodes` has the same order."""
ZEROS = dict.fromkeys(
    (
        "n_nodes", "n_pool", "n_stack", "n_heap", "n_leaves", "n_alive", "n_backups", "n_backup_pool", "n_entries",
        "n_ids", "need_entries", "need_ids", "ghost", "n_blocks", "gone", "tie_scale", "loss_scale", "node_sum",
    ),
    0,
)  # fmt: skip
"""Numbers that begin with 0, as all do in C."""


@cython.cclass
class Work:
    """The table, the plan, the draft, the candidates of the current node, and scratch space."""

    # the table: sorted entries of every number, codes of every category, all by row
    n_rows = cython.declare(cython.longlong, visibility="public")
    n_columns = cython.declare(cython.longlong, visibility="public")
    # numbers, and the list of rows behind them
    n_lists = cython.declare(cython.longlong, visibility="public")
    stride = cython.declare(cython.longlong, visibility="public")  # room of one list
    # n_lists x stride, flat; the last list has the rows by target
    lists = cython.declare(cython.uint[::1], visibility="public")
    list_of = cython.declare(cython.int[::1], visibility="public")  # column -> list, or -1
    code_of = cython.declare(cython.int[::1], visibility="public")  # column -> row of codes, or -1
    byte_of = cython.declare(cython.int[::1], visibility="public")  # column -> place of a coded column, or -1
    has_coded = cython.declare(cython.bint, visibility="public")  # whether there are any
    coded = cython.declare(Coded, visibility="public")  # their codes and tallies
    codes = cython.declare(cython.int[:, ::1], visibility="public")
    # column -> categories; this code stands for a missing one
    n_levels = cython.declare(cython.longlong[::1], visibility="public")
    # column -> NO_HOLE, SOME_HOLES or NO_VALUE
    holes = cython.declare(cython.uchar[::1], visibility="public")
    # list, row -> whether the number is missing
    absent = cython.declare(cython.uchar[:, ::1], visibility="public")
    # rows go by ids of their own: shares of rows, or the rows of a twig
    renamed = cython.declare(cython.bint, visibility="public")
    # id -> row; fractional: a row in several nodes has several ids
    origin = cython.declare(cython.int[::1], visibility="public")
    labels = cython.declare(cython.int[::1], visibility="public")
    moments = cython.declare(cython.longlong[::1], visibility="public")  # weight x y
    weights = cython.declare(cython.longlong[::1], visibility="public")
    weighted = cython.declare(cython.bint, visibility="public")
    shift = cython.declare(cython.int, visibility="public")
    label_mask = cython.declare(cython.uint, visibility="public")  # 0: labels are not packed into entries
    row_mask = cython.declare(cython.uint, visibility="public")
    n_classes = cython.declare(cython.int, visibility="public")  # 0: regression
    # numbers in a row of stats: classes, or weight and moment
    width = cython.declare(cython.int, visibility="public")
    # size of a unit of moment over that of a unit of weight
    y_unit = cython.declare(cython.double, visibility="public")
    # what y was rounded to before it was multiplied by its weight, or 0
    y_step = cython.declare(cython.double, visibility="public")
    y_centre = cython.declare(cython.double, visibility="public")  # moments are counted from here
    # the numbers themselves, to tell whether a node is pure
    y = cython.declare(cython.double[::1], visibility="public")
    xlogx = cython.declare(cython.double[::1], visibility="public")

    # the plan
    criterion = cython.declare(cython.int, visibility="public")
    by_ratio = cython.declare(cython.bint, visibility="public")
    floor = cython.declare(cython.int, visibility="public")  # which columns are ranked
    # of the description-length floor: how much of it is the average gain
    average_part = cython.declare(cython.double, visibility="public")
    grouping = cython.declare(cython.int, visibility="public")  # what becomes of the categories of a column
    charge = cython.declare(cython.int, visibility="public")  # what a candidate pays for its description
    side_share = cython.declare(cython.bint, visibility="public")  # Release 8's smallest side
    count_weight = cython.declare(cython.bint, visibility="public")  # minimums count weight, not rows
    # what is done with rows that are missing on a column
    missing = cython.declare(cython.int, visibility="public")
    # missing rows are one more branch in the split information
    info_all = cython.declare(cython.bint, visibility="public")
    max_surrogates = cython.declare(cython.int, visibility="public")  # 0: none are searched
    # in units of weight: smaller shares of a row are not made
    least_share = cython.declare(cython.double, visibility="public")
    close = cython.declare(cython.double, visibility="public")  # weights this close, in units, are equal
    slack = cython.declare(cython.double, visibility="public")
    min_info = cython.declare(cython.double, visibility="public")
    one = cython.declare(cython.double, visibility="public")  # units of weight that count as one row
    # the most units that a single row can have: no more tell of no other row
    single = cython.declare(cython.double, visibility="public")
    root_weight = cython.declare(cython.double, visibility="public")
    root_impurity = cython.declare(cython.double, visibility="public")
    max_depth = cython.declare(cython.longlong, visibility="public")
    min_split = cython.declare(cython.double, visibility="public")
    min_leaf = cython.declare(cython.double, visibility="public")
    min_leaf_weight = cython.declare(cython.double, visibility="public")  # in units, whatever min_leaf counts
    min_gain = cython.declare(cython.double, visibility="public")
    max_leaves = cython.declare(cython.longlong, visibility="public")  # 0: no limit
    wide = cython.declare(cython.uchar[::1], visibility="public")  # column stays out of the average gain
    # the fast paths in use: FAST_BOUNDS and the others
    fast = cython.declare(cython.int, visibility="public")
    # rows of a node from which on blocks are skipped
    skip_from = cython.declare(cython.longlong, visibility="public")
    # columns may be cut short once they cannot win
    use_bound = cython.declare(cython.bint, visibility="public")
    monotone = cython.declare(cython.bint, visibility="public")  # some column is constrained
    # column -> 1 or -1: answers rise or fall with it; 0: free
    monotonic = cython.declare(cython.schar[::1], visibility="public")

    # the draft: one entry a node
    n_nodes = cython.declare(cython.longlong, visibility="public")
    node_room = cython.declare(cython.longlong, visibility="public")
    # the node behind the room that stands for the known rows of a column
    ghost = cython.declare(cython.longlong, visibility="public")
    first_child = cython.declare(cython.longlong[::1], visibility="public")
    n_children = cython.declare(cython.longlong[::1], visibility="public")
    depth = cython.declare(cython.longlong[::1], visibility="public")
    # the node's rows are entries start .. start + rows of each list
    start = cython.declare(cython.longlong[::1], visibility="public")
    rows = cython.declare(cython.longlong[::1], visibility="public")
    weight = cython.declare(cython.longlong[::1], visibility="public")
    kind = cython.declare(cython.schar[::1], visibility="public")
    column = cython.declare(cython.int[::1], visibility="public")
    # the rows on both sides of the chosen cut
    low_row = cython.declare(cython.longlong[::1], visibility="public")
    high_row = cython.declare(cython.longlong[::1], visibility="public")
    split_rows = cython.declare(cython.longlong[::1], visibility="public")  # rows below the cut
    # the slot where the coded columns are counted, or -1
    tally = cython.declare(cython.int[::1], visibility="public")
    tallied = cython.declare(cython.uchar[::1], visibility="public")  # NOT_YET, COUNTED or HEIR
    table_start = cython.declare(cython.longlong[::1], visibility="public")
    table_len = cython.declare(cython.longlong[::1], visibility="public")
    other = cython.declare(cython.int[::1], visibility="public")
    missing_branch = cython.declare(cython.int[::1], visibility="public")
    # rows that are missing on the split's column
    n_missing = cython.declare(cython.longlong[::1], visibility="public")
    ids_end = cython.declare(cython.longlong[::1], visibility="public")  # ids in use when the node was made
    backup_start = cython.declare(cython.longlong[::1], visibility="public")  # the node's surrogates
    backup_len = cython.declare(cython.longlong[::1], visibility="public")
    value = cython.declare(cython.double[::1], visibility="public")  # regression: mean or median
    # of the rows as growth counts them, in units
    impurity = cython.declare(cython.double[::1], visibility="public")
    # regression: of the targets themselves, which the finished tree has
    exact_impurity = cython.declare(cython.double[::1], visibility="public")
    gain = cython.declare(cython.double[::1], visibility="public")
    merit = cython.declare(cython.double[::1], visibility="public")
    # best first: what the split improves, rounded
    priority = cython.declare(cython.double[::1], visibility="public")
    # monotone: what a node and those below it may answer
    bound_low = cython.declare(cython.double[::1], visibility="public")
    bound_high = cython.declare(cython.double[::1], visibility="public")
    stats = cython.declare(cython.longlong[:, ::1], visibility="public")
    # the columns with more than one value, of the node or, once its
    alive_start = cython.declare(cython.longlong[::1], visibility="public")
    # split is noted, of its children: this part of `alive`
    alive_len = cython.declare(cython.longlong[::1], visibility="public")
    n_alive = cython.declare(cython.longlong, visibility="public")
    alive = cython.declare(cython.int[::1], visibility="public")
    n_pool = cython.declare(cython.longlong, visibility="public")
    pool_code = cython.declare(cython.int[::1], visibility="public")
    pool_branch = cython.declare(cython.int[::1], visibility="public")
    n_backups = cython.declare(cython.longlong, visibility="public")
    backup_column = cython.declare(cython.int[::1], visibility="public")
    # number: the branch of low values; -1 for a category
    backup_low = cython.declare(cython.int[::1], visibility="public")
    backup_low_row = cython.declare(cython.longlong[::1], visibility="public")
    backup_high_row = cython.declare(cython.longlong[::1], visibility="public")
    backup_agree = cython.declare(cython.longlong[::1], visibility="public")  # in units of weight
    # known weight at the node, and that of the heavier branch
    backup_known = cython.declare(cython.longlong[::1], visibility="public")
    backup_heavy = cython.declare(cython.longlong[::1], visibility="public")
    backup_table = cython.declare(cython.longlong[::1], visibility="public")
    backup_table_len = cython.declare(cython.longlong[::1], visibility="public")
    n_backup_pool = cython.declare(cython.longlong, visibility="public")
    backup_code = cython.declare(cython.int[::1], visibility="public")
    backup_branch = cython.declare(cython.int[::1], visibility="public")
    n_stack = cython.declare(cython.longlong, visibility="public")
    # nodes that wait for their split to be found
    stack = cython.declare(cython.longlong[::1], visibility="public")
    n_heap = cython.declare(cython.longlong, visibility="public")
    # nodes that wait for their turn, best first
    heap = cython.declare(cython.longlong[::1], visibility="public")
    n_leaves = cython.declare(cython.longlong, visibility="public")

    # the candidates of the node in hand: one entry a column
    c_ok = cython.declare(cython.uchar[::1], visibility="public")
    c_gain = cython.declare(cython.double[::1], visibility="public")
    c_info = cython.declare(cython.double[::1], visibility="public")
    c_merit = cython.declare(cython.double[::1], visibility="public")
    c_charge = cython.declare(cython.double[::1], visibility="public")  # what was taken off the gain
    c_pos = cython.declare(cython.longlong[::1], visibility="public")
    # coded columns: the codes on both sides of the cut
    c_below = cython.declare(cython.int[::1], visibility="public")
    c_above = cython.declare(cython.int[::1], visibility="public")
    c_cuts = cython.declare(cython.longlong[::1], visibility="public")
    c_branches = cython.declare(cython.longlong[::1], visibility="public")
    # categories that could be told apart when groups were made of them
    c_blocks = cython.declare(cython.longlong[::1], visibility="public")
    c_dead = cython.declare(cython.uchar[::1], visibility="public")  # the column has one value left
    c_style = cython.declare(cython.uchar[::1], visibility="public")  # EACH, SUBSET or GROUP
    # grouping: the last branch is that of tiny categories
    c_extra = cython.declare(cython.uchar[::1], visibility="public")
    c_way = cython.declare(cython.uchar[::1], visibility="public")  # PLAIN, MISSING_LOW, IS_MISSING or THIRD
    c_missing = cython.declare(cython.longlong[::1], visibility="public")  # rows missing at the node
    c_missing_branch = cython.declare(cython.int[::1], visibility="public")
    # the column as a surrogate: its agreement, 0 for none
    c_agree = cython.declare(cython.longlong[::1], visibility="public")
    c_agree_pos = cython.declare(cython.longlong[::1], visibility="public")
    c_agree_low = cython.declare(cython.int[::1], visibility="public")
    # monotone: cuts or divisions that would break the order
    c_barred = cython.declare(cython.longlong[::1], visibility="public")
    c_present = cython.declare(cython.longlong[::1], visibility="public")  # categories met at the node
    # where the column's part of the next two begins
    level_start = cython.declare(cython.longlong[::1], visibility="public")
    c_code = cython.declare(cython.int[::1], visibility="public")
    c_branch = cython.declare(cython.int[::1], visibility="public")
    # the node's impurity: the scale on which gains tie
    tie_scale = cython.declare(cython.double, visibility="public")
    # absolute error: the scale on which losses tie
    loss_scale = cython.declare(cython.double, visibility="public")
    # squares or x log2 x of the node's class counts
    node_sum = cython.declare(cython.double, visibility="public")
    # of the columns searched so far, for use_bound
    best_gain = cython.declare(cython.double, visibility="public")
    # of any column: one that has it, or all but rounding, cannot be beaten
    most_gain = cython.declare(cython.double, visibility="public")
    # of a side of a cut, and the least weight in units
    least_rows = cython.declare(cython.longlong, visibility="public")
    least_weight = cython.declare(cython.double, visibility="public")
    # squared error: the node's mean to the unit, what is beyond it, its loss
    node_centre = cython.declare(cython.longlong, visibility="public")
    node_rest = cython.declare(cython.longlong, visibility="public")
    node_scale = cython.declare(cython.double, visibility="public")
    # monotone: the node in hand, its bounds, its column in hand and its sense
    whole = cython.declare(cython.longlong, visibility="public")
    lower = cython.declare(cython.double, visibility="public")
    upper = cython.declare(cython.double, visibility="public")
    in_hand = cython.declare(cython.longlong, visibility="public")
    sense = cython.declare(cython.int, visibility="public")
    # the cut that tells known from missing rows, which has no order; or -1
    test_pos = cython.declare(cython.longlong, visibility="public")

    # scratch
    n_entries = cython.declare(cython.longlong, visibility="public")  # where the last list's part in use ends
    n_ids = cython.declare(cython.longlong, visibility="public")
    # what was missing when there was no room
    need_entries = cython.declare(cython.longlong, visibility="public")
    need_ids = cython.declare(cython.longlong, visibility="public")
    strays = cython.declare(cython.uint[::1], visibility="public")  # the rows missing on the split in hand
    # id -> its first new id, when it goes down several branches
    share_first = cython.declare(cython.int[::1], visibility="public")
    # id -> the number of branches it goes down
    share_len = cython.declare(cython.int[::1], visibility="public")
    by_weight = cython.declare(cython.longlong[::1], visibility="public")  # branches, the heavier first
    portion = cython.declare(cython.double[::1], visibility="public")  # their known weights
    # stats of the known and of the missing rows of a column
    apart = cython.declare(cython.longlong[:, ::1], visibility="public")
    # absolute error: rows in order of y, by wk.rank
    ranked = cython.declare(cython.uint[::1], visibility="public")
    side = cython.declare(cython.uchar[::1], visibility="public")  # row -> branch of the split in hand
    wide_side = cython.declare(cython.int[::1], visibility="public")  # the same for more than two branches
    buffer = cython.declare(cython.uint[::1], visibility="public")
    # stats of two branches, and of a block of entries
    sides = cython.declare(cython.longlong[:, ::1], visibility="public")
    # running sums of two branches, and the best proxy
    pair = cython.declare(cython.double[::1], visibility="public")
    left = cython.declare(cython.longlong[::1], visibility="public")
    slot = cython.declare(cython.int[::1], visibility="public")  # code -> place in the contingency table
    table = cython.declare(cython.longlong[:, ::1], visibility="public")
    sums = cython.declare(cython.longlong[::1], visibility="public")
    table_rows = cython.declare(cython.longlong[::1], visibility="public")
    key = cython.declare(cython.double[::1], visibility="public")
    order = cython.declare(cython.int[::1], visibility="public")
    mean = cython.declare(cython.double[::1], visibility="public")  # class shares of the node
    direction = cython.declare(cython.double[::1], visibility="public")
    turned = cython.declare(cython.double[::1], visibility="public")
    # grouping: stats of the blocks, and a last row for their sums
    blocks = cython.declare(cython.longlong[:, ::1], visibility="public")
    block_rows = cython.declare(cython.longlong[::1], visibility="public")
    # category present -> block, -1 for the extra one
    block_of = cython.declare(cython.int[::1], visibility="public")
    n_blocks = cython.declare(cython.longlong, visibility="public")
    # the blocks in the order in which they are walked
    block_at = cython.declare(cython.int[::1], visibility="public")
    # weight of missing rows that count as one more branch
    gone = cython.declare(cython.double, visibility="public")
    # what merging two blocks loses in gain and split information
    pair_gain = cython.declare(cython.double[:, ::1], visibility="public")
    pair_info = cython.declare(cython.double[:, ::1], visibility="public")
    block_cost = cython.declare(cython.double[::1], visibility="public")  # weight times impurity of a block
    # least loss: the best partner of a block among those behind it
    near = cython.declare(cython.int[::1], visibility="public")
    near_loss = cython.declare(cython.double[::1], visibility="public")
    # the block that took this one in, and how many were left then
    into = cython.declare(cython.int[::1], visibility="public")
    left_then = cython.declare(cython.longlong[::1], visibility="public")
    # log2 of the ways to make k groups of n categories
    log_ways = cython.declare(cython.double[:, ::1], visibility="public")
    offset = cython.declare(cython.longlong[::1], visibility="public")
    last_group = cython.declare(cython.longlong[::1], visibility="public")
    # absolute error: sums over the rows in order of y
    tree_weight = cython.declare(cython.longlong[::1], visibility="public")
    tree_moment = cython.declare(cython.longlong[::1], visibility="public")
    rank = cython.declare(cython.longlong[::1], visibility="public")
    losses = cython.declare(cython.longlong[::1], visibility="public")
    # target value -> sums over the rows of the side in hand
    side_weight = cython.declare(cython.longlong[::1], visibility="public")
    side_moment = cython.declare(cython.longlong[::1], visibility="public")
    # category -> the target value in hand, and sums over its rows
    value_rank = cython.declare(cython.longlong[::1], visibility="public")
    value_weight = cython.declare(cython.longlong[::1], visibility="public")
    value_moment = cython.declare(cython.longlong[::1], visibility="public")
    rank_value = cython.declare(cython.double[::1], visibility="public")  # monotone: rank -> target
    low_median = cython.declare(cython.double[::1], visibility="public")  # cut -> median of the rows below it
    # cuts of the node in hand whose children were out of order
    n_tried = cython.declare(cython.longlong, visibility="public")
    tried_column = cython.declare(cython.int[::1], visibility="public")
    tried_pos = cython.declare(cython.longlong[::1], visibility="public")
    n_shares = cython.declare(cython.longlong, visibility="public")  # branches that get a share of a row

    def __init__(self, **fields: object) -> None:
        if not cython.compiled:
            self.__dict__.update(ZEROS)
        self.use_nothing(NOTHING)
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields; the names of blocks stand for all of their rows."""
        for name, value in fields.items():
            if name == "nodes":
                self.lay_nodes(*value)
            elif name == "room":
                self.lay_room(*value)
            elif name == "pairs":
                self.lay_pairs(value)
            elif name == "places":
                self.lay_places(value)
            else:
                setattr(self, name, value)

    def clear(self) -> None:
        """Make ready for another table of the same form: nothing is left of the nodes."""
        i: cython.Py_ssize_t
        self.n_nodes = 0
        self.n_pool = 0
        self.n_stack = 0
        self.n_heap = 0
        self.n_leaves = 0
        self.n_alive = 0
        self.n_backups = 0
        self.n_backup_pool = 0
        self.n_entries = 0
        self.n_ids = 0
        self.need_entries = 0
        self.need_ids = 0
        self.n_blocks = 0
        self.gone = 0.0
        self.tie_scale = 0.0
        self.loss_scale = 0.0
        self.node_sum = 0.0
        self.best_gain = -1.0
        for i in range(self.slot.shape[0]):
            self.slot[i] = -1

    def lay_nodes(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1],
                  ints: cython.int[:, ::1]) -> None:
        """One entry a node."""
        self.first_child = longs[0]
        self.n_children = longs[1]
        self.rows = longs[2]
        self.weight = longs[3]
        self.low_row = longs[4]
        self.high_row = longs[5]
        self.table_start = longs[6]
        self.table_len = longs[7]
        self.backup_start = longs[8]
        self.backup_len = longs[9]
        self.depth = longs[10]
        self.start = longs[11]
        self.split_rows = longs[12]
        self.alive_start = longs[13]
        self.alive_len = longs[14]
        self.n_missing = longs[15]
        self.ids_end = longs[16]
        self.stack = longs[17]
        self.heap = longs[18]
        self.impurity = doubles[0]
        self.gain = doubles[1]
        self.merit = doubles[2]
        self.value = doubles[3]
        self.priority = doubles[4]
        self.bound_low = doubles[5]
        self.bound_high = doubles[6]
        self.exact_impurity = doubles[7]
        self.column = ints[0]
        self.other = ints[1]
        self.missing_branch = ints[2]
        self.tally = ints[3]

    def lay_room(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1], ints: cython.int[:, ::1],
                 flags: cython.uchar[:, ::1], stats: cython.longlong[:, ::1], entries: cython.uint[:, ::1],
                 n_slots: cython.Py_ssize_t, n_table: cython.Py_ssize_t, present: list) -> None:
        """Room for the candidates of a node, one entry a column, and for the column in hand.

        present  by column, the most categories that may be met there
        n_slots  codes of a category, and one more; all rows of a block are as long as the longest needs to be
        stats    three rows for two branches and a block of entries, `n_table` for categories, the rest for groups
        entries  one row, or two where values may be missing
        """
        n: cython.Py_ssize_t = len(present)
        i: cython.Py_ssize_t
        self.c_pos = longs[0, :n]
        self.c_cuts = longs[1, :n]
        self.c_branches = longs[2, :n]
        self.c_present = longs[3, :n]
        self.c_missing = longs[4, :n]
        self.c_agree = longs[5, :n]
        self.c_agree_pos = longs[6, :n]
        self.c_blocks = longs[7, :n]
        self.c_barred = longs[8, :n]
        self.level_start = longs[9, :n + 1]
        self.left = longs[10]
        self.sums = longs[11]
        self.table_rows = longs[12]
        self.block_rows = longs[13]
        self.left_then = longs[14]
        self.offset = longs[15]
        self.last_group = longs[16]
        self.c_gain = doubles[0, :n]
        self.c_info = doubles[1, :n]
        self.c_merit = doubles[2, :n]
        self.c_charge = doubles[3, :n]
        self.pair = doubles[4]
        self.key = doubles[5]
        self.mean = doubles[6]
        self.direction = doubles[7]
        self.turned = doubles[8]
        self.block_cost = doubles[9]
        self.near_loss = doubles[10]
        self.c_missing_branch = ints[0, :n]
        self.c_agree_low = ints[1, :n]
        self.c_below = ints[2, :n]
        self.c_above = ints[3, :n]
        self.c_code = ints[4]
        self.c_branch = ints[5]
        self.order = ints[6]
        self.block_of = ints[7]
        self.block_at = ints[8]
        self.near = ints[9]
        self.into = ints[10]
        self.slot = ints[11, :n_slots]
        self.c_ok = flags[0, :n]
        self.c_style = flags[1, :n]
        self.c_extra = flags[2, :n]
        self.c_dead = flags[3, :n]
        self.c_way = flags[4, :n]
        self.sides = stats[:3]
        self.table = stats[3:3 + n_table]
        self.blocks = stats[3 + n_table:]
        self.buffer = entries[0]
        self.strays = entries[entries.shape[0] - 1]
        self.level_start[0] = 0
        for i in range(n):
            self.level_start[i + 1] = self.level_start[i] + cython.cast(cython.longlong, present[i])
        for i in range(n_slots):
            self.slot[i] = -1

    def lay_pairs(self, pairs: cython.double[:, ::1]) -> None:
        """A square for what merging two groups loses in gain, and one for split information."""
        n_pairs: cython.Py_ssize_t = pairs.shape[1]
        self.pair_gain = pairs[:n_pairs]
        self.pair_info = pairs[n_pairs:]

    def lay_places(self, places: cython.int[:, ::1]) -> None:
        """Where each column stands."""
        self.list_of = places[0]
        self.code_of = places[1]
        self.byte_of = places[2]

    def use_nothing(self, other: object) -> None:
        """One entry, that of another Work, for what a plan has no use for; it is never written to."""
        nothing: Work = other
        self.weights = nothing.weights
        self.moments = nothing.moments
        self.labels = nothing.labels
        self.y = nothing.y
        self.xlogx = nothing.xlogx
        self.log_ways = nothing.log_ways
        self.pair_gain = nothing.pair_gain
        self.pair_info = nothing.pair_info
        self.wide_side = nothing.wide_side


def _nothing() -> Work:
    longs, doubles, ints = np.zeros(1, np.int64), np.zeros((1, 1)), np.zeros(1, np.int32)
    nothing = Work.__new__(Work)
    nothing.assign({"weights": longs, "moments": longs, "labels": ints, "wide_side": ints})
    nothing.assign({"y": doubles[0], "xlogx": doubles[0], "log_ways": doubles})
    nothing.assign({"pair_gain": doubles, "pair_info": doubles})
    return nothing


NOTHING = _nothing()
