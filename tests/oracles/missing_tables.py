"""Tables with missing cells, and rows to predict, from a seed.

In: a seed and the kind of target. Out: a `Table` whose cells are None here and there: a few or half of a column, whole
columns, whole rows, and cells whose absence tells something about the target; and rows to predict with holes and
with categories that training never showed.
"""

import math
from dataclasses import replace
from random import Random

from tests.oracles.options import Cell, Column
from tests.oracles.tables import Table, make_table

UNSEEN = -math.inf
"""A category that training never showed."""

Row = list[Cell]


def gone(rng: Random, table: Table) -> list[bool]:
    """Which cells of one column are missing."""
    n_rows = table.n_rows
    match rng.choice(["none", "one", "few", "few", "some", "half", "told", "told", "all"]):
        case "none":
            return [False] * n_rows
        case "one":
            lost = rng.randrange(n_rows)
            return [r == lost for r in range(n_rows)]
        case "few":
            return [rng.random() < 0.1 for _ in range(n_rows)]
        case "some":
            return [rng.random() < 0.25 for _ in range(n_rows)]
        case "half":
            return [rng.random() < 0.5 for _ in range(n_rows)]
        case "told":
            of = rng.choice(table.target)
            return [rng.random() < (0.7 if y == of else 0.1) for y in table.target]
        case _:
            return [rng.random() < 0.5] * n_rows


def with_holes(rng: Random, table: Table) -> Table:
    """The table with cells left out; the target is as before."""
    empty_rows = {r for r in range(table.n_rows) if rng.random() < rng.choice([0.0, 0.0, 0.05, 0.15])}
    columns = []
    for column in table.columns:
        lost = gone(rng, table)
        values = [None if lost[r] or r in empty_rows else v for r, v in enumerate(column.values)]
        columns.append(replace(column, values=values))
    return replace(table, columns=tuple(columns))


def make_holed(seed: object, *, regression: bool = False) -> Table:
    """The table of a seed, with holes.

    >>> make_holed("a") == make_holed("a")
    True
    """
    return with_holes(Random(f"holes {seed}"), make_table(seed, regression=regression))


def new_cell(rng: Random, column: Column, *, holes: float) -> Cell:
    """A cell to predict: missing, unseen, one of training, or a number between."""
    if rng.random() < holes:
        return None
    if column.kind != "number":
        unseen = column.kind == "category" and rng.random() < 0.15
        return UNSEEN if unseen else float(rng.randrange(column.n_categories))
    known = [v for v in column.values if v is not None] or [0.0]
    return rng.choice(known) if rng.random() < 0.8 else rng.uniform(-12, 12)


def new_rows(seed: object, table: Table, n_rows: int = 12) -> list[Row]:
    """Rows to predict: some with every cell, some with holes, one with nothing but holes."""
    rng = Random(f"rows {seed}")
    drawn: list[Row] = [[None] * len(table.columns)]
    for _ in range(n_rows - 1):
        holes = rng.choice([0.0, 0.2, 0.5])
        drawn.append([new_cell(rng, column, holes=holes) for column in table.columns])
    return drawn
