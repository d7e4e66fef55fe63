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
    GROUP = 2

cdef enum:
    MAX_GROUPED = 256

cdef enum:
    LEAF = 0
    THRESHOLD = 1
    TABLE = 2

cdef enum:
    DONE = 0
    PAUSED = 1
    NO_ROOM = 2
