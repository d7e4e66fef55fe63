"""Path: the series of trees that a pruning chose from, as a model file holds it.

In: the path of cost-complexity pruning or the cut-offs of critical-value pruning, or the object that was written of
one. Out: the other, and a check that it fits its tree.
"""

from typing import Any, NoReturn

import numpy as np

from treewright.errors import ModelFormatError
from treewright.model.file.fields import Fields
from treewright.model.tree import Tree
from treewright.prune.cut_offs import CutOffs
from treewright.prune.path import CostComplexityPath

COST_COMPLEXITY, CUT_OFFS = "cost_complexity", "cut_offs"
MOST = 2**53


def path_document(path: CostComplexityPath | CutOffs | None) -> dict[str, Any] | None:
    """A path as an object of a file; its tree is that of the report.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune.path import cost_complexity_path
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
    """The path that an object of a file holds."""
    found: CostComplexityPath | CutOffs
    if fields.one_of("kind", (COST_COMPLEXITY, CUT_OFFS)) == CUT_OFFS:
        cut_off = fields.floats("cut_off", None, high=np.inf)
        n = len(cut_off)
        log_p = None if fields.is_null("log_p") else fields.floats("log_p", n)
        errors = None if fields.is_null("errors") else fields.floats("errors", n)
        n_leaves, degrees = (fields.ints(name, n, 0, MOST) for name in ("n_leaves", "degrees"))
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
        leaves=fields.ints("leaves", n, 0, MOST),
        splits=fields.ints("splits", n, 0, MOST),
        risk=fields.floats("risk", n),
        root_risk=fields.number("root_risk"),
        error=error,
        standard_error=off_by,
        root_error=None if fields.is_null("root_error") else fields.number("root_error"),
        chosen=None if fields.is_null("chosen") else fields.whole("chosen", 0, max(0, n - 1)),
    )


def check_path(path: Any, tree: Tree, name: str) -> None:
    """Refuse a path that does not fit its tree."""
    if isinstance(path, CutOffs):
        columns = {"n_leaves": "i", "degrees": "i", "g": "f", "log_p": "f", "errors": "f"}
        lists, rising = {key: getattr(path, key) for key in columns}, path.cut_off
        if (path.log_p is None) == (path.errors is None):
            refuse(f"{name}.errors", "is there with log_p, or both are not; one of them chose")
    elif isinstance(path, CostComplexityPath):
        columns = {"leaves": "i", "splits": "i", "risk": "f", "error": "f", "standard_error": "f"}
        lists, rising = {key: getattr(path, key) for key in columns}, path.alphas
        for key in ("node_alpha", "node_gone"):
            refuse_column(f"{name}.{key}", getattr(path, key), tree.n_nodes, "f")
        if path.tree is not tree:
            refuse(f"{name}.tree", "is another tree than that of the report")
        if (path.error is None) != (path.standard_error is None):
            refuse(f"{name}.error", "is there without standard_error, or the other way round")
    else:
        refuse(name, "is no series of trees")
    refuse_column(f"{name}.alphas", rising, len(rising), "f")
    if not len(rising) or np.count_nonzero(~(np.diff(rising) > 0)):
        refuse(f"{name}.alphas", "is empty or does not rise")
    for key, found in lists.items():
        if found is not None:
            refuse_column(f"{name}.{key}", found, len(rising), columns[key])
    if path.chosen is not None and not 0 <= path.chosen < len(rising):
        refuse(f"{name}.chosen", f"is {path.chosen}, but there are {len(rising)} trees")


def refuse_column(name: str, found: Any, n: int, kind: str) -> None:
    """Refuse what is no array of `n` whole numbers ("i") or numbers ("f")."""
    if not isinstance(found, np.ndarray) or found.shape != (n,) or found.dtype.kind != kind:
        refuse(name, f"is no array of {n} {'whole numbers' if kind == 'i' else 'numbers'}")


def refuse(name: str, why: str) -> NoReturn:
    """Refuse a part of a stored model."""
    raise ModelFormatError(f"Field {name} {why}; the model is damaged and has to be made again.")
