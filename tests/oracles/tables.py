"""Small random mixed tables from a seed: the awkward shapes first.

In: a seed (any string or number) and the kind of target. Out: a `Table`, always the same one for the same seed.
Weights are whole or multiples of 1/8 and regression targets multiples of 1/8, so that every sum is exact in
floating point and two programs can only differ where they follow different rules.
"""

from dataclasses import dataclass, replace
from random import Random

from tests.oracles.options import Column

EPSILON = 2.0**-52
EXTREMES = [
    -1e308,
    -1.5e308,
    1e308,
    1.7e308,
    5e-324,
    1e-323,
    -5e-324,
    0.0,
    -0.0,
    2.5e-308,
    1.0,
    1.0 + EPSILON,
]


@dataclass(frozen=True)
class Table:
    """Columns, target and weights; `n_classes` is 0 when the target is a number."""

    columns: tuple[Column, ...]
    target: tuple[float, ...]
    n_classes: int
    weights: tuple[float, ...] | None = None

    @property
    def n_rows(self) -> int:
        return len(self.target)

    def take(self, rows: list[int]) -> "Table":
        """The table of these rows, in this order; a row may come more than once."""
        return replace(
            self,
            columns=tuple(replace(c, values=[c.values[r] for r in rows]) for c in self.columns),
            target=tuple(self.target[r] for r in rows),
            weights=None if self.weights is None else tuple(self.weights[r] for r in rows),
        )

    def __str__(self) -> str:
        lines = [f"{c.kind}({c.n_categories}) {list(c.values)}" for c in self.columns]
        lines += [f"target({self.n_classes}) {list(self.target)}"]
        lines += [] if self.weights is None else [f"weights {list(self.weights)}"]
        return "\n".join(lines)


def numbers(rng: Random, n_rows: int) -> list[float]:
    """A numeric column: many ties, few, none, whole numbers, a constant, or values where floats end."""
    style = rng.choice(["none", "none", "few", "many", "whole", "constant", "near", "extreme"])
    match style:
        case "none":
            return [rng.uniform(-10, 10) for _ in range(n_rows)]
        case "few":
            return [round(rng.uniform(0, 3), 1) for _ in range(n_rows)]
        case "many":
            levels = [rng.uniform(-1, 1) for _ in range(rng.randint(2, 4))]
            return [rng.choice(levels) for _ in range(n_rows)]
        case "whole":
            return [float(rng.randint(-5, 5)) for _ in range(n_rows)]
        case "constant":
            return [2.5] * n_rows
        case "near":
            return [1.0 + EPSILON * rng.randint(0, 6) for _ in range(n_rows)]
        case _:
            return [rng.choice(EXTREMES) for _ in range(n_rows)]


def codes(rng: Random, n_rows: int, n_codes: int) -> list[float]:
    """Codes below `n_codes`, of which some are absent more often than not."""
    present = (
        rng.sample(range(n_codes), rng.randint(1, n_codes)) if rng.random() < 0.6 else list(range(n_codes))
    )
    return [float(rng.choice(present)) for _ in range(n_rows)]


def column(rng: Random, n_rows: int) -> Column:
    kind = rng.choice(["number", "number", "category", "category", "ordered"])
    if kind == "number":
        return Column(kind, numbers(rng, n_rows))
    n_categories = rng.randint(1, 8) if rng.random() < 0.2 else rng.randint(2, 8)
    return Column(kind, codes(rng, n_rows, n_categories), n_categories)


def follow(rng: Random, columns: list[Column], n_rows: int, n_levels: int) -> list[int]:
    """Levels that follow two of the columns in part, so that trees have something to find."""
    first, second = rng.choice(columns), rng.choice(columns)
    ranks = [{v: i for i, v in enumerate(sorted(set(c.values)))} for c in (first, second)]
    noise = rng.choice([0.0, 0.1, 0.3, 0.6, 1.0])
    return [
        rng.randrange(n_levels)
        if rng.random() < noise
        else (ranks[0][first.values[r]] // 2 + ranks[1][second.values[r]]) % n_levels
        for r in range(n_rows)
    ]


def weights(rng: Random, n_rows: int) -> list[float] | None:
    """None, whole, whole and large, or multiples of 1/8; some of them 0."""
    style = rng.choice(["none", "none", "whole", "large", "eighths", "light"])
    if style == "none":
        return None
    top = {"whole": 3, "large": 60, "eighths": 24, "light": 5}[style]
    unit = 1.0 if style in ("whole", "large") else 0.125
    drawn = [unit * rng.randint(1, top) for _ in range(n_rows)]
    if rng.random() < 0.4:
        drawn = [w if rng.random() < 0.8 else 0.0 for w in drawn]
    drawn[rng.randrange(n_rows)] = unit * top
    return drawn


def make_table(seed: object, *, regression: bool = False) -> Table:
    """The table of a seed.

    >>> make_table("a") == make_table("a")
    True
    """
    rng = Random(f"table {seed}")
    n_rows = rng.choice([rng.randint(2, 12), rng.randint(10, 40), rng.randint(10, 40)])
    columns = [column(rng, n_rows) for _ in range(rng.randint(1, 6))]
    if regression:
        levels = follow(rng, columns, n_rows, rng.randint(1, 9))
        jitter = rng.choice([0, 0, 3])
        target = [0.5 * level - 1 + rng.randint(0, jitter) / 8 for level in levels]
        return Table(tuple(columns), tuple(target), 0, _tuple(weights(rng, n_rows)))
    n_classes = 1 if rng.random() < 0.03 else rng.choice([2, 2, 2, 3, 3, 4, 5])
    n_present = n_classes if rng.random() < 0.8 else rng.randint(1, n_classes)
    levels = follow(rng, columns, n_rows, n_present)
    renamed = rng.sample(range(n_classes), n_classes)
    return Table(tuple(columns), tuple(renamed[c] for c in levels), n_classes, _tuple(weights(rng, n_rows)))


def as_rates(table: Table) -> Table:
    """The table with targets of at least 0, of which some are above 0."""
    target = tuple(max(y, 0.0) for y in table.target)
    weights = table.weights or (1.0,) * len(target)
    if not any(y > 0 and w > 0 for y, w in zip(target, weights, strict=True)):
        target = tuple(y + 0.5 for y in target)
    return replace(table, target=target)


def _tuple(values: list[float] | None) -> tuple[float, ...] | None:
    return None if values is None else tuple(values)
