"""A table of values -> sorted lists, codes and ranges of its columns.

    sort_columns  a column -> packed entries in order of value, or its sorted values
    transpose     a table by rows -> its columns
    values        columns -> their ranges, their distinct values, and codes if these are few
"""

try:
    from treewright._core._table import *
except ModuleNotFoundError:  # not compiled
    from treewright._core.table.sort_columns import *
    from treewright._core.table.transpose import *
    from treewright._core.table.values import *
