"""The numbers behind the names of a plan, for Python; codes.pxd has the same ones as C constants."""

ENTROPY, GINI, TWOING, SQUARED_ERROR, ABSOLUTE_ERROR = range(5)
EACH, SUBSET, GROUP = range(3)
MAX_GROUPED = 256  # with more categories present than this a column is not grouped
LEAF, THRESHOLD, TABLE = range(3)
DONE, PAUSED, NO_ROOM = range(3)
