"""Trees for missing values: random ones grown, so to speak, by each strategy, and rows with holes for them."""

from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from tests.model.samples import CLASSES, COLOURS, LEAVES, NUMBERS, SIZES, splits, tables, weight_of
from treewright.model.build import (
    Spec,
    SplitSpec,
    SurrogateSpec,
    build,
    is_missing,
    leaf,
    number,
    ordered,
    surrogate,
    table,
)
from treewright.model.strategies import GROWTH_STRATEGIES
from treewright.model.tree import Tree

PRICES = st.integers(0, 6).map(lambda i: i / 2)
FLAGS = (False, True)
Specs = st.SearchStrategy[Spec]


def prostate() -> Tree:
    """A cut of a number with three surrogates: a number turned round, a category, and an ordered category.

    Ids: 0 price; 1 and 2 its leaves.
    """
    stand_ins = [
        surrogate("colour", {("red", "blue"): 0, "green": 1}, 0.863, 0.672),
        surrogate("size", "M", 0.75, 0.5, low=1),
        surrogate("new", {False: 1, True: 0}, 0.75, 0.4),
    ]
    return build(CLASSES, number("price", 9.5, leaf({"yes": 3}), leaf({"no": 4, "yes": 1}), surrogates=stand_ins))


def own_branches() -> Tree:
    """Every kind of split with a branch for missing values.

    Ids: 0 price; 1 size, 2 colour, 3 is new missing; 4, 5, 6 below size; 7, 8, 9 below colour; 10, 11 below new.
    """
    sizes = ordered("size", "M", leaf({"yes": 3}), leaf({"no": 2, "yes": 1}), missing=leaf({"perhaps": 1}))
    colours = table("colour", {("red", "blue"): leaf({"no": 4}), "green": leaf({"perhaps": 2})}, missing=leaf("yes"))
    return build(CLASSES, number("price", 9.5, sizes, colours, is_missing("new", leaf("no", 2), leaf("yes", 3))))


@st.composite
def stand_ins(draw: st.DrawFn, column: str) -> list[SurrogateSpec]:
    """Surrogates from some of the other columns, in any order, the best first."""
    names = [name for name in draw(st.permutations(["price", "size", "colour", "new"])) if name != column]
    names = names[: draw(st.integers(0, 3))]
    agree = sorted(draw(st.lists(st.sampled_from([0.5, 0.75, 1.0]), min_size=3, max_size=3)), reverse=True)
    found = []
    for name, share in zip(names, agree, strict=False):
        low = draw(st.integers(0, 1))
        if name == "price":
            cut: Any = draw(PRICES)
        elif name == "size":
            cut = draw(st.sampled_from(SIZES[:3]))
        elif name == "new":
            cut = {False: low, True: 1 - low}
        else:
            some = draw(st.permutations(COLOURS))[: draw(st.integers(2, 5))]
            cut = {some[0]: 0, some[1]: 1} | {c: draw(st.integers(0, 1)) for c in some[2:]}
        found.append(surrogate(name, cut, share, share / 2, low))
    return found


@st.composite
def with_surrogates(draw: st.DrawFn, inner: Specs) -> Spec:
    column = draw(st.sampled_from(["price", "size", "colour", "new"]))
    low, high, own = draw(inner), draw(inner), draw(stand_ins(column))
    if column == "price":
        return number("price", draw(PRICES), low, high, surrogates=own)
    if column == "size":
        return ordered("size", draw(st.sampled_from(SIZES[:3])), low, high, surrogates=own)
    if column == "new":
        return table("new", {False: low, True: high}, surrogates=own)
    cut = draw(st.integers(1, 3))
    return table("colour", {COLOURS[:cut]: low, COLOURS[cut:4]: high}, surrogates=own)


@st.composite
def with_branches(draw: st.DrawFn, inner: Specs) -> Spec:
    """A split that missing values take a branch of their own at, or the test whether one is missing."""
    if draw(st.booleans()):
        return draw(splits(inner))
    column = draw(st.sampled_from(["price", "size", "colour", "new"]))
    low, high, own = draw(inner), draw(inner), draw(inner)
    if draw(st.integers(0, 3)) == 0:
        return is_missing(column, low, own)
    if column == "price":
        return number("price", draw(PRICES), low, high, missing=own)
    if column == "size":
        return ordered("size", draw(st.sampled_from(SIZES[:3])), low, high, missing=own)
    if column == "new":
        return table("new", {False: low, True: high}, missing=own)
    other = draw(st.none() | inner)
    return table("colour", {COLOURS[:2]: low, COLOURS[2]: high}, other, missing=own)


@st.composite
def with_learned(draw: st.DrawFn, inner: Specs) -> Spec:
    """A split that has learned the branch of missing values: one of the others, or one without known values."""
    if draw(st.integers(0, 4)) == 0:
        return is_missing(draw(st.sampled_from(["price", "size", "colour", "new"])), draw(inner), draw(inner))
    if draw(st.integers(0, 2)) == 0:
        groups = draw(tables(inner))
        assert isinstance(groups, SplitSpec)
        branch = draw(st.integers(0, len(groups.groups) - 1))
        return table("colour", dict(zip(groups.groups, groups.children, strict=False)), missing=branch)
    branch = draw(st.integers(0, 1))
    if draw(st.booleans()):
        return ordered("size", draw(st.sampled_from(SIZES[:3])), draw(inner), draw(inner), missing=branch)
    return number("price", draw(PRICES), draw(inner), draw(inner), missing=branch)


KINDS = {"surrogate": with_surrogates, "branch": with_branches, "learned": with_learned}


@st.composite
def grown_trees(draw: st.DrawFn, strategies: tuple[str, ...] = GROWTH_STRATEGIES) -> Tree:
    """A tree grown by one of the strategies; some of its leaves may be empty."""
    missing = draw(st.sampled_from(strategies))
    ends = LEAVES | LEAVES | LEAVES | st.just(leaf())
    spec = draw(st.recursive(ends, KINDS.get(missing, splits), max_leaves=20))
    assume(weight_of(spec) > 0)
    return build(CLASSES, spec, missing=missing)


NAN, UNSEEN = np.nan, -np.inf
HOLED = st.lists(
    st.tuples(
        st.sampled_from([NAN, NAN, -1.0, 0.0, 0.5, 0.75, 1.0, 1.25, 2.0, 2.5, 3.0, 4.0]),
        st.sampled_from([NAN, NAN, UNSEEN, 0.0, 1.0, 2.0, 3.0]),
        st.sampled_from([NAN, NAN, UNSEEN, 0.0, 1.0, 2.0, 3.0, 4.0, -1.0, 7.0]),
        st.sampled_from([NAN, NAN, UNSEEN, 0.0, 1.0]),
    ),
    min_size=1,
    max_size=12,
).map(np.array)


def in_numbers(tree: Tree, seed: int) -> Tree:
    """The same tree as a regression tree, with other numbers at its leaves."""
    values = np.random.default_rng(seed).normal(size=tree.n_nodes)
    stats = np.column_stack([tree.weight, values, np.zeros(tree.n_nodes)])
    state = tree.__getstate__() | {"schema": NUMBERS, "stats": stats, "value": values[:, None]}
    return Tree(**(state | {"criterion": "squared_error"}))
