"""The numbers behind the names of a plan, for Python; codes.pxd has the same ones as C constants."""

ENTROPY, GINI, TWOING, SQUARED_ERROR, ABSOLUTE_ERROR = range(5)
EACH, SUBSET, GROUP = range(3)
LEAF, THRESHOLD, TABLE = range(3)
DONE, PAUSED, NO_ROOM = range(3)
