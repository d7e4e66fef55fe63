"""Growth on tables with missing cells: shares worked out by hand, packed labels, and tables with next to nothing known.

In: tables made for one rule each. Out: weights, counts and values that a pencil finds.
"""

from dataclasses import replace
from math import nan

import numpy as np
import pytest

from tests.grow.examples import holed
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.grow import prepare
from treewright.grow.grower import grow
from treewright.grow.plan import MISSING, Limits, Plan
from treewright.model.check_tree import check_tree

STRATEGIES = [name for name in MISSING if name != "error"]
ONE_SPLIT = Plan(missing="fractional", limits=Limits(max_depth=1))
ALL_CRITERIA = ("gini", "entropy", "twoing", "squared_error", "absolute_error")
EXACT = {"rel": 0, "abs": 1e-12}


def table(columns: tuple[Column, ...], values: list, target: list, weight: list | None = None) -> Dataset:
    """Class codes when the target is of ints, else a regression."""
    given = np.array(target)
    is_number = given.dtype.kind == "f"
    classes = None if is_number else tuple(range(int(given.max()) + 1))
    cells = np.array(values, float).reshape(len(given), len(columns))
    return Dataset(Schema(columns, Target("y", classes)), cells, given if is_number else given.astype(np.int32),
                   None if weight is None else np.array(weight, float))


def one_below(n_low: int, n_known: int, weight: float | None = None, other: float = 1.0) -> Dataset:
    """A number: n_low rows below the cut, the rest of n_known above, and a last row, of this weight, missing."""
    values = [0.0] * n_low + [1.0] * (n_known - n_low) + [nan]
    target = [0] * n_low + [1] * (n_known - n_low + 1)
    weights = None if weight is None else [other] * n_known + [weight]
    return table((Column("x", Kind.NUMBER),), values, target, weights)


def categories(sizes: list[int], weight: float | None = None) -> Dataset:
    """A category with so many rows of each value, the first of them of another class, and a last row missing."""
    codes = np.repeat(np.arange(len(sizes)), sizes).tolist()
    target = [int(code > 0) for code in codes]
    weights = None if weight is None else [1.0] * len(codes) + [weight]
    return table((Column("c", Kind.CATEGORY, tuple(range(len(sizes)))),), [*codes, nan], [*target, 1], weights)


@pytest.mark.parametrize(("n_low", "n_known", "is_made"), [(1, 255, True), (1, 256, True), (1, 257, False),
                                                           (3, 768, True), (3, 769, False), (200, 400, True)])
def test_a_share_of_one_256th_is_made_and_no_smaller_one(n_low, n_known, is_made):
    tree = grow(one_below(n_low, n_known), ONE_SPLIT)
    share = n_low / n_known if is_made else 0
    assert tree.count.tolist() == [n_known + 1, n_low + is_made, n_known - n_low + 1]
    assert tree.weight[1:].tolist() == pytest.approx([n_low + share, n_known - n_low + 1 - share], **EXACT)
    assert tree.stats[1].tolist() == pytest.approx([n_low, share], **EXACT)


@pytest.mark.parametrize(("n_known", "is_made"), [(257, True), (60 * 256, True), (60 * 256 + 1, False)])
def test_a_row_of_weight_60_is_worth_60_rows(n_known, is_made):
    """Its share is measured by a row of weight 1: a 15,360th of it is still made."""
    tree = grow(one_below(1, n_known, weight=60), ONE_SPLIT)
    share = 60 / n_known if is_made else 0
    assert tree.count.tolist() == [n_known + 1, 1 + is_made, n_known]
    assert tree.weight.tolist() == pytest.approx([n_known + 60, 1 + share, n_known + 59 - share], **EXACT)


@pytest.mark.parametrize(("n_known", "weight", "is_made"), [
    (256, 0.5, True), (257, 0.5, False),  # every row has the mean weight
    (100, 0.25, True),  # a share of 0.0025, of a mean weight of 50.25 / 101: a 199th
    (150, 0.25, False),  # 0.00167 of 75.25 / 151: a 299th
])
def test_weights_that_are_not_whole_are_measured_by_their_mean(n_known, weight, is_made):
    tree = grow(one_below(1, n_known, weight, other=0.5), ONE_SPLIT)
    share = weight / n_known if is_made else 0
    assert tree.count.tolist() == [n_known + 1, 1 + is_made, n_known]
    assert tree.weight[1] == pytest.approx(0.5 + share, **EXACT)
    assert tree.weight[2] == pytest.approx(0.5 * (n_known - 1) + weight - share, **EXACT)


def test_what_is_too_little_for_a_branch_goes_down_the_heaviest():
    """Of 400 known rows 2, 397 and 1: a 200th is made, a 400th goes with the 397/400."""
    tree = grow(categories([2, 397, 1]), replace(ONE_SPLIT, grouping="each"))
    assert tree.count.tolist() == [401, 3, 398, 1]
    assert tree.weight[1:].tolist() == pytest.approx([2 + 2 / 400, 397 + 398 / 400, 1], **EXACT)
    assert tree.missing_branch[0] == 1


@pytest.mark.parametrize(("n_levels", "is_made"), [(256, True), (257, False)])
def test_a_row_is_in_256_nodes_of_a_level_at_most(n_levels, is_made):
    """Two rows a category: the missing row is in all branches, or wholly in the first, the heaviest on a tie."""
    tree = grow(categories([2] * n_levels), replace(ONE_SPLIT, grouping="each"))
    first, others = tree.weight[1], tree.weight[2:]
    if is_made:
        assert others == pytest.approx([2 + 1 / 256] * (n_levels - 1), **EXACT)
        assert (first, tree.count[1:].sum()) == (pytest.approx(2 + 1 / 256, **EXACT), 3 * n_levels)
    else:
        assert (first, others.tolist()) == (pytest.approx(3, **EXACT), [2.0] * (n_levels - 1))
        assert tree.count[1:].sum() == 2 * n_levels + 1


def test_a_split_makes_no_more_than_eight_shares_for_each_row():
    """Twenty values of one row each and 180 rows missing, 200 in all: these go down 1 + 8 * 200 // 180 = 9 branches."""
    codes = [*range(20), *[nan] * 180]
    target = [*[0, 1] * 10, *[0] * 180]
    plan = replace(ONE_SPLIT, criterion="entropy", grouping="each")
    tree = grow(table((Column("c", Kind.CATEGORY, tuple(range(20))),), codes, target), plan)
    assert tree.count[1:].tolist() == [181] * 9 + [1] * 11
    assert tree.weight[1:].tolist() == pytest.approx([1 + 180 * 12 / 20, *[1 + 180 / 20] * 8, *[1] * 11], **EXACT)


def test_a_row_of_weight_60_is_in_more_nodes_than_256():
    tree = grow(categories([2] * 300, weight=60), replace(ONE_SPLIT, grouping="each"))
    assert tree.weight[1:] == pytest.approx([2 + 60 / 300] * 300, **EXACT)


@pytest.mark.parametrize(("n_known", "is_made"), [(127, True), (128, True), (129, False)])
def test_shares_of_shares_are_measured_by_a_whole_row(n_known, is_made):
    """Half of the missing row reaches either side of x; there z has one low row of n_known."""
    side = [[0.0, *[1.0] * (n_known - 1)], [0.0, *[1.0] * (n_known - 1)]]
    values = [[x, z] for x in (0, 1) for z in side[x]] + [[nan, nan]]
    target = [1] + [0] * (n_known - 1) + [1] + [2] * (n_known - 1) + [0]
    tree = grow(table((Column("x", Kind.NUMBER), Column("z", Kind.NUMBER)), values, target),
                Plan(missing="fractional", limits=Limits(max_depth=2)))
    share = 0.5 / n_known if is_made else 0
    assert tree.column[:3].tolist() == [0, 1, 1]
    assert tree.weight[1:3] == pytest.approx([n_known + 0.5] * 2, **EXACT)
    low, high = 1 + share, n_known - 0.5 - share
    assert tree.weight[3:] == pytest.approx([low, high, low, high], **EXACT)
    assert tree.count[3:].tolist() == [1 + is_made, n_known] * 2


@pytest.mark.parametrize("n_known", [256, 257])
def test_shares_of_a_number_as_target(n_known):
    """One row of 0 below, rows of 10 above, and a missing one of 6."""
    plain = one_below(1, n_known)
    target = [0.0, *[10.0] * (n_known - 1), 6.0]
    tree = grow(table(plain.schema.columns, plain.values.tolist(), target),
                replace(ONE_SPLIT, criterion="squared_error"))
    share = 1 / 256 if n_known == 256 else 0
    low, high = 6 * share / (1 + share), (10 * (n_known - 1) + 6 * (1 - share)) / (n_known - share)
    assert tree.value[1:, 0] == pytest.approx([low, high], **EXACT)
    assert tree.weight[1] == pytest.approx(1 + share, **EXACT)


@pytest.mark.parametrize("n_classes", [2, 5, 100])
@pytest.mark.parametrize("plan", [Plan(), Plan(criterion="entropy", merit="ratio", grouping="each")])
def test_labels_that_do_not_fit_into_an_entry_are_looked_up(n_classes, plan, monkeypatch):
    """With very many rows and classes an entry has no room for the label; the tree is the same."""
    dataset, plan = holed(2000, n_classes=n_classes, levels=(40,)), replace(plan, missing="fractional")
    packed = grow(dataset, plan)
    check_tree(packed)
    assert packed.n_nodes > 200
    monkeypatch.setattr(prepare, "SHARED_BITS", 31)
    assert prepare.prepare(dataset, plan).table["label_mask"] == 0
    assert grow(dataset, plan).fingerprint() == packed.fingerprint()


NUMBER, PAIR = Column("x", Kind.NUMBER), Column("c", Kind.CATEGORY, ("a", "b"))
EMPTY = {
    "a category without values": ((Column("c", Kind.CATEGORY), NUMBER), [[nan, 1], [nan, 2], [nan, nan], [nan, 3]]),
    "an order without values": ((Column("o", Kind.ORDERED), NUMBER), [[nan, 1], [nan, 2], [nan, nan], [nan, 3]]),
    "two columns of nothing": ((PAIR, NUMBER, Column("z", Kind.NUMBER)), [[nan, nan, i] for i in (1, 2, nan, 3)]),
}
NOTHING = {
    "nothing at all": ((PAIR, NUMBER), [[nan, nan]] * 4),
    "one row": ((PAIR, NUMBER), [[nan, 1]]),
    "one cell": ((PAIR, NUMBER), [[nan, nan], [nan, nan], [nan, 1], [nan, nan]]),
    "one value": ((PAIR, NUMBER), [[1, 2]] * 4),
    "no columns": ((), [[]] * 4),
}


def plans(missing: str) -> list[Plan]:
    """Every criterion and way with categories, depth first and best first."""
    refused = {("branch", "twoing")}
    return [
        Plan(criterion=criterion, grouping=grouping, missing=missing, surrogates="always", limits=limits)
        for criterion in ALL_CRITERIA if (missing, criterion) not in refused
        for grouping in ("subset", "binary", "each", "greedy", "least-loss")
        if grouping == "subset" or not (missing == "surrogate" or criterion == "twoing"
                                        or (missing, criterion) == ("learned", "absolute_error"))
        for limits in (Limits(), Limits(max_leaves=3))
    ]


@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.parametrize("name", EMPTY)
def test_columns_without_a_value_are_as_good_as_left_out(name, missing):
    columns, values = EMPTY[name]
    for plan in plans(missing):
        target = [0.0, 1.0, 0.0, 1.0] if plan.for_numbers else [0, 1, 0, 1]
        tree = grow(table(columns, values, target), plan)
        alone = grow(table(columns[-1:], [row[-1] for row in values], target), plan)
        check_tree(tree)
        assert set(tree.column[tree.n_children > 0]) == {len(columns) - 1}
        for field in ("threshold", "n_children", "weight", "stats", "gain", "missing_branch"):
            np.testing.assert_array_equal(getattr(tree, field), getattr(alone, field))


@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.parametrize("name", NOTHING)
def test_tables_with_nothing_to_split(name, missing):
    """A cell known in one row alone can still be told from the missing ones, where these have a side."""
    columns, values = NOTHING[name]
    for plan in plans(missing):
        target = [0, 1, 0, 1][: len(values)]
        tree = grow(table(columns, values, [float(y) for y in target] if plan.for_numbers else target), plan)
        check_tree(tree)
        told = name == "one cell" and missing in ("learned", "branch")
        assert tree.n_nodes == (3 if told else 1), plan
        assert tree.count[0] == len(values)


@pytest.mark.parametrize("missing", STRATEGIES)
def test_a_constant_target_is_a_leaf(missing):
    dataset = holed(100, levels=(5,))
    for plan in plans(missing):
        target = np.full(100, 2.5) if plan.for_numbers else np.ones(100, np.int32)
        schema = replace(dataset.schema, target=Target("y", None if plan.for_numbers else ("a", "b")))
        tree = grow(Dataset(schema, dataset.values, target), plan)
        check_tree(tree)
        assert (tree.n_nodes, tree.impurity[0]) == (1, 0)


def test_error_refuses_what_is_missing():
    with pytest.raises(InputError, match="'x'"):
        grow(one_below(1, 3), Plan())
