"""Ledgers: what every column offered at the heaviest nodes, for the page.

In: the grown tree, its training rows and the plan it was grown by. Out: for each of some nodes its candidates, with
the numbers that growth compared, rounded to be read.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Column
from treewright.grow.plan import Plan
from treewright.ledger.entries import entries
from treewright.ledger.record import BELOW, CHOSEN, RANKED, REJECTED, TIED, Candidate, Entry
from treewright.model.tree import Tree
from treewright.page.nodes import threshold_words
from treewright.page.plain import sentence, short

MOST_COLUMNS = 60
"""Candidates that are listed at a node."""

MOST_CUTS = 5
"""Cuts of a candidate that are listed, the best first."""

MOST_LINES = 8_000
"""Candidates on a page, over all nodes."""

MOST_VALUES = 3 * 10**7
"""Values of the table that are looked at, over all nodes; half a dozen seconds, about."""

NUMBERS = ("rho", "before", "after", "charge", "gain", "split_info", "ratio", "gini_index", "merit")

RANKS = {CHOSEN: 0, TIED: 1, RANKED: 2, BELOW: 3, REJECTED: 4}


def ledgers_part(tree: Tree, rows: Dataset, plan: Plan, nodes: NDArray[np.int64]) -> dict[str, dict[str, Any]]:
    """The ledgers by node."""
    columns = tree.schema.columns
    told = entries(rows, plan, tree, nodes.tolist(), sides=False)
    found = {one.node: ledger_of(one, columns) for one in told}
    return {str(node): found[node] for node in sorted(found)}


def affordable(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of nodes, heaviest first, as many as a page has room and time for, in rising order; the first one always.

    >>> from treewright.model.build import golf_example
    >>> affordable(golf_example(), np.array([0, 1, 3])).tolist()
    [0, 1, 3]
    """
    n_columns = max(1, tree.schema.n_columns)
    nodes = nodes[: max(1, MOST_LINES // min(n_columns, MOST_COLUMNS))]
    values = np.cumsum(tree.count[nodes].astype(np.float64) * n_columns)
    return np.sort(nodes[: max(1, int(np.searchsorted(values, MOST_VALUES, side="right")))])


def ledger_of(entry: Entry, columns: tuple[Column, ...]) -> dict[str, Any]:
    """One ledger; what has no meaning is left out."""
    listed = list(entry.candidates)
    if len(listed) > MOST_COLUMNS:
        best = sorted(listed, key=lambda one: (RANKS[one.verdict], -(one.merit or one.gain or 0.0), one.column))
        listed = sorted(best[:MOST_COLUMNS], key=lambda one: one.column)
    return {
        **_naming(entry),
        "average": short(entry.average),
        "margin": short(entry.margin),
        "leaf": entry.leaf,
        "n_candidates": len(entry.candidates),
        "candidates": [_line(one, columns[one.column]) for one in listed],
    }


def _naming(entry: Entry) -> dict[str, Any]:
    """The price of a name where it is part of the floor, and the floor."""
    naming = entry.naming
    if naming is None:
        return {}
    numbers = {"rows": naming.rows, "price": naming.price, "average_part": naming.average_part, "floor": entry.floor}
    return {"naming": {"columns": naming.n_columns} | {name: short(x) for name, x in numbers.items()}}


def _line(one: Candidate, column: Column) -> dict[str, Any]:
    found: dict[str, Any] = {"column": one.column, "verdict": one.verdict, "reason": sentence(one.reason)}
    found |= {name: short(getattr(one, name)) for name in NUMBERS if getattr(one, name) is not None}
    if one.threshold is not None:
        found["threshold_words"] = threshold_words(column, one.threshold)
    if one.cuts:
        cuts = one.cuts[:MOST_CUTS]
        found["cuts"] = [[threshold_words(column, c.threshold), short(c.gain), c.tied] for c in cuts]
    return found
