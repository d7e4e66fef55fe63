"""Refuse: how the validator says no.

In: a field and what is wrong with it. Out: a ModelFormatError that names the field and the first bad node.
"""

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFormatError


def refuse(field: str, why: str) -> NoReturn:
    """Refuse the tree."""
    raise ModelFormatError(f"Field {field} of the tree {why}; the tree is damaged and has to be made again.")


def refuse_where(field: str, bad: NDArray[np.bool_] | np.bool_, why: str) -> None:
    """Refuse the tree when any node is bad, and name the first."""
    # count_nonzero is several times quicker than any: a small tree is checked in a tenth of a millisecond.
    if np.count_nonzero(bad):
        refuse(field, f"is wrong at node {int(bad.argmax())}: {why}")


def refuse_at(field: str, node: NDArray[Any], bad: NDArray[np.bool_], why: str) -> None:
    """The same for entries that belong to nodes."""
    if np.count_nonzero(bad):
        refuse(field, f"is wrong at node {node[bad.argmax()]}: {why}")


def refuse_shape(field: str, found: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Refuse an array of another shape or type."""
    if found.shape != shape:
        refuse(field, f"has the shape {found.shape}, but needs {shape}")
    if found.dtype != dtype:
        refuse(field, f"holds {found.dtype}, but needs {dtype}")


def refuse_offsets(field: str, start: NDArray[np.int64], n: int) -> None:
    """Refuse offsets that do not run from 0 to n without falling."""
    if start[0] != 0 or start[-1] != n:
        refuse(field, f"runs from {start[0]} to {start[-1]}, but its entries from 0 to {n}")
    refuse_where(field, start[1:] < start[:-1], "offsets never fall")
