# A table of values -> sorted lists, codes and ranges of its columns.
# Each file below is plain Python, which also runs uncompiled (see __init__.py of its folder).
from treewright._core.codes cimport *

include "table/sort_columns.py"
include "table/transpose.py"
include "table/values.py"
