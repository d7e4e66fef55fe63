"""What missing cells leave as it was: sums, order, names, copies, threads, and every table without a hole."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.invariants.partitions import alike, same_numbers
from tests.invariants.strategies import holed_cases, tables_and_options
from tests.oracles.compare import dataset, describe, engine_tree, oracle_tree, plan
from tests.oracles.grower import Node
from tests.oracles.missing_tables import make_holed
from tests.oracles.options import Column
from tests.oracles.plans import NAMED, STRATEGIES, allows
from treewright.fast_paths import fast_path_sizes
from treewright.grow import grower
from treewright.model.tree_columns import COLUMNS
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import decision_paths, find_leaves, predict_numbers, predict_probabilities

EVERY = pytest.mark.parametrize("missing", STRATEGIES)
ANY_WEIGHTS = st.sampled_from([None, "whole", "eighths", "any"])
KEYS = ("count", "stats", "threshold", "branch_of", "missing_branch", "told_surrogates")


def nodes_of(tree: Node) -> list[Node]:
    nodes = [tree]
    for node in nodes:
        nodes += node.get("children", [])
    return nodes


@EVERY
@given(case=tables_and_options(weights="eighths"))
def test_a_table_without_holes(missing, case):
    """The same tree whatever is said about missing cells: every array of it."""
    table, options = case
    assume(allows(options, missing))
    plain, other = engine_tree(table, options), engine_tree(table, replace(options, missing=missing))
    assert other.missing == missing
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(plain, name), getattr(other, name), err_msg=name)


@EVERY
@given(data=st.data(), weights=ANY_WEIGHTS)
def test_no_weight_is_lost(missing, data, weights):
    """Children make their parent; where rows stay at a node, the children have no more than it."""
    table, options = data.draw(holed_cases(missing, weights=weights))
    for node in nodes_of(describe(engine_tree(table, options))):
        if "children" not in node:
            continue
        below = sum(child["weight"] for child in node["children"])
        if missing == "stop":
            assert below <= node["weight"] * (1 + 1e-12)
        else:
            assert below == pytest.approx(node["weight"], rel=1e-12)
        if table.n_classes and missing != "stop":
            total = np.sum([child["stats"] for child in node["children"]], axis=0)
            np.testing.assert_allclose(total, node["stats"], rtol=0, atol=1e-12 * node["weight"])


@pytest.mark.parametrize("missing", ["fractional", "stop"])
@given(data=st.data())
def test_a_row_of_nothing_gets_the_whole_table(missing, data):
    """With every cell missing the answer is the root's: its class shares, or its mean."""
    table, options = data.draw(holed_cases(missing, weights="eighths"))
    tree = engine_tree(table, options)
    nothing = np.full((1, len(table.columns)), np.nan)
    if table.n_classes:
        np.testing.assert_allclose(
            predict_probabilities(tree, nothing, MissingPolicy())[0], tree.value[0], rtol=0, atol=1e-12
        )
    elif options.criterion == "squared_error" or missing == "stop":
        assert predict_numbers(tree, nothing, MissingPolicy())[0] == pytest.approx(tree.value[0, 0], rel=1e-9, abs=1e-9)


@EVERY
@given(data=st.data())
def test_routing_agrees_with_growth(missing, data):
    """The rows sent through the finished tree weigh at each node what growth counted there.

    Not with shares: growth parts a row by the known weight of a branch, prediction by its whole weight. The first
    node is the exception: there the known rows alone part the others in the same proportion.
    """
    table, options = data.draw(holed_cases(missing, weights="eighths"))
    tree = engine_tree(table, replace(options, max_depth=1) if missing == "fractional" else options)
    assume(missing != "fractional" or not oracle_tree(table, replace(options, max_depth=1))["dropped"])
    reached = decision_paths(tree, dataset(table).values, MissingPolicy())
    weighed = reached.T @ np.array(table.weights)
    np.testing.assert_allclose(weighed, tree.weight, rtol=1e-9, atol=1e-9)
    if missing != "fractional":
        ends = find_leaves(tree, dataset(table).values, MissingPolicy())
        is_leaf = tree.n_children == 0
        counted = np.bincount(ends, minlength=tree.n_nodes)
        np.testing.assert_array_equal(counted[is_leaf], tree.count[is_leaf])


@EVERY
@given(data=st.data(), weights=ANY_WEIGHTS)
def test_any_order_of_rows(missing, data, weights):
    table, options = data.draw(holed_cases(missing, weights=weights))
    other = table.take(data.draw(st.permutations(range(table.n_rows))))
    assert engine_tree(table, options).fingerprint() == engine_tree(other, options).fingerprint()


@EVERY
@given(data=st.data())
def test_weight_zero_is_no_row(missing, data):
    """Not even the holes of a row of weight 0 are seen."""
    table, options = data.draw(holed_cases(missing, weights="eighths"))
    gone = data.draw(st.sets(st.integers(0, table.n_rows - 1), max_size=table.n_rows - 1))
    zeroed = replace(table, weights=tuple(0.0 if r in gone else w for r, w in enumerate(table.weights)))
    without = table.take([r for r in range(table.n_rows) if r not in gone])
    assert engine_tree(zeroed, options).fingerprint() == engine_tree(without, options).fingerprint()


@EVERY
@given(data=st.data())
def test_weight_is_copies(missing, data):
    """A row of weight k stands for k rows.

    Not for the cuts of surrogates, which want two rows on each side, so these tables have categories only; nor where a
    copy's share is too small to be made.
    """
    kinds = ("category",) if missing == "surrogate" else ("number", "ordered", "category")
    table, options = data.draw(holed_cases(missing, weights="whole", kinds=kinds))
    rows = [r for r in range(table.n_rows) for _ in range(int(table.weights[r]))]
    copies = replace(table.take(rows), weights=None)
    if missing == "fractional":
        judged = [oracle_tree(t, options) for t in (table, copies)]
        assume(not any(tree["dropped"] or tree["doubts"] for tree in judged))
    one, two = (describe(engine_tree(t, options)) for t in (table, copies))
    exactly = () if missing == "fractional" else ("weight", "told_surrogates")
    alike(one, two, keys=("threshold", "branch_of", "missing_branch", *exactly))
    for a, b in zip(nodes_of(one), nodes_of(two), strict=True):
        assert same_numbers(a, b, ("weight",))


@EVERY
@given(data=st.data())
def test_a_column_of_nothing(missing, data):
    """A column without a known cell changes nothing, wherever it stands."""
    table, options = data.draw(holed_cases(missing, weights="eighths"))
    kind = data.draw(st.sampled_from(["number", "ordered", "category"]))
    place = data.draw(st.integers(0, len(table.columns)))
    empty = Column(kind, [None] * table.n_rows, 0 if kind == "number" else 3)
    wider = replace(table, columns=(*table.columns[:place], empty, *table.columns[place:]))
    one, two = (describe(engine_tree(t, options)) for t in (table, wider))

    def moved(column: int) -> int:
        return column + (column >= place)

    for node in nodes_of(one):
        told = node.get("told_surrogates", [])
        node["told_surrogates"] = [((moved(test[0]), *test[1:]), *rest) for test, *rest in told]
    for node in nodes_of(two):
        node.setdefault("told_surrogates", [])
    alike(one, two, keys=KEYS, column=moved)


@EVERY
@given(data=st.data())
def test_names_leave_no_trace(missing, data):
    """The same cells under other names of columns, categories and classes: the same numbers in the tree."""
    table, options = data.draw(holed_cases(missing))
    plain = dataset(table)
    columns = [
        replace(c, name=f"列{i}", categories=tuple(("x", k) for k in range(c.n_categories)))
        for i, c in enumerate(plain.schema.columns)
    ]
    target = replace(plain.schema.target, name="目标", classes=tuple(range(table.n_classes)) or None)
    renamed = replace(plain, schema=replace(plain.schema, columns=tuple(columns), target=target))
    one, two = (describe(grower.grow(d, plan(options))) for d in (plain, renamed))
    alike(one, two, keys=(*KEYS, "gain", "merit"))


@pytest.mark.parametrize("n_tables", [5, pytest.param(100, marks=pytest.mark.long)])
@EVERY
@pytest.mark.parametrize("name", NAMED)
def test_threads_change_nothing(name, missing, n_tables):
    """Small tables are grown in one thread; here they are made to be worth sharing."""
    if not allows(NAMED[name], missing):
        return
    options = replace(NAMED[name], missing=missing)
    tables = [make_holed((name, number), regression=options.is_regression) for number in range(n_tables)]
    alone = [engine_tree(table, options).fingerprint() for table in tables]
    with fast_path_sizes({"threads": 0, "subtrees": 5}):
        assert alone == [engine_tree(table, options, n_jobs=2).fingerprint() for table in tables]
