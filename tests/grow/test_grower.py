"""Growth at its limits: deep, wide, empty, large, and the numbers it shows."""

import numpy as np
import pytest

from tests.grow.examples import mixed, numbers_only
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.grow.candidates import root_candidates
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan
from treewright.model.check_tree import check_tree

C45 = Plan(criterion="entropy", merit="ratio", floor="average", grouping="each")


def categories(codes: np.ndarray, n_categories: int, labels: np.ndarray, n_classes: int = 2) -> Dataset:
    """A table of one category column."""
    column = Column("id", Kind.CATEGORY, tuple(range(n_categories)))
    schema = Schema((column,), Target("y", tuple(range(n_classes))))
    return Dataset(schema, codes[:, None].astype(float), labels.astype(np.int32))


@pytest.mark.parametrize("plan", [Plan(), Plan(grouping="each"), C45,
                                  Plan(criterion="entropy", grouping="greedy", merit="ratio")])
def test_grown_trees_are_valid(plan):
    check_tree(grow(mixed(500), plan))


def test_a_chain_as_deep_as_the_table():
    """Labels that only ever let the lowest value go: no recursion may be in the way."""
    n = 3000
    values = np.arange(n, dtype=float)[:, None]
    labels = np.arange(n) % 2
    weight = 4.0 ** -np.minimum(np.arange(n), 400)
    dataset = numbers_only(values, labels)
    tree = grow(Dataset(dataset.schema, values, dataset.target, weight), Plan())
    assert tree.n_leaves == n
    assert tree.depth > 15
    check_tree(tree)


def test_room_grows_with_the_tree():
    rng = np.random.default_rng(0)
    tree = grow(numbers_only(rng.normal(size=(5000, 2)), rng.integers(0, 2, 5000)), Plan())
    assert tree.n_leaves > 1000
    assert np.array_equal(tree.impurity[tree.is_leaf], np.zeros(tree.n_leaves))


def test_leaf_budget_is_never_passed():
    dataset = mixed(800)
    for plan in (Plan(limits=Limits(max_leaves=17)), Plan(grouping="each", limits=Limits(max_leaves=17))):
        assert 10 < grow(dataset, plan).n_leaves <= 17


def test_many_absent_categories_share_an_empty_branch():
    codes = np.repeat(np.arange(4), 5)
    tree = grow(categories(codes, 5000, codes % 2), Plan(grouping="each"))
    assert tree.n_children[0] == 5
    assert tree.other[0] == 4
    assert tree.count[5] == 0
    assert np.array_equal(tree.value[5], tree.value[0])


def test_few_absent_categories_have_a_branch_each():
    codes = np.repeat(np.arange(4), 5)
    tree = grow(categories(codes, 10, codes % 2), Plan(grouping="each"))
    assert tree.n_children[0] == 10
    assert tree.count[1:].tolist() == [5] * 4 + [0] * 6


def test_a_million_categories():
    """Linear in the rows: deep nodes must not pay for categories they do not have."""
    n = 200_000
    rng = np.random.default_rng(0)
    codes = rng.permutation(n)
    labels = rng.integers(0, 2, n)
    tree = grow(categories(codes, 1_000_000, labels), Plan())
    assert (tree.n_nodes, tree.depth) == (3, 1)
    assert len(tree.table_code) == n


def test_too_many_categories_for_the_classes_are_refused():
    codes = np.arange(300)
    with pytest.raises(InputError, match="'id' must have at most 111,848 categories with 300 classes, got 1,000,000"):
        grow(categories(codes, 1_000_000, codes, 300), Plan())


def test_numbers_are_refused_on_request():
    with pytest.raises(InputError, match="'x0', 'x1', 'x2', 'size'"):
        grow(mixed(30), Plan(number="refuse"))


def test_labels_that_do_not_fit_into_an_entry_are_looked_up(monkeypatch):
    """With very many rows and classes an entry has no room for the label; the tree is the same."""
    from treewright.grow import prepare

    dataset = mixed(600, n_classes=5)
    packed = grow(dataset, Plan())
    plain = prepare.table_fields

    def unpacked(*arguments, **options):
        return plain(*arguments, **options) | {"label_mask": 0}

    monkeypatch.setattr(prepare, "table_fields", unpacked)
    assert grow(dataset, Plan()).fingerprint() == packed.fingerprint()


def test_root_candidates_are_what_growth_used():
    dataset = mixed(300)
    for plan in (Plan(), C45):
        tree = grow(dataset, plan)
        chosen = [c for c in root_candidates(dataset, plan) if c.chosen]
        assert len(chosen) == 1
        assert chosen[0].column == tree.column[0]
        assert chosen[0].gain == tree.gain[0]
        assert chosen[0].merit == tree.merit[0]


def test_every_cut_between_two_values_is_counted():
    """Golf, temperature: 11 cuts between its 12 values."""
    temperature = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
    play = [0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0]
    dataset = numbers_only(np.array(temperature, float)[:, None], np.array(play))
    (candidate,) = root_candidates(dataset, C45)
    assert (candidate.n_cuts, candidate.threshold) == (11, 84.0)
