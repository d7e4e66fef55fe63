"""The engine grows the tree of the slow grower, on thousands of small random tables and all options.

In: seeds. Out: identical structure, columns, thresholds, branches and counts; gains and merits to 1e-9. The oracle
scores every cut, so this also shows that scoring cuts at class boundaries only never changes a tree.
"""

from random import Random

import pytest

from tests.oracles.compare import check_same, engine_tree
from tests.oracles.options import Options
from tests.oracles.plans import NAMED, random_limits, random_options
from tests.oracles.tables import make_table


def seeds(n_blocks: int, first: int = 0, size: int = 50) -> list[range]:
    """Seeds in blocks, so that a test is neither one table nor all of them."""
    return [range(first + size * i, first + size * (i + 1)) for i in range(n_blocks)]


def first_seed(block: range) -> str:
    return f"from{block.start}"


def check_named(name: str, block: range) -> None:
    """Each named algorithm with its own limits on the even seeds, with drawn ones on the odd."""
    for number in block:
        seed = (name, number)
        options: Options = NAMED[name]
        if number % 2:
            options = random_limits(Random(f"limits {seed}"), options)
        check_same(seed, make_table(seed, regression=options.is_regression), options)


def check_random(block: range) -> None:
    for number in block:
        regression = number % 4 == 0
        options = random_options(number, regression=regression)
        check_same(number, make_table(number, regression=regression), options)


@pytest.mark.parametrize("block", seeds(1), ids=first_seed)
@pytest.mark.parametrize("name", NAMED)
def test_named_algorithms(name, block):
    check_named(name, block)


@pytest.mark.parametrize("block", seeds(20), ids=first_seed)
def test_random_options(block):
    check_random(block)


@pytest.mark.long
@pytest.mark.parametrize("block", seeds(6, first=50, size=500), ids=first_seed)
@pytest.mark.parametrize("name", NAMED)
def test_named_algorithms_long(name, block):
    check_named(name, block)


@pytest.mark.long
@pytest.mark.parametrize("block", seeds(120, first=1000, size=500), ids=first_seed)
def test_random_options_long(block):
    check_random(block)


def test_tables_are_varied():
    """The comparison is worth what its tables are: all awkward shapes occur, and trees have some depth."""
    tables = [make_table(number) for number in range(400)]
    columns = [c for t in tables for c in t.columns]
    assert {c.kind for c in columns} == {"number", "ordered", "category"}
    assert any(len(set(c.values)) == 1 for c in columns)
    assert any(c.kind == "category" and len(set(c.values)) < c.n_categories for c in columns)
    assert {t.n_classes for t in tables} == {1, 2, 3, 4, 5}
    assert any(len(set(t.target)) < t.n_classes for t in tables)
    weights = [t.weights for t in tables if t.weights]
    assert len(weights) > 100
    assert any(0.0 in w for w in weights)
    assert any(any(x % 1 for x in w) for w in weights)
    grown = [engine_tree(t, NAMED["cart gini"]) for t in tables]
    assert sum(1 for t in grown if t.depth >= 3) > 100
