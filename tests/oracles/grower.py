"""The slow grower: a tree from docs/rules-of-growth.md alone, with exact sums and every split scored.

In: columns, target, weights and options. Out: nested dicts. Every node has `count, weight, stats, value,
impurity, rows`; a split node also `column, threshold` or `branch_of`, `gain, merit, children`, and whether the tie
rule decided among columns (`tied_columns`) or within one (`tied_cuts`). Nothing is imported from the package.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.oracles.candidates import Candidate, each_candidate, number_candidate, subset_candidate
from tests.oracles.ground import Ground, Real, prepare
from tests.oracles.groups import group_candidate
from tests.oracles.options import Column, Options

CATEGORY = {"each": each_candidate, "subset": subset_candidate, "group": group_candidate}
RATIO_TIE = 1e-11
COLLAPSE = Fraction(1, 1000)
SPLIT_KEYS = (
    *("column", "threshold", "branch_of", "gain", "merit", "children"),
    *("tied_columns", "tied_cuts"),
)

Node = dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """The split chosen for a node and what it improves the whole tree by."""

    candidate: Candidate
    merit: Real
    improvement: Real
    tied_columns: bool
    tied_cuts: bool


def candidates(ground: Ground, rows: list[int]) -> list[Candidate]:
    """What each column offers, in the order of the table."""
    found = []
    for number, column in enumerate(ground.columns):
        search = CATEGORY[ground.options.category] if column.kind == "category" else number_candidate
        candidate = search(ground, number, rows)
        if candidate is not None:
            found.append(candidate)
    return found


def ranked(ground: Ground, found: list[Candidate]) -> list[Candidate]:
    """Those that reach the average gain, where that is asked for."""
    options = ground.options
    if options.floor == "none":
        return found
    counted = found
    if options.wide is not None:
        limit = options.wide * float(ground.n_training)
        narrow = [
            c
            for c in found
            if ground.columns[c.column].kind != "category" or ground.columns[c.column].n_categories < limit
        ]
        counted = narrow or found
    average = math.fsum(float(c.gain) for c in counted) / len(counted)
    return [c for c in found if float(c.gain) >= average - options.slack]


def choose(ground: Ground, rows: list[int]) -> Choice | None:
    """The candidate of most merit."""
    options = ground.options
    found = candidates(ground, rows)
    if not found:
        return None
    tolerance: Real = ground.tolerance(rows)
    merits: list[tuple[Candidate, Real]] = [(c, c.gain) for c in ranked(ground, found)]
    if options.merit == "ratio":
        tolerance = RATIO_TIE
        merits = [
            (c, float(c.gain) / ground.split_information(c.branches))
            for c, _ in merits
            if ground.split_information(c.branches) > options.min_info
        ]
    if not merits:
        return None
    best = max(merit for _, merit in merits)
    near = [(c, merit) for c, merit in merits if merit >= best - tolerance]
    winner, merit = near[0]
    share = Fraction(ground.units(rows), ground.units(ground.rows))
    improvement = float(share) * float(winner.gain)
    return Choice(winner, merit, improvement, len(near) > 1, any(c.tied for c in found))


def make_node(ground: Ground, rows: list[int], parent: Node | None) -> Node:
    """A leaf that holds the rows."""
    weight = ground.total(rows)
    node: Node = {"count": len(rows), "weight": float(weight), "rows": rows}
    if not rows:
        assert parent is not None
        empty = [0.0] * ground.n_classes if ground.n_classes else [0.0, parent["value"][0], 0.0]
        return node | {"stats": empty, "value": parent["value"], "impurity": None}
    node["impurity"] = float(ground.impurity(rows))
    if ground.options.is_regression:
        squared = ground.options.criterion == "squared_error"
        value = float((ground.mean(rows) if squared else ground.median(rows)) * ground.target_unit)
        loss = float(ground.loss(rows) * ground.scale() * ground.weight_unit)
        return node | {"stats": [float(weight), value, loss], "value": [value]}
    units = ground.class_units(rows)
    stats = [float(u * ground.weight_unit) for u in units]
    return node | {"stats": stats, "value": [u / sum(units) for u in units]}


def wanted(ground: Ground, rows: list[int], depth: int) -> Choice | None:
    """The split of a node, or None when it stays a leaf."""
    options = ground.options
    if not rows or ground.is_pure(rows) or ground.size(rows) < ground.min_split:
        return None
    if options.max_depth is not None and depth >= options.max_depth:
        return None
    choice = choose(ground, rows)
    if choice is None or choice.improvement < options.min_gain:
        return None
    return choice


def split(ground: Ground, node: Node, choice: Choice) -> list[Node]:
    """Turn a leaf into a split and return its children."""
    candidate = choice.candidate
    node["column"] = candidate.column
    if candidate.is_threshold:
        node["threshold"] = candidate.threshold
    else:
        node["branch_of"] = candidate.branch_of
    node["gain"], node["merit"] = float(candidate.gain), float(choice.merit)
    node["tied_columns"], node["tied_cuts"] = choice.tied_columns, choice.tied_cuts
    node["children"] = [make_node(ground, branch, node) for branch in candidate.branches]
    return node["children"]


def next_open(frontier: list[tuple[Node, int, Choice]], options: Options, tolerance: float) -> int:
    """Which open node is split next: the first, or with a leaf budget the one that improves the tree most."""
    if options.max_leaves is None:
        return 0
    best = max(choice.improvement for _, _, choice in frontier)
    return next(i for i, (_, _, c) in enumerate(frontier) if c.improvement >= best - tolerance)


def leaves(node: Node) -> list[Node]:
    """The leaves below a node, or the node itself."""
    if "children" not in node:
        return [node]
    return [leaf for child in node["children"] for leaf in leaves(child)]


def collapse(ground: Ground, node: Node) -> None:
    """Take back, from the bottom up, splits whose branches make no fewer errors."""
    if "children" not in node:
        return
    for child in node["children"]:
        collapse(ground, child)
    below = sum((ground.errors(leaf["rows"]) for leaf in leaves(node)), Fraction(0))
    if below >= ground.errors(node["rows"]) - COLLAPSE:
        for key in SPLIT_KEYS:
            node.pop(key, None)


def grow(
    columns: Sequence[Column],
    target: Sequence[float],
    weights: Sequence[float] | None,
    options: Options,
    n_classes: int = 0,
) -> Node:
    """Grow a tree; `n_classes` is 0 for regression.

    >>> tree = grow([Column("number", [1.0, 2.0])], [0, 1], None, Options(), n_classes=2)
    >>> tree["threshold"], tree["gain"]
    (1.5, 0.5)
    """
    ground = prepare(columns, target, weights, n_classes, options)
    root = make_node(ground, ground.rows, None)
    tolerance = 1e-10 * root["impurity"]
    frontier: list[tuple[Node, int, Choice]] = []
    n_leaves = 1

    def open_node(node: Node, depth: int) -> None:
        choice = wanted(ground, node["rows"], depth)
        if choice is not None:
            frontier.append((node, depth, choice))

    open_node(root, 0)
    while frontier:
        node, depth, choice = frontier.pop(next_open(frontier, options, tolerance))
        n_after = n_leaves - 1 + len(choice.candidate.branches)
        if options.max_leaves is not None and n_after > options.max_leaves:
            continue
        n_leaves = n_after
        for child in split(ground, node, choice):
            open_node(child, depth + 1)
    if options.collapse:
        collapse(ground, root)
    return root
