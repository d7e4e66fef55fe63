"""The numbers behind the names of a plan, and the constants that several kernels share.

The build makes codes.pxd of this file: the same names as C constants.
"""

ENTROPY, GINI, TWOING, SQUARED_ERROR, ABSOLUTE_ERROR, POISSON = range(6)
EACH, SUBSET, GREEDY, LEAST_LOSS, BINARY = range(5)
NO_PENALTY, CUTS, DESCRIPTION = range(3)
NO_FLOOR, AVERAGE, LENGTH = range(3)  # LENGTH: the description-length floor
MAX_GROUPED = 512  # with more categories present than this a column is not grouped
LEAF, THRESHOLD, TABLE = range(3)
HEAVIEST = -2  # a branch that is named when the children are weighed
DONE, PAUSED, NO_ROOM = range(3)
WHOLE, FRACTIONAL, SURROGATE, STOP, LEARNED, BRANCH = range(6)  # WHOLE: the table has no missing cell
NONE_MISSING, SOME_MISSING, ALL_MISSING = range(3)  # a column without a value at all is as good as left out
FAST_BOUNDS, FAST_BLOCKS, FAST_RUNS, FAST_LARGEST, FAST_TWO = 1, 2, 4, 8, 16  # see treewright.fast_paths
FAST_SUMS, FAST_SUBTRACTION, FAST_PACKED, FAST_SHORT = 32, 64, 128, 256
PLAIN, MISSING_LOW, IS_MISSING, THIRD = range(4)  # how a candidate treats rows that are missing on its column
NOT_YET, COUNTED, INHERITED = range(3)  # the histogram of a node: not counted yet, counted, or that of its parent
KEPT, PRUNED, RAISED = range(3)  # what error-based pruning decides about a node
ROUTED_AT_ONCE, STEPS_AT_ONCE = 8, 4  # rows that are routed at once, and steps between two looks at where they are
MOST_SHORT_ROWS, MOST_SHORT_KINDS = 32_767, 32  # counts of 16 bits: rows of a node, and its classes
MOST_COPIES = 8  # branches that one row goes down with a part of its weight
LEAST_SURROGATE_ROWS = 2  # rows on each side of a surrogate
BLOCK = 64  # entries of a sorted list that are skipped together when no cut among them can win
FLAG = 0x80000000  # the top bit of a packed entry: the first row of its value
TIE = 1e-12  # two cuts, or two estimates, tie when they differ by no more than this part of them
GAIN_TIE = 1e-11  # two gains tie when they differ by no more than this part of the impurity of the node
GAIN_STEPS = 1e10  # best-first growth rounds what a split improves to these parts of the impurity of the root
NO_PROXY = -1e300  # less than the proxy of any cut
UNSEEN = float("-inf")  # the value of a category that training never showed
