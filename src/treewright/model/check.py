"""Check: the validator of a tree.

In: a tree whose columns have the right types. Out: nothing, or a ModelFormatError that names the field and the
node. A tree that passes can be routed, walked and printed without another test: every id is in range, and the
order `parent < child` rules out cycles.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CLASS_CRITERIA, NUMBER_CRITERIA
from treewright.data.schema import Kind
from treewright.model.answering import PLAIN, Answering, node_values
from treewright.model.check_answering import fault_of
from treewright.model.check_schema import check_schema
from treewright.model.check_surrogates import check_surrogates
from treewright.model.columns import COLUMNS
from treewright.model.refuse import refuse, refuse_at, refuse_offsets, refuse_shape, refuse_where
from treewright.model.strategies import GROWN
from treewright.model.tree import LEAF, TABLE, THRESHOLD

if TYPE_CHECKING:
    from treewright.model.tree import Tree

ONE = 1e-6
"""How far class shares may be from summing to 1, and class weights from the node's, in parts of the whole."""


def check_tree(tree: "Tree") -> None:
    """Refuse a tree whose fields contradict each other.

    >>> from treewright.model.build import golf_example
    >>> check_tree(golf_example())
    """
    check_schema(tree.schema)
    criteria = NUMBER_CRITERIA if tree.schema.target.is_number else CLASS_CRITERIA
    if not isinstance(tree.criterion, str) or tree.criterion not in criteria:
        refuse("criterion", f"is {tree.criterion!r}, but is one of {', '.join(criteria)}")
    if not isinstance(tree.missing, str) or tree.missing not in GROWN:
        refuse("missing", f"is {tree.missing!r}, but is one of {', '.join(GROWN)}")
    _check_answering(tree)
    _check_shapes(tree)
    _check_links(tree)
    _check_splits(tree)
    if len(tree.table_code) or np.count_nonzero(tree.table_start) or np.count_nonzero(tree.kind == TABLE):
        _check_tables(tree)
    if tree.surrogates is not None:
        check_surrogates(tree, tree.surrogates)
    _check_numbers(tree)
    if tree.schema.target.is_number:
        _check_regression(tree)
    else:
        _check_classes(tree)
    _check_weights(tree)


def _check_answering(tree: "Tree") -> None:
    """The answering is one, for the classes of the tree."""
    if not isinstance(tree.answering, Answering):
        refuse("answering", f"is {tree.answering!r}, but has to be an Answering")
    if tree.schema.target.is_number and tree.answering != PLAIN:
        refuse("answering", "has to be the default one, because a number is answered")
    fault = fault_of(tree.answering, tree.schema.target.n_classes)
    if fault is not None:
        refuse(f"answering.{fault[0]}", fault[1])


def _check_shapes(tree: "Tree") -> None:
    n = len(tree.parent) if tree.parent.ndim == 1 else 0
    if n == 0:
        refuse("parent", f"has the shape {tree.parent.shape}, but needs one entry for each node")
    if tree.table_code.ndim != 1:
        refuse("table_code", f"has the shape {tree.table_code.shape}, but is a list of codes")
    target = tree.schema.target
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(COLUMNS, (n,))
    shapes["table_start"] = (n + 1,)
    shapes["table_code"] = shapes["table_branch"] = (len(tree.table_code),)
    shapes["stats"] = (n, 3 if target.is_number else target.n_classes)
    shapes["value"] = (n, 1 if target.is_number else target.n_classes)
    for name, shape in shapes.items():
        found: NDArray[Any] = getattr(tree, name)
        refuse_shape(name, found, shape, COLUMNS[name])


def _check_links(tree: "Tree") -> None:
    """Children are in range, behind their parent, adjacent, and every node but the root is the child of one."""
    n, parent, first, n_children = tree.n_nodes, tree.parent, tree.first_child, tree.n_children
    if parent[0] != -1:
        refuse("parent", f"gives the root the parent {parent[0]}, but node 0 has none (-1)")
    misplaced = (parent < 0) | (parent >= np.arange(n))
    misplaced[0] = False
    refuse_where("parent", misplaced, "a parent stands before its children")
    inner, children = check_children(first, n_children)
    strange = parent[children] != np.repeat(inner, n_children[inner])
    if np.count_nonzero(strange):
        child = int(children[strange.argmax()])
        refuse("parent", f"is wrong at node {child}: it has two parents, or its siblings are not adjacent")


def check_children(
    first: NDArray[np.int64], n_children: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The inner nodes, and their children one after the other; refused where these are not nodes behind their parent.

    >>> check_children(np.array([1, -1, -1]), np.array([2, 0, 0]))
    (array([0]), array([1, 2]))
    """
    n = len(first)
    refuse_where("n_children", (n_children < 0) | (n_children >= n), "it counts the children of the node")
    if n_children.sum() != n - 1:
        refuse("n_children", f"sums to {n_children.sum()}, but all {n} nodes except the root are children")
    inner = np.flatnonzero(n_children)
    refuse_where("first_child", (n_children == 0) & (first != -1), "a leaf has no first child (-1)")
    start, many = first[inner], n_children[inner]
    outside = (start <= inner) | (start > n - many)
    refuse_at("first_child", inner, outside, "children stand behind their parent")
    ends = np.cumsum(many)
    return inner, np.arange(n - 1) + np.repeat(start - (ends - many), many)


def _check_splits(tree: "Tree") -> None:
    """Kind, column, threshold and number of branches agree."""
    kind, column, threshold, n_children = tree.kind, tree.column, tree.threshold, tree.n_children
    refuse_where(
        "kind", (kind < LEAF) | (kind > TABLE), "a node is a leaf (0), a threshold (1) or a table (2)"
    )
    leaf, cut, is_table = kind == LEAF, kind == THRESHOLD, kind == TABLE
    refuse_where("n_children", leaf != (n_children == 0), "a leaf has no children, every other node some")
    refuse_where("n_children", is_table & (n_children < 2), "a table has two branches or more")
    _check_missing_branches(tree, cut)
    refuse_where("column", leaf != (column == -1), "a leaf tests no column (-1), every other node one")
    refuse_where("column", (column < -1) | (column >= tree.schema.n_columns), "there is no such column")
    refuse_where("threshold", cut != (threshold == threshold), "a threshold node has one, others have NaN")
    refuse_where("threshold", np.isneginf(threshold), "a threshold is not minus infinity")
    refuse_where("other", ~is_table & (tree.other != -1), "only a table has another branch (others -1)")
    if tree.n_nodes == 1:
        return
    columns = tree.schema.columns
    kinds = np.array([int(c.kind) for c in columns])[column]
    refuse_where("kind", cut & (kinds == int(Kind.CATEGORY)), "a category has no threshold")
    refuse_where("kind", is_table & (kinds != int(Kind.CATEGORY)), "only a category is looked up in a table")
    ordered = cut & (kinds == int(Kind.ORDERED))
    if np.count_nonzero(ordered):
        n_codes = np.array([c.n_categories for c in columns])[column]
        outside = ordered & ((threshold < 0) | (threshold >= n_codes)) & (threshold < np.inf)
        refuse_where("threshold", outside, "it lies outside the codes of the ordered column")


def _check_missing_branches(tree: "Tree", cut: NDArray[np.bool_]) -> None:
    """Missing values have a branch of the node; a threshold's third branch, or an endless threshold, is for them."""
    branch, n_children, endless = tree.missing_branch, tree.n_children, np.isposinf(tree.threshold)
    refuse_where("missing_branch", (branch == -1) != (n_children == 0), "a leaf has none (-1), every split one")
    refuse_where("missing_branch", (branch < -1) | (branch >= n_children), "the node has no such branch")
    third = cut & (n_children == 3) & ~endless
    uncommon = cut & (n_children != 2) & ~third
    refuse_where("n_children", uncommon, "a threshold has two branches, or a third one for missing values")
    if not tree.strategy.adds_branch:
        refuse_where("n_children", third, "only with missing='branch' have missing values a third branch")
    refuse_where("missing_branch", third & (branch != 2), "the third branch of a threshold is for missing values")
    if not tree.strategy.splits_on_missing:
        refuse_where("threshold", endless, "only with missing='branch' or 'learned' is a threshold endless")
    refuse_where("missing_branch", endless & (branch != 1), "branch 1 of an endless threshold is for missing values")


def _check_tables(tree: "Tree") -> None:
    """Each table node owns rising codes of its column, and each code has a branch of the node."""
    start, code, branch, is_table = tree.table_start, tree.table_code, tree.table_branch, tree.kind == TABLE
    refuse_offsets("table_start", start, len(code))
    owned = start[1:] - start[:-1]
    refuse_where("table_start", (owned > 0) != is_table, "table nodes, and no others, own codes")
    node = np.repeat(np.arange(tree.n_nodes), owned)
    n_codes = np.array([c.n_categories for c in tree.schema.columns])[tree.column[node]]
    refuse_at("table_code", node, (code < 0) | (code >= n_codes), "the column has no such category")
    falling = (node[1:] == node[:-1]) & (code[1:] <= code[:-1])
    refuse_at("table_code", node[1:], falling, "the codes of a table rise")
    outside = (branch < 0) | (branch >= tree.n_children[node])
    refuse_at("table_branch", node, outside, "the node has no such branch")
    outside = is_table & ((tree.other < 0) | (tree.other >= tree.n_children))
    refuse_where("other", outside, "the node has no such branch")
    tables = np.flatnonzero(is_table)
    met = np.zeros(tree.n_nodes, np.bool_)
    for nodes, taken in ((node, branch), (tables, tree.other[tables]), (tables, tree.missing_branch[tables])):
        met[tree.first_child[nodes] + taken] = True
    below = is_table[np.maximum(tree.parent, 0)]
    below[0] = False
    refuse_where("table_branch", below & ~met, "nothing leads to this branch of a table")


def _check_numbers(tree: "Tree") -> None:
    """Counts, weights and merits are numbers that can be."""
    leaf = tree.kind == LEAF
    refuse_where("count", tree.count < 0, "a count of rows is not negative")
    refuse_where(
        "weight", ~((tree.weight >= 0) & (tree.weight < np.inf)), "a weight is finite and not negative"
    )
    # Squares of numbers above 1e154 are infinite; shares of classes never are.
    is_number, n_classes = tree.schema.target.is_number, max(2, tree.schema.target.n_classes)
    low, high = (0.0, np.inf)
    if not is_number:  # no less than entropy, so that the criterion of a tree can be named otherwise
        low, high = -ONE, max(np.log2(n_classes), tree.measured_by.most(n_classes)) + ONE
    fine = (tree.impurity >= low) & (tree.impurity <= high)
    refuse_where("impurity", ~fine, f"an impurity is a number from 0 to {high:.3g}")
    for name in ("gain", "merit"):
        found: NDArray[np.float64] = getattr(tree, name)
        refuse_where(name, leaf != np.isnan(found), "a leaf has none (NaN), and every split one")
        endless = np.isneginf(found) if is_number else np.isinf(found)
        refuse_where(name, endless, "it is a finite number")


def _check_weights(tree: "Tree") -> None:
    """There is some weight, and no node passes on more of it than it has."""
    if not tree.weight[0] > 0:
        refuse("weight", "is 0 at the root, so that the tree was grown on nothing")
    with np.errstate(over="ignore"):
        below = np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
        refuse_where("weight", below > tree.weight * (1 + ONE), "its branches hold more than the node itself")


def _check_classes(tree: "Tree") -> None:
    """Class weights sum to the node's weight, shares to 1."""
    for name, found, whole in (("stats", tree.stats, tree.weight), ("value", tree.value, 1.0)):
        fine = (found >= 0) & (found < np.inf)
        if np.count_nonzero(fine) < fine.size:
            refuse_where(name, ~fine.all(axis=1), "class weights and shares are finite and not negative")
        off = np.abs(np.add.reduce(found, axis=1) - whole) > ONE * whole
        what = "the weight of the node" if name == "stats" else "1"
        refuse_where(name, off, f"the classes together are {what}")
    if not tree.answering.is_plain:
        made = node_values(tree.answering, tree.stats, tree.weight, tree.parent)
        off = ~(np.abs(tree.value - made) <= ONE).all(axis=1)
        refuse_where("value", off, "the probabilities are those of the class weights, worked out as answering says")
        return
    # Shares of the weights, but for an empty node, which has none of its own.
    off = (np.abs(tree.value * tree.weight[:, None] - tree.stats) > ONE * tree.weight[:, None]).any(axis=1)
    refuse_where("value", off, "the shares are those of the class weights")


def _check_regression(tree: "Tree") -> None:
    """Weight and value are finite, the loss is not negative, the weight the node's."""
    refuse_where("stats", ~np.isfinite(tree.stats[:, :2]).all(axis=1), "weight and value are finite")
    off = np.abs(tree.stats[:, 0] - tree.weight) > ONE * tree.weight
    refuse_where("stats", off, "its first number is the weight of the node")
    refuse_where("stats", ~(tree.stats[:, 2] >= 0), "a loss is a number of at least 0")
    refuse_where("value", ~np.isfinite(tree.value[:, 0]), "a value is a finite number")
    value, told = tree.value[:, 0], tree.stats[:, 1]
    with np.errstate(over="ignore"):
        off = (tree.weight > 0) & (np.abs(value / 2 - told / 2) > ONE * np.maximum(np.abs(value), np.abs(told)))
    refuse_where("value", off, "it is the value among the stats")
