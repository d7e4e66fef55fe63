"""RawTable: what a file says, before anybody has decided what is learned from what.

In: the columns of a file, and what the file itself declares of them. Out: a RawTable.

The columns of `frame` are numbers (Float64) where the file says so, text (String) otherwise; a missing value is null. A
file that declares nothing (CSV) leaves the sets empty and the columns as they were read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl
    from numpy import float64
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as a file holds it.

    frame    the columns in the order of the file, the target among them
    levels   the declared categories of a column, in the order of the file
    ordered  columns whose levels go from low to high
    ignored  columns that the file says are not to be used
    numeric  columns that the file declares as numbers
    target   the column that the file names as the target, or None
    weights  one weight for each row, or None
    name     what messages call the table: its path, or the name of its relation

    >>> import polars
    >>> RawTable(polars.DataFrame({"a": [1.0]}), numeric={"a"}).target is None
    True
    """

    frame: pl.DataFrame
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: set[str] = field(default_factory=set)
    ignored: set[str] = field(default_factory=set)
    numeric: set[str] = field(default_factory=set)
    target: str | None = None
    weights: NDArray[float64] | None = None
    name: str = ""
