"""Report: the decisions of a pruning, as a model file holds them.

In: a pruning report, or the object that was written of one. Out: the other, and a check that it tells of its trees.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.file.fields import Fields
from treewright.model.tree import Tree
from treewright.prune.report import VERDICTS, PruningReport
from treewright.prune.steps import joined
from treewright.store.path import check_path, path_document, read_path, refuse, refuse_column

WORDS = ("method", "rule", "unit", "as_leaf", "as_subtree", "with_allowance")
NUMBERS = ("leaf", "subtree", "allowance", "weight")
MOST = 2**53


def report_document(report: PruningReport, place: Callable[[Tree], int]) -> dict[str, Any]:
    """The report as an object of a file; `place` says which tree of the file one is.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic
    >>> report_document(Pessimistic().prune(golf_example()).report, lambda tree: 0)["node"].tolist()
    [0, 1, 3]
    """
    if report.steps:
        return {"steps": [report_document(one, place) for one in report.steps]}
    told: dict[str, Any] = {"tree": place(report.tree)} | {name: getattr(report, name) for name in WORDS}
    told |= {"node": report.node, "verdict": report.verdict, "origin": report.origin}
    told |= {name: getattr(report, name) for name in NUMBERS}
    details = [{"name": name, "values": np.asarray(values)} for name, values in report.details.items()]
    return told | {"branch": report.branch, "details": details, "path": path_document(report.path)}


def read_report(fields: Fields, trees: Sequence[Tree]) -> PruningReport:
    """The report that an object of a file holds, about one of these trees; of steps, the reports of all."""
    if fields.has("steps"):
        steps = [_read_one(one, trees) for one in fields.each("steps")]
        if not steps:
            fields.refuse("steps", "is empty, but there is one at least")
        fields.done()
        for i, (one, following) in enumerate(pairwise(steps)):
            _check_origin(one, following.tree, f"{fields.name('steps')}[{i}]")
        return joined(steps)
    return _read_one(fields, trees)


def _read_one(fields: Fields, trees: Sequence[Tree]) -> PruningReport:
    tree = trees[fields.whole("tree", 0, len(trees) - 1)]
    told: dict[str, Any] = {name: fields.text(name) for name in WORDS}
    node = fields.ints("node", None, 0, tree.n_nodes - 1)
    n = len(node)
    verdict = fields.ints("verdict", n, 0, len(VERDICTS) - 1).astype(np.int8)
    told |= {name: fields.floats(name, n, low=-np.inf, high=np.inf, nan=True) for name in NUMBERS}
    details: dict[str, NDArray[Any]] = {}
    for one in fields.each("details"):
        name = one.text("name")
        if name in details:
            one.refuse("name", f"is {name!r}, as another one is")
        details[name] = one.numbers("values", n)
        one.done()
    branch = None if fields.is_null("branch") else fields.floats("branch", n, nan=True)
    origin = fields.ints("origin", None, 0, tree.n_nodes - 1)
    path = fields.maybe("path")
    found = PruningReport(
        tree=tree,
        node=node,
        verdict=verdict,
        origin=origin,
        branch=branch,
        details=details,
        path=None if path is None else read_path(path, tree),
        **told,
    )
    fields.done()
    return found


def check_report(report: PruningReport, after: Tree, name: str) -> None:
    """Refuse a report that does not tell how a tree became the one `after` it."""
    if not isinstance(report, PruningReport):
        refuse(name, "is no pruning report")
    if report.steps:
        _check_steps(report, after, name)
        return
    tree = report.tree
    if not isinstance(tree, Tree):
        refuse(f"{name}.tree", "is no tree")
    for word in WORDS:
        if not isinstance(getattr(report, word), str):
            refuse(f"{name}.{word}", "is no text")
    n = len(report.node) if isinstance(report.node, np.ndarray) else 0
    refuse_column(f"{name}.node", report.node, n, "i")
    refuse_column(f"{name}.verdict", report.verdict, n, "i")
    for key in NUMBERS:
        refuse_column(f"{name}.{key}", getattr(report, key), n, "f")
    if report.branch is not None:
        refuse_column(f"{name}.branch", report.branch, n, "f")
    for key, values in report.details.items():
        if not isinstance(key, str):
            refuse(f"{name}.details", "has a name that is no text")
        refuse_column(f"{name}.details", values, n, "i" if np.asarray(values).dtype.kind == "i" else "f")
    _check_nodes(report, name)
    _check_origin(report, after, name)
    if report.path is not None:
        check_path(report.path, tree, f"{name}.path")


def _check_steps(report: PruningReport, after: Tree, name: str) -> None:
    """Each step leads to the tree of the next one, and all of them are told as their report tells them."""
    steps = report.steps
    if not isinstance(steps, tuple) or not all(isinstance(one, PruningReport) for one in steps):
        refuse(f"{name}.steps", "are no pruning reports")
    for i, (one, left) in enumerate(zip(steps, [*(one.tree for one in steps[1:]), after], strict=True)):
        if one.steps:
            refuse(f"{name}.steps", "have steps of their own")
        if not isinstance(left, Tree) or left.schema != after.schema:
            refuse(f"{name}.steps", "tell of a tree that is none, or that knows other columns")
        check_report(one, left, f"{name}.steps[{i}]")
    expected = joined(steps)
    same = report.tree is expected.tree and all(
        np.array_equal(getattr(report, key), getattr(expected, key)) for key in ("node", "origin", "verdict")
    )
    if not same:
        refuse(f"{name}.steps", "do not lead to what is told of all of them")


def _check_nodes(report: PruningReport, name: str) -> None:
    node, verdict, tree = report.node, report.verdict, report.tree
    if np.count_nonzero((node < 0) | (node >= tree.n_nodes)) or np.count_nonzero(tree.n_children[node] == 0):
        refuse(f"{name}.node", "names a node that is none, or that has no split to decide on")
    if np.count_nonzero((verdict < 0) | (verdict >= len(VERDICTS))):
        refuse(f"{name}.verdict", f"has a number that is none of 0 to {len(VERDICTS) - 1}")


def _check_origin(report: PruningReport, after: Tree, name: str) -> None:
    """Every node of the tree after the pruning comes from one before it, and every split from a split."""
    origin, tree = report.origin, report.tree
    refuse_column(f"{name}.origin", origin, after.n_nodes, "i")
    at_root = np.arange(len(origin)) == 0
    if np.count_nonzero((origin < 0) | (origin >= tree.n_nodes) | ((origin == 0) != at_root)):
        refuse(f"{name}.origin", "names a node that is none, or the root for another one, or another one for the root")
    inner = np.flatnonzero(after.n_children)
    source = tree.parent[origin[after.first_child[inner]]]
    if np.count_nonzero(tree.column[source] != after.column[inner]):
        refuse(f"{name}.origin", "lets a split come from one of another column")
