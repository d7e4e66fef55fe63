"""What the tests of pruning share: trees with the rows to prune them by.

In: seeds. Out: `Case`s: a tree of the engine, of an estimator or one put together at random, its training rows,
validation rows and a way to grow again.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from tests.oracles.compare import dataset, plan
from tests.oracles.missing_tables import UNSEEN, make_holed, new_cell
from tests.oracles.options import Column, Options
from tests.oracles.tables import Table, make_table, weights
from treewright.data.dataset import Dataset
from treewright.data.schema import Column as SchemaColumn
from treewright.data.schema import Kind, Schema, Target
from treewright.grow.grower import grow
from treewright.model.build import Spec, build, leaf, number, ordered, table
from treewright.model.tree import Tree


@dataclass(frozen=True, repr=False)
class Case:
    """A tree and all that a method may ask for; `rows` and `regrow` are None where no rows made the tree.

    unit  the training weight that counts as one row
    """

    seed: object
    tree: Tree
    validation: Dataset
    rows: Dataset | None = None
    regrow: Callable[[Dataset], Tree] | None = None
    unit: float = 1.0

    def __post_init__(self) -> None:
        # A tree remembers its fingerprint: this is that of the tree as it came.
        self.tree.fingerprint()

    @property
    def fingerprint(self) -> str:
        """That of the tree before anything was done with it."""
        return self.tree.fingerprint()

    def prune(self, method: Any, tree: Tree | None = None) -> Any:
        """What the method makes of the tree, or of another one by the same material."""
        given = self.tree if tree is None else tree
        material = {"rows": self.rows, "validation": self.validation, "grow": self.regrow}
        return method.prune(given, **material, unit=self.unit)

    def __repr__(self) -> str:
        rows, weight = self.validation.values.tolist(), self.validation.weight
        told = f"{self.validation.target.tolist()}, weights {None if weight is None else weight.tolist()}"
        return f"seed {self.seed!r}\n{self.tree.to_text()}\nvalidation {rows} -> {told}"


def grown_case(seed: object, options: Options, table: Table | None = None) -> Case:
    """A tree of the engine, on a random table, with holes where the options can do with them."""
    holes = options.missing != "error"
    if table is None:
        table = (make_holed if holes else make_table)(seed, regression=options.is_regression)
    rows = dataset(table)
    chosen = plan(options)
    validation = others(seed, table, holes=holes)
    return Case(seed, grow(rows, chosen), validation, rows, lambda d: grow(d, chosen), one_row(rows.weight))


def one_row(weight: Any) -> float:
    """What counts as one row: whole weights are copies, among others it is the mean of those that are not 0."""
    counted = [] if weight is None else [w for w in weight.tolist() if w]
    return math.fsum(counted) / len(counted) if any(w % 1 for w in counted) else 1.0


def fitted_case(seed: object, estimator: Any) -> Case:
    """The tree that an estimator grew, before it pruned it by itself."""
    table = replace(make_table(seed), weights=None)
    cells: dict[str, Any] = {}
    for i, column in enumerate(table.columns):
        cells[f"c{i}"] = np.array(column.values)
        if column.kind != "number":
            codes = cells[f"c{i}"].astype(int)
            words = [f"v{k}" for k in range(column.n_categories)]
            cells[f"c{i}"] = pd.Categorical.from_codes(codes, words, ordered=column.kind == "ordered")
    fitted = estimator.fit(pd.DataFrame(cells), [f"k{int(c)}" for c in table.target])
    tree = getattr(fitted, "grown_tree_", fitted.tree_)
    rows = others(seed, table, holes=False)
    # An estimator knows the classes that occur, the table all that could have been drawn.
    known = {c: code for code, c in enumerate(sorted(set(table.target)))}
    target = np.array([known[c] for c in rows.target.tolist()], np.int32)
    return Case(seed, tree, replace(rows, schema=tree.schema, target=target))


def others(seed: object, table: Table, *, holes: bool) -> Dataset:
    """Validation rows like those of the table: half of them its own with another answer here and there."""
    rng = Random(f"validation {seed}")
    n_rows = rng.choice([1, rng.randint(2, 8), rng.randint(5, 40), rng.randint(20, 60)])
    noise, lost = rng.choice([0.0, 0.2, 0.5]), 0.2 if holes else 0.0
    rows, target = [], []
    for _ in range(n_rows):
        r = rng.randrange(table.n_rows)
        own = rng.random() < 0.5
        rows.append([c.values[r] if own else new_cell(rng, c, holes=lost) for c in table.columns])
        target.append(rng.choice(table.target) if rng.random() < noise else table.target[r])
    like = dataset(table)
    values = np.array([[np.nan if v is None else v for v in row] for row in rows])
    weight = weights(rng, n_rows)
    return Dataset(
        like.schema,
        values,
        np.array(target, like.target.dtype),
        None if weight is None else np.array(weight),
    )


CATEGORIES = tuple("abcdef")
SCHEMA = (
    SchemaColumn("x", Kind.NUMBER),
    SchemaColumn("size", Kind.ORDERED, ("S", "M", "L", "XL")),
    SchemaColumn("letter", Kind.CATEGORY, CATEGORIES),
    SchemaColumn("flag", Kind.CATEGORY, (False, True)),
)


def built_case(seed: object, *, regression: bool = False) -> Case:
    """A tree put together at random: its leaves hold what no grower would leave there, some of them nothing."""
    rng = Random(f"built {seed}")
    classes = None if regression else tuple(f"k{k}" for k in range(rng.choice([1, 2, 2, 3, 4])))
    schema = Schema(SCHEMA, Target("y", classes))
    parts, depth = rng.choice([0.6, 0.8, 0.95]), rng.choice([1, 2, 3, 4])
    spec = random_spec(rng, schema, depth, parts)
    if rng.random() < 0.7 or not _is_full(spec):
        # A last branch with rows in it: a tree without any is none.
        spec = number("x", rng.randint(0, 9), spec, random_leaf(rng, schema, empty=0.0))
    n_rows = rng.randint(1, 40)
    draw = (lambda: rng.randint(-8, 8) / 4) if regression else (lambda: rng.randrange(len(classes or ())))
    values = [
        [rng.randint(0, 10), rng.randrange(4), rng.choice([UNSEEN, *range(6)]), rng.randrange(2)]
        for _ in range(n_rows)
    ]
    target = np.array([draw() for _ in range(n_rows)], np.float64 if regression else np.int32)
    weight = weights(rng, n_rows)
    rows = Dataset(schema, np.array(values, float), target, None if weight is None else np.array(weight))
    return Case(seed, build(schema, spec), rows)


def _is_full(spec: Any) -> bool:
    children = getattr(spec, "children", ())
    return any(map(_is_full, children)) if children else spec.classes is not None


def random_leaf(rng: Random, schema: Schema, empty: float = 0.15) -> Spec:
    """Class weights: none, of one class, a few, or many."""
    classes = schema.target.classes
    if rng.random() < empty:
        return leaf()
    if classes is None:
        return leaf(rng.randint(-8, 8) / 4, rng.randint(1, 9), rng.choice([0.0, rng.randint(0, 40) / 8]))
    most = rng.choice([1, 3, 3, 20])
    style = rng.choice(["pure", "mixed", "mixed"])
    met = [rng.choice(classes)] if style == "pure" else rng.sample(classes, rng.randint(1, len(classes)))
    return leaf({label: rng.randint(1, most) for label in met})


def random_spec(rng: Random, schema: Schema, depth: int, parts: float) -> Spec:
    """A tree of at most this depth; `parts` is how often a node is split."""
    if depth == 0 or rng.random() > parts:
        return random_leaf(rng, schema)

    def child() -> Spec:
        return random_spec(rng, schema, depth - 1, parts)

    match rng.choice(["x", "x", "size", "letter", "letters", "flag"]):
        case "x":
            return number("x", rng.randint(0, 9), child(), child())
        case "size":
            return ordered("size", rng.choice("SML"), child(), child())
        case "letter":
            return table("letter", {category: child() for category in CATEGORIES})
        case "letters":
            low = tuple(rng.sample(CATEGORIES, rng.randint(1, 5)))
            return table("letter", {low: child(), tuple(c for c in CATEGORIES if c not in low): child()})
    return table("flag", {False: child(), True: child()})


def noisy_table(seed: object, *, regression: bool = False, holes: float = 0.0, n_rows: int = 80) -> Table:
    """Two numbers, an ordered column, a category of which one value never occurs; a third of the answers are noise."""
    rng = Random(f"noisy {seed}")
    x = [round(rng.uniform(0, 10), 1) for _ in range(n_rows)]
    count = [float(rng.randint(0, 9)) for _ in range(n_rows)]
    size = [float(rng.randrange(4)) for _ in range(n_rows)]
    letter = [float(rng.choice([0, 1, 2, 4, 5])) for _ in range(n_rows)]
    level = [int(x[r] > 4) + int(letter[r] > 2 or size[r] > 1) for r in range(n_rows)]
    target = [rng.randrange(3) if rng.random() < 0.35 else y for y in level]
    columns = (
        Column("number", x),
        Column("number", count),
        Column("ordered", size, 4),
        Column("category", letter, 6),
    )
    if holes:
        columns = tuple(
            replace(c, values=[None if rng.random() < holes else v for v in c.values]) for c in columns
        )
    if regression:
        return Table(columns, tuple(y + rng.randint(-4, 4) / 8 for y in target), 0)
    return Table(columns, tuple(target), 3)
