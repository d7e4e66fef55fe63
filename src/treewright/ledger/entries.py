"""Entries: the candidates of nodes, spread out and judged.

In: the rows a tree was grown on, the plan it was grown by, the grown tree and some of its nodes. Out: an `Entry` for
each of these. One walk from the root answers for all nodes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.grow.candidates import Seen, Walk
from treewright.grow.plan import Plan
from treewright.ledger.held import held
from treewright.ledger.leaves import Growth
from treewright.ledger.lineage import Lineage
from treewright.ledger.record import REJECTED, Candidate, Entry
from treewright.ledger.spread import KINDS, spread
from treewright.ledger.verdicts import Judged, judge
from treewright.model.tree import Tree
from treewright.model.way import ways


def entries(
    rows: Dataset,
    plan: Plan,
    tree: Tree,
    nodes: Iterable[int],
    lineage: Lineage | None = None,
    *,
    sides: bool = True,
) -> Iterator[Entry]:
    """The entries of these nodes of a grown tree, each once, in the order of the walk (not that of `nodes`).

    rows     what the tree was grown on
    plan     what it was grown by, its minimums settled for these rows
    tree     as growth left it, or cut back from there; not one with raised branches
    lineage  what stopped growth, where validation rows did
    sides    whether cuts have the stats of both sides, branches and cuts their words, and ties are counted: that takes
             most of the time

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.grow.grower import grow
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> rows = Dataset(schema, np.array([[20.0], [30.0], [40.0]]), np.array([0, 1, 1], np.int32))
    >>> tree = grow(rows, Plan())
    >>> [(entry.node, entry.chosen, entry.leaf) for entry in entries(rows, Plan(), tree, [0, 2])]
    [(0, 0, None), (2, None, 'All its rows are of one class, yes.')]
    """
    asked = [tree.node(node).id for node in nodes]
    if not asked:
        return
    if len(asked) > 1:  # what some rows have in a column is then read in one stretch
        rows = replace(rows, values=np.asfortranarray(rows.values))
    walk, growth = Walk(rows, plan), Growth(rows, plan, tree, Lineage(tree, tree) if lineage is None else lineage)
    for seen in walk.visit(tree, asked):
        yield _entry(walk, growth, tree, seen, sides=sides)


def entries_of(rows: Dataset, plan: Plan, lineage: Lineage, nodes: Iterable[int]) -> Iterator[Entry]:
    """The same for nodes of the tree of the answers, pruned and raised as it may be."""
    of_source: dict[int, list[int]] = {}
    for node in nodes:
        of_source.setdefault(lineage.source(lineage.tree.node(node).id), []).append(int(node))
    for entry in entries(rows, plan, lineage.grown, of_source, lineage):
        for node in of_source[entry.node]:
            yield lineage.retold(node, entry)


def _entry(walk: Walk, growth: Growth, tree: Tree, seen: Seen, *, sides: bool) -> Entry:
    node, plan = seen.node, walk.prepared.plan
    judged = _judged(walk, tree, seen, sides=sides)
    _refuse_others(walk, tree, seen, None if seen.chosen is None else judged.candidates[seen.chosen])
    return Entry(
        **told_by_tree(tree, node),
        criterion=plan.criterion,
        ranked_by="ratio" if plan.merit == "ratio" else "gain",
        average=judged.average,
        naming=judged.naming,
        candidates=judged.candidates,
        chosen=seen.chosen,
        margin=judged.margin,
        leaf=None if tree.n_children[node] else growth.why_leaf(seen, judged.candidates),
    )


def told_by_tree(tree: Tree, node: int) -> dict[str, Any]:
    """The parts of an entry that the tree knows by itself.

    >>> from treewright.model.build import golf_example
    >>> told_by_tree(golf_example(), 1)["words"]
    'outlook = sunny'
    """
    return {
        "node": node,
        "words": ways(tree, [node])[0],
        "count": int(tree.count[node]),
        "weight": float(tree.weight[node]),
        "stats": tuple(tree.stats[node].tolist()),
        "impurity": float(tree.impurity[node]),
    }


def _judged(walk: Walk, tree: Tree, seen: Seen, *, sides: bool) -> Judged:
    """The candidates; those of a node where nothing is to be gained are rejected without a look."""
    if not seen.candidates:
        reason = "every row here has the same answer" if len(seen.rows) else "no row comes here"
        rows = walk.prepared.dataset
        return Judged(
            tuple(
                Candidate(f, c.name, KINDS[c.kind], REJECTED, reason, known=known, missing=gone, rho=rho, before=0.0)
                for f, c in enumerate(rows.schema.columns)
                for known, gone, rho in [_known(walk, seen, f)]
            ),
            None,
            None,
        )
    rows_here = held(walk.prepared, seen)
    found = [spread(walk, rows_here, one, sides=sides) for one in seen.candidates]
    return judge(rows_here, seen, found, set(tree.column[seen.path].tolist()))


def _refuse_others(walk: Walk, tree: Tree, seen: Seen, chosen: Candidate | None) -> None:
    """Refuse rows that lead to the same questions with other answers: classes exchanged, numbers moved."""
    node, target = seen.node, walk.prepared.dataset.target[seen.rows]
    pairs: list[tuple[Any, Any]] = []
    if tree.schema.target.classes is not None:
        own = np.bincount(target, seen.weights, tree.schema.target.n_classes) * walk.prepared.weights.unit
        pairs.append((own, tree.stats[node]))
        if chosen is not None and not chosen.missing and tree.n_children[node]:
            below = tree.stats[int(tree.first_child[node]) :][: int(tree.n_children[node])]
            pairs.append(([branch.stats for branch in chosen.branches], below[below.sum(axis=1) > 0]))
    elif not tree.by_median and len(seen.rows):
        # from the answer of the node, so that numbers far from 0 are told apart as well
        off = np.average(target - tree.value[node, 0], weights=seen.weights)
        pairs.append((1.0 + off / (np.sqrt(tree.impurity[node]) or 1.0), 1.0))
    if not all(np.allclose(given, known, rtol=1e-6, atol=1e-9 * tree.weight[node]) for given, known in pairs):
        raise InputError(
            f"With these rows node {node} has other answers than in the tree; give the rows the tree was grown on, "
            "all of them and unchanged."
        )


def _known(walk: Walk, seen: Seen, column: int) -> tuple[float, float, float]:
    """Weight of the rows with a known value, of those without, and the share of the first."""
    gone = np.isnan(walk.prepared.dataset.values[seen.rows, column])
    unit = walk.prepared.weights.unit
    total, missing = int(seen.weights.sum()), int(seen.weights[gone].sum())
    return (total - missing) * unit, missing * unit, (total - missing) / total if total else 1.0
