# Made of codes.py by setup.py.
cdef enum:
    ENTROPY = 0
    GINI = 1
    TWOING = 2
    SQUARED_ERROR = 3
    ABSOLUTE_ERROR = 4
    EACH = 0
    SUBSET = 1
    GREEDY = 2
    LEAST_LOSS = 3
    BINARY = 4
    NO_CHARGE = 0
    CUTS = 1
    DESCRIPTION = 2
    NO_FLOOR = 0
    AVERAGE = 1
    LENGTH = 2
    MAX_GROUPED = 512
    LEAF = 0
    THRESHOLD = 1
    TABLE = 2
    HEAVIEST = -2
    DONE = 0
    PAUSED = 1
    NO_ROOM = 2
    WHOLE = 0
    FRACTIONAL = 1
    SURROGATE = 2
    STOP = 3
    LEARNED = 4
    BRANCH = 5
    NO_HOLE = 0
    SOME_HOLES = 1
    NO_VALUE = 2
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
    PLAIN = 0
    MISSING_LOW = 1
    IS_MISSING = 2
    THIRD = 3
    NOT_YET = 0
    COUNTED = 1
    HEIR = 2
    KEPT = 0
    PRUNED = 1
    RAISED = 2
    LANES = 8
    STEPS = 4
    MOST_SHORT_ROWS = 32767
    MOST_SHORT_KINDS = 32
    MOST_SHARES = 8
    FEWEST = 2
    BLOCK = 64
cdef extern from *:
    """
    #include <math.h>
    #define FLAG 2147483648u
    #define TIE 1e-12
    #define GAIN_TIE 1e-11
    #define NO_PROXY -1e+300
    #define UNSEEN -INFINITY
    """
    const unsigned int FLAG
    const double TIE
    const double GAIN_TIE
    const double NO_PROXY
    const double UNSEEN
