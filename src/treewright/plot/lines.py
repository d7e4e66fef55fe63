"""Lines: what a bar chart of a node shows, line by line.

In: the rows of a node, or only what the tree knows of it. Out: a `Line` for each category, branch or class.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, sqrt

import numpy as np
from numpy.typing import NDArray

from treewright.export.labels import Labels
from treewright.model.split import Split
from treewright.model.words import category_words
from treewright.plot.card import label_of
from treewright.plot.rows import NodeRows, class_weights

N_LINES = 40
"""Lines of a chart, those of most weight; the others are one line."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One line of the chart.

    name     what stands before it
    child    the node that these rows go to; -1 at a leaf
    weight   of the rows
    classes  their weight by class; empty where the target is a number
    mean, deviation
             of the target, where it is a number
    is_rest  whether it stands for all lines that are not shown
    """

    name: str
    child: int
    weight: float
    classes: NDArray[np.float64]
    mean: float = 0.0
    deviation: float = 0.0
    is_rest: bool = False


def class_lines(labels: Labels, node: int, most: int = N_LINES) -> list[Line]:
    """A line for each class of a leaf, or one for its number."""
    stats = labels.tree.stats[node]
    if labels.is_number:
        return [_of_node(labels, labels.target, node, -1)]
    each = np.diag(stats)
    found = [Line(labels.classes[c], -1, float(stats[c]), each[c]) for c in range(len(stats))]
    return _shortened(found, most)


def branch_lines(labels: Labels, node: int, most: int = N_LINES) -> list[Line]:
    """A line for each branch, as far as the tree alone knows them."""
    first, many = int(labels.tree.first_child[node]), int(labels.tree.n_children[node])
    names = [label_of(labels.edge(node, branch), 170.0)[0] for branch in range(many)]
    found = [_of_node(labels, name, first + branch, first + branch) for branch, name in enumerate(names)]
    return _shortened(found, most)


def category_lines(labels: Labels, node: int, split: Split, rows: NodeRows, most: int = N_LINES) -> list[Line]:
    """A line for each category of the rows, by branch; and one for those where it is missing."""
    first = int(labels.tree.first_child[node])
    found = []
    for code, branch in _branches(split, rows):
        at = np.isnan(rows.values) if code is None else rows.values == code
        name = "missing" if code is None else category_words(split.column.categories[code])
        found.append(_of_rows(labels, name, -1 if branch < 0 else first + branch, rows, at))
    return _shortened(found, most)


def _branches(split: Split, rows: NodeRows) -> Iterator[tuple[int | None, int]]:
    """The categories that occur and the branch of each, by branch; None is a missing value."""
    known = ~np.isnan(rows.values)
    codes = np.unique(rows.values[known & (rows.values >= 0)]).astype(np.int64).tolist()
    if split.threshold is not None:
        last = np.inf if np.isinf(split.threshold) else floor(split.threshold)
        place = {code: int(code > last) for code in codes}
    else:
        listed = dict(zip(*(split.table or ((), ())), strict=True))
        place = {code: listed.get(code, split.other if split.other is not None else -1) for code in codes}
    yield from sorted(place.items(), key=lambda item: (item[1], item[0]))
    if not known.all():
        yield None, -1 if split.only_missing is None else split.only_missing


def _of_node(labels: Labels, name: str, node: int, child: int) -> Line:
    weight = float(labels.tree.weight[node])
    if not labels.is_number:
        return Line(name, child, weight, labels.tree.stats[node])
    return Line(name, child, weight, np.empty(0), float(labels.tree.value[node, 0]), labels.spread(node))


def _of_rows(labels: Labels, name: str, child: int, rows: NodeRows, at: NDArray[np.bool_]) -> Line:
    weight = rows.weight[at]
    total = float(weight.sum())
    if not labels.is_number:
        return Line(name, child, total, class_weights(rows.target[at], weight, len(labels.classes)))
    target = rows.target[at].astype(np.float64)
    mean = float(np.average(target, weights=weight))
    deviation = sqrt(float(np.average((target - mean) ** 2, weights=weight)))
    return Line(name, child, total, np.empty(0), mean, deviation)


def _shortened(lines: list[Line], most: int) -> list[Line]:
    """At most so many lines; the lightest are joined to one."""
    if len(lines) <= most:
        return lines
    order = sorted(range(len(lines)), key=lambda i: (-lines[i].weight, i))
    shown, rest = sorted(order[: most - 1]), [lines[i] for i in order[most - 1 :]]
    weight = sum(line.weight for line in rest)
    name = f"… {len(rest)} more"
    if lines[0].classes.size:
        joined = Line(name, -1, weight, np.sum([line.classes for line in rest], axis=0), is_rest=True)
    else:
        part = [line.weight / weight if weight > 0 else 1 / len(rest) for line in rest]
        mean = sum(p * line.mean for p, line in zip(part, rest, strict=True))
        square = sum(p * (line.deviation**2 + (line.mean - mean) ** 2) for p, line in zip(part, rest, strict=True))
        joined = Line(name, -1, weight, np.empty(0), mean, sqrt(square), is_rest=True)
    return [*(lines[i] for i in shown), joined]
