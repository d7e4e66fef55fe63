"""A table of values -> sorted lists, codes and ranges of its columns.

    sort_columns  a column -> packed entries in order of value, or its sorted values
    transpose     a table by rows -> its columns
    distinct      whole numbers of a narrow range -> their ranks; whether numbers are infinite or missing
    column_range  the lowest and the highest value of each column
    value_codes   values -> codes, as long as they are few
"""

try:
    from treewright._core._table import *
except ModuleNotFoundError:  # not compiled
    from treewright._core.table.sort_columns import *
    from treewright._core.table.transpose import *
    from treewright._core.table.values import *
