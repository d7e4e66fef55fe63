"""Sparse: whether a table is a sparse matrix of SciPy.

In: any object. Out: yes or no, without importing SciPy: who has a sparse matrix has imported it.
"""

import sys
from typing import Any


def is_sparse(data: Any) -> bool:
    """Whether this is a sparse matrix or array.

    >>> is_sparse([[1.0]])
    False
    """
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(data))
