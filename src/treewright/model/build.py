"""Build: trees made by hand, for tests, teaching and trees from elsewhere.

In: a schema and a tree written down with leaf, number, ordered, table and is_missing, in the user's words. Out: a
Tree, with the numbers of the inner nodes worked out from the leaves.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CLASS_CRITERIA, CRITERIA
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, one_of
from treewright.model.answering import PLAIN
from treewright.model.build_splits import split_columns, surrogates_written
from treewright.model.specs import (
    LeafSpec,
    Spec,
    SplitSpec,
    is_missing,
    leaf,
    number,
    ordered,
    surrogate,
    table,
)
from treewright.model.strategies import GROWN
from treewright.model.tree import Tree

__all__ = [
    "LeafSpec", "Spec", "SplitSpec", "build", "golf_example", "is_missing", "leaf", "number", "ordered", "surrogate",
    "table",
]  # fmt: skip

BY_CLASSES = tuple(name for name in CLASS_CRITERIA if not CRITERIA[name].two_branches)
"""Criteria whose gain the impurities of the nodes tell."""


def build(schema: Schema, spec: Spec, criterion: str | None = None, missing: str | None = None) -> Tree:
    """The tree that was written down.

    missing  what growth is said to have done with missing values; None is what the tree shows: surrogate or branch
             where it has some, otherwise error

    >>> golf = Schema((Column("humidity", Kind.NUMBER),), Target("play", ("no", "yes")))
    >>> tree = build(golf, number("humidity", 75, leaf({"yes": 5}), leaf({"no": 3, "yes": 1})))
    >>> print(tree.to_text())
    humidity <= 75: yes (5)
    humidity > 75: no (4/1)
    """
    usual = ("squared_error",) if schema.target.is_number else BY_CLASSES
    criterion = one_of("criterion", usual[0] if criterion is None else criterion, usual)
    specs, parent, first_child = _number_nodes(spec)
    n_children = np.array([len(s.children) if isinstance(s, SplitSpec) else 0 for s in specs])
    stats = _leaf_stats(schema.target, specs)
    add = _add_numbers if schema.target.is_number else np.add
    for i in range(len(specs) - 1, 0, -1):
        stats[parent[i]] = add(stats[parent[i]], stats[i])
    weight = stats[:, 0].copy() if schema.target.is_number else stats.sum(axis=1)
    columns = split_columns(schema, specs, first_child, n_children, weight)
    surrogates = surrogates_written(schema, specs)
    if missing is None:
        has_own = any(isinstance(s, SplitSpec) and s.has_own for s in specs)
        missing = "branch" if has_own else "error" if surrogates is None else "surrogate"
    impurity = _impurity(stats, criterion)
    gain = _gain(parent, n_children, weight, impurity)
    return Tree(
        schema=schema,
        parent=parent,
        first_child=first_child,
        n_children=n_children,
        **columns,
        count=np.rint(weight).astype(np.int64),
        weight=weight,
        stats=stats,
        value=_values(schema.target, stats, weight, parent),
        impurity=impurity,
        gain=gain,
        merit=gain,
        criterion=criterion,
        missing=one_of("missing", missing, GROWN),
        surrogates=surrogates,
        answering=PLAIN,
    )


def _number_nodes(spec: Spec) -> tuple[list[Spec], NDArray[np.int64], NDArray[np.int64]]:
    """The nodes level by level, so that siblings are neighbours and parents come first."""
    specs, parent, first_child = [spec], [-1], []
    for i, one in enumerate(specs):
        if isinstance(one, SplitSpec):
            first_child.append(len(specs))
            specs.extend(one.children)
            parent.extend([i] * len(one.children))
        elif isinstance(one, LeafSpec):
            first_child.append(-1)
        else:
            raise InputError(f"{one!r} is no part of a tree; use leaf, number, ordered, table and is_missing.")
    return specs, np.array(parent), np.array(first_child)


def _leaf_stats(target: Target, specs: list[Spec]) -> NDArray[np.float64]:
    """The stats of the leaves; inner nodes are still empty."""
    codes = {label: code for code, label in enumerate(target.classes or ())}
    stats = np.zeros((len(specs), 3 if target.is_number else target.n_classes))
    for i, spec in enumerate(specs):
        if not isinstance(spec, LeafSpec) or spec.classes is None:
            continue
        if target.is_number:
            if spec.number is None:
                raise InputError(f"A leaf for {target.name!r} says {dict(spec.classes)!r}; give it a number.")
            value, stats[i, 0], stats[i, 2] = spec.number
            stats[i, 1] = value
            continue
        for label, weight in spec.classes.items():
            if label not in codes:
                raise InputError(
                    f"{label!r} is no class of {target.name!r}; its classes are {list(codes)!r}."
                )
            stats[i, codes[label]] = weight
    return stats


def _add_numbers(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """(weight, mean, squared loss) of two sets of rows together."""
    weight = a[0] + b[0]
    if weight == 0:
        return a
    mean = (a[0] * a[1] + b[0] * b[1]) / weight
    return np.array([weight, mean, a[2] + b[2] + a[0] * b[0] / weight * (a[1] - b[1]) ** 2])


def _values(
    target: Target, stats: NDArray[np.float64], weight: NDArray[np.float64], parent: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Class shares or means; an empty node has its parent's."""
    whole = np.where(weight > 0, weight, 1.0)[:, None]
    value = stats[:, 1:2].copy() if target.is_number else stats / whole
    empty = np.flatnonzero(weight == 0)
    if len(empty) and empty[0] == 0:
        raise InputError("All leaves of the tree are empty; give at least one of them a weight.")
    for i in empty:
        value[i] = value[parent[i]]
    return value


def _impurity(stats: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    if criterion == "squared_error":
        return stats[:, 2] / np.where(stats[:, 0] > 0, stats[:, 0], 1.0)
    return CRITERIA[criterion].of_weights(stats)


def _gain(
    parent: NDArray[np.int64],
    n_children: NDArray[np.int64],
    weight: NDArray[np.float64],
    impurity: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What each split takes off the impurity; NaN at a leaf."""
    below = np.bincount(parent[1:], weights=(weight * impurity)[1:], minlength=len(parent))
    gain = np.where(weight > 0, impurity - below / np.where(weight > 0, weight, 1.0), 0.0)
    return np.where(n_children > 0, gain, np.nan)


def golf_example() -> Tree:
    """The tree of Quinlan's golf table, for examples.

    >>> golf_example()
    <Tree: 8 nodes, 5 leaves, depth 2>
    """
    outlook = Column("outlook", Kind.CATEGORY, ("sunny", "overcast", "rain"))
    windy = Column("windy", Kind.CATEGORY, (False, True))
    schema = Schema((outlook, Column("humidity", Kind.NUMBER), windy), Target("golf", ("Don't Play", "Play")))
    sunny = number("humidity", 75, leaf("Play", 2), leaf("Don't Play", 3))
    rain = table("windy", {False: leaf("Play", 3), True: leaf("Don't Play", 2)})
    return build(schema, table("outlook", {"sunny": sunny, "overcast": leaf("Play", 4), "rain": rain}))
