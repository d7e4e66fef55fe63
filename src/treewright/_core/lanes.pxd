# Rows that go down at once, and steps between two looks at where they are; lanes.py has the same for Python.
cdef enum:
    LANES = 8
    STEPS = 4

cdef struct Lane:
    double cut
    int child
    int column
    int place
    int keep
    int on
    int unseen
