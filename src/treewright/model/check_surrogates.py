"""Check of surrogates: the validator of what stands in for a tree's splits.

In: a tree whose nodes and splits are checked, and its surrogates. Out: nothing, or a ModelFormatError that names
the field and the node. Surrogates that pass can be followed and printed without another test.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.model.refuse import refuse, refuse_at, refuse_offsets, refuse_shape
from treewright.model.surrogates import SURROGATE_COLUMNS, Surrogates

if TYPE_CHECKING:
    from treewright.model.tree import Tree

SLACK = 1e-6
"""How far an agreement may be above 1 by rounding."""


def check_surrogates(tree: "Tree", surrogates: Surrogates) -> None:
    """Refuse surrogates that contradict themselves or the tree."""
    _check_shapes(tree, surrogates)
    refuse_offsets("surrogates.start", surrogates.start, len(surrogates.column))
    if not len(surrogates.column):
        refuse_offsets("surrogates.table_start", surrogates.table_start, len(surrogates.table_code))
        return
    node = np.repeat(np.arange(tree.n_nodes), np.diff(surrogates.start))
    two_ways = (tree.n_children == 2) & (tree.threshold != np.inf)
    refuse_at("surrogates.start", node, ~two_ways[node], "only a split of known values in two has surrogates")
    _check_columns(tree, surrogates, node)
    _check_cuts(tree, surrogates, node)
    _check_tables(tree, surrogates, node)
    _check_agreement(surrogates, node)


def _check_shapes(tree: "Tree", surrogates: Surrogates) -> None:
    if not isinstance(surrogates, Surrogates):
        refuse("surrogates", "is no set of surrogates")
    arrays: dict[str, NDArray[Any]] = {}
    for name in SURROGATE_COLUMNS:
        found = getattr(surrogates, name, None)
        if not isinstance(found, np.ndarray) or found.ndim != 1:
            # What was stored by hand may be an object of the right class without its fields.
            refuse(f"surrogates.{name}", "is not a list of numbers")
        arrays[name] = found
    n, n_entries = len(arrays["column"]), len(arrays["table_code"])
    shapes = dict.fromkeys(SURROGATE_COLUMNS, (n,))
    shapes["start"], shapes["table_start"] = (tree.n_nodes + 1,), (n + 1,)
    shapes["table_code"] = shapes["table_branch"] = (n_entries,)
    for name, shape in shapes.items():
        refuse_shape(f"surrogates.{name}", arrays[name], shape, SURROGATE_COLUMNS[name])


def _check_columns(tree: "Tree", surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """A surrogate asks for another column than the node, and for none twice."""
    column = surrogates.column
    outside = (column < 0) | (column >= tree.schema.n_columns)
    refuse_at("surrogates.column", node, outside, "there is no such column")
    refuse_at("surrogates.column", node, column == tree.column[node], "it is the column of the split itself")
    pairs = node * tree.schema.n_columns + column
    order = np.argsort(pairs, kind="stable")
    twice = np.zeros(len(pairs), np.bool_)
    twice[order[1:]] = pairs[order[1:]] == pairs[order[:-1]]
    refuse_at("surrogates.column", node, twice, "a column stands in once")


def _check_cuts(tree: "Tree", surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """Numbers and ordered categories have a threshold and two sides, categories neither."""
    columns, threshold, low = tree.schema.columns, surrogates.threshold, surrogates.low
    kinds = np.array([int(c.kind) for c in columns])[surrogates.column]
    looked_up = kinds == int(Kind.CATEGORY)
    wrong = np.where(looked_up, ~np.isnan(threshold), ~np.isfinite(threshold))
    refuse_at("surrogates.threshold", node, wrong, "it is finite, or NaN where categories are looked up")
    n_codes = np.array([c.n_categories for c in columns])[surrogates.column]
    outside = (kinds == int(Kind.ORDERED)) & ((threshold < 0) | (threshold >= n_codes))
    refuse_at("surrogates.threshold", node, outside, "it lies outside the codes of the ordered column")
    wrong = np.where(looked_up, low != -1, (low != 0) & (low != 1))
    refuse_at("surrogates.low", node, wrong, "it is branch 0 or 1, or -1 where categories are looked up")
    refuse_offsets("surrogates.table_start", surrogates.table_start, len(surrogates.table_code))
    owned = np.diff(surrogates.table_start)
    refuse_at("surrogates.table_start", node, (owned > 0) != looked_up, "categories, and no others, own codes")


def _check_tables(tree: "Tree", surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """The codes of a table are those of its column and rise; some lead to either branch."""
    owner = np.repeat(np.arange(len(surrogates)), np.diff(surrogates.table_start))
    code, branch, where = surrogates.table_code, surrogates.table_branch, node[owner]
    n_codes = np.array([c.n_categories for c in tree.schema.columns])[surrogates.column[owner]]
    outside = (code < 0) | (code >= n_codes)
    refuse_at("surrogates.table_code", where, outside, "the column has no such category")
    falling = (owner[1:] == owner[:-1]) & (code[1:] <= code[:-1])
    refuse_at("surrogates.table_code", where[1:], falling, "the codes of a table rise")
    refuse_at("surrogates.table_branch", where, (branch < 0) | (branch > 1), "there are branches 0 and 1")
    owned, high = np.diff(surrogates.table_start), np.bincount(owner, weights=branch, minlength=len(surrogates))
    one_sided = (owned > 0) & ((high == 0) | (high == owned))
    refuse_at("surrogates.table_branch", node, one_sided, "all categories lead to one branch")


def _check_agreement(surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """Agreements are shares, the best ones first."""
    for name in ("agree", "adjusted"):
        found: NDArray[np.float64] = getattr(surrogates, name)
        bad = ~((found > 0) & (found <= 1 + SLACK))
        refuse_at(f"surrogates.{name}", node, bad, "an agreement is a share above 0")
    rising = (node[1:] == node[:-1]) & (surrogates.agree[1:] > surrogates.agree[:-1])
    refuse_at("surrogates.agree", node[1:], rising, "the best surrogate stands first")
