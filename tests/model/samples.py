"""Trees for the tests of model and predict: one of every split kind, and random ones in the user's words."""

from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import LeafSpec, Spec, SplitSpec, build, leaf, number, ordered, table
from treewright.model.tree import Tree

COLOURS = ("red", "green", "blue", "white", "black")
SIZES = ("S", "M", "L", "XL")
COLUMNS = (
    Column("price", Kind.NUMBER),
    Column("size", Kind.ORDERED, SIZES),
    Column("colour", Kind.CATEGORY, COLOURS),
    Column("new", Kind.CATEGORY, (False, True)),
)
CLASSES = Schema(COLUMNS, Target("sold", ("no", "perhaps", "yes")))
NUMBERS = Schema(COLUMNS, Target("days"))


def every_kind() -> Tree:
    """price <= 9.5: (size <= M: leaf, leaf); else colour in {red, blue}, = green, or one of the others (empty).

    Ids: 0 price; 1 size, 2 colour; 3, 4 below size; 5, 6, 7 below colour.
    """
    sizes = ordered("size", "M", leaf({"yes": 3}), leaf({"no": 2, "yes": 1}))
    colours = table("colour", {("red", "blue"): leaf({"no": 4}), "green": leaf({"perhaps": 2.5})}, other=leaf())
    return build(CLASSES, number("price", 9.5, sizes, colours))


def regression() -> Tree:
    """Two leaves around price 9.5: value 2 (weight 3, loss 1.5) and value 8 (weight 1)."""
    return build(NUMBERS, number("price", 9.5, leaf(2.0, 3, 1.5), leaf(8.0)))


@cache
def chain(n_splits: int) -> Tree:
    """A tree as deep as it has splits: price > 0 goes down, then > 1, and so on. Kept, as trees never change."""
    spec: Spec = leaf("yes")
    for i in range(n_splits - 1, -1, -1):
        spec = number("price", i, leaf("no"), spec)
    return build(CLASSES, spec)


def columns_of(tree: Tree) -> dict[str, Any]:
    """Writable copies of all fields."""
    given = {f.name: getattr(tree, f.name) for f in fields(tree)}
    return {name: v.copy() if isinstance(v, np.ndarray) else v for name, v in given.items()}


LEAVES = st.dictionaries(st.sampled_from(["no", "perhaps", "yes"]), st.integers(1, 9), min_size=1).map(leaf)


@st.composite
def tables(draw: st.DrawFn, inner: st.SearchStrategy[Spec]) -> Spec:
    """A split of the colours into two to four groups; some colours may be absent, or take a branch of their own."""
    shuffled = draw(st.permutations(COLOURS))
    groups: list[list[str]] = [[shuffled[0]], [shuffled[1]]]
    for colour in shuffled[2:]:
        place = draw(st.integers(-1, len(groups)))
        if place == len(groups):
            groups.append([colour])
        elif place >= 0:
            groups[place].append(colour)
    branches = {tuple(group): draw(inner) for group in groups}
    return table("colour", branches, draw(st.none() | inner))


def splits(inner: st.SearchStrategy[Spec]) -> st.SearchStrategy[Spec]:
    numbers = st.builds(number, st.just("price"), st.integers(0, 6).map(lambda i: i / 2), inner, inner)
    sizes = st.builds(ordered, st.just("size"), st.sampled_from(SIZES[:3]), inner, inner)
    flags = st.tuples(inner, inner).map(lambda two: table("new", {False: two[0], True: two[1]}))
    return numbers | sizes | tables(inner) | flags


SPECS: st.SearchStrategy[Spec] = st.recursive(LEAVES, splits, max_leaves=25)

ROWS = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.5, 0.75, 1.0, 1.25, 2.0, 2.5, 3.0, 4.0, -1e300, 1e300, -0.0]),
        st.sampled_from(SIZES),
        st.sampled_from((*COLOURS, "unknown")),
        st.booleans(),
    ),
    min_size=1,
    max_size=30,
)


def encode(rows: list[tuple[Any, ...]]) -> np.ndarray:
    """Words to codes; an unknown category is -1."""
    codes = [{c: float(i) for i, c in enumerate(column.categories)} for column in COLUMNS]
    return np.array([[r[0], codes[1][r[1]], codes[2].get(r[2], -1.0), codes[3][r[3]]] for r in rows])


def weight_of(spec: Spec) -> float:
    """The weight of all leaves of a small tree."""
    if isinstance(spec, LeafSpec):
        return sum((spec.classes or {}).values())
    return sum(weight_of(child) for child in spec.children)


def follow(spec: Spec, row: tuple[Any, ...]) -> list[Spec]:
    """The way of a row through a tree as it was written down, by words and not by codes."""
    way = [spec]
    while isinstance(spec, SplitSpec):
        value = dict(zip((c.name for c in COLUMNS), row, strict=True))[spec.column]
        if spec.column == "price":
            branch = 0 if value <= spec.cut else 1
        elif spec.column == "size":
            branch = 0 if SIZES.index(value) <= SIZES.index(spec.cut) else 1
        else:
            found = [b for b, group in enumerate(spec.groups) if value in group]
            weights = [weight_of(child) for child in spec.children]
            absent = len(weights) - 1 if spec.has_other else weights.index(max(weights))
            branch = found[0] if found else absent
        spec = spec.children[branch]
        way.append(spec)
    return way


def level_order(spec: Spec) -> dict[int, int]:
    """Identity of each part of a written tree -> the number of its node."""
    parts = [spec]
    for part in parts:
        if isinstance(part, SplitSpec):
            parts.extend(part.children)
    return {id(part): i for i, part in enumerate(parts)}
