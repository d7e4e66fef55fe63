"""Groups of categories and what their description costs: the engine grows the tree of the slow grower.

In: seeds of tables with more values than the others have, many of them of a single row or with the same class weights,
and numbers worked out by hand. Out: identical trees.
"""

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.oracles.compare import check_same, dataset, describe, engine_tree, oracle_tree, plan
from tests.oracles.grower import Node
from tests.oracles.missing_tables import with_holes
from tests.oracles.options import DESCRIBED, Column, Options
from tests.oracles.penalties import average_part, ways
from tests.oracles.plans import STRATEGIES, allows
from tests.oracles.tables import Table
from treewright.grow.candidates import GrowthReplay, root_candidates
from treewright.grow.grower import grow
from treewright.grow.prepare import log2_groupings

GROUPINGS = ("binary", "least-loss")


def table_of(seed: object) -> Table:
    """Two categories of up to 14 values, and sometimes a number; weights that are none, whole, heavy or eighths."""
    rng = Random(f"groupings {seed}")
    n_rows, n_classes = rng.randint(8, 36), rng.choice([2, 3, 3, 4])
    columns = [
        Column("category", [float(rng.randrange(n)) for _ in range(n_rows)], n)
        for n in (rng.randint(5, 14), rng.randint(2, 6))
    ]
    if rng.random() < 0.5:
        columns.append(Column("number", [float(rng.randint(0, 5)) for _ in range(n_rows)]))
    target = [rng.randrange(n_classes) if rng.random() < 0.5 else int(v) % n_classes for v in columns[0].values]
    unit, top = rng.choice([(0.0, 0), (1.0, 3), (1.0, 200), (0.125, 20)])
    weights = tuple(unit * rng.randint(1, top) for _ in range(n_rows)) if unit else None
    return Table(tuple(columns), tuple(target), n_classes, weights)


def options_of(seed: object, grouping: str) -> Options:
    rng = Random(f"options {seed}")
    return replace(
        DESCRIBED,
        grouping=grouping,
        criterion=rng.choice(["entropy", "entropy", "gini"]),
        merit=rng.choice(["ratio", "decrease"]),
        floor=rng.choice(["none", "average", "description"]),
        penalty=rng.choice(["none", "cuts", "description", "description"]),
        minimum=rng.choice(["rows", "weight"]),
        min_leaf=rng.choice([1, 1, 2, 3]),
    )


def check(grouping: str, numbers: range) -> None:
    for number in numbers:
        seed = (grouping, number)
        check_same(seed, table_of(seed), options_of(seed, grouping))


def check_holed(grouping: str, missing: str, numbers: range) -> int:
    compared = 0
    for number in numbers:
        seed = (grouping, missing, number)
        rng = Random(f"info {seed}")
        options = replace(options_of(seed, grouping), missing=missing, info=rng.choice(["known", "all"]))
        compared += check_same(seed, with_holes(rng, table_of(seed)), options)
    return compared


HOLED = [(g, missing) for g in GROUPINGS for missing in STRATEGIES if allows(replace(DESCRIBED, grouping=g), missing)]


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_same_trees(grouping):
    check(grouping, range(60))


@pytest.mark.parametrize(("grouping", "missing"), HOLED)
def test_same_trees_with_holes(grouping, missing):
    assert check_holed(grouping, missing, range(15)) >= (13 if missing == "fractional" else 15)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 11_000, 500))
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_same_trees_long(grouping, first):
    check(grouping, range(first, first + 500))


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 3000, 500))
@pytest.mark.parametrize(("grouping", "missing"), HOLED)
def test_same_trees_with_holes_long(grouping, missing, first):
    assert check_holed(grouping, missing, range(first, first + 500)) >= (425 if missing == "fractional" else 500)


def nodes_of(tree: Node) -> list[Node]:
    nodes = [tree]
    for node in nodes:
        nodes += node.get("children", [])
    return nodes


def test_tables_are_varied():
    """Values of one row, stages between the first and the last, floors of both kinds and between, ties on the path."""
    parts, n_branches, tied, singles = [], set(), 0, 0
    for number in range(60):
        seed = ("least-loss", number)
        table, options = table_of(seed), options_of(seed, "least-loss")
        weight = sum(table.weights or [1] * table.n_rows)
        parts.append(average_part(weight / table.n_classes) if not weight % 1 else 1.0)
        singles += any(table.columns[0].values.count(v) == 1 for v in table.columns[0].values)
        for node in nodes_of(oracle_tree(table, options)):
            n_branches.add(len([c for c in node.get("children", []) if c["count"]]))
            tied += node.get("tied_cuts", False)
    assert n_branches >= {2, 3, 4}
    assert singles > 20
    assert tied > 20
    assert {0.0, 1.0} < set(parts)


# Abramowitz and Stegun, Handbook of Mathematical Functions, table 24.4: rows n, columns k from 1.
STIRLING = {
    5: [1, 15, 25, 10, 1],
    7: [1, 63, 301, 350, 140, 21, 1],
    10: [1, 511, 9330, 34105, 42525, 22827, 5880, 750, 45, 1],
}


@pytest.mark.parametrize("n", STIRLING)
def test_ways_to_make_groups(n):
    assert [ways(n, k) for k in range(1, n + 1)] == STIRLING[n]
    np.testing.assert_allclose(log2_groupings(n)[n, 1:], np.log2(STIRLING[n]), rtol=1e-12, atol=1e-12)


def test_ways_to_group_many_values():
    """Logarithms added up 512 times against whole numbers of some thousand bits."""
    logs = log2_groupings(512)
    for k in (1, 2, 3, 100, 256, 511, 512):
        assert logs[512, k] == pytest.approx(math.log2(ways(512, k)), rel=1e-12, abs=1e-9)


def four_values(*counts: tuple[int, ...]) -> Table:
    """A column whose value v has counts[v][k] rows of class k."""
    cells = [(v, k) for v, of in enumerate(counts) for k, n in enumerate(of) for _ in range(n)]
    column = Column("category", [float(v) for v, _ in cells], len(counts))
    return Table((column,), tuple(k for _, k in cells), len(counts[0]))


SPLIT_BITS = [
    ("average", 100.0, 0.0),
    ("description", 1.0, 0.0),
    ("description", 50.0, 0.6),
    ("description", 100.0, 1.0),
]
"""A floor, the weight of each of 16 rows a class, and the bits that a split pays besides its choice."""


@pytest.mark.parametrize("grouping", ["each", "subset", "binary", "greedy", "least-loss"])
@pytest.mark.parametrize(("floor", "weight", "more"), SPLIT_BITS)
def test_charges_by_hand(grouping, floor, weight, more):
    """Four values of 8 rows, two of either class: each grouping but a branch for each finds the halves, one of 7."""
    table = four_values((8, 0), (0, 8), (8, 0), (0, 8))
    table = replace(table, weights=(weight,) * 32)
    options = replace(DESCRIBED, grouping=grouping, floor=floor, merit="ratio")
    (found,) = root_candidates(dataset(table), plan(options))
    bits = more + (0 if grouping == "each" else math.log2(7))
    assert found.penalty == pytest.approx(bits / 32 / weight, abs=1e-12)
    assert found.gain == pytest.approx(1 - bits / 32 / weight, abs=1e-12)
    assert check_same(grouping, table, options)


@pytest.mark.parametrize(("floor", "weight", "more"), SPLIT_BITS)
def test_a_cut_pays_for_the_choice_and_for_being_a_split(floor, weight, more):
    """Nine values, eight cuts; 16 rows a class."""
    column = Column("number", [float(v) for v in range(9) for _ in range(2 if 0 < v < 8 else 9)])
    table = Table((column,), (0,) * 16 + (1,) * 16, 2, (weight,) * 32)
    gains = {}
    for penalty in ("none", "cuts", "description"):
        (found,) = root_candidates(dataset(table), plan(replace(DESCRIBED, floor=floor, penalty=penalty)))
        gains[penalty] = found.gain
    assert gains["cuts"] == pytest.approx(gains["none"] - 3 / 32 / weight, abs=1e-12)
    assert gains["description"] == pytest.approx(gains["none"] - (3 + more) / 32 / weight, abs=1e-12)


@pytest.mark.parametrize(
    ("criterion", "power", "before", "after"), [("squared_error", 2, 26, 1), ("absolute_error", 1, 5, 1)]
)
def test_what_a_cut_pays_in_regression(criterion, power, before, after):
    """Targets -1, 1 and 9, 11: variance 26, then 1; mean deviation 5, then 1. Seven cuts of eight values; one bit tells
    of the split, and its new answer takes half of log2(8) bits."""
    column = Column("number", [float(v) for v in range(8)])
    table = Table((column,), (-1.0, 1.0, -1.0, 1.0, 9.0, 11.0, 9.0, 11.0), 0)
    options = replace(DESCRIBED, criterion=criterion, floor="none")
    (found,) = root_candidates(dataset(table), plan(options))
    bits = 1 + math.log2(8) / 2 + math.log2(7)
    # the deviation that the split leaves, and its bits as a longer one
    assert found.gain == pytest.approx(before - after * 2 ** (power * bits / 8), abs=1e-12)
    assert check_same(criterion, table, options)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_rows_that_weigh_next_to_nothing(criterion):
    """A node of less than a thousandth of a row: a bit is more than any split gains there; no penalty is below 0."""
    column = Column("number", [1.0, 2.0, 3.0, 4.0, 50.0])
    table = Table((column,), (0.0, 1.0, 5.0, 7.0, 100.0), 0, (2.0**-13, 2.0**-13, 2.0**-13, 2.0**-13, 10.5))
    options = replace(DESCRIBED, criterion=criterion, floor="none", minimum="rows")
    assert check_same(criterion, table, options)
    rows = dataset(table)
    tree = engine_tree(table, replace(options, penalty="none"))
    assert tree.n_nodes == 9
    grown = grow(rows, plan(options))
    for seen in GrowthReplay(rows, plan(options)).visit(grown, range(grown.n_nodes)):
        assert all(one.penalty >= 0 for one in seen.candidates)
        assert all(math.isfinite(one.penalty) for one in seen.candidates)


def test_least_loss_by_hand():
    """Three pairs of values with the same shares: the first three merges lose nothing, and fewer groups win a tie. The
    ratio is 1 for two groups as well."""
    table = four_values((6, 0, 0), (6, 0, 0), (0, 6, 0), (0, 6, 0), (0, 0, 6), (0, 0, 6))
    options = replace(DESCRIBED, grouping="least-loss", floor="none", penalty="none")
    assert describe(engine_tree(table, options))["branch_of"] == (0, 0, 1, 1, 2, 2)
    assert describe(engine_tree(table, replace(options, merit="ratio")))["branch_of"] == (0, 0, 1, 1, 1, 1)
    # penalised, one of the S(6, 3) = 90 ways costs more than a branch for each, which can be made in one way only
    (found,) = root_candidates(dataset(table), plan(replace(options, penalty="description")))
    assert found.gain == pytest.approx(math.log2(3), abs=1e-12)
    # the ratio wants fewer branches: 0.89 for three groups, 0.85 for two, 0.61 for six
    (found,) = root_candidates(dataset(table), plan(replace(options, penalty="description", merit="ratio")))
    assert found.merit == pytest.approx(1 - math.log2(90) / 36 / math.log2(3), abs=1e-12)


def test_two_groups_by_hand():
    """Three classes: the pair that loses least is merged first, (0, 9, 1) with (0, 8, 2), then (9, 1, 0)
    with (8, 2, 0). Values of one row are one value, so there are five to make two groups of."""
    table = four_values((9, 1, 0), (0, 9, 1), (8, 2, 0), (0, 8, 2), (1, 0, 0), (0, 0, 1))
    tree = describe(engine_tree(table, replace(DESCRIBED, floor="none", penalty="none", max_depth=1)))
    branch_of = tree["branch_of"]
    assert branch_of[0] == branch_of[2] != branch_of[1] == branch_of[3]
    assert branch_of[4] == branch_of[5]
    (found,) = root_candidates(dataset(table), plan(replace(DESCRIBED, floor="none")))
    assert found.penalty == pytest.approx(math.log2(2**4 - 1) / 42, abs=1e-12)


def two_columns(rows_a_class: int) -> Table:
    """Column 0 takes 2 % of class 0 away, of little gain and high ratio; column 1 has more gain, at a lower ratio."""
    cells = [(0, 0, 0, 0.02), (0, 1, 0, 0.68), (0, 1, 1, 0.3), (1, 1, 0, 0.35), (1, 1, 1, 0.65)]
    weights = tuple(float(round(share * rows_a_class)) for *_, share in cells)
    columns = tuple(Column("category", [float(cell[i]) for cell in cells], 2) for i in (1, 2))
    return Table(columns, tuple(cell[0] for cell in cells), 2, weights)


@pytest.mark.parametrize("rows_a_class", [100, 500, 600, 800, 850, 900, 950, 1000, 2000])
def test_floor_of_the_description(rows_a_class):
    """The better ratio wins once its gain reaches the floor, which goes from the average down to 0.9 bits a node."""
    table = two_columns(rows_a_class)
    options = replace(DESCRIBED, merit="ratio", max_depth=1)
    small, large = (c.gain for c in root_candidates(dataset(table), plan(options)))
    part = {100: 1, 500: 1, 600: 0.8, 800: 0.4, 850: 0.3, 900: 0.2, 950: 0.1, 1000: 0, 2000: 0}[rows_a_class]
    floor = part * (small + large) / 2 + (1 - part) * 0.9 * math.log2(2) / (2 * rows_a_class)
    assert describe(engine_tree(table, options))["column"] == int(small < floor)
    assert (small < floor) == (rows_a_class < 920)
    assert check_same(rows_a_class, table, options)
    assert describe(engine_tree(table, replace(options, floor="average")))["column"] == 1
