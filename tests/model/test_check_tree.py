"""The validator: each contradiction is refused with the name of the field it stands in."""

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.missing_trees import own_branches
from tests.model.samples import CLASSES, COLOURS, NUMBERS, SPECS, chain, columns_of, every_kind, regression
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ModelFormatError
from treewright.model.build import build, is_missing, leaf, table
from treewright.model.check_tree import check_tree
from treewright.model.tree import Tree
from treewright.model.tree_columns import COLUMNS
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import decision_paths, find_leaves, predict_probabilities

NAN, INF = np.nan, np.inf

# Node 0 price, 1 size, 2 colour, leaves 3 and 4 below 1, leaves 5, 6 and 7 (empty) below 2.
# (what is wrong, field the message names, cell, value written there)
CELLS = [
    ("root with a parent", "parent", 0, 0),
    ("second root", "parent", 3, -1),
    ("parent below zero", "parent", 3, -7),
    ("parent behind its child", "parent", 1, 5),
    ("node its own parent", "parent", 3, 3),
    ("parent out of range", "parent", 4, 99),
    ("child of another parent", "parent", 5, 1),
    ("leaf as parent", "parent", 7, 3),
    ("negative number of children", "n_children", 1, -2),
    ("more children than nodes", "n_children", 0, 2**62),
    ("one child too many", "n_children", 2, 4),
    ("leaf with children", "n_children", 3, 2),
    ("a child less than none", "n_children", [("n_children", 3, -1), ("n_children", 2, 4)], None),
    ("first child of a leaf", "first_child", 3, 5),
    ("no first child", "first_child", 1, -1),
    ("first child before the node", "first_child", 2, 1),
    ("first child the node itself", "first_child", 2, 2),
    ("first child out of range", "first_child", 2, 6),
    ("first child far out of range", "first_child", 2, 2**62),
    ("first child smallest number", "first_child", 2, -(2**63)),
    ("siblings of another node", "parent", ("first_child", 1), 4),
    ("unknown kind", "kind", 0, 3),
    ("negative kind", "kind", 0, -1),
    ("leaf that has a kind", "n_children", ("kind", 3), 1),
    ("split of kind leaf", "n_children", ("kind", 1), 0),
    ("number looked up in a table", "kind", [("kind", 0, 2), ("threshold", 0, NAN)], None),
    ("category with a threshold", "n_children", ("kind", 2), 1),
    ("column of a leaf", "column", 3, 0),
    ("split without a column", "column", 0, -1),
    ("column below -1", "column", 0, -2),
    ("column out of range", "column", 0, 4),
    ("threshold on a category", "kind", ("column", 0), 2),
    ("table on a number", "kind", ("column", 2), 0),
    ("table on an ordered column", "kind", ("column", 2), 1),
    ("missing threshold", "threshold", 0, NAN),
    ("endless threshold", "threshold", 0, INF),
    ("threshold below all numbers", "threshold", 0, -INF),
    ("threshold of a leaf", "threshold", 3, 1.0),
    ("endless threshold of a leaf", "threshold", 3, INF),
    ("threshold of a table", "threshold", 2, 1.0),
    ("ordered threshold below the codes", "threshold", 1, -0.5),
    ("ordered threshold above the codes", "threshold", 1, 4.0),
    ("tables that do not start at 0", "table_start", 0, 1),
    ("tables that end early", "table_start", 8, 2),
    ("tables that end late", "table_start", 8, 4),
    ("falling offsets", "table_start", 2, 2**40),
    ("negative offset", "table_start", 1, -1),
    ("offset that falls before a table", "table_start", 2, -1),
    ("all offsets one too high", "table_start", slice(None), [1, 1, 1, 4, 4, 4, 4, 4, 4]),
    ("table of a threshold node", "table_start", 2, 1),
    ("table of a leaf", "table_start", 3, 2),
    ("negative code", "table_code", 0, -1),
    ("code out of the schema", "table_code", 2, 5),
    ("code twice", "table_code", 1, 0),
    ("falling codes", "table_code", 0, 2),
    ("negative branch", "table_branch", 0, -1),
    ("branch out of range", "table_branch", 0, 3),
    ("negative other branch", "other", 2, -1),
    ("other branch out of range", "other", 2, 3),
    ("other branch of a threshold", "other", 0, 0),
    ("other branch of a leaf", "other", 3, 0),
    ("no missing branch", "missing_branch", 0, -1),
    ("missing branch below -1", "missing_branch", 0, -2),
    ("missing branch out of range", "missing_branch", 0, 2),
    ("missing branch far out of range", "missing_branch", 2, 2**31 - 1),
    ("missing branch of a leaf", "missing_branch", 3, 0),
    ("negative count", "count", 4, -1),
    ("negative weight", "weight", 4, -1.0),
    ("missing weight", "weight", 4, NAN),
    ("endless weight", "weight", 4, INF),
    ("weight apart from its classes", "stats", ("weight", 4), 3.5),
    ("negative class weight", "stats", (4, 0), -2.0),
    ("missing class weight", "stats", (4, 0), NAN),
    ("endless class weight", "stats", (4, 0), INF),
    ("class weights apart from the weight", "stats", (4, 1), 1.0),
    ("negative share", "value", (4, 1), -0.1),
    ("missing share", "value", (4, 1), NAN),
    ("shares above 1", "value", (4, 1), 0.1),
    ("missing impurity", "impurity", 0, NAN),
    ("endless impurity", "impurity", 0, INF),
    ("missing gain", "gain", 0, NAN),
    ("endless gain", "gain", 0, INF),
    ("gain of a leaf", "gain", 3, 0.0),
    ("missing merit", "merit", 0, NAN),
    ("endless merit", "merit", 0, -INF),
    ("merit of a leaf", "merit", 3, 0.0),
]


def spoiled(tree, field, cell, value):
    columns = columns_of(tree)
    if isinstance(cell, list):
        changes = cell
    elif isinstance(cell, tuple) and isinstance(cell[0], str):
        changes = [(*cell, value)]
    else:
        changes = [(field, cell, value)]
    for name, place, new in changes:
        columns[name][place] = new
    return columns


@pytest.mark.parametrize(("field", "cell", "value"), [c[1:] for c in CELLS], ids=[c[0] for c in CELLS])
def test_one_wrong_cell_is_refused_by_name(field, cell, value):
    with pytest.raises(ModelFormatError, match=f"^Field {field} of the tree"):
        Tree(**spoiled(every_kind(), field, cell, value))


@pytest.mark.parametrize(
    ("field", "cell", "value"),
    [
        ("stats", (1, 0), 2.0),
        ("stats", (1, 0), NAN),
        ("stats", (1, 1), INF),
        ("stats", (1, 2), -1.0),
        ("value", (1, 0), NAN),
        ("value", (1, 0), INF),
    ],
)
def test_one_wrong_cell_of_a_regression_tree_is_refused_by_name(field, cell, value):
    with pytest.raises(ModelFormatError, match=f"^Field {field} of the tree"):
        Tree(**spoiled(regression(), field, cell, value))


def test_the_message_names_the_node():
    with pytest.raises(ModelFormatError, match="parent of the tree is invalid at node 3: a parent must come before"):
        Tree(**spoiled(every_kind(), "parent", 3, 99))
    said = r"table_code of the tree is invalid at node 2: the codes of a table must be ascending"
    with pytest.raises(ModelFormatError, match=said):
        Tree(**spoiled(every_kind(), "table_code", 1, 0))


def test_a_table_with_one_branch_is_refused():
    said = r"Field n_children of the tree is invalid at node 0: a table must have at least two branches"
    with pytest.raises(ModelFormatError, match=said):
        build(CLASSES, table("colour", {COLOURS: leaf("no")}))


def test_a_column_that_was_exchanged_for_another_type_is_refused():
    tree = every_kind()
    object.__setattr__(tree, "column", tree.column.astype(np.int64))
    with pytest.raises(ModelFormatError, match="Field column of the tree must have the type int32, got int64"):
        check_tree(tree)


@pytest.mark.parametrize("name", list(COLUMNS))
def test_a_column_of_another_length_or_dimension_is_refused(name):
    for shape in (lambda a: a[:-1], lambda a: np.concatenate([a, a[-1:]]), lambda a: a[None], lambda a: a.ravel()[0]):
        columns = columns_of(every_kind())
        columns[name] = shape(columns[name])
        with pytest.raises(ModelFormatError, match=r"^Field"):
            Tree(**columns)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("parent", np.array([-1, 0, 0, 1, 1, 2, 2, 2.5])),
        ("parent", np.array([-1, 0, 0, 1, 1, 2, 2, NAN])),
        ("column", np.array([0, 1, 2, -1, -1, -1, -1, 2**32 - 1])),
        ("kind", np.array([1, 1, 2, 0, 0, 0, 0, 256])),
        ("threshold", np.array(["9.5"] * 8)),
        ("threshold", np.array([9.5 + 1j] * 8)),
        ("threshold", np.array([None] * 8)),
        ("weight", {"a": 1}),
        ("weight", [[1], [2, 3]]),
    ],
)
def test_values_that_the_type_cannot_hold_are_refused(name, given):
    columns = columns_of(every_kind())
    columns[name] = given
    with pytest.raises(ModelFormatError, match=f"^Field {name} of the tree"):
        Tree(**columns)


def test_a_tree_without_nodes_is_refused():
    columns = columns_of(every_kind())
    for name in COLUMNS:
        columns[name] = columns[name][:0]
    with pytest.raises(ModelFormatError, match="Field parent"):
        Tree(**columns)


def with_column(position, column):
    columns = list(CLASSES.columns)
    columns[position] = column
    return Schema(tuple(columns), CLASSES.target)


@pytest.mark.parametrize(
    "schema",
    [
        Schema((), CLASSES.target),
        Schema(CLASSES.columns[:2], CLASSES.target),
        with_column(0, Column("price", Kind.NUMBER, ("a",))),
        with_column(0, Column(3, Kind.NUMBER)),
        with_column(0, Column("price", 0)),
        with_column(0, Column("price", Kind.NUMBER, None)),
        with_column(0, None),
        with_column(2, Column("colour", Kind.CATEGORY, ("red", "green"))),
        with_column(1, Column("size", Kind.ORDERED, ("S",))),
        Schema(CLASSES.columns, Target("sold", ("no", "yes"))),
        Schema(CLASSES.columns, Target("sold", ())),
        Schema(CLASSES.columns, Target("sold", "abc")),
        Schema(CLASSES.columns, Target(None, CLASSES.target.classes)),
        Schema(CLASSES.columns, None),
        Schema(None, CLASSES.target),
        NUMBERS,
        None,
    ],
)
def test_a_schema_that_does_not_fit_is_refused(schema):
    with pytest.raises(ModelFormatError, match=r"^Field"):
        replace(every_kind(), schema=schema)


def test_a_tree_of_100_000_nodes_is_checked_quickly():
    tree = chain(50_000)
    start = time.process_time()
    check_tree(tree)
    assert time.process_time() - start < 0.5


@given(SPECS)
def test_every_tree_that_can_be_written_down_is_valid(spec):
    check_tree(build(CLASSES, spec))


@settings(max_examples=300)
@given(
    SPECS,
    st.lists(
        st.tuples(
            st.sampled_from([name for name in COLUMNS if COLUMNS[name].kind == "i"]),
            st.integers(0, 10**6),
            st.sampled_from([-(2**31), -2, -1, 0, 1, 2, 3, 4, 5, 2**31 - 1]),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_a_spoiled_tree_is_refused_or_safe_to_use(spec, changes):
    columns = columns_of(build(CLASSES, spec))
    for name, place, new in changes:
        flat = columns[name].reshape(-1)
        if flat.size:
            flat[place % flat.size] = np.int64(new).astype(flat.dtype)
    try:
        tree = Tree(**columns)
    except ModelFormatError:
        return
    reached = find_leaves(tree, values_of_every_kind())
    assert tree.is_leaf[reached].all()
    assert_holes_can_be_routed(tree)
    assert tree.to_text()


def values_of_every_kind():
    return np.array([[p, s, c, f] for p in (0, 9) for s in range(4) for c in range(-1, 6) for f in (0, 1)], float)


def assert_holes_can_be_routed(tree):
    values = values_of_every_kind()
    holed = np.concatenate([np.where(np.arange(4) == c, hole, values) for c in range(4) for hole in (NAN, -INF)])
    holed = np.concatenate([holed, np.full((1, 4), NAN), np.full((1, 4), -INF)])
    for missing in {"fractional", "majority", "stop", tree.missing} - {"error"}:
        for unseen in ("majority", "stop"):
            found = decision_paths(tree, holed, MissingPolicy(missing, unseen))
            assert found.shape == (len(holed), tree.n_nodes)
            assert (found.data > 0).all()
            np.testing.assert_allclose(
                predict_probabilities(tree, holed, MissingPolicy(missing, unseen)).sum(axis=1), 1, atol=1e-5
            )


# own_branches: node 0 price with branch 2 for missing values, 1 size, 2 colour, 3 is new missing; leaves from 4 on.
OWN_CELLS = [
    ("third branch that is not for missing values", "missing_branch", 0, 1),
    ("endless threshold with three branches", "n_children", ("threshold", 0), INF),
]


@pytest.mark.parametrize(("field", "cell", "value"), [c[1:] for c in OWN_CELLS], ids=[c[0] for c in OWN_CELLS])
def test_a_wrong_branch_of_missing_values_is_refused_by_name(field, cell, value):
    with pytest.raises(ModelFormatError, match=f"^Field {field} of the tree"):
        Tree(**spoiled(own_branches(), field, cell, value))


def test_a_fourth_branch_of_a_threshold_is_refused():
    four = build(CLASSES, table("colour", {c: leaf("no") for c in COLOURS[:4]}), missing="branch")
    for branch in range(4):
        said = r"^Field n_children of the tree is invalid at node 0: a threshold must have two branches"
        with pytest.raises(ModelFormatError, match=said):
            replace(four, kind=[1, 0, 0, 0, 0], missing_branch=[branch, -1, -1, -1, -1])


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "learned", "stop", "error"])
def test_a_third_branch_needs_a_tree_grown_with_branch(missing):
    said = r"^Field n_children of the tree is invalid at node 0: only missing='branch'"
    with pytest.raises(ModelFormatError, match=said):
        replace(own_branches(), missing=missing)


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "stop", "error"])
@pytest.mark.parametrize("column", ["price", "size"])
def test_an_endless_threshold_needs_a_tree_grown_with_branch_or_learned(missing, column):
    tree = build(CLASSES, is_missing(column, leaf("no"), leaf("yes")))
    assert tree.threshold[0] == INF
    assert replace(tree, missing="learned").missing == "learned"
    said = r"^Field threshold of the tree is invalid at node 0: only missing='branch' or 'learned'"
    with pytest.raises(ModelFormatError, match=said):
        replace(tree, missing=missing)
    said = r"missing_branch of the tree is invalid at node 0: it must be branch 1 of an infinite threshold"
    with pytest.raises(ModelFormatError, match=said):
        replace(tree, missing_branch=[0, -1, -1])


@pytest.mark.parametrize("bad", ["majority", "", None, 3, b"stop", ["stop"], "Stop"])
def test_an_unknown_strategy_is_refused(bad):
    said = r"^Field missing of the tree must be one of fractional, surrogate"
    with pytest.raises(ModelFormatError, match=said):
        replace(every_kind(), missing=bad)
