"""Error-based pruning with raising, slowly: every row is sent down again wherever something might change.

In: a grown tree as nested dicts (as `tests.oracles.compare.describe` gives it), the rows, and `Settings`. Out: the
pruned tree as `Place`s with the rows at each of them, and what was decided at each node. Written from the description
of the method and from docs/rules-of-growth.md; recursive, in plain floats, and without a line of the package.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

from scipy.special import betaincinv

LEAST_SHARE, MOST_SHARES, CLOSE = 1 / 256, 8, 1e-9
QUANTILES = {0.0: 4.0, 0.001: 3.09, 0.005: 2.58, 0.01: 2.33, 0.05: 1.65, 0.1: 1.28, 0.2: 0.84, 0.4: 0.25, 1.0: 0.0}

Shares = dict[int, float]
"""Row -> the weight it has at a place."""


@dataclass(frozen=True)
class Settings:
    """How is estimated and decided; `row` is the weight that counts as one row where rows are shared out."""

    limit: str = "release8"
    confidence: float = 0.25
    allowance: float = 0.1
    missing: str = "error"
    row: float = 1.0


@dataclass
class Decision:
    """The estimates at the last visit of a node, and what became of it."""

    leaf: float
    subtree: float
    branch: float
    verdict: str


@dataclass
class Place:
    """A node with the split that stands there; `name` is the node of the grown tree that the split belonged to."""

    name: int
    split: dict[str, Any] | None
    children: "list[Place]" = field(default_factory=list)
    rows: Shares = field(default_factory=dict)


def release8_quantile(confidence: float) -> float:
    """The quantile out of the program's table, in a straight line between its entries."""
    above = min(c for c in QUANTILES if c >= confidence)
    below = max(c for c in QUANTILES if c < confidence)
    part = (confidence - below) / (above - below)
    return QUANTILES[below] + part * (QUANTILES[above] - QUANTILES[below])


def estimated(n: float, e: float, settings: Settings) -> float:
    """The errors to be expected where e of n rows are errors."""
    if n <= 0:
        return 0.0
    cf = settings.confidence
    without = n * (1 - cf ** (1 / n))
    if e < CLOSE:
        return without
    if settings.limit == "exact":
        return n * float(betaincinv(e + 1, n - e, 1 - cf)) if e < n else n
    if settings.limit == "release8":
        z, high = release8_quantile(cf), lambda errors: 0.67 * (n - errors)
    else:
        z, high = NormalDist().inv_cdf(1 - cf), lambda errors: max(n - errors, 0.0)

    def more(errors: float) -> float:
        if errors + 0.5 >= n - CLOSE:
            return high(errors)
        f = (errors + 0.5) / n
        rate = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
        return n * rate - errors

    one = 0.9999 if settings.limit == "release8" else 1 - CLOSE
    return e + more(e) if e >= one else e + without + e * (more(1.0) - without)


class Pruning:
    """One run of the method."""

    def __init__(
        self, tree: dict[str, Any], rows: Sequence[Sequence[float | None]], labels: Sequence[int], settings: Settings
    ) -> None:
        self.rows, self.labels, self.settings = rows, labels, settings
        self.decisions: dict[int, Decision] = {}
        self.n_named = 0
        self.root = self.place(tree)

    def place(self, node: dict[str, Any]) -> Place:
        """The places of a tree, named level by level."""
        root = Place(0, node if "children" in node else None)
        level = [(root, node)]
        for found, told in level:
            for child in told.get("children", []):
                self.n_named += 1
                below = Place(self.n_named, child if "children" in child else None)
                found.children.append(below)
                level.append((below, child))
        return root

    def prune(self, weights: Sequence[float]) -> Place:
        self.settle(self.root, {r: w for r, w in enumerate(weights) if w > 0})
        drop_impossible(self.root, {})
        return self.root

    def classes(self, rows: Shares) -> dict[int, float]:
        return {
            k: math.fsum(w for r, w in rows.items() if self.labels[r] == k) for k in {self.labels[r] for r in rows}
        }

    def as_leaf(self, rows: Shares) -> float:
        by_class = self.classes(rows)
        total = math.fsum(by_class.values())
        return estimated(total, total - max(by_class.values(), default=0.0), self.settings)

    def settle(self, place: Place, rows: Shares) -> float:
        """Prune what is below a place, then the place; its estimate."""
        place.rows = rows
        leaf = self.as_leaf(rows)
        if place.split is None or not rows:
            place.split, place.children = None, []
            return leaf
        parts, known, stays = self.divide(place, rows)
        subtree = math.fsum(self.settle(child, part) for child, part in zip(place.children, parts, strict=True))
        subtree += leaf * math.fsum(stays.values()) / math.fsum(rows.values())
        largest = max(b for b, w in enumerate(known) if w > 0 and w >= max(known) - CLOSE * self.settings.row)
        branch = self.cost(place.children[largest], rows)
        allowance, verdict = self.settings.allowance, "kept"
        if not_above(leaf, subtree + allowance) and not_above(leaf, branch + allowance):
            verdict = "pruned"
        elif not_above(branch, subtree + allowance):
            verdict = "raised"
        self.decisions[place.name] = Decision(leaf, subtree, branch, verdict)
        if verdict == "pruned":
            place.split, place.children = None, []
            return leaf
        if verdict == "raised":
            child = place.children[largest]
            place.name, place.split, place.children = child.name, child.split, child.children
            return self.settle(place, rows)
        return subtree

    def cost(self, place: Place, rows: Shares) -> float:
        """The estimate of what is below a place, with these rows; nothing changes."""
        if place.split is None or not rows:
            return self.as_leaf(rows)
        parts, _, stays = self.divide(place, rows)
        below = math.fsum(self.cost(child, part) for child, part in zip(place.children, parts, strict=True))
        return below + self.as_leaf(rows) * math.fsum(stays.values()) / math.fsum(rows.values())

    def divide(self, place: Place, rows: Shares) -> tuple[list[Shares], list[float], Shares]:
        """The rows of each branch, the weight that goes there whole, and the rows that stay."""
        split = place.split
        parts: list[Shares] = [{} for _ in place.children]
        lost: Shares = {}
        for r, w in rows.items():
            branch = self.branch(split, r)
            if branch is None:
                lost[r] = w
            else:
                parts[branch][r] = w
        if lost and self.settings.missing == "fractional" and not any(parts):
            parts[split["missing_branch"]] = lost
            lost = {}
        known = [math.fsum(part.values()) for part in parts]
        if lost and self.settings.missing == "fractional":
            self.share_out(parts, known, lost, len(rows))
            lost = {}
        return parts, known, lost

    def branch(self, split: dict[str, Any], r: int) -> int | None:
        """Where a row goes whole; None where it is shared out or stays."""
        value = self.rows[r][split["column"]]
        if value is not None:
            return int(value > split["threshold"]) if "threshold" in split else split["branch_of"][int(value)]
        match self.settings.missing:
            case "learned" | "branch":
                return split["missing_branch"]
            case "surrogate":
                for (column, low, cut, table), *_ in split["told_surrogates"]:
                    other = self.rows[r][column]
                    if other is not None and cut is not None:
                        return low if other <= cut else 1 - low
                    if other is not None and int(other) in dict(table):
                        return dict(table)[int(other)]
                return split["missing_branch"]
        return None

    def share_out(self, parts: list[Shares], known: list[float], lost: Shares, n_rows: int) -> None:
        """Shares of each row for every branch with known rows; small ones, and too many, go with the heaviest."""
        row, whole = self.settings.row, math.fsum(known)
        heaviest = min(b for b, w in enumerate(known) if w >= max(known) - CLOSE * row)
        others = sorted((b for b, w in enumerate(known) if w > 0 and b != heaviest), key=lambda b: (-known[b], b))
        others = others[: MOST_SHARES * n_rows // len(lost)]
        for r, w in lost.items():
            left = w
            for b in others:
                share = w * known[b] / whole
                if share >= LEAST_SHARE * row:
                    parts[b][r] = share
                    left -= share
            parts[heaviest][r] = left


def not_above(a: float, b: float) -> bool:
    return a <= b + 1e-12 * (abs(a) + abs(b))


def drop_impossible(place: Place, let_through: dict[int, set[int]]) -> None:
    """Take off empty branches none of whose categories comes through the splits above; two branches are left at least.

    let_through  the categories of a column that the nearest split above it sends here
    """
    if place.split is None:
        return
    split = place.split
    if "threshold" in split:
        for child in place.children:
            drop_impossible(child, let_through)
        return
    column, branch_of = split["column"], split["branch_of"]
    possible = let_through.get(column)
    for b, child in reversed(list(enumerate(list(place.children)))):
        sent = {code for code, branch in enumerate(branch_of) if branch == b}
        if possible is not None and not child.rows and b != split["missing_branch"] and not sent & possible:
            if len(place.children) > 2:
                place.children.remove(child)
            continue
        drop_impossible(child, let_through | {column: sent})
