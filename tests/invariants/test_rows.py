"""What rows may do: come in any order, more than once, with a weight of 0, or with all weights halved."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.invariants.partitions import alike, sent_tree
from tests.invariants.strategies import tables_and_options
from tests.oracles.compare import describe, engine_tree
from tests.oracles.options import CART, RELEASE8, Column
from tests.oracles.tables import Table, make_table


def shuffled(table: Table, data: st.DataObject) -> Table:
    return table.take(data.draw(st.permutations(range(table.n_rows))))


@given(case=tables_and_options(), data=st.data())
def test_any_order_of_rows(case, data):
    table, options = case
    other = shuffled(table, data)
    assert engine_tree(table, options).fingerprint() == engine_tree(other, options).fingerprint()


@pytest.mark.parametrize("weights", ["whole", "eighths", "any"])
@given(data=st.data())
def test_any_order_of_weighted_rows(weights, data):
    """Sums do not depend on the order of their terms, not even of arbitrary floats."""
    table, options = data.draw(tables_and_options(weights=weights))
    other = shuffled(table, data)
    assert engine_tree(table, options).fingerprint() == engine_tree(other, options).fingerprint()


@given(
    target=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20),
    criterion=st.sampled_from(["squared_error", "absolute_error"]),
    data=st.data(),
)
def test_any_order_of_any_targets(target, criterion, data):
    n_rows = len(target)
    numbers = data.draw(st.lists(st.integers(0, 5).map(float), min_size=n_rows, max_size=n_rows))
    codes = data.draw(st.lists(st.integers(0, 4).map(float), min_size=n_rows, max_size=n_rows))
    table = Table((Column("number", numbers), Column("category", codes, 5)), tuple(target), 0)
    options = replace(CART, criterion=criterion)
    other = shuffled(table, data)
    assert engine_tree(table, options).fingerprint() == engine_tree(other, options).fingerprint()


@given(case=tables_and_options(weights="whole"))
def test_weight_is_copies(case):
    """A row of weight k stands for k rows. The named algorithms' minimums see no difference."""
    table, options = case
    rows = [r for r in range(table.n_rows) for _ in range(int(table.weights[r]))]
    copies = replace(table.take(rows), weights=None)
    weighted, copied = (describe(engine_tree(t, options)) for t in (table, copies))
    alike(weighted, copied, keys=("weight", "threshold", "branch_of"))


@given(case=tables_and_options(weights="eighths"), data=st.data())
def test_weight_zero_is_no_row(case, data):
    table, options = case
    gone = data.draw(st.sets(st.integers(0, table.n_rows - 1), max_size=table.n_rows - 1))
    zeroed = replace(table, weights=tuple(0.0 if r in gone else w for r, w in enumerate(table.weights)))
    without = table.take([r for r in range(table.n_rows) if r not in gone])
    assert engine_tree(zeroed, options).fingerprint() == engine_tree(without, options).fingerprint()


@given(case=tables_and_options(weights="eighths"))
def test_scale_of_importances(case):
    """Weights that are not whole are importances: only their proportions matter, in every rule."""
    table, options = case
    assume(any(w % 1 for w in table.weights))
    half = replace(table, weights=tuple(w / 2 for w in table.weights))
    alike(sent_tree(table, options), sent_tree(half, options), keys=("rows", "threshold", "branch_of"))


def test_copies_of_a_whole_table():
    """Three copies of every row: the same splits, three times the weight."""
    for number in range(30):
        table = replace(make_table(("copies", number)), weights=None)
        one = describe(engine_tree(table, CART))
        three = describe(engine_tree(table.take(list(range(table.n_rows)) * 3), CART))
        assert [3 * s for s in one["stats"]] == three["stats"]
        alike(one, three, keys=("threshold", "branch_of", "value"))


def test_light_rows_do_not_vanish():
    """A row of weight 1/1024 next to heavy ones still has a side of its own."""
    table = Table((Column("number", [1.0, 2.0, 3.0]),), (0, 1, 1), 2, (2.0**-10, 1000.0, 1000.0))
    tree = describe(engine_tree(table, CART))
    assert tree["threshold"] == 1.5
    assert tree["children"][0]["stats"] == [2.0**-10, 0.0]
    assert "children" not in describe(engine_tree(table, RELEASE8))
