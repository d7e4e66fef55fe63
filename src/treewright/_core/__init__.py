"""Compiled kernels, in Cython's pure-Python mode: each file also runs uncompiled, as its own slow twin.

The kernels import nothing from the rest of the package. What they share, with its C types, stands in the `.pxd`
files. Two rules keep both modes equal: integer widths are cast where numpy scalars would not widen, and a struct
is declared, never aliased.

    codes          the numbers behind the names of a plan
    work           everything the growth loop reads and writes, by name
    sorting        one column -> packed entries, sorted by value, then label
    impurity       stats -> impurity, gain, split information
    scan           sorted entries -> best cut: classes, rows that count once
    scan_two       the same for two classes
    scan_weighted  the same with weights, and for any criterion
    scan_mean      the same for numbers: squared error
    scan_median    the same for numbers: absolute error
    category       codes -> contingency table -> a branch for each value
    subset         the same in two subsets
    subset_median  the same for absolute error
    grouping       the same in groups, merged greedily (C4.5)
    column         one column of one node -> its candidate
    choose         the candidates of a node -> the chosen one; the tie rule
    node           a node of the draft: made, filled, measured, closed
    partition      entries of a node -> entries of its children
    split          the chosen candidate -> children
    loop           the growth loop
    finish         a grown draft -> the order of its nodes
    route          rows -> leaves of a finished tree
    route_missing  rows that miss a value -> where they go on and end
"""
