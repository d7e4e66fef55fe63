"""The validator of a tree: it raises a ModelFormatError that names the field and the first invalid node.

A valid tree can be routed, walked and printed without further checks: every index is in range, and `parent < child`
rules out cycles.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CLASS_CRITERIA, NUMBER_CRITERIA
from treewright.data.schema import Kind
from treewright.model.check_schema import (
    check_schema,
    refuse,
    refuse_at,
    refuse_offsets,
    refuse_shape,
    refuse_where,
)
from treewright.model.prediction_rule import PredictionRule, node_numbers, node_probabilities
from treewright.model.rule_faults import find_fault_for_target
from treewright.model.strategies import GROWTH_STRATEGIES
from treewright.model.surrogates import SURROGATE_COLUMNS, Surrogates
from treewright.model.tree import LEAF, TABLE, THRESHOLD
from treewright.model.tree_columns import COLUMNS

if TYPE_CHECKING:
    from treewright.model.tree import Tree

TOLERANCE = 1e-6
"""Relative rounding error up to which sums of weights and probabilities, and agreements of surrogates, are valid."""


def check_tree(tree: "Tree") -> None:
    """Refuse a tree with invalid or contradictory fields.

    >>> from treewright.model.build import golf_example
    >>> check_tree(golf_example())
    """
    check_schema(tree.schema)
    criteria = NUMBER_CRITERIA if tree.schema.target.is_number else CLASS_CRITERIA
    if not isinstance(tree.criterion, str) or tree.criterion not in criteria:
        refuse("criterion", f"must be one of {', '.join(criteria)}, got {tree.criterion!r}")
    if not isinstance(tree.missing, str) or tree.missing not in GROWTH_STRATEGIES:
        refuse("missing", f"must be one of {', '.join(GROWTH_STRATEGIES)}, got {tree.missing!r}")
    _check_prediction_rule(tree)
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


def _check_prediction_rule(tree: "Tree") -> None:
    """The prediction rule is valid for the target of the tree."""
    if not isinstance(tree.prediction_rule, PredictionRule):
        refuse("prediction_rule", f"must be a PredictionRule, got {tree.prediction_rule!r}")
    target = tree.schema.target
    fault = find_fault_for_target(tree.prediction_rule, is_number=target.is_number, n_classes=target.n_classes)
    if fault is not None:
        refuse(f"prediction_rule.{fault.field}", fault.why)


def _check_shapes(tree: "Tree") -> None:
    n = len(tree.parent) if tree.parent.ndim == 1 else 0
    if n == 0:
        refuse("parent", f"must have one entry for each node, got the shape {tree.parent.shape}")
    if tree.table_code.ndim != 1:
        refuse("table_code", f"must be a list of codes, got the shape {tree.table_code.shape}")
    target = tree.schema.target
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(COLUMNS, (n,))
    shapes["table_start"] = (n + 1,)
    shapes["table_code"] = shapes["table_branch"] = (len(tree.table_code),)
    shapes["stats"] = (n, 3 if target.is_number else target.n_classes)
    shapes["value"] = (n, 1 if target.is_number else target.n_classes)
    for name, shape in shapes.items():
        refuse_shape(name, getattr(tree, name), shape, COLUMNS[name])


def _check_links(tree: "Tree") -> None:
    """Children are in range, after their parent and adjacent, and every node but the root has one parent."""
    n, parent, first, n_children = tree.n_nodes, tree.parent, tree.first_child, tree.n_children
    if parent[0] != -1:
        refuse("parent", f"must be -1 at the root, got {parent[0]}")
    misplaced = (parent < 0) | (parent >= np.arange(n))
    misplaced[0] = False
    refuse_where("parent", misplaced, "a parent must come before its children")
    inner, children = check_children(first, n_children)
    wrong = parent[children] != np.repeat(inner, n_children[inner])
    if np.count_nonzero(wrong):
        child = int(children[wrong.argmax()])
        refuse("parent", f"is invalid at node {child}: it has two parents, or its siblings are not adjacent")


def check_children(
    first: NDArray[np.int64], n_children: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The inner nodes, and their children one after the other; an error where these are not nodes after their parent.

    >>> check_children(np.array([1, -1, -1]), np.array([2, 0, 0]))
    (array([0]), array([1, 2]))
    """
    n = len(first)
    refuse_where("n_children", (n_children < 0) | (n_children >= n), "it must be the number of children")
    if n_children.sum() != n - 1:
        refuse("n_children", f"must sum to {n - 1}, the number of nodes except the root, got {n_children.sum()}")
    inner = np.flatnonzero(n_children)
    refuse_where("first_child", (n_children == 0) & (first != -1), "a leaf must have no first child (-1)")
    start, many = first[inner], n_children[inner]
    outside = (start <= inner) | (start > n - many)
    refuse_at("first_child", inner, outside, "children must come after their parent")
    ends = np.cumsum(many)
    return inner, np.arange(n - 1) + np.repeat(start - (ends - many), many)


def _check_splits(tree: "Tree") -> None:
    """Kind, column, threshold and number of branches fit together."""
    kind, column, threshold, n_children = tree.kind, tree.column, tree.threshold, tree.n_children
    refuse_where(
        "kind", (kind < LEAF) | (kind > TABLE), "it must be 0 (leaf), 1 (threshold) or 2 (table)"
    )
    leaf, cut, is_table = kind == LEAF, kind == THRESHOLD, kind == TABLE
    refuse_where("n_children", leaf != (n_children == 0), "a leaf must have no children, every other node some")
    refuse_where("n_children", is_table & (n_children < 2), "a table must have at least two branches")
    _check_missing_branches(tree, cut)
    refuse_where("column", leaf != (column == -1), "a leaf must have no column (-1), every other node one")
    refuse_where("column", (column < -1) | (column >= tree.schema.n_columns), "the column is not in the schema")
    refuse_where("threshold", cut != (threshold == threshold), "a node of kind threshold must have one, others NaN")
    refuse_where("threshold", np.isneginf(threshold), "it must not be minus infinity")
    refuse_where("other", ~is_table & (tree.other != -1), "it must be -1 except at a table")
    if tree.n_nodes == 1:
        return
    columns = tree.schema.columns
    kinds = np.array([int(c.kind) for c in columns])[column]
    refuse_where("kind", cut & (kinds == int(Kind.CATEGORY)), "a column of categories must have a table")
    refuse_where("kind", is_table & (kinds != int(Kind.CATEGORY)), "only a column of categories can have a table")
    ordered = cut & (kinds == int(Kind.ORDERED))
    if np.count_nonzero(ordered):
        n_codes = np.array([c.n_categories for c in columns])[column]
        outside = ordered & ((threshold < 0) | (threshold >= n_codes)) & (threshold < np.inf)
        refuse_where("threshold", outside, "it must be a code of the ordered column")


def _check_missing_branches(tree: "Tree", cut: NDArray[np.bool_]) -> None:
    """Missing values have a branch; a third branch of a threshold, or an infinite threshold, is for them only."""
    branch, n_children, infinite = tree.missing_branch, tree.n_children, np.isposinf(tree.threshold)
    refuse_where("missing_branch", (branch == -1) != (n_children == 0), "a leaf must have none (-1), every split one")
    refuse_where("missing_branch", (branch < -1) | (branch >= n_children), "the node has no such branch")
    third = cut & (n_children == 3) & ~infinite
    other = cut & (n_children != 2) & ~third
    refuse_where("n_children", other, "a threshold must have two branches, or a third one for missing values")
    if not tree.strategy.adds_branch:
        refuse_where("n_children", third, "only missing='branch' allows a third branch for missing values")
    refuse_where("missing_branch", third & (branch != 2), "it must be the third branch of a threshold")
    if not tree.strategy.splits_on_missing:
        refuse_where("threshold", infinite, "only missing='branch' or 'learned' allows an infinite threshold")
    refuse_where("missing_branch", infinite & (branch != 1), "it must be branch 1 of an infinite threshold")


def _check_tables(tree: "Tree") -> None:
    """Each table has ascending codes of its column, and each code has a branch of the node."""
    start, code, branch, is_table = tree.table_start, tree.table_code, tree.table_branch, tree.kind == TABLE
    refuse_offsets("table_start", start, len(code))
    owned = start[1:] - start[:-1]
    refuse_where("table_start", (owned > 0) != is_table, "tables, and no other nodes, must have codes")
    node = np.repeat(np.arange(tree.n_nodes), owned)
    n_codes = np.array([c.n_categories for c in tree.schema.columns])[tree.column[node]]
    refuse_at("table_code", node, (code < 0) | (code >= n_codes), "the column has no such category")
    falling = (node[1:] == node[:-1]) & (code[1:] <= code[:-1])
    refuse_at("table_code", node[1:], falling, "the codes of a table must be ascending")
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
    refuse_where("table_branch", below & ~met, "no value leads to this branch of a table")


def _check_numbers(tree: "Tree") -> None:
    """Counts, weights and scores are in their ranges."""
    leaf = tree.kind == LEAF
    refuse_where("count", tree.count < 0, "it must be at least 0")
    refuse_where(
        "weight", ~((tree.weight >= 0) & (tree.weight < np.inf)), "it must be a finite number of at least 0"
    )
    # Squares of numbers above 1e154 are infinite; class probabilities are always finite.
    is_number, n_classes = tree.schema.target.is_number, max(2, tree.schema.target.n_classes)
    low, high = (0.0, np.inf)
    if not is_number:  # at least that of entropy, so that another criterion can be named
        low, high = -TOLERANCE, max(np.log2(n_classes), tree.measured_by.most(n_classes)) + TOLERANCE
    fine = (tree.impurity >= low) & (tree.impurity <= high)
    refuse_where("impurity", ~fine, f"it must be a number from 0 to {high:.3g}")
    for name in ("gain", "merit"):
        found: NDArray[np.float64] = getattr(tree, name)
        refuse_where(name, leaf != np.isnan(found), "a leaf must have none (NaN), every split one")
        infinite = np.isneginf(found) if is_number else np.isinf(found)
        refuse_where(name, infinite, "it must be a finite number")


def _check_weights(tree: "Tree") -> None:
    """The root has weight, and no node has less weight than its branches together."""
    if not tree.weight[0] > 0:
        refuse("weight", "must be above 0 at the root")
    with np.errstate(over="ignore"):
        below = np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
        is_more = below > tree.weight * (1 + TOLERANCE)
        refuse_where("weight", is_more, "its branches must not have more weight than the node")


def _check_classes(tree: "Tree") -> None:
    """Class weights sum to the weight of the node, probabilities to 1."""
    for name, found, whole in (("stats", tree.stats, tree.weight), ("value", tree.value, 1.0)):
        fine = (found >= 0) & (found < np.inf)
        if np.count_nonzero(fine) < fine.size:
            refuse_where(name, ~fine.all(axis=1), "weights and probabilities must be finite numbers of at least 0")
        off = np.abs(np.add.reduce(found, axis=1) - whole) > TOLERANCE * whole
        what = "the weight of the node" if name == "stats" else "1"
        refuse_where(name, off, f"the sum over the classes must be {what}")
    if not tree.prediction_rule.is_default:
        made = node_probabilities(tree.prediction_rule, tree.stats, tree.weight, tree.parent)
        off = ~(np.abs(tree.value - made) <= TOLERANCE).all(axis=1)
        refuse_where("value", off, "the probabilities must follow from the class weights by the prediction rule")
        return
    # An empty node has no frequencies of its own.
    off = (np.abs(tree.value * tree.weight[:, None] - tree.stats) > TOLERANCE * tree.weight[:, None]).any(axis=1)
    refuse_where("value", off, "the probabilities must be the relative class weights")


def _check_regression(tree: "Tree") -> None:
    """Weight and value are finite and those of the node, and the loss is not negative."""
    refuse_where("stats", ~np.isfinite(tree.stats[:, :2]).all(axis=1), "weight and value must be finite")
    off = np.abs(tree.stats[:, 0] - tree.weight) > TOLERANCE * tree.weight
    refuse_where("stats", off, "its first number must be the weight of the node")
    refuse_where("stats", ~(tree.stats[:, 2] >= 0), "the loss must be a number of at least 0")
    refuse_where("value", ~np.isfinite(tree.value[:, 0]), "it must be a finite number")
    if tree.by_deviance:
        refuse_where("value", ~(tree.value[:, 0] > 0), "a rate must be above 0")
    value, mean = tree.value[:, 0], tree.stats[:, 1]
    if not tree.prediction_rule.is_default:
        made = node_numbers(tree.prediction_rule, tree.stats, tree.weight, tree.parent)[:, 0]
        refuse_where("value", _differ(value, made), "the prediction must follow from `stats` by the prediction rule")
        return
    refuse_where("value", (tree.weight > 0) & _differ(value, mean), "it must be the value in `stats`")


def _differ(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where two numbers differ by more than rounding; halves, because the difference may overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        differ: NDArray[np.bool_] = ~(np.abs(one / 2 - other / 2) <= TOLERANCE * np.maximum(np.abs(one), np.abs(other)))
    return differ


def check_surrogates(tree: "Tree", surrogates: Surrogates) -> None:
    """Refuse surrogates that are invalid or do not fit the tree."""
    _check_surrogate_shapes(tree, surrogates)
    refuse_offsets("surrogates.start", surrogates.start, len(surrogates.column))
    if not len(surrogates.column):
        refuse_offsets("surrogates.table_start", surrogates.table_start, len(surrogates.table_code))
        return
    node = np.repeat(np.arange(tree.n_nodes), np.diff(surrogates.start))
    is_binary = (tree.n_children == 2) & (tree.threshold != np.inf)
    refuse_at("surrogates.start", node, ~is_binary[node], "only a split into two branches can have surrogates")
    _check_surrogate_columns(tree, surrogates, node)
    _check_surrogate_thresholds(tree, surrogates, node)
    _check_surrogate_tables(tree, surrogates, node)
    _check_surrogate_agreement(surrogates, node)


def _check_surrogate_shapes(tree: "Tree", surrogates: Surrogates) -> None:
    if not isinstance(surrogates, Surrogates):
        refuse("surrogates", "must be a Surrogates object")
    arrays: dict[str, NDArray[Any]] = {}
    for name in SURROGATE_COLUMNS:
        found = getattr(surrogates, name, None)
        if not isinstance(found, np.ndarray) or found.ndim != 1:
            # A damaged pickle may be an object of the right class without its fields.
            refuse(f"surrogates.{name}", "must be a one-dimensional array")
        arrays[name] = found
    n, n_entries = len(arrays["column"]), len(arrays["table_code"])
    shapes = dict.fromkeys(SURROGATE_COLUMNS, (n,))
    shapes["start"], shapes["table_start"] = (tree.n_nodes + 1,), (n + 1,)
    shapes["table_code"] = shapes["table_branch"] = (n_entries,)
    for name, shape in shapes.items():
        refuse_shape(f"surrogates.{name}", arrays[name], shape, SURROGATE_COLUMNS[name])


def _check_surrogate_columns(tree: "Tree", surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """The surrogates of a node are on different columns, and not on that of the node."""
    column = surrogates.column
    outside = (column < 0) | (column >= tree.schema.n_columns)
    refuse_at("surrogates.column", node, outside, "the column is not in the schema")
    refuse_at("surrogates.column", node, column == tree.column[node], "it must not be the column of the split")
    pairs = node * tree.schema.n_columns + column
    order = np.argsort(pairs, kind="stable")
    twice = np.zeros(len(pairs), np.bool_)
    twice[order[1:]] = pairs[order[1:]] == pairs[order[:-1]]
    refuse_at("surrogates.column", node, twice, "a column can be a surrogate only once")


def _check_surrogate_thresholds(tree: "Tree", surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """Surrogates on numbers and ordered categories have a threshold and a low branch, those on categories a table."""
    columns, threshold, low = tree.schema.columns, surrogates.threshold, surrogates.low
    kinds = np.array([int(c.kind) for c in columns])[surrogates.column]
    is_table = kinds == int(Kind.CATEGORY)
    wrong = np.where(is_table, ~np.isnan(threshold), ~np.isfinite(threshold))
    refuse_at("surrogates.threshold", node, wrong, "it must be finite, or NaN for a table of categories")
    n_codes = np.array([c.n_categories for c in columns])[surrogates.column]
    outside = (kinds == int(Kind.ORDERED)) & ((threshold < 0) | (threshold >= n_codes))
    refuse_at("surrogates.threshold", node, outside, "it must be a code of the ordered column")
    wrong = np.where(is_table, low != -1, (low != 0) & (low != 1))
    refuse_at("surrogates.low", node, wrong, "it must be branch 0 or 1, or -1 for a table of categories")
    refuse_offsets("surrogates.table_start", surrogates.table_start, len(surrogates.table_code))
    owned = np.diff(surrogates.table_start)
    refuse_at("surrogates.table_start", node, (owned > 0) != is_table, "only surrogates on categories must have codes")


def _check_surrogate_tables(tree: "Tree", surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """The codes of a table are those of its column and ascending; both branches have some."""
    owner = np.repeat(np.arange(len(surrogates)), np.diff(surrogates.table_start))
    code, branch, where = surrogates.table_code, surrogates.table_branch, node[owner]
    n_codes = np.array([c.n_categories for c in tree.schema.columns])[surrogates.column[owner]]
    outside = (code < 0) | (code >= n_codes)
    refuse_at("surrogates.table_code", where, outside, "the column has no such category")
    falling = (owner[1:] == owner[:-1]) & (code[1:] <= code[:-1])
    refuse_at("surrogates.table_code", where[1:], falling, "the codes of a table must be ascending")
    refuse_at("surrogates.table_branch", where, (branch < 0) | (branch > 1), "it must be branch 0 or 1")
    owned, high = np.diff(surrogates.table_start), np.bincount(owner, weights=branch, minlength=len(surrogates))
    is_one_sided = (owned > 0) & ((high == 0) | (high == owned))
    refuse_at("surrogates.table_branch", node, is_one_sided, "both branches must have categories")


def _check_surrogate_agreement(surrogates: Surrogates, node: NDArray[np.int64]) -> None:
    """Agreements are fractions, the best first."""
    for name in ("agree", "adjusted"):
        found: NDArray[np.float64] = getattr(surrogates, name)
        bad = ~((found > 0) & (found <= 1 + TOLERANCE))
        refuse_at(f"surrogates.{name}", node, bad, "it must be above 0 and at most 1")
    rising = (node[1:] == node[:-1]) & (surrogates.agree[1:] > surrogates.agree[:-1])
    refuse_at("surrogates.agree", node[1:], rising, "the best surrogate must come first")
