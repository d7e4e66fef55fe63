"""Changes: a view as what it changes in the grown tree.

In: the grown tree, and a pruned one with the node of the grown tree that each of its nodes was. Out: the nodes that
became leaves, those that ask what another node asked (a raised branch), those that are gone though their siblings are
not, and what nodes say about their rows where other rows came to them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree
from treewright.page.nodes import is_quotient
from treewright.page.plain import exact, number, short
from treewright.page.validation import Counted
from treewright.page.views import View

BRANCHES = {"heaviest": "heaviest_branch", "missing_branch": "missing_branch", "other": "other"}
"""Columns that hold a branch, by their names in the document."""


def changes_part(grown: Tree, view: View) -> dict[str, Any]:
    """What differs from the grown tree: changes of questions, and leaves that are gone.

    >>> from treewright.model.build import golf_example
    >>> from treewright.model.cut import cut
    >>> golf = golf_example()
    >>> smaller = cut(golf, np.arange(8) == 1)
    >>> changes_part(golf, View("own", "by hand", smaller.tree, smaller.origin))
    {'changes': [[1, -1]], 'gone': []}
    """
    asked = asked_of(grown, view)
    own = np.where(grown.n_children[view.origin] > 0, view.origin, -1)
    differ = asked != own
    changes = np.column_stack([view.origin[differ], asked[differ]])
    return {"changes": changes[np.argsort(changes[:, 0])].tolist(), "gone": _gone(grown, view, asked)}


def asked_of(grown: Tree, view: View) -> NDArray[np.int64]:
    """The grown tree's node whose question each node of the view asks; -1 at a leaf."""
    inner = np.flatnonzero(view.tree.n_children)
    asked = np.full(view.tree.n_nodes, -1)
    asked[inner] = grown.parent[view.origin[view.tree.first_child[inner]]]
    return asked


def is_cut(grown: Tree, view: View) -> bool:
    """Whether the view only lacks what is below some nodes, so that all its nodes are as they were grown."""
    asked = asked_of(grown, view)
    if not bool(np.all((asked < 0) | (asked == view.origin))) or _other_rows(grown, view).any():
        return False
    return bool(np.array_equal(view.tree.value, grown.value[view.origin]))


def contents_part(grown: Tree, view: View, counted: Counted | None, before: Counted | None) -> dict[str, Any] | None:
    """What nodes say about their rows where these are not the rows of growth; None where they are everywhere.

    counted, before  the validation rows at the nodes of the view, and of the grown tree
    """
    tree, origin, asked = view.tree, view.origin, asked_of(grown, view)
    found: dict[int, dict[str, Any]] = {}

    def note(nodes: NDArray[Any], name: str, said: list[Any]) -> None:
        for k, value in zip(nodes.tolist(), said, strict=True):
            found.setdefault(k, {})[name] = value

    others = _other_rows(grown, view)
    rows = np.flatnonzero(others)
    quotient = np.ones(tree.n_nodes, bool) if tree.schema.target.is_number else is_quotient(tree)
    for name in ("count", "weight", "stats"):
        note(rows, name, exact(getattr(tree, name)[rows]))
    note(rows, "impurity", [short(x) for x in tree.impurity[rows].tolist()])
    # What is not told is, of other rows, their share of the weight; elsewhere it is as in the grown tree.
    differs = np.any(tree.value != grown.value[origin], axis=1)
    odd = np.flatnonzero(np.where(others, ~quotient, differs))
    note(odd, "value", exact(tree.value[odd]))
    moved = np.flatnonzero(tree.branch_shares != grown.branch_shares[origin])
    note(moved, "share", [number(x) for x in tree.branch_shares[moved].tolist()])
    inner = np.flatnonzero(asked >= 0)
    for name, column in BRANCHES.items():
        now, then = getattr(tree, column)[inner], getattr(grown, column)[asked[inner]]
        known = now >= 0
        child = tree.first_child[inner] + np.maximum(now, 0)
        now = np.where(known, origin[child] - grown.first_child[asked[inner]], -1)
        note(inner[now != then], name, now[now != then].tolist())
    if counted is not None and before is not None:
        # What rounding alone makes of sums in another order is no difference.
        same = np.isclose(counted.stats, before.stats[origin], rtol=1e-9, atol=0.0, equal_nan=True)
        other = np.flatnonzero(~same.all(axis=1))
        note(other, "validation", [counted.at(k) for k in other.tolist()])
    return {str(int(origin[k])): found[k] for k in sorted(found)} or None


def _other_rows(grown: Tree, view: View) -> NDArray[np.bool_]:
    """Which nodes of the view hold other rows, as far as their numbers tell."""
    tree, origin = view.tree, view.origin
    same = (tree.count == grown.count[origin]) & (tree.weight == grown.weight[origin])
    return ~(same & np.all(tree.stats == grown.stats[origin], axis=1))


def _gone(grown: Tree, view: View, asked: NDArray[np.int64]) -> list[int]:
    """Leaves of the grown tree that their siblings are left without."""
    tree, gone = view.tree, []
    inner = np.flatnonzero(asked >= 0)
    for k in inner[tree.n_children[inner] < grown.n_children[asked[inner]]].tolist():
        first = int(grown.first_child[asked[k]])
        children = slice(int(tree.first_child[k]), int(tree.first_child[k] + tree.n_children[k]))
        kept = set(view.origin[children].tolist())
        gone += [child for child in range(first, first + int(grown.n_children[asked[k]])) if child not in kept]
    return gone
