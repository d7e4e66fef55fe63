"""The slow grower: a tree from docs/rules-of-growth.md alone, with exact sums and every split scored.

In: columns, target, weights and options. Out: nested dicts. Every node has `count, weight, stats, value,
impurity, rows`; a split node also `column, threshold` or `branch_of`, `gain, merit, children, missing_branch,
surrogates`, and whether the tie rule decided among columns (`tied_columns`) or within one (`tied_cuts`). The root
has the `doubts` of its ground and the rows it `dropped` shares of. Nothing is imported from the package.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.oracles.candidates import Candidate
from tests.oracles.ground import Ground, Real, prepare
from tests.oracles.missing import candidate, information
from tests.oracles.missing_routing import send
from tests.oracles.options import Column, Options
from tests.oracles.penalties import floor_of
from tests.oracles.surrogates import Surrogate, surrogates_of

RATIO_TIE = 1e-11
COLLAPSE = Fraction(1, 1000)
SPLIT_KEYS = (
    *("column", "threshold", "branch_of", "gain", "merit", "children"),
    *("missing_branch", "surrogates", "tied_columns", "tied_cuts"),
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
    offered = [candidate(ground, column, rows) for column in range(len(ground.columns))]
    return [c for c in offered if c is not None]


def ranked(ground: Ground, rows: list[int], found: list[Candidate]) -> list[Candidate]:
    """Those that reach the floor, where there is one: the average gain, or that of the description."""
    options = ground.options
    if options.floor == "none":
        return found
    counted = found
    if options.wide is not None:
        limit = options.wide * float(ground.training / ground.one)
        narrow = [
            c
            for c in found
            if ground.columns[c.column].kind != "category" or ground.columns[c.column].n_categories < limit
        ]
        counted = narrow or found
    floor = math.fsum(float(c.gain) for c in counted) / len(counted)
    if options.floor == "description":
        floor = floor_of(ground, rows, floor, len(found))
    return [c for c in found if float(c.gain) >= floor - options.slack]


def choose(ground: Ground, rows: list[int]) -> Choice | None:
    """The candidate of most merit."""
    options = ground.options
    found = candidates(ground, rows)
    if not found:
        return None
    tolerance: Real = ground.tolerance(rows)
    merits: list[tuple[Candidate, Real]] = [(c, c.gain) for c in ranked(ground, rows, found)]
    if options.merit == "ratio":
        tolerance = RATIO_TIE
        merits = [
            (c, float(c.gain) / information(ground, c))
            for c, _ in merits
            if information(ground, c) > options.min_info
        ]
    if not merits:
        return None
    best = max(merit for _, merit in merits)
    near = [(c, merit) for c, merit in merits if merit >= best - tolerance]
    winner, merit = near[0]
    improvement = float(ground.total(rows) / ground.training) * float(winner.gain)
    return Choice(winner, merit, improvement, len(near) > 1, any(c.tied for c in found))


def make_node(ground: Ground, rows: list[int], parent: Node | None) -> Node:
    """A leaf that holds the rows."""
    weight = ground.total(rows)
    node: Node = {"count": len(rows), "weight": float(weight), "exact": weight, "rows": rows, "ground": ground}
    if not rows:
        assert parent is not None
        empty = [0.0] * ground.n_classes if ground.n_classes else [0.0, parent["value"][0], 0.0]
        return node | {"stats": empty, "value": parent["value"], "impurity": None}
    node["impurity"] = float(ground.impurity(rows))
    if ground.options.is_regression:
        is_median = ground.options.criterion == "absolute_error"
        value = float((ground.median(rows) if is_median else ground.mean(rows)) * ground.target_unit)
        loss = float(ground.impurity(rows) * weight)
        return node | {"stats": [float(weight), value, loss], "value": [value]}
    units = ground.class_units(rows)
    stats = [float(u * ground.weight_unit) for u in units]
    return node | {"stats": stats, "value": [u / sum(units) for u in units]}


def wanted(ground: Ground, rows: list[int], depth: int) -> Choice | None:
    """The split of a node, or None when it stays a leaf."""
    options = ground.options
    if not rows or ground.is_pure(rows) or not ground.reaches(rows, options.min_split):
        return None
    if options.max_depth is not None and depth >= options.max_depth:
        return None
    choice = choose(ground, rows)
    if choice is None or choice.improvement < options.min_gain:
        return None
    return choice


def split(ground: Ground, node: Node, choice: Choice) -> list[Node]:
    """Turn a leaf into a split and return its children."""
    chosen = choice.candidate
    node["column"] = chosen.column
    if chosen.is_threshold:
        node["threshold"] = chosen.threshold
    else:
        node["branch_of"] = chosen.branch_of
    node["gain"], node["merit"] = float(chosen.gain), float(choice.merit)
    node["tied_columns"], node["tied_cuts"] = choice.tied_columns, choice.tied_cuts
    placed = chosen.missing_branch
    node["missing_branch"] = ground.heavier(chosen.branches) if placed is None else placed
    surrogates: list[Surrogate] = surrogates_of(ground, chosen)
    node["surrogates"] = surrogates
    node["children"] = [make_node(*child, node) for child in send(ground, chosen, surrogates)]
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


def collapse(node: Node) -> None:
    """Take back, from the bottom up, splits whose branches make no fewer errors."""
    for child in node.get("children", []):
        collapse(child)
    if "children" not in node:
        return
    if errors_below(node) >= node["ground"].errors(node["rows"]) - COLLAPSE:
        for key in SPLIT_KEYS:
            node.pop(key, None)


def errors_below(node: Node) -> Fraction:
    """The errors of the branches, and of rows that stay at a node on the way and are not of its majority."""
    if "children" not in node:
        return node["ground"].errors(node["rows"])
    gone = {r for child in node["children"] for r in child["rows"]}
    staying = [r for r in node["rows"] if r not in gone]
    majority = max(range(len(node["stats"])), key=lambda c: (node["stats"][c], -c))
    ground: Ground = node["ground"]
    stayed = ground.heft([r for r in staying if ground.target[r] != majority])
    return stayed + sum((errors_below(child) for child in node["children"]), Fraction(0))


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
        choice = wanted(node["ground"], node["rows"], depth)
        if choice is not None:
            frontier.append((node, depth, choice))

    open_node(root, 0)
    while frontier:
        node, depth, choice = frontier.pop(next_open(frontier, options, tolerance))
        n_after = n_leaves - 1 + len(choice.candidate.branches)
        if options.max_leaves is not None and n_after > options.max_leaves:
            continue
        n_leaves = n_after
        for child in split(node["ground"], node, choice):
            open_node(child, depth + 1)
    if options.collapse:
        collapse(root)
    root["doubts"], root["dropped"] = ground.doubts, ground.dropped
    return root
