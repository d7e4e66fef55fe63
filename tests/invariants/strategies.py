"""Tables for hypothesis: small, mixed, and built from parts that shrink well.

In: what kind of target and weights a test wants. Out: strategies of `Table` and of options. What has few values (codes,
classes, holes) is drawn as one string of bytes or one number for a whole column: drawing a cell takes hypothesis far
longer than growing a tree takes the engine.
"""

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from tests.oracles.options import Column, Options
from tests.oracles.plans import NAMED, allows
from tests.oracles.tables import Table

CLASSIFIERS = {name: options for name, options in NAMED.items() if not options.is_regression}
REGRESSORS = {name: options for name, options in NAMED.items() if options.is_regression}

finite = st.floats(allow_nan=False, allow_infinity=False)
plain = st.one_of(st.integers(-4, 4).map(float), st.floats(-10, 10, allow_subnormal=False))


@cache  # making a strategy takes as long as drawing from it
def codes(n_rows: int, n_codes: int) -> st.SearchStrategy[list[int]]:
    """A code below `n_codes` for every row."""
    return st.binary(min_size=n_rows, max_size=n_rows).map(lambda drawn: [byte % n_codes for byte in drawn])


@st.composite
def cells(draw: st.DrawFn, n_rows: int, numbers: st.SearchStrategy[float]) -> list[float]:
    """A number for every row: as often as not each drawn by itself, otherwise one of a few."""
    n_different = draw(st.just(n_rows) | st.integers(1, n_rows))
    drawn = draw(st.lists(numbers, min_size=n_different, max_size=n_different))
    return drawn if n_different == n_rows else [drawn[code] for code in draw(codes(n_rows, n_different))]


WEIGHTS = {
    "whole": lambda n_rows: codes(n_rows, 4).map(lambda drawn: [1.0 + code for code in drawn]),
    "eighths": lambda n_rows: codes(n_rows, 24).map(lambda drawn: [(1 + code) / 8 for code in drawn]),
    "any": lambda n_rows: cells(n_rows, st.floats(1e-3, 1e3)),
}


def options(*, regression: bool = False, collapse: bool = True) -> st.SearchStrategy[Options]:
    """The named algorithms; without collapse a tie in one part of a tree cannot reach another part."""
    named = REGRESSORS if regression else CLASSIFIERS
    chosen = st.sampled_from(list(named.values()))
    return chosen if collapse else chosen.map(lambda o: replace(o, collapse=False))


@st.composite
def columns(
    draw: st.DrawFn, n_rows: int, kinds: tuple[str, ...], numbers: st.SearchStrategy[float]
) -> Column:
    kind = draw(st.sampled_from(kinds))
    if kind == "number":
        return Column(kind, draw(cells(n_rows, numbers)))
    n_categories = draw(st.integers(2, 6))
    return Column(kind, list(map(float, draw(codes(n_rows, n_categories)))), n_categories)


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    regression: bool = False,
    weights: str | None = None,
    kinds: tuple[str, ...] = ("number", "ordered", "category"),
    numbers: st.SearchStrategy[float] = plain,
) -> Table:
    """A table of 2 to 20 rows and 1 to 4 columns; `weights` names one of WEIGHTS, or None for no weights."""
    n_rows = draw(st.integers(2, 20))
    drawn = tuple(draw(columns(n_rows, kinds, numbers)) for _ in range(draw(st.integers(1, 4))))
    n_classes = 0 if regression else draw(st.integers(2, 4))
    target = draw(codes(n_rows, n_classes or 41))
    if not n_classes:  # from -5 to 5, by quarters; 0 is the simplest
        target = [(code if code <= 20 else 20 - code) / 4 for code in target]
    weight = None if weights is None else tuple(draw(WEIGHTS[weights](n_rows)))
    return Table(drawn, tuple(target), n_classes, weight)


@st.composite
def tables_and_options(
    draw: st.DrawFn,
    *,
    weights: str | None = None,
    collapse: bool = True,
    kinds: tuple[str, ...] = ("number", "ordered", "category"),
) -> tuple[Table, Options]:
    """A table and a named algorithm for its kind of target."""
    regression = draw(st.booleans())
    table = draw(tables(regression=regression, weights=weights, kinds=kinds))
    return table, draw(options(regression=regression, collapse=collapse))


@st.composite
def with_holes(draw: st.DrawFn, table: Table) -> Table:
    """The table with some cells of some columns missing."""
    masks = st.integers(0, 2**table.n_rows - 1)
    columns = []
    for column in table.columns:
        lost = draw(masks) & draw(masks)  # a quarter of the cells, more or less
        columns.append(replace(column, values=[None if lost >> r & 1 else v for r, v in enumerate(column.values)]))
    return replace(table, columns=tuple(columns))


@st.composite
def holed_cases(
    draw: st.DrawFn,
    missing: str,
    *,
    weights: str | None = None,
    regression: bool | None = None,
    kinds: tuple[str, ...] = ("number", "ordered", "category"),
) -> tuple[Table, Options]:
    """A table with holes and a named algorithm for its kind of target that the strategy allows."""
    numbers = draw(st.booleans()) if regression is None else regression
    named = [o for o in (REGRESSORS if numbers else CLASSIFIERS).values() if allows(o, missing)]
    chosen = replace(draw(st.sampled_from(named)), missing=missing, info=draw(st.sampled_from(["known", "all"])))
    table = draw(tables(regression=numbers, weights=weights, kinds=kinds))
    return draw(with_holes(table)), chosen
