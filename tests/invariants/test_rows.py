"""What rows may do: come in any order, more than once, with a weight of 0, in any number of threads."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.invariants.partitions import alike, sent_tree
from tests.invariants.strategies import tables_and_options
from tests.oracles.compare import describe, engine_tree
from tests.oracles.options import CART, RELEASE8, Column
from tests.oracles.plans import NAMED
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
    """Weights that are not whole are importances: half of each gives the same tree where nothing counts weight."""
    table, options = case
    options = replace(options, charge="none", side="leaf", collapse=False, minimum="rows")
    if options.category == "group":
        options = replace(options, category="each")
    half = replace(table, weights=tuple(w / 2 for w in table.weights))
    alike(sent_tree(table, options), sent_tree(half, options), keys=("rows", "threshold", "branch_of"))


@given(case=tables_and_options(weights="eighths"))
def test_two_threads(case):
    table, options = case
    assert engine_tree(table, options).fingerprint() == engine_tree(table, options, n_jobs=2).fingerprint()


@pytest.mark.parametrize("name", ["id3", "c45 release8", "cart gini", "cart squared_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_two_threads_on_a_table_worth_sharing(name, weighted):
    """Small nodes never see a second thread, so one table is large."""
    rng = np.random.default_rng(7)
    n_rows, options = 20_000, NAMED[name]
    numbers = rng.normal(size=(n_rows, 4)).round(3)
    codes = rng.integers(0, 12, size=(n_rows, 2))
    signal = numbers[:, 0] + (codes[:, 0] % 3) + rng.normal(size=n_rows)
    target = (signal * 8).round() / 8 if options.is_regression else np.digitize(signal, [0.5, 1.5])
    table = Table(
        (
            *(Column("number", c.tolist()) for c in numbers.T),
            *(Column("category", c.astype(float).tolist(), 12) for c in codes.T),
        ),
        tuple(target.tolist()),
        0 if options.is_regression else 3,
        tuple((rng.integers(1, 9, size=n_rows) / 4).tolist()) if weighted else None,
    )
    assert engine_tree(table, options).fingerprint() == engine_tree(table, options, n_jobs=2).fingerprint()


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
