"""The numbers behind the names of a plan, for Python; codes.pxd has the same ones as C constants."""

ENTROPY, GINI, TWOING, SQUARED_ERROR, ABSOLUTE_ERROR = range(5)
EACH, SUBSET, GREEDY, LEAST_LOSS, BINARY = range(5)
NO_CHARGE, CUTS, DESCRIPTION = range(3)
NO_FLOOR, AVERAGE, LENGTH = range(3)  # LENGTH: the description-length floor
MAX_GROUPED = 512  # with more categories present than this a column is not grouped
LEAF, THRESHOLD, TABLE = range(3)
HEAVIEST = -2  # a branch that is named when the children are weighed
DONE, PAUSED, NO_ROOM = range(3)
WHOLE, FRACTIONAL, SURROGATE, STOP, LEARNED, BRANCH = range(6)  # WHOLE: the table has no missing cell
NO_HOLE, SOME_HOLES, NO_VALUE = range(3)  # a column without a value at all is as good as left out
FAST_BOUNDS, FAST_BLOCKS, FAST_RUNS, FAST_LARGEST, FAST_TWO = 1, 2, 4, 8, 16  # see treewright.fast_paths
FAST_SUMS, FAST_PAIRS, FAST_SUBTRACTION, FAST_PACKED, FAST_SHORT = 32, 64, 128, 256, 512
PLAIN, MISSING_LOW, IS_MISSING, THIRD = range(4)  # how a candidate treats rows that are missing on its column
