"""Compiled kernels, in Cython's pure-Python mode: each file also runs uncompiled, as its own slow twin.

    codes        the numbers behind the names of a plan, and constants that several kernels share
    table/       a table of values -> sorted lists, codes and ranges of its columns
    grow/        the growth loop: a sorted table and a plan -> a grown draft
    tree/        a grown draft -> the columns of a finished tree
    predict/     rows of values -> the nodes of a tree where they end
    prune/       passes over a finished tree that decide what is pruned
    branch_rule  a node and a value -> the branch; included in predict and prune
    short_sort   short lists in order of a key; included in grow and prune

A folder is compiled as a whole: `_grow.pyx` includes the files of grow/ and tree/ one after the other, so a call from
one of them to another is a C call that the compiler can inline. Compiled, they are one module; a file imports what it
takes from others only when it runs uncompiled (`if not cython.compiled`). `from treewright._core.grow import ...`
gives the compiled functions or, where there are none, those of the files.

The kernels import nothing from the rest of the package. Two rules keep both modes equal: integer widths are cast where
numpy scalars would not widen, and a struct is declared, never aliased.
"""
