"""What pruning may do, whatever the table: fewer leaves, no fewer training errors, and nothing by names.

Every method of the registry, on tables that hypothesis makes.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.pruning import Case, others
from tests.contracts.pruning_methods import configured
from tests.invariants.strategies import holed_cases, tables_and_options
from tests.oracles.compare import dataset, plan
from tests.oracles.options import Options
from tests.oracles.plans import STRATEGIES
from tests.oracles.pruning_compare import inner_paths, paths_of
from tests.oracles.tables import Table
from treewright.data.dataset import Dataset
from treewright.grow.grower import grow
from treewright.model.tree import Tree
from treewright.predict.predictions import find_leaves, predict_numbers, predict_probabilities
from treewright.prune.method import GROWTH, Method


@cache
def methods(regression: bool) -> list[Method]:
    """Those that make no trees of their own, so that hypothesis need not wait; costs name classes that tables lack."""
    return [
        method
        for method in configured(regression=regression)
        if GROWTH not in method.needs and getattr(method, "cost_matrix", None) is None
    ]


def make_case(table: Table, options: Options, *, holes: bool = False) -> Case:
    rows, chosen = dataset(table), plan(options)
    seed = (table.target, options.criterion)
    return Case(seed, grow(rows, chosen), others(seed, table, holes=holes), rows)


@st.composite
def cases(draw: st.DrawFn, *, weights: str | None = None) -> tuple[Case, Method]:
    """A grown tree with its rows, and a method that can prune it."""
    missing = draw(st.sampled_from([None, None, *STRATEGIES]))
    if missing is None:
        table, options = draw(tables_and_options(weights=weights))
    else:
        table, options = draw(holed_cases(missing, weights=weights))
    case = make_case(table, options, holes=missing is not None)
    return case, draw(st.sampled_from(methods(options.is_regression)))


def training_loss(tree: Tree) -> float:
    """What the rows of all leaves cost, with those that stay at inner nodes."""
    inner = tree.n_children > 0
    if tree.schema.target.is_number:
        return float(tree.stats[~inner, 2].sum())
    wrong = tree.stats.copy()
    np.subtract.at(wrong, tree.parent[1:], tree.stats[1:])
    wrong[np.arange(tree.n_nodes), tree.value.argmax(axis=1)] = 0.0
    return float(np.maximum(wrong, 0.0).sum())


@given(case=cases(weights="eighths"))
def test_smaller_and_no_better_in_training(case):
    """Without raising, which sends rows elsewhere. A sum of squares says nothing of rows that stay at inner nodes."""
    case, method = case
    pruned = case.prune(method).tree
    assert pruned.n_leaves <= case.tree.n_leaves
    assert pruned.depth <= case.tree.depth
    if getattr(method, "raising", False) or (case.tree.missing == "stop" and case.tree.schema.target.is_number):
        return
    assert inner_paths(pruned) <= inner_paths(case.tree)
    assert training_loss(pruned) >= training_loss(case.tree) * (1 - 1e-9) - 1e-9


@given(case=cases())
def test_rows_of_a_leaf_that_stays_are_answered_as_before(case):
    case, method = case
    pruned = case.prune(method).tree
    if getattr(method, "raising", False) or case.tree.missing == "fractional":
        return
    there, here = paths_of(case.tree), paths_of(pruned)
    is_leaf = {path for path, n in zip(there, case.tree.n_children, strict=True) if n == 0}
    answer = predict_numbers if pruned.schema.target.is_number else predict_probabilities
    for rows in (case.rows, case.validation):
        at = find_leaves(pruned, rows.values)
        before, after = find_leaves(case.tree, rows.values), answer(pruned, rows.values)
        same = np.array([here[node] in is_leaf for node in at], bool)
        assert [there[node] for node in before[same]] == [here[node] for node in at[same]]
        np.testing.assert_array_equal(answer(case.tree, rows.values)[same], after[same])
        # A row that comes to another leaf was below it.
        assert all(there[b][: len(here[a])] == here[a] for a, b in zip(at, before, strict=True))


def renamed(rows: Dataset) -> Dataset:
    """The same codes under other names."""
    schema = rows.schema
    columns = [
        replace(c, name=f"列{i}", categories=tuple(("x", k) for k in range(c.n_categories)))
        for i, c in enumerate(schema.columns)
    ]
    classes = None if schema.target.is_number else tuple(range(schema.target.n_classes))
    target = replace(schema.target, name="目标", classes=classes)
    return replace(rows, schema=replace(schema, columns=tuple(columns), target=target))


@given(case=tables_and_options(weights="eighths"), data=st.data())
def test_names_leave_no_trace(case, data):
    """Columns, categories and classes of other names: the same nodes with the same numbers, for the same reasons."""
    table, options = case
    plain = make_case(table, options)
    rows = renamed(plain.rows)
    other = Case("renamed", grow(rows, plan(options)), renamed(plain.validation), rows)
    method = data.draw(st.sampled_from(methods(options.is_regression)))
    one, two = plain.prune(method), other.prune(method)
    assert inner_paths(one.tree) == inner_paths(two.tree)
    np.testing.assert_array_equal(one.tree.stats, two.tree.stats)
    for name in ("node", "leaf", "subtree", "allowance", "verdict"):
        np.testing.assert_array_equal(getattr(one.report, name), getattr(two.report, name))


@given(case=cases(), data=st.data())
def test_any_order_of_rows(case, data):
    """Validation rows in another order, and training rows for methods that look at them."""
    case, method = case
    drawn = [data.draw(st.permutations(range(rows.n_rows))) for rows in (case.rows, case.validation)]
    rows, validation = case.rows.take(np.array(drawn[0])), case.validation.take(np.array(drawn[1]))
    other = replace(case, rows=rows, validation=validation)
    assert other.prune(method).tree == case.prune(method).tree


@given(case=cases(weights="whole"))
def test_validation_rows_of_no_weight_say_nothing(case):
    """Rows of weight 0 among the validation rows change no decision."""
    case, method = case
    plain = case.validation
    weight = np.ones(plain.n_rows) if plain.weight is None else plain.weight
    twice = np.concatenate([np.arange(plain.n_rows)] * 2)
    more = replace(plain.take(twice), weight=np.concatenate([weight, np.zeros(plain.n_rows)]))
    more = replace(more, target=np.concatenate([plain.target, plain.target[::-1]]))
    one, two = case.prune(method), replace(case, validation=more).prune(method)
    assert one.tree == two.tree
    np.testing.assert_allclose(one.report.leaf, two.report.leaf, rtol=1e-12)


@pytest.mark.parametrize("regression", [False, True])
def test_all_methods_take_part(regression):
    assert {type(m) for m in methods(regression)} == {type(m) for m in configured(regression=regression)}
