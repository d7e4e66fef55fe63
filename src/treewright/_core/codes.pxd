# The numbers behind the names of a plan; codes.py has the same ones for Python.
cdef enum:
    ENTROPY = 0
    GINI = 1
    TWOING = 2
    SQUARED_ERROR = 3
    ABSOLUTE_ERROR = 4

cdef enum:
    EACH = 0
    SUBSET = 1
    GREEDY = 2
    LEAST_LOSS = 3
    BINARY = 4

cdef enum:
    NO_CHARGE = 0
    CUTS = 1
    DESCRIPTION = 2

cdef enum:
    NO_FLOOR = 0
    AVERAGE = 1
    LENGTH = 2

cdef enum:
    MAX_GROUPED = 512

cdef enum:
    LEAF = 0
    THRESHOLD = 1
    TABLE = 2

cdef enum:
    HEAVIEST = -2

cdef enum:
    DONE = 0
    PAUSED = 1
    NO_ROOM = 2

cdef enum:
    WHOLE = 0
    FRACTIONAL = 1
    SURROGATE = 2
    STOP = 3
    LEARNED = 4
    BRANCH = 5

cdef enum:
    NO_HOLE = 0
    SOME_HOLES = 1
    NO_VALUE = 2

cdef enum:  # fast paths, as bits of Work.fast: see treewright/fast_paths.py
    FAST_BOUNDS = 1
    FAST_BLOCKS = 2
    FAST_RUNS = 4
    FAST_LARGEST = 8
    FAST_TWO = 16
    FAST_SUMS = 32
    FAST_PAIRS = 64
    FAST_SUBTRACTION = 128
    FAST_PACKED = 256
    FAST_SHORT = 512

cdef enum:
    PLAIN = 0
    MISSING_LOW = 1
    IS_MISSING = 2
    THIRD = 3
