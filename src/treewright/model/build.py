"""Trees written by hand, for tests, teaching and trees of other programs.

`leaf`, `number`, `ordered`, `table` and `is_missing` describe a tree with the user's names and categories; `build`
makes a Tree of the description, with the statistics of inner nodes computed from the leaves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CLASS_CRITERIA, CRITERIA, read_criterion
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, one_of
from treewright.model.prediction_rule import DEFAULT_RULE
from treewright.model.strategies import GROWTH_STRATEGIES
from treewright.model.surrogates import Surrogates
from treewright.model.tree import LEAF, TABLE, THRESHOLD, Tree
from treewright.model.tree_columns import heaviest_branch

__all__ = [
    "LeafSpec", "Spec", "SplitSpec", "build", "golf_example", "is_missing", "leaf", "number", "ordered", "surrogate",
    "table",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LeafSpec:
    """A leaf as written down: class weights, or a number with weight and loss; both None when it is empty."""

    classes: Mapping[Any, float] | None
    number: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SurrogateSpec:
    """A surrogate as written down; `cut` is a threshold, an ordered category, or a branch for each category."""

    column: str
    cut: Any
    agree: float
    adjusted: float
    low: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SplitSpec:
    """A split as written down; `cut` is a threshold or category, `groups` the categories of each branch.

    missing  the branch of missing values; None is the heaviest. A branch for them alone is the last child.
    """

    column: str
    kind: Kind
    children: tuple["LeafSpec | SplitSpec", ...]
    cut: Any = None
    groups: tuple[tuple[Any, ...], ...] = ()
    has_other: bool = False
    missing: int | None = None
    has_own: bool = False
    surrogates: tuple[SurrogateSpec, ...] = ()


Spec = LeafSpec | SplitSpec
ToMissing = Spec | int | None
"""Where missing values go: a branch of their own, a branch by its number, or the heaviest branch."""


Entries = list[tuple[int, int]]
"""The (code, branch) entries of a table."""


def leaf(prediction: Any = None, weight: float = 1.0, loss: float = 0.0) -> LeafSpec:
    """A leaf: {class: weight, ...}, one class, or a number; None is an empty leaf of weight 0.

    weight  of one class or a number
    loss    of a number
    """
    if prediction is None:
        return LeafSpec(None, None)
    if isinstance(prediction, Mapping):
        return LeafSpec(dict(prediction), None)
    number = (float(prediction), weight, loss) if isinstance(prediction, int | float) else None
    return LeafSpec({prediction: weight}, number)


def number(
    column: str,
    threshold: float,
    low: Spec,
    high: Spec,
    missing: ToMissing = None,
    surrogates: Iterable[SurrogateSpec] = (),
) -> SplitSpec:
    """A split on a number: `low` takes value <= threshold."""
    children, missing, has_own = _with_own((low, high), missing)
    return SplitSpec(
        column, Kind.NUMBER, children, threshold, missing=missing, has_own=has_own, surrogates=tuple(surrogates)
    )


def ordered(
    column: str,
    category: Any,
    low: Spec,
    high: Spec,
    missing: ToMissing = None,
    surrogates: Iterable[SurrogateSpec] = (),
) -> SplitSpec:
    """A split on an ordered category: `low` takes the categories up to and including the given one."""
    children, missing, has_own = _with_own((low, high), missing)
    return SplitSpec(
        column, Kind.ORDERED, children, category, missing=missing, has_own=has_own, surrogates=tuple(surrogates)
    )


def table(
    column: str,
    branches: Mapping[Any, Spec],
    other: Spec | None = None,
    missing: ToMissing = None,
    surrogates: Iterable[SurrogateSpec] = (),
) -> SplitSpec:
    """A split on a category: branches by category, or by tuple of categories.

    Other categories take the branch `other`, the last one; without it the heaviest branch.
    """
    groups = tuple(key if isinstance(key, tuple) else (key,) for key in branches)
    children, missing, has_own = _with_own((*branches.values(), *(() if other is None else (other,))), missing)
    return SplitSpec(
        column,
        Kind.CATEGORY,
        children,
        groups=groups,
        has_other=other is not None,
        missing=missing,
        has_own=has_own,
        surrogates=tuple(surrogates),
    )


def is_missing(column: str, known: Spec, missing: Spec) -> SplitSpec:
    """A split on whether a value of any kind is missing."""
    return SplitSpec(column, Kind.NUMBER, (known, missing), inf, missing=1, has_own=True)


def surrogate(
    column: str, cut: Any, agree: float = 1.0, adjusted: float = 1.0, low: int = 0
) -> SurrogateSpec:
    """A surrogate of a split into two branches; the best one comes first.

    cut  a threshold, the last low category of an ordered column, or {category or tuple of categories: branch}
    low  the branch of low values
    """
    return SurrogateSpec(column, cut, agree, adjusted, low)


def _with_own(
    children: tuple[Spec, ...], missing: ToMissing
) -> tuple[tuple[Spec, ...], int | None, bool]:
    """The children including one for missing values, the branch of missing values, and whether it is their own."""
    if missing is None or isinstance(missing, int):
        return children, missing, False
    return (*children, missing), len(children), True


BY_CLASSES = tuple(name for name in CLASS_CRITERIA if not CRITERIA[name].two_branches)
"""Criteria whose gain follows from the impurities of the nodes."""


def build(schema: Schema, spec: Spec, criterion: str | None = None, missing: str | None = None) -> Tree:
    """Build the tree that a description means.

    missing  the strategy for missing values of the tree; None: "branch" or "surrogate" where the description has
             branches of missing values or surrogates, otherwise "error"

    >>> golf = Schema((Column("humidity", Kind.NUMBER),), Target("play", ("no", "yes")))
    >>> tree = build(golf, number("humidity", 75, leaf({"yes": 5}), leaf({"no": 3, "yes": 1})))
    >>> print(tree.to_text())
    humidity <= 75: yes (5)
    humidity > 75: no (4/1)
    """
    usual = ("squared_error",) if schema.target.is_number else BY_CLASSES
    criterion = read_criterion(usual[0] if criterion is None else criterion, usual)
    specs, parent, first_child = _number_nodes(spec)
    n_children = np.array([len(s.children) if isinstance(s, SplitSpec) else 0 for s in specs])
    stats = _leaf_stats(schema.target, specs)
    add = _add_numbers if schema.target.is_number else np.add
    for i in range(len(specs) - 1, 0, -1):
        stats[parent[i]] = add(stats[parent[i]], stats[i])
    weight = stats[:, 0].copy() if schema.target.is_number else stats.sum(axis=1)
    columns = split_columns(schema, specs, first_child, n_children, weight)
    surrogates = surrogate_columns(schema, specs)
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
        missing=one_of("missing", missing, GROWTH_STRATEGIES),
        surrogates=surrogates,
        prediction_rule=DEFAULT_RULE,
    )


def _number_nodes(spec: Spec) -> tuple[list[Spec], NDArray[np.int64], NDArray[np.int64]]:
    """The nodes level by level: siblings are adjacent and parents come first."""
    specs, parent, first_child = [spec], [-1], []
    for i, one in enumerate(specs):
        if isinstance(one, SplitSpec):
            first_child.append(len(specs))
            specs.extend(one.children)
            parent.extend([i] * len(one.children))
        elif isinstance(one, LeafSpec):
            first_child.append(-1)
        else:
            raise InputError(f"{one!r} is not a node of a tree; use leaf, number, ordered, table or is_missing.")
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
                raise InputError(f"A leaf must predict a number for {target.name!r}, got {dict(spec.classes)!r}.")
            value, stats[i, 0], stats[i, 2] = spec.number
            stats[i, 1] = value
            continue
        for label, weight in spec.classes.items():
            if label not in codes:
                raise InputError(f"Class {label!r} not found; the classes of {target.name!r} are {list(codes)!r}.")
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
    """Class frequencies or means; an empty node has its parent's."""
    whole = np.where(weight > 0, weight, 1.0)[:, None]
    value = stats[:, 1:2].copy() if target.is_number else stats / whole
    empty = np.flatnonzero(weight == 0)
    if len(empty) and empty[0] == 0:
        raise InputError("At least one leaf must have a weight above 0.")
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
    """The decrease of the impurity by each split; NaN at a leaf."""
    below = np.bincount(parent[1:], weights=(weight * impurity)[1:], minlength=len(parent))
    gain = np.where(weight > 0, impurity - below / np.where(weight > 0, weight, 1.0), 0.0)
    return np.where(n_children > 0, gain, np.nan)


class _Codes:
    """The positions of column names and the codes of categories in a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.positions = {column.name: position for position, column in enumerate(schema.columns)}
        self.codes: dict[str, dict[Any, int]] = {}

    def position(self, column: str) -> int:
        if column not in self.positions:
            raise InputError(f"Column {column!r} not found; the columns are {list(self.positions)!r}.")
        return self.positions[column]

    def kind(self, column: str) -> Kind:
        return self.schema.columns[self.position(column)].kind

    def of(self, column: str) -> dict[Any, int]:
        """The code of each category."""
        if column not in self.codes:
            categories = self.schema.columns[self.position(column)].categories
            self.codes[column] = {category: code for code, category in enumerate(categories)}
        return self.codes[column]

    def code(self, column: str, category: Any) -> int:
        codes = self.of(column)
        if category not in codes:
            raise InputError(f"Category {category!r} not found; the categories of {column!r} are {list(codes)!r}.")
        return codes[category]

    def entries(self, column: str, groups: Iterable[tuple[Any, int]]) -> Entries:
        """(code, branch) of the categories of all groups, in order; a group is a category or a tuple of them."""
        listed = ((key if isinstance(key, tuple) else (key,), branch) for key, branch in groups)
        return sorted((self.code(column, c), branch) for group, branch in listed for c in group)


def split_columns(
    schema: Schema,
    specs: list[Spec],
    first_child: NDArray[np.int64],
    n_children: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> dict[str, NDArray[Any]]:
    """The columns about splits: kind, column, threshold, tables, other and missing branch of every node."""
    codes, n = _Codes(schema), len(specs)
    kind, column, other = np.full(n, LEAF), np.full(n, -1), np.full(n, -1)
    threshold = np.full(n, np.nan)
    missing_branch = heaviest_branch(first_child, n_children, weight)
    tables: list[Entries] = [[] for _ in specs]
    for i, spec in enumerate(specs):
        if not isinstance(spec, SplitSpec):
            continue
        column[i] = codes.position(spec.column)
        if spec.missing is not None:
            missing_branch[i] = spec.missing
        kind[i] = THRESHOLD
        if spec.kind is Kind.ORDERED:
            threshold[i] = codes.code(spec.column, spec.cut)
        elif spec.kind is Kind.CATEGORY:
            kind[i] = TABLE
            tables[i] = codes.entries(spec.column, ((group, b) for b, group in enumerate(spec.groups)))
            first, known = first_child[i], len(spec.children) - spec.has_own
            other[i] = known - 1 if spec.has_other else int(np.argmax(weight[first : first + known]))
        elif spec.cut == inf and codes.kind(spec.column) is Kind.CATEGORY:
            kind[i], tables[i], other[i] = TABLE, [(code, 0) for code in codes.of(spec.column).values()], 0
        else:
            threshold[i] = spec.cut
    start, code, branch = _joined(tables)
    return {
        "kind": kind,
        "column": column,
        "threshold": threshold,
        "other": other,
        "missing_branch": missing_branch,
        "table_start": start,
        "table_code": code,
        "table_branch": branch,
    }


def surrogate_columns(schema: Schema, specs: list[Spec]) -> Surrogates | None:
    """The surrogates of all nodes; None when there are none."""
    of_node = [spec.surrogates if isinstance(spec, SplitSpec) else () for spec in specs]
    listed = [one for several in of_node for one in several]
    if not listed:
        return None
    codes = _Codes(schema)
    parts = [_surrogate(codes, one) for one in listed]
    start, code, branch = _joined([entries for _, _, entries in parts])
    return Surrogates(
        start=np.concatenate([[0], np.cumsum([len(several) for several in of_node])]),
        column=np.array([codes.position(one.column) for one in listed]),
        threshold=np.array([cut for cut, _, _ in parts]),
        low=np.array([low for _, low, _ in parts]),
        agree=np.array([one.agree for one in listed]),
        adjusted=np.array([one.adjusted for one in listed]),
        table_start=start,
        table_code=code,
        table_branch=branch,
    )


def _surrogate(codes: _Codes, spec: SurrogateSpec) -> tuple[float, int, Entries]:
    """Threshold, low branch and table."""
    if isinstance(spec.cut, Mapping):
        return np.nan, -1, codes.entries(spec.column, spec.cut.items())
    if codes.kind(spec.column) is Kind.ORDERED:
        return codes.code(spec.column, spec.cut), spec.low, []
    return spec.cut, spec.low, []


def _joined(tables: list[Entries]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Offsets, codes and branches of tables one after the other."""
    entries = np.array([entry for one in tables for entry in one], dtype=np.int64).reshape(-1, 2)
    return np.concatenate([[0], np.cumsum([len(one) for one in tables])]), entries[:, 0], entries[:, 1]


def golf_example() -> Tree:
    """The tree of Quinlan's golf data, for examples.

    >>> golf_example()
    <Tree: 8 nodes, 5 leaves, depth 2>
    """
    outlook = Column("outlook", Kind.CATEGORY, ("sunny", "overcast", "rain"))
    windy = Column("windy", Kind.CATEGORY, (False, True))
    schema = Schema((outlook, Column("humidity", Kind.NUMBER), windy), Target("golf", ("Don't Play", "Play")))
    sunny = number("humidity", 75, leaf("Play", 2), leaf("Don't Play", 3))
    rain = table("windy", {False: leaf("Play", 3), True: leaf("Don't Play", 2)})
    return build(schema, table("outlook", {"sunny": sunny, "overcast": leaf("Play", 4), "rain": rain}))
