"""How good one tree can be: accuracy, size, log loss and time of our trees and scikit-learn's on the same rows.

In: the folder of sets.py and mixed_table.py. Out: tables; see `python -m benchmarks.best_tree --help`.

One thread each: the processor time of a fit says what it costs only if no other thread waits beside it. The variables
are read when numpy and OpenMP are loaded, so they are set before anything of this package is.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
