"""Pruning reports in model files: the decisions of a pruning and the pruning path, written, read and checked."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFormatError
from treewright.model.file.fields import Fields
from treewright.model.tree import Tree
from treewright.prune.cost_complexity_path import CostComplexityPath
from treewright.prune.critical_value import CutOffs
from treewright.prune.registry import METHODS
from treewright.prune.report import VERDICTS, PruningReport
from treewright.prune.report_messages import shown_text, stored_text
from treewright.prune.steps import join_reports

COST_COMPLEXITY, CUT_OFFS = "cost_complexity", "cut_offs"
LARGEST_COUNT = 2**53


def path_document(path: CostComplexityPath | CutOffs | None) -> dict[str, Any] | None:
    """Return a pruning path as an object of a model file; its tree is that of the report.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune.cost_complexity_path import cost_complexity_path
    >>> path_document(cost_complexity_path(golf_example()))["kind"]
    'cost_complexity'
    """
    if path is None:
        return None
    if isinstance(path, CutOffs):
        return {
            "kind": CUT_OFFS,
            "chosen": int(path.chosen),
            "cut_off": path.cut_off,
            "n_leaves": path.n_leaves,
            "degrees": path.degrees,
            "g": path.g,
            "log_p": path.log_p,
            "errors": path.errors,
        }
    return {
        "kind": COST_COMPLEXITY,
        "chosen": None if path.chosen is None else int(path.chosen),
        "root_risk": float(path.root_risk),
        "root_error": None if path.root_error is None else float(path.root_error),
        "node_alpha": path.node_alpha,
        "node_gone": path.node_gone,
        "alphas": path.alphas,
        "leaves": path.leaves,
        "splits": path.splits,
        "risk": path.risk,
        "error": path.error,
        "standard_error": path.standard_error,
    }


def read_path(fields: Fields, tree: Tree) -> CostComplexityPath | CutOffs:
    """Read a pruning path from an object of a model file."""
    found: CostComplexityPath | CutOffs
    if fields.one_of("kind", (COST_COMPLEXITY, CUT_OFFS)) == CUT_OFFS:
        cut_off = fields.floats("cut_off", None, high=np.inf)
        n = len(cut_off)
        log_p = None if fields.is_null("log_p") else fields.floats("log_p", n)
        errors = None if fields.is_null("errors") else fields.floats("errors", n)
        n_leaves, degrees = (fields.ints(name, n, 0, LARGEST_COUNT) for name in ("n_leaves", "degrees"))
        chosen = fields.whole("chosen", 0, max(0, n - 1))
        found = CutOffs(cut_off, n_leaves, degrees, fields.floats("g", n), log_p, errors, chosen)
    else:
        found = _read_cost_complexity(fields, tree)
    fields.done()
    return found


def _read_cost_complexity(fields: Fields, tree: Tree) -> CostComplexityPath:
    alphas = fields.floats("alphas", None)
    n = len(alphas)
    error, off_by = (
        None if fields.is_null(name) else fields.floats(name, n) for name in ("error", "standard_error")
    )
    return CostComplexityPath(
        tree=tree,
        node_alpha=fields.floats("node_alpha", tree.n_nodes, low=0.0, high=np.inf),
        node_gone=fields.floats("node_gone", tree.n_nodes, low=0.0, high=np.inf),
        alphas=alphas,
        leaves=fields.ints("leaves", n, 0, LARGEST_COUNT),
        splits=fields.ints("splits", n, 0, LARGEST_COUNT),
        risk=fields.floats("risk", n),
        root_risk=fields.number("root_risk"),
        error=error,
        standard_error=off_by,
        root_error=None if fields.is_null("root_error") else fields.number("root_error"),
        chosen=None if fields.is_null("chosen") else fields.whole("chosen", 0, max(0, n - 1)),
    )


def check_path(path: Any, tree: Tree, name: str) -> None:
    """Refuse a path that does not belong to its tree."""
    if isinstance(path, CutOffs):
        columns = {"n_leaves": "i", "degrees": "i", "g": "f", "log_p": "f", "errors": "f"}
        lists, rising = {key: getattr(path, key) for key in columns}, path.cut_off
        if (path.log_p is None) == (path.errors is None):
            refuse(f"{name}.errors", "must be present if and only if log_p is not")
    elif isinstance(path, CostComplexityPath):
        columns = {"leaves": "i", "splits": "i", "risk": "f", "error": "f", "standard_error": "f"}
        lists, rising = {key: getattr(path, key) for key in columns}, path.alphas
        for key in ("node_alpha", "node_gone"):
            refuse_column(f"{name}.{key}", getattr(path, key), tree.n_nodes, "f")
        if path.tree is not tree:
            refuse(f"{name}.tree", "is not the tree of the report")
        if (path.error is None) != (path.standard_error is None):
            refuse(f"{name}.error", "must be present if and only if standard_error is")
    else:
        refuse(name, "is not a pruning path")
    refuse_column(f"{name}.alphas", rising, len(rising), "f")
    if not len(rising) or np.count_nonzero(~(np.diff(rising) > 0)):
        refuse(f"{name}.alphas", "must be increasing and not empty")
    for key, found in lists.items():
        if found is not None:
            refuse_column(f"{name}.{key}", found, len(rising), columns[key])
    if path.chosen is not None and not 0 <= path.chosen < len(rising):
        refuse(f"{name}.chosen", f"must be a tree from 0 to {len(rising) - 1}, got {path.chosen}")


def refuse_column(name: str, found: Any, n: int, kind: str) -> None:
    """Refuse what is not an array of `n` integers ("i") or numbers ("f")."""
    if not isinstance(found, np.ndarray) or found.shape != (n,) or found.dtype.kind != kind:
        refuse(name, f"is not an array of {n} {'integers' if kind == 'i' else 'numbers'}")


def refuse(name: str, why: str) -> NoReturn:
    """Refuse a part of a stored model."""
    raise ModelFormatError(f"Field {name} {why}; the model is damaged: fit and save it again.")


TEXT_FIELDS = ("method", "rule", "unit", "as_leaf", "as_subtree", "with_allowance")
NUMBER_FIELDS = ("leaf", "subtree", "allowance", "weight")


def report_document(report: PruningReport, tree_index: Callable[[Tree], int]) -> dict[str, Any]:
    """Return the report as an object of a model file; `tree_index` gives the index of a tree in the file.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic
    >>> report_document(Pessimistic().prune(golf_example()).report, lambda tree: 0)["node"].tolist()
    [0, 1, 3]
    """
    if report.steps:
        return {"steps": [report_document(one, tree_index) for one in report.steps]}
    stored = _stored_texts(report.method)
    document: dict[str, Any] = {"tree": tree_index(report.tree)}
    document |= {name: stored_text(getattr(report, name), stored) for name in TEXT_FIELDS}
    document |= {"node": report.node, "verdict": report.verdict, "origin": report.origin}
    document |= {name: getattr(report, name) for name in NUMBER_FIELDS}
    details = [{"name": name, "values": np.asarray(values)} for name, values in report.details.items()]
    return document | {"branch": report.branch, "details": details, "path": path_document(report.path)}


def _stored_texts(method: str) -> Mapping[str, str]:
    """The words that files have for the messages of a method, where these differ from the messages."""
    found = METHODS.get(method)
    return {} if found is None else found.stored_texts


def read_report(fields: Fields, trees: Sequence[Tree]) -> PruningReport:
    """Read a report about one of these trees from an object of a model file; its steps too, if it has any."""
    if fields.has("steps"):
        steps = [_read_one(one, trees) for one in fields.each("steps")]
        if not steps:
            fields.refuse("steps", "is empty, but there must be at least one step")
        fields.done()
        for i, (one, following) in enumerate(pairwise(steps)):
            _check_origin(one, following.tree, f"{fields.name('steps')}[{i}]")
        return join_reports(steps)
    return _read_one(fields, trees)


def _read_one(fields: Fields, trees: Sequence[Tree]) -> PruningReport:
    tree = trees[fields.whole("tree", 0, len(trees) - 1)]
    texts = {name: fields.text(name) for name in TEXT_FIELDS}
    found: dict[str, Any] = {name: shown_text(text, _stored_texts(texts["method"])) for name, text in texts.items()}
    node = fields.ints("node", None, 0, tree.n_nodes - 1)
    n = len(node)
    verdict = fields.ints("verdict", n, 0, len(VERDICTS) - 1).astype(np.int8)
    found |= {name: fields.floats(name, n, low=-np.inf, high=np.inf, nan=True) for name in NUMBER_FIELDS}
    details: dict[str, NDArray[Any]] = {}
    for one in fields.each("details"):
        name = one.text("name")
        if name in details:
            one.refuse("name", f"is {name!r}, which occurs twice")
        details[name] = one.numbers("values", n)
        one.done()
    branch = None if fields.is_null("branch") else fields.floats("branch", n, nan=True)
    origin = fields.ints("origin", None, 0, tree.n_nodes - 1)
    path = fields.maybe("path")
    report = PruningReport(
        tree=tree,
        node=node,
        verdict=verdict,
        origin=origin,
        branch=branch,
        details=details,
        path=None if path is None else read_path(path, tree),
        **found,
    )
    fields.done()
    return report


def check_report(report: PruningReport, after: Tree, name: str) -> None:
    """Refuse a report that does not lead from its tree to the tree `after` it."""
    if not isinstance(report, PruningReport):
        refuse(name, "is not a pruning report")
    if report.steps:
        _check_steps(report, after, name)
        return
    tree = report.tree
    if not isinstance(tree, Tree):
        refuse(f"{name}.tree", "is not a tree")
    for word in TEXT_FIELDS:
        if not isinstance(getattr(report, word), str):
            refuse(f"{name}.{word}", "is not a string")
    n = len(report.node) if isinstance(report.node, np.ndarray) else 0
    refuse_column(f"{name}.node", report.node, n, "i")
    refuse_column(f"{name}.verdict", report.verdict, n, "i")
    for key in NUMBER_FIELDS:
        refuse_column(f"{name}.{key}", getattr(report, key), n, "f")
    if report.branch is not None:
        refuse_column(f"{name}.branch", report.branch, n, "f")
    for key, values in report.details.items():
        if not isinstance(key, str):
            refuse(f"{name}.details", "has a name that is not a string")
        refuse_column(f"{name}.details", values, n, "i" if np.asarray(values).dtype.kind == "i" else "f")
    _check_nodes(report, name)
    _check_origin(report, after, name)
    if report.path is not None:
        check_path(report.path, tree, f"{name}.path")


def _check_steps(report: PruningReport, after: Tree, name: str) -> None:
    """Check that each step leads to the tree of the next one, and that the report is that of its steps."""
    steps = report.steps
    if not isinstance(steps, tuple) or not all(isinstance(one, PruningReport) for one in steps):
        refuse(f"{name}.steps", "are not pruning reports")
    for i, (one, left) in enumerate(zip(steps, [*(one.tree for one in steps[1:]), after], strict=True)):
        if one.steps:
            refuse(f"{name}.steps", "must not have steps of their own")
        if not isinstance(left, Tree) or left.schema != after.schema:
            refuse(f"{name}.steps", "have a tree that is invalid or has other columns")
        check_report(one, left, f"{name}.steps[{i}]")
    expected = join_reports(steps)
    same = report.tree is expected.tree and all(
        np.array_equal(getattr(report, key), getattr(expected, key)) for key in ("node", "origin", "verdict")
    )
    if not same:
        refuse(f"{name}.steps", "do not lead to the result of the whole report")


def _check_nodes(report: PruningReport, name: str) -> None:
    node, verdict, tree = report.node, report.verdict, report.tree
    if np.count_nonzero((node < 0) | (node >= tree.n_nodes)) or np.count_nonzero(tree.n_children[node] == 0):
        refuse(f"{name}.node", "must be nodes of the tree that have a split")
    if np.count_nonzero((verdict < 0) | (verdict >= len(VERDICTS))):
        refuse(f"{name}.verdict", f"must be from 0 to {len(VERDICTS) - 1}")


def _check_origin(report: PruningReport, after: Tree, name: str) -> None:
    """Check that every node after pruning comes from a node before it, and every split from a split."""
    origin, tree = report.origin, report.tree
    refuse_column(f"{name}.origin", origin, after.n_nodes, "i")
    at_root = np.arange(len(origin)) == 0
    if np.count_nonzero((origin < 0) | (origin >= tree.n_nodes) | ((origin == 0) != at_root)):
        refuse(f"{name}.origin", "must be nodes of the tree, and the root only for the root")
    inner = np.flatnonzero(after.n_children)
    source = tree.parent[origin[after.first_child[inner]]]
    if np.count_nonzero(tree.column[source] != after.column[inner]):
        refuse(f"{name}.origin", "maps a split to a split on another column")
