"""Compiled kernels, in Cython's pure-Python mode: each file also runs uncompiled, as its own slow twin.

The kernels import nothing from the rest of the package. What they share, with its C types, stands in the `.pxd`
files. Two rules keep both modes equal: integer widths are cast where numpy scalars would not widen, and a struct
is declared, never aliased.

    sorting     one column -> packed entries, sorted by value, then label
    work        everything the growth loop reads and writes, by name
    impurity    stats -> impurity, gain, split information
    scan        sorted entries -> best cut, for classes
    scan_mean   the same for numbers: squared error
    scan_median the same for numbers: absolute error
    category    codes -> contingency table -> best branches: each value or two subsets
    grouping    the same by greedy merging (C4.5)
    column      one column of one node -> its candidate
    choose      the candidates of a node -> the chosen one; the tie rule
    partition   entries of a node -> entries of its children
    loop        the growth loop
    route       rows -> leaves of a finished tree
"""
