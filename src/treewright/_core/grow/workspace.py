"""The workspace of growth: everything the growth loop reads and writes, by name and C type.

In: arrays and numbers by name. Out: the same, in parts, for the kernels to use without the interpreter:

    table       the encoded table                         shared by all threads
    coded       its coded columns and their histograms    codes and histograms are shared
    plan        criterion and limits as numbers           shared
    draft       the tree while it grows                   shared by threads that work on one tree
    candidates  the best candidate of each column         shared by threads that search one node
    search      the search of the current node            each thread has its own
    scratch     arrays to work in                         each thread has its own

Most arrays are rows of a few blocks: passing a block costs as much as passing one array, and a small table is
grown in less time than a hundred arrays take to make.
"""

import cython
import numpy as np

if not cython.compiled:
    from treewright._core.grow.coded_columns import Coded


@cython.cclass
class Table:
    """The encoded table: a sorted list of entries for each number, codes for each category, the target by row.

    The last fields say where the rows of the current split go; threads that partition different columns share them.
    """

    n_rows = cython.declare(cython.longlong, visibility="public")
    n_columns = cython.declare(cython.longlong, visibility="public")
    # one for each number, and a last one with the rows by target
    n_lists = cython.declare(cython.longlong, visibility="public")
    stride = cython.declare(cython.longlong, visibility="public")  # entries of one list
    lists = cython.declare(cython.uint[::1], visibility="public")  # n_lists x stride, flat
    list_of = cython.declare(cython.int[::1], visibility="public")  # column -> list, or -1
    category_of = cython.declare(cython.int[::1], visibility="public")  # column -> row of `codes`, or -1
    # column -> its place among the coded columns, or -1
    coded_of = cython.declare(cython.int[::1], visibility="public")
    has_coded = cython.declare(cython.bint, visibility="public")  # whether there are coded columns
    codes = cython.declare(cython.int[:, ::1], visibility="public")  # category column, row -> code
    # column -> categories; a missing value has this code
    n_levels = cython.declare(cython.longlong[::1], visibility="public")
    # column -> NONE_MISSING, SOME_MISSING or ALL_MISSING
    missing_in = cython.declare(cython.uchar[::1], visibility="public")
    # list, row -> whether the number is missing
    is_missing = cython.declare(cython.uchar[:, ::1], visibility="public")
    # rows go by ids of their own: fractional copies, or the rows of a subtree grown apart
    has_own_ids = cython.declare(cython.bint, visibility="public")
    origin = cython.declare(cython.int[::1], visibility="public")  # id -> row of the table
    labels = cython.declare(cython.int[::1], visibility="public")  # row -> class
    # a table of counts, each row of which stands for so many rows; and how many of them are listed for a category
    has_row_counts = cython.declare(cython.bint, visibility="public")
    row_counts = cython.declare(cython.longlong[::1], visibility="public")
    n_listed = cython.declare(cython.longlong, visibility="public")
    moments = cython.declare(cython.longlong[::1], visibility="public")  # weight x y
    weights = cython.declare(cython.longlong[::1], visibility="public")
    weighted = cython.declare(cython.bint, visibility="public")
    # an entry of a list: its first bit is FLAG, then the label, then the row
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
    y = cython.declare(cython.double[::1], visibility="public")  # the target itself, to tell whether a node is pure
    xlogx = cython.declare(cython.double[::1], visibility="public")  # count -> n log2 n
    # id -> its first new id, when it goes down several branches
    first_copy = cython.declare(cython.int[::1], visibility="public")
    n_copies = cython.declare(cython.int[::1], visibility="public")  # id -> the branches it goes down
    # branches of the current split, the heaviest first
    heaviest_first = cython.declare(cython.longlong[::1], visibility="public")
    side = cython.declare(cython.uchar[::1], visibility="public")  # row -> branch of the current split
    wide_side = cython.declare(cython.int[::1], visibility="public")  # the same for more than two branches

    def assign(self, fields: dict) -> None:
        """Set the named fields; `places` has the rows list_of, category_of and coded_of."""
        for name, value in fields.items():
            if name == "places":
                self.lay_places(value)
            else:
                setattr(self, name, value)

    def lay_places(self, places: cython.int[:, ::1]) -> None:
        """Where each column is stored."""
        self.list_of = places[0]
        self.category_of = places[1]
        self.coded_of = places[2]


@cython.cclass
class PlanNumbers:
    """The plan as numbers: criterion, penalties, limits, missing values."""

    criterion = cython.declare(cython.int, visibility="public")
    by_ratio = cython.declare(cython.bint, visibility="public")
    gain_floor = cython.declare(cython.int, visibility="public")  # which columns are ranked
    # of the description-length floor: how much of it is the average gain
    average_part = cython.declare(cython.double, visibility="public")
    grouping = cython.declare(cython.int, visibility="public")  # how categories become branches
    penalty = cython.declare(cython.int, visibility="public")  # what is taken off the gain for describing the split
    # the smallest side of a cut as in C4.5 Release 8
    release8_side = cython.declare(cython.bint, visibility="public")
    count_weight = cython.declare(cython.bint, visibility="public")  # minimums count weight, not rows
    missing = cython.declare(cython.int, visibility="public")  # the strategy for missing values
    # missing rows are one more branch in the split information
    missing_in_split_info = cython.declare(cython.bint, visibility="public")
    max_surrogates = cython.declare(cython.int, visibility="public")  # 0: none are searched
    # in units of weight: smaller parts of a row are not made
    least_fraction = cython.declare(cython.double, visibility="public")
    tolerance = cython.declare(cython.double, visibility="public")  # weights this close, in units, are equal
    floor_slack = cython.declare(cython.double, visibility="public")  # how far below the floor a gain may be
    min_info = cython.declare(cython.double, visibility="public")  # least split information
    row_weight = cython.declare(cython.double, visibility="public")  # units of weight of one row
    largest_row_weight = cython.declare(cython.double, visibility="public")  # the most units that a single row has
    max_depth = cython.declare(cython.longlong, visibility="public")
    min_split = cython.declare(cython.double, visibility="public")
    min_leaf = cython.declare(cython.double, visibility="public")
    min_leaf_weight = cython.declare(cython.double, visibility="public")  # in units, whatever min_leaf counts
    min_gain = cython.declare(cython.double, visibility="public")
    max_leaves = cython.declare(cython.longlong, visibility="public")  # 0: no limit
    many_valued = cython.declare(cython.uchar[::1], visibility="public")  # column stays out of the average gain
    fast_paths = cython.declare(cython.int, visibility="public")  # the fast paths in use: FAST_BOUNDS and the others
    # rows of a node from which on blocks are skipped
    skip_blocks_from = cython.declare(cython.longlong, visibility="public")
    # only the gain decides, so columns that cannot win may be passed over
    use_bound = cython.declare(cython.bint, visibility="public")
    monotone = cython.declare(cython.bint, visibility="public")  # some column is constrained
    # column -> 1 or -1: predictions rise or fall with it; 0: free
    monotonic = cython.declare(cython.schar[::1], visibility="public")
    # log2 of the number of ways to make k groups of n categories
    log2_groupings = cython.declare(cython.double[:, ::1], visibility="public")

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            setattr(self, name, value)


@cython.cclass
class DraftColumns:
    """The tree while it grows: one entry a node, then branch tables, surrogates and nodes that wait."""

    root_weight = cython.declare(cython.double, visibility="public")
    root_impurity = cython.declare(cython.double, visibility="public")
    n_nodes = cython.declare(cython.longlong, visibility="public")
    node_room = cython.declare(cython.longlong, visibility="public")
    first_child = cython.declare(cython.longlong[::1], visibility="public")
    n_children = cython.declare(cython.longlong[::1], visibility="public")
    depth = cython.declare(cython.longlong[::1], visibility="public")
    # its rows are entries start to start + rows - 1 of each list
    start = cython.declare(cython.longlong[::1], visibility="public")
    rows = cython.declare(cython.longlong[::1], visibility="public")
    weight = cython.declare(cython.longlong[::1], visibility="public")
    kind = cython.declare(cython.schar[::1], visibility="public")
    column = cython.declare(cython.int[::1], visibility="public")
    low_row = cython.declare(cython.longlong[::1], visibility="public")  # the two rows beside the chosen cut
    high_row = cython.declare(cython.longlong[::1], visibility="public")
    n_low_rows = cython.declare(cython.longlong[::1], visibility="public")  # rows below the cut
    histogram = cython.declare(cython.int[::1], visibility="public")  # slot of the node's histograms, or -1
    histogram_state = cython.declare(cython.uchar[::1], visibility="public")  # NOT_YET, COUNTED or INHERITED
    # the node's part of the pool of branch tables
    table_start = cython.declare(cython.longlong[::1], visibility="public")
    table_len = cython.declare(cython.longlong[::1], visibility="public")
    other = cython.declare(cython.int[::1], visibility="public")
    missing_branch = cython.declare(cython.int[::1], visibility="public")
    # rows that are missing on the split's column
    n_missing = cython.declare(cython.longlong[::1], visibility="public")
    ids_end = cython.declare(cython.longlong[::1], visibility="public")  # ids in use when the node was made
    surrogate_start = cython.declare(cython.longlong[::1], visibility="public")  # the node's part of the surrogates
    surrogate_len = cython.declare(cython.longlong[::1], visibility="public")
    value = cython.declare(cython.double[::1], visibility="public")  # regression: mean or median
    impurity = cython.declare(cython.double[::1], visibility="public")  # of the rows as growth counts them, in units
    # regression: of the targets themselves, which the finished tree has
    exact_impurity = cython.declare(cython.double[::1], visibility="public")
    gain = cython.declare(cython.double[::1], visibility="public")
    merit = cython.declare(cython.double[::1], visibility="public")
    priority = cython.declare(cython.double[::1], visibility="public")  # best first: what the split improves, rounded
    # monotone: limits of the predictions of a node and those below it
    bound_low = cython.declare(cython.double[::1], visibility="public")
    bound_high = cython.declare(cython.double[::1], visibility="public")
    stats = cython.declare(cython.longlong[:, ::1], visibility="public")
    # columns with more than one value here, or once a split is stored, in its children: this part of `live`
    live_start = cython.declare(cython.longlong[::1], visibility="public")
    live_len = cython.declare(cython.longlong[::1], visibility="public")
    n_live = cython.declare(cython.longlong, visibility="public")
    live = cython.declare(cython.int[::1], visibility="public")
    n_pool = cython.declare(cython.longlong, visibility="public")
    pool_code = cython.declare(cython.int[::1], visibility="public")
    pool_branch = cython.declare(cython.int[::1], visibility="public")
    n_surrogates = cython.declare(cython.longlong, visibility="public")
    surrogate_column = cython.declare(cython.int[::1], visibility="public")
    # number: the branch of low values; -1 for a category
    surrogate_low = cython.declare(cython.int[::1], visibility="public")
    surrogate_low_row = cython.declare(cython.longlong[::1], visibility="public")
    surrogate_high_row = cython.declare(cython.longlong[::1], visibility="public")
    surrogate_agree = cython.declare(cython.longlong[::1], visibility="public")  # in units of weight
    # known weight at the node, and that of the heavier branch
    surrogate_known = cython.declare(cython.longlong[::1], visibility="public")
    surrogate_heavy = cython.declare(cython.longlong[::1], visibility="public")
    surrogate_table = cython.declare(cython.longlong[::1], visibility="public")
    surrogate_table_len = cython.declare(cython.longlong[::1], visibility="public")
    n_surrogate_pool = cython.declare(cython.longlong, visibility="public")
    surrogate_code = cython.declare(cython.int[::1], visibility="public")
    surrogate_branch = cython.declare(cython.int[::1], visibility="public")
    n_stack = cython.declare(cython.longlong, visibility="public")
    stack = cython.declare(cython.longlong[::1], visibility="public")  # nodes whose split is not found yet
    n_heap = cython.declare(cython.longlong, visibility="public")
    heap = cython.declare(cython.longlong[::1], visibility="public")  # nodes whose split is found, the best first
    n_leaves = cython.declare(cython.longlong, visibility="public")
    n_entries = cython.declare(cython.longlong, visibility="public")  # end of the last list's part in use
    n_ids = cython.declare(cython.longlong, visibility="public")
    needed_entries = cython.declare(cython.longlong, visibility="public")  # the room that was missing
    needed_ids = cython.declare(cython.longlong, visibility="public")

    def __init__(self) -> None:
        self.clear()

    def assign(self, fields: dict) -> None:
        """Set the named fields; `nodes` has the blocks of NODE_LONGS, NODE_DOUBLES and NODE_INTS."""
        for name, value in fields.items():
            if name == "nodes":
                self.lay_nodes(*value)
            else:
                setattr(self, name, value)

    def clear(self) -> None:
        """Nothing is left of the nodes."""
        self.n_nodes = 0
        self.n_pool = 0
        self.n_stack = 0
        self.n_heap = 0
        self.n_leaves = 0
        self.n_live = 0
        self.n_surrogates = 0
        self.n_surrogate_pool = 0
        self.n_entries = 0
        self.n_ids = 0
        self.needed_entries = 0
        self.needed_ids = 0

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
        self.surrogate_start = longs[8]
        self.surrogate_len = longs[9]
        self.depth = longs[10]
        self.start = longs[11]
        self.n_low_rows = longs[12]
        self.live_start = longs[13]
        self.live_len = longs[14]
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
        self.histogram = ints[3]


NODE_LONGS = (
    "first_child", "n_children", "rows", "weight", "low_row", "high_row", "table_start", "table_len",
    "surrogate_start", "surrogate_len", "depth", "start", "n_low_rows", "live_start", "live_len", "n_missing",
    "ids_end", "stack", "heap",
)  # fmt: skip
NODE_DOUBLES = ("impurity", "gain", "merit", "value", "priority", "bound_low", "bound_high",
                "exact_impurity")
NODE_INTS = ("column", "other", "missing_branch", "histogram")
"""The rows of the draft's blocks, those that a finished tree is made of first; `lay_nodes` has the same order."""


@cython.cclass
class Candidates:
    """The best candidate of each column at the current node."""

    ok = cython.declare(cython.uchar[::1], visibility="public")  # whether the column has a candidate
    gain = cython.declare(cython.double[::1], visibility="public")
    split_info = cython.declare(cython.double[::1], visibility="public")
    merit = cython.declare(cython.double[::1], visibility="public")
    penalty = cython.declare(cython.double[::1], visibility="public")  # what was taken off the gain
    position = cython.declare(cython.longlong[::1], visibility="public")  # the last entry below the cut
    low_code = cython.declare(cython.int[::1], visibility="public")  # coded columns: the codes beside the cut
    high_code = cython.declare(cython.int[::1], visibility="public")
    n_cuts = cython.declare(cython.longlong[::1], visibility="public")
    n_branches = cython.declare(cython.longlong[::1], visibility="public")
    # categories that were told apart before grouping
    n_values = cython.declare(cython.longlong[::1], visibility="public")
    is_constant = cython.declare(cython.uchar[::1], visibility="public")  # the column has one value left
    grouping = cython.declare(cython.uchar[::1], visibility="public")  # EACH, SUBSET or GROUP
    # the last branch takes the categories with few rows
    has_rest = cython.declare(cython.uchar[::1], visibility="public")
    missing_use = cython.declare(cython.uchar[::1], visibility="public")  # PLAIN, MISSING_LOW, IS_MISSING or THIRD
    n_missing = cython.declare(cython.longlong[::1], visibility="public")  # rows missing at the node
    missing_branch = cython.declare(cython.int[::1], visibility="public")
    # as a surrogate: rows sent to the same branch, 0 for no surrogate
    agreement = cython.declare(cython.longlong[::1], visibility="public")
    surrogate_position = cython.declare(cython.longlong[::1], visibility="public")
    surrogate_low = cython.declare(cython.int[::1], visibility="public")
    # monotone: cuts or groupings that would break the order
    n_barred = cython.declare(cython.longlong[::1], visibility="public")
    n_present = cython.declare(cython.longlong[::1], visibility="public")  # categories at the node
    # where the column's part of the next two begins
    first_code = cython.declare(cython.longlong[::1], visibility="public")
    codes = cython.declare(cython.int[::1], visibility="public")
    branches = cython.declare(cython.int[::1], visibility="public")

    def lay(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1], ints: cython.int[:, ::1],
            flags: cython.uchar[:, ::1], present: list) -> None:
        """One entry a column, of blocks whose rows may be longer; by column, `present` has the most categories that a
        node may have of it.
        """
        n: cython.Py_ssize_t = len(present)
        i: cython.Py_ssize_t
        self.position = longs[0, :n]
        self.n_cuts = longs[1, :n]
        self.n_branches = longs[2, :n]
        self.n_present = longs[3, :n]
        self.n_missing = longs[4, :n]
        self.agreement = longs[5, :n]
        self.surrogate_position = longs[6, :n]
        self.n_values = longs[7, :n]
        self.n_barred = longs[8, :n]
        self.first_code = longs[9, :n + 1]
        self.gain = doubles[0, :n]
        self.split_info = doubles[1, :n]
        self.merit = doubles[2, :n]
        self.penalty = doubles[3, :n]
        self.missing_branch = ints[0, :n]
        self.surrogate_low = ints[1, :n]
        self.low_code = ints[2, :n]
        self.high_code = ints[3, :n]
        self.codes = ints[4]
        self.branches = ints[5]
        self.ok = flags[0, :n]
        self.grouping = flags[1, :n]
        self.has_rest = flags[2, :n]
        self.is_constant = flags[3, :n]
        self.missing_use = flags[4, :n]
        self.first_code[0] = 0
        for i in range(n):
            self.first_code[i + 1] = self.first_code[i] + cython.cast(cython.longlong, present[i])


@cython.cclass
class Search:
    """The search for the split of the current node."""

    # its number: the node behind the room for nodes that represents the rows known on a column
    thread = cython.declare(cython.longlong, visibility="public")
    # the node's impurity: the scale on which gains tie
    tie_scale = cython.declare(cython.double, visibility="public")
    loss_scale = cython.declare(cython.double, visibility="public")  # absolute error: the scale on which losses tie
    node_sum = cython.declare(cython.double, visibility="public")  # squares or x log2 x of the node's class counts
    best_gain = cython.declare(cython.double, visibility="public")  # of the columns searched so far
    most_gain = cython.declare(cython.double, visibility="public")  # no split of the node can gain more
    least_rows = cython.declare(cython.longlong, visibility="public")  # of a side of a cut
    least_weight = cython.declare(cython.double, visibility="public")  # of a side of a cut, in units
    # squared error: the node's mean to the unit, what is beyond it, its loss
    node_centre = cython.declare(cython.longlong, visibility="public")
    node_rest = cython.declare(cython.longlong, visibility="public")
    node_scale = cython.declare(cython.double, visibility="public")
    # monotone: the current node, its limits, column and direction
    node = cython.declare(cython.longlong, visibility="public")
    lower = cython.declare(cython.double, visibility="public")
    upper = cython.declare(cython.double, visibility="public")
    column = cython.declare(cython.longlong, visibility="public")
    sense = cython.declare(cython.int, visibility="public")
    # the cut between known and missing rows, which has no order; or -1
    missing_cut = cython.declare(cython.longlong, visibility="public")
    n_blocks = cython.declare(cython.longlong, visibility="public")  # grouping: blocks that are left
    # weight of missing rows that count as one more branch
    missing_weight = cython.declare(cython.double, visibility="public")
    n_tried = cython.declare(cython.longlong, visibility="public")  # monotone: cuts whose children were out of order
    tried_column = cython.declare(cython.int[::1], visibility="public")
    tried_pos = cython.declare(cython.longlong[::1], visibility="public")
    n_heavy = cython.declare(cython.longlong, visibility="public")  # branches that get a part of a row

    def __init__(self) -> None:
        self.clear()
        self.thread = 0

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            setattr(self, name, value)

    def clear(self) -> None:
        """Nothing is left of earlier nodes."""
        self.n_blocks = 0
        self.missing_weight = 0.0
        self.tie_scale = 0.0
        self.loss_scale = 0.0
        self.node_sum = 0.0
        self.best_gain = -1.0


@cython.cclass
class Scratch:
    """Arrays that a thread works in; nothing here outlasts the current node."""

    # rows missing on the column of the current split
    missing_rows = cython.declare(cython.uint[::1], visibility="public")
    branch_weight = cython.declare(cython.double[::1], visibility="public")  # known weight by branch
    # stats of the known and of the missing rows of a column
    known_stats = cython.declare(cython.longlong[:, ::1], visibility="public")
    ranked = cython.declare(cython.uint[::1], visibility="public")  # absolute error: rows in order of y, by rank
    buffer = cython.declare(cython.uint[::1], visibility="public")  # entries of a list
    # stats of two branches, and of a block of entries
    side_stats = cython.declare(cython.longlong[:, ::1], visibility="public")
    # running sums of two branches, and the best proxy
    side_sums = cython.declare(cython.double[::1], visibility="public")
    low_stats = cython.declare(cython.longlong[::1], visibility="public")  # stats below the best cut
    table_row = cython.declare(cython.int[::1], visibility="public")  # code -> row of the contingency table
    contingency = cython.declare(cython.longlong[:, ::1], visibility="public")  # category or branch, class -> weight
    table_sums = cython.declare(cython.longlong[::1], visibility="public")
    table_rows = cython.declare(cython.longlong[::1], visibility="public")
    key = cython.declare(cython.double[::1], visibility="public")
    order = cython.declare(cython.int[::1], visibility="public")
    mean = cython.declare(cython.double[::1], visibility="public")  # class proportions of the node
    direction = cython.declare(cython.double[::1], visibility="public")
    projection = cython.declare(cython.double[::1], visibility="public")
    # grouping: stats of the blocks, and a last row for their sums
    blocks = cython.declare(cython.longlong[:, ::1], visibility="public")
    block_rows = cython.declare(cython.longlong[::1], visibility="public")
    block_of = cython.declare(cython.int[::1], visibility="public")  # category -> block, -1 for the rest branch
    block_order = cython.declare(cython.int[::1], visibility="public")  # the blocks in the order they are walked
    # what merging two blocks loses in gain and split information
    pair_gain = cython.declare(cython.double[:, ::1], visibility="public")
    pair_info = cython.declare(cython.double[:, ::1], visibility="public")
    block_cost = cython.declare(cython.double[::1], visibility="public")  # weight times impurity of a block
    # least loss: the best partner of a block among those behind it
    partner = cython.declare(cython.int[::1], visibility="public")
    partner_loss = cython.declare(cython.double[::1], visibility="public")
    # the block that took this one in, and how many were left then
    merged_into = cython.declare(cython.int[::1], visibility="public")
    n_left = cython.declare(cython.longlong[::1], visibility="public")
    offset = cython.declare(cython.longlong[::1], visibility="public")
    last_group = cython.declare(cython.longlong[::1], visibility="public")
    # absolute error: a Fenwick tree over the ranks
    below_weight = cython.declare(cython.longlong[::1], visibility="public")
    below_moment = cython.declare(cython.longlong[::1], visibility="public")
    rank = cython.declare(cython.longlong[::1], visibility="public")
    losses = cython.declare(cython.longlong[::1], visibility="public")
    # target value -> sums over the rows of the current side
    side_weight = cython.declare(cython.longlong[::1], visibility="public")
    side_moment = cython.declare(cython.longlong[::1], visibility="public")
    # category -> the current target value, and sums over its rows
    value_rank = cython.declare(cython.longlong[::1], visibility="public")
    value_weight = cython.declare(cython.longlong[::1], visibility="public")
    value_moment = cython.declare(cython.longlong[::1], visibility="public")
    rank_value = cython.declare(cython.double[::1], visibility="public")  # monotone: rank -> target
    low_median = cython.declare(cython.double[::1], visibility="public")  # cut -> median of the rows below it

    def assign(self, fields: dict) -> None:
        """Set the named fields; `room` and `pairs` have blocks of several of them."""
        for name, value in fields.items():
            if name == "room":
                self.lay_room(*value)
            elif name == "pairs":
                self.lay_pairs(value)
            else:
                setattr(self, name, value)

    def clear(self) -> None:
        """No code has a row of the contingency table."""
        i: cython.Py_ssize_t
        for i in range(self.table_row.shape[0]):
            self.table_row[i] = -1

    def lay_room(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1], ints: cython.int[:, ::1],
                 stats: cython.longlong[:, ::1], entries: cython.uint[:, ::1], n_codes: cython.Py_ssize_t,
                 n_table: cython.Py_ssize_t) -> None:
        """All rows of a block are as long as the longest needs to be.

        stats    three rows for two branches and a block of entries, `n_table` for categories, the rest for groups
        entries  one row, or two where values may be missing
        n_codes  codes of a category, and one more
        """
        self.low_stats = longs[0]
        self.table_sums = longs[1]
        self.table_rows = longs[2]
        self.block_rows = longs[3]
        self.n_left = longs[4]
        self.offset = longs[5]
        self.last_group = longs[6]
        self.side_sums = doubles[0]
        self.key = doubles[1]
        self.mean = doubles[2]
        self.direction = doubles[3]
        self.projection = doubles[4]
        self.block_cost = doubles[5]
        self.partner_loss = doubles[6]
        self.order = ints[0]
        self.block_of = ints[1]
        self.block_order = ints[2]
        self.partner = ints[3]
        self.merged_into = ints[4]
        self.table_row = ints[5, :n_codes]
        self.side_stats = stats[:3]
        self.contingency = stats[3:3 + n_table]
        self.blocks = stats[3 + n_table:]
        self.buffer = entries[0]
        self.missing_rows = entries[entries.shape[0] - 1]
        self.clear()

    def lay_pairs(self, pairs: cython.double[:, ::1]) -> None:
        """A square for what merging two groups loses in gain, and one for split information."""
        n_pairs: cython.Py_ssize_t = pairs.shape[1]
        self.pair_gain = pairs[:n_pairs]
        self.pair_info = pairs[n_pairs:]


@cython.cclass
class Work:
    """The parts of the workspace; those that are not given are new and empty."""

    table = cython.declare(Table, visibility="public")
    coded = cython.declare(Coded, visibility="public")
    plan = cython.declare(PlanNumbers, visibility="public")
    draft = cython.declare(DraftColumns, visibility="public")
    candidates = cython.declare(Candidates, visibility="public")
    search = cython.declare(Search, visibility="public")
    scratch = cython.declare(Scratch, visibility="public")

    def __init__(self, table: object = None, plan: object = None, draft: object = None,
                 candidates: object = None) -> None:
        self.table = Table() if table is None else table
        self.plan = PlanNumbers() if plan is None else plan
        self.draft = DraftColumns() if draft is None else draft
        self.candidates = Candidates() if candidates is None else candidates
        self.search = Search()
        self.scratch = Scratch()
        self.use_nothing(NOTHING, table is None, plan is None)

    def clear(self) -> None:
        """Make ready for another table of the same form: nothing is left of the nodes."""
        self.draft.clear()
        self.search.clear()
        self.scratch.clear()

    def use_nothing(self, other: object, new_table: cython.bint, new_plan: cython.bint) -> None:
        """One entry, that of another Work, for what a plan has no use for; it is never written to."""
        nothing: Work = other
        if nothing is None:
            return
        if new_table:
            self.table.weights = nothing.table.weights
            self.table.moments = nothing.table.moments
            self.table.labels = nothing.table.labels
            self.table.row_counts = nothing.table.row_counts
            self.table.y = nothing.table.y
            self.table.xlogx = nothing.table.xlogx
            self.table.wide_side = nothing.table.wide_side
        if new_plan:
            self.plan.log2_groupings = nothing.plan.log2_groupings
        self.scratch.pair_gain = nothing.scratch.pair_gain
        self.scratch.pair_info = nothing.scratch.pair_info


def _nothing() -> Work:
    longs, doubles, ints = np.zeros(1, np.int64), np.zeros((1, 1)), np.zeros(1, np.int32)
    nothing = Work()
    nothing.table.assign({"weights": longs, "moments": longs, "labels": ints, "wide_side": ints, "row_counts": longs})
    nothing.table.assign({"y": doubles[0], "xlogx": doubles[0]})
    nothing.plan.assign({"log2_groupings": doubles})
    nothing.scratch.assign({"pair_gain": doubles, "pair_info": doubles})
    return nothing


NOTHING = None
NOTHING = _nothing()
