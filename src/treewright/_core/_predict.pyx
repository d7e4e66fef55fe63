# Rows of values -> the nodes of a tree where they end.
# Each file below is plain Python, which also runs uncompiled (see __init__.py of its folder).
from treewright._core.codes cimport *

include "branch_rule.py"
include "predict/rows.py"
include "predict/routing.py"
include "predict/routing_batch.py"
include "predict/routing_shared.py"
include "predict/shrinkage.py"
