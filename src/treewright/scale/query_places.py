"""The positions of numbers among rising edges, by joins with small tables: codes of cells, and ranks.

In: rows of a backend and for some columns the edges. Out: the same rows with the position of each cell, that of the
first edge that is at least the cell.

An expression with hundreds of edges is slow to build and to run. So the range of the edges is divided into intervals
of one length, and a small table has of each interval how many edges are below it, and the few edges that a number in it
has to be compared with. Where edges are too uneven for that, they are bisected in two steps.
"""

from collections.abc import Mapping, Sequence
from math import isqrt
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import LARGEST_EXACT
from treewright.scale.query_frames import Frames, place

FEW_EDGES = 31
"""So many edges are bisected by one expression."""
N_INTERVALS, MOST_AMONG = (1024, 4096), 6
"""Into so many intervals the range of edges is divided, if one of them has so many edges at most."""


class EdgeTable(NamedTuple):
    """A small table of edges.

    key     the row of the table that a cell looks up
    below   of each row, how many edges are below the cells that look it up
    among   (n, n_rows) the edges that these are compared with, rising
    """

    key: Any
    below: NDArray[np.int64]
    among: NDArray[Any]


def edge_table(cell: Any, edges: NDArray[Any]) -> EdgeTable:
    """The table for a cell and many edges."""
    return _even_table(cell, edges) or _table_of_blocks(cell, edges)


def _even_table(cell: Any, edges: NDArray[Any]) -> EdgeTable | None:
    """Intervals of one length; None if one of them has too many edges.

    A number belongs to the interval that its distance from the lowest edge, times a scale, rounds or truncates to.
    Backends differ in that, and may differ in the last bit before: so a table has the edges of both.
    """
    low, high = edges[0].item(), edges[-1].item()
    distance = float(high) - float(low)
    for n in N_INTERVALS:
        scale = n / distance if 0 < distance < np.inf else np.inf
        if not 0 < scale < np.inf:
            return None
        at, intervals = (edges.astype(np.float64) - float(low)) * scale, np.arange(n + 1)
        below, behind = np.searchsorted(at, intervals - 0.51), np.searchsorted(at, intervals + 1.01)
        most = int((behind - below).max())
        if most <= MOST_AMONG:
            inside = nw.when(cell <= high).then(cell).otherwise(nw.lit(high))  # of null, too
            inside = nw.when(cell <= low).then(nw.lit(low)).otherwise(inside)
            key = ((inside.cast(nw.Float64) - float(low)) * scale).cast(nw.Int64)
            places = below + np.arange(most)[:, None]
            padded = np.append(edges, np.full(most, behind_all(edges)))
            return EdgeTable(key, below, np.where(places < behind, padded[places], behind_all(edges)))
    return None


def _table_of_blocks(cell: Any, edges: NDArray[Any]) -> EdgeTable:
    """Blocks of as many edges as there are blocks."""
    size = isqrt(len(edges)) + 1
    n_blocks = len(edges) // size + 1
    of_block = np.append(edges, np.full(n_blocks * size - len(edges), behind_all(edges))).reshape(n_blocks, size)
    key = place(cell, of_block[:-1, -1].tolist()).cast(nw.Int64)
    return EdgeTable(key, np.arange(n_blocks) * size, of_block[:, :-1].T)


def behind_all(edges: NDArray[Any]) -> float:
    """A number that is above all cells, of the type of the edges.

    >>> behind_all(np.array([1.5]))
    inf
    """
    return np.inf if edges.dtype == np.float64 else LARGEST_EXACT


def place_cells(frames: Frames, rows: Any, edges: Mapping[str, Sequence[Any] | NDArray[Any]], suffix: str) -> Any:
    """The rows with the position of each cell of some columns in columns of their names and a suffix; null where the
    cell is missing.
    """
    names = rows.collect_schema().names()
    keys, tables, places = {}, [], {}
    for i, (name, given) in enumerate(edges.items()):
        cell, own = nw.col(name), np.asarray(given)
        if len(own) <= FEW_EDGES:
            found = place(cell, own.tolist())
        else:
            made, among = edge_table(cell, own), []
            table: dict[str, Any] = {f"k{i}": np.arange(len(made.below)), f"b{i}": made.below}
            for j, column in enumerate(made.among):
                table[f"e{i}_{j}"] = column
                among.append(nw.col(f"e{i}_{j}"))
            keys[f"k{i}"] = made.key
            tables.append((f"k{i}", table))
            found = nw.col(f"b{i}") + place(cell, among)
        places[name + suffix] = nw.when(~cell.is_null()).then(found)
    if keys:
        rows = rows.select(*names, **keys)
    for key, table in tables:
        rows = rows.join(frames.table(table), on=key, how="inner")
    return rows.select(*names, **places)
