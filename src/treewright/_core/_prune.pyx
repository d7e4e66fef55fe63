# Passes over a finished tree that decide what is pruned.
# Each file below is plain Python, which also runs uncompiled (see __init__.py of its folder).
from libc.math cimport exp, expm1, fabs, lgamma, log, log1p, rint, sqrt
from treewright._core.codes cimport *

include "short_sort.py"
include "branch_rule.py"
include "prune/bottom_up.py"
include "prune/cost_complexity.py"
include "prune/error_limits.py"
include "prune/raising_state.py"
include "prune/raising.py"
include "prune/raising_shared.py"
