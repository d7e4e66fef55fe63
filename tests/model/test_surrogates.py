"""Surrogates: strictly checked, read-only, stored with the tree, and readable."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.missing_trees import grown_trees, prostate
from tests.model.samples import CLASSES, every_kind
from tests.model.test_check_tree import assert_holes_can_be_routed
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ModelFormatError
from treewright.model.build import build, is_missing, leaf, number, surrogate, table
from treewright.model.surrogates import SURROGATE_COLUMNS, Surrogates
from treewright.model.tree import Tree

NAN, INF = np.nan, np.inf

# Node 0 tests price; its surrogates are colour (a table of red, green, blue), size (turned round) and new (a table).
# (what is wrong, field the message names, cell, value written there)
CELLS = [
    ("offsets that do not start at 0", "start", 0, 1),
    ("offsets that end early", "start", slice(1, None), 2),
    ("offsets that end late", "start", slice(1, None), 4),
    ("falling offsets", "start", 1, 2**40),
    ("negative offset", "start", 1, -1),
    ("surrogates of a leaf", "start", slice(1, None), [0, 3, 3]),
    ("no column", "column", 0, -1),
    ("column out of range", "column", 0, 4),
    ("column far out of range", "column", 0, 2**31 - 1),
    ("the split's own column", "column", 1, 0),
    ("a column twice", "column", 2, 2),
    ("table of an ordered column", "threshold", ("column", slice(0, 2)), [1, 2]),
    ("threshold of a category", "threshold", 0, 1.0),
    ("endless threshold of a category", "threshold", 0, INF),
    ("no threshold", "threshold", 1, NAN),
    ("endless threshold", "threshold", 1, INF),
    ("threshold below the codes", "threshold", 1, -0.5),
    ("threshold above the codes", "threshold", 1, 4.0),
    ("low branch of a table", "low", 0, 0),
    ("no low branch", "low", 1, -1),
    ("low branch out of range", "low", 1, 2),
    ("no agreement", "agree", 0, 0.0),
    ("missing agreement", "agree", 0, NAN),
    ("agreement above 1", "agree", 0, 1.01),
    ("endless agreement", "agree", 0, INF),
    ("a better one later", "agree", 2, 0.8),
    ("nothing saved", "adjusted", 1, 0.0),
    ("missing saving", "adjusted", 1, NAN),
    ("more than everything saved", "adjusted", 1, 1.01),
    ("tables that do not start at 0", "table_start", 0, 1),
    ("tables that end early", "table_start", 3, 4),
    ("tables that end late", "table_start", 3, 6),
    ("falling tables", "table_start", 1, 2**40),
    ("negative table", "table_start", 1, -1),
    ("a table for a threshold", "table_start", 1, 2),
    ("no table for a category", "table_start", 2, 5),
    ("negative code", "table_code", 0, -1),
    ("code out of the schema", "table_code", 2, 5),
    ("code out of its column", "table_code", 4, 2),
    ("code twice", "table_code", 1, 0),
    ("falling codes", "table_code", 0, 2),
    ("negative branch", "table_branch", 0, -1),
    ("branch out of range", "table_branch", 0, 2),
    ("one branch only", "table_branch", 1, 0),
    ("the other branch only", "table_branch", 4, 1),
]


def arrays_of(tree: Tree) -> dict[str, np.ndarray]:
    return {name: getattr(tree.surrogates, name).copy() for name in SURROGATE_COLUMNS}


def with_surrogates(tree: Tree, **arrays: object) -> Tree:
    return replace(tree, surrogates=Surrogates(**(arrays_of(tree) | arrays)))


@pytest.mark.parametrize(("field", "cell", "value"), [c[1:] for c in CELLS], ids=[c[0] for c in CELLS])
def test_one_wrong_cell_is_refused_by_name(field, cell, value):
    arrays = arrays_of(prostate())
    name, place = cell if isinstance(cell, tuple) else (field, cell)
    arrays[name][place] = value
    with pytest.raises(ModelFormatError, match=f"^Field surrogates.{field} of the tree"):
        with_surrogates(prostate(), **arrays)


def test_only_splits_of_known_values_in_two_have_surrogates():
    groups = {"red": leaf("no"), "green": leaf("yes")}
    in_three = table("colour", groups, leaf("yes"), surrogates=[surrogate("price", 1)])
    said = r"surrogates.start of the tree is invalid at node 0: only a split into two branches"
    with pytest.raises(ModelFormatError, match=said):
        build(CLASSES, in_three)
    in_three = number("price", 1, leaf("no"), leaf("yes"), leaf("no"), surrogates=[surrogate("size", "M")])
    with pytest.raises(ModelFormatError, match=said):
        build(CLASSES, in_three)
    whether_missing = build(CLASSES, is_missing("price", leaf("no"), leaf("yes")))
    with pytest.raises(ModelFormatError, match=said):
        replace(whether_missing, surrogates=prostate().surrogates)


def test_the_message_names_the_node():
    low = number("price", 1, leaf("no"), leaf("yes"))
    deep = number("size", 0, low, number("new", 1, leaf("no"), leaf("yes"), surrogates=[surrogate("new", 1)]))
    schema = Schema((*(Column(n, Kind.NUMBER) for n in ("price", "size", "new")),), Target("t", ("no", "yes")))
    said = r"surrogates.column of the tree is invalid at node 2: it must not be the column"
    with pytest.raises(ModelFormatError, match=said):
        build(schema, deep)


@pytest.mark.parametrize("name", list(SURROGATE_COLUMNS))
@pytest.mark.parametrize("shape", [lambda a: a[:-1], lambda a: np.append(a, a[-1:]), lambda a: a[None], lambda a: a[0]])
def test_an_array_of_another_shape_is_refused(name, shape):
    with pytest.raises(ModelFormatError, match=r"^Field surrogates\."):
        with_surrogates(prostate(), **{name: shape(arrays_of(prostate())[name])})


@pytest.mark.parametrize("given", ["surrogates", 3, {}, [], every_kind()])
def test_what_is_no_surrogates_is_refused(given):
    with pytest.raises(ModelFormatError, match=r"^Field surrogates"):
        replace(prostate(), surrogates=given)


def test_an_object_without_its_fields_is_refused():
    with pytest.raises(ModelFormatError, match=r"^Field surrogates\.start"):
        replace(prostate(), surrogates=object.__new__(Surrogates))
    exchanged = copy.copy(prostate().surrogates)
    object.__setattr__(exchanged, "column", exchanged.column.astype(np.int64))
    said = r"surrogates.column of the tree must have the type int32, got int64"
    with pytest.raises(ModelFormatError, match=said):
        replace(prostate(), surrogates=exchanged)


def test_values_that_the_type_cannot_hold_are_refused():
    with pytest.raises(ModelFormatError, match=r"^Field surrogates.column of the tree has values"):
        with_surrogates(prostate(), column=[2, 1, 2**32 + 3])
    said = r"surrogates.agree of the tree must have the type float64, got <U1"
    with pytest.raises(ModelFormatError, match=said):
        with_surrogates(prostate(), agree=["a", "b", "c"])


def test_every_array_is_read_only_and_its_own():
    given = arrays_of(prostate())
    tree = with_surrogates(prostate(), **given)
    assert list(SURROGATE_COLUMNS) == [f.name for f in fields(Surrogates)]
    for name, dtype in SURROGATE_COLUMNS.items():
        found = getattr(tree.surrogates, name)
        assert found.dtype == dtype
        given[name][...] = 0
        with pytest.raises(ValueError, match="read-only"):
            found[...] = 0
    assert tree == prostate()
    with pytest.raises(FrozenInstanceError):
        tree.surrogates.column = given["column"]


@pytest.mark.parametrize("name", [name for name in SURROGATE_COLUMNS if SURROGATE_COLUMNS[name].kind == "f"])
def test_every_number_counts_in_the_fingerprint(name):
    arrays = arrays_of(prostate())
    place = np.flatnonzero(arrays[name] > 0)[-1]
    arrays[name][place] = np.nextafter(arrays[name][place], 0)
    assert with_surrogates(prostate(), **arrays) != prostate()


def test_surrogates_and_strategy_count_in_the_fingerprint():
    tree = prostate()
    without = replace(tree, surrogates=None)
    empty = replace(tree, surrogates=Surrogates([0, 0, 0, 0], [], [], [], [], [], [0], [], []))
    assert len({tree, without, empty, replace(tree, missing="stop")}) == 4
    assert empty.root.surrogates == []


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_surrogates_are_stored_with_the_tree(protocol):
    tree = prostate()
    assert len(tree.packed_surrogates[1]) == 3
    loaded = pickle.loads(pickle.dumps(tree, protocol))
    assert loaded == tree
    assert not loaded.surrogates.column.flags.writeable


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: s.pop("low"),
        lambda s: s.update(extra=1),
        lambda s: s.update(low=None),
        lambda s: s.update(low="abc"),
        lambda s: s.clear(),
    ],
)
def test_a_bad_stored_state_is_refused(spoil):
    state = prostate().surrogates.__getstate__()
    spoil(state)
    with pytest.raises(ModelFormatError):
        object.__new__(Surrogates).__setstate__(state)


def test_a_spoiled_pickle_is_refused_while_loading():
    stored = pickle.dumps(prostate())
    right, wrong = (np.array(codes, "<i4").tobytes() for codes in ([2, 1, 3], [2, 1, 9]))
    assert stored.count(right) == 1
    with pytest.raises(ModelFormatError, match=r"Field surrogates\.column"):
        pickle.loads(stored.replace(right, wrong))


@settings(max_examples=200)
@given(
    grown_trees(("surrogate",)),
    st.lists(
        st.tuples(
            st.sampled_from([name for name in SURROGATE_COLUMNS if SURROGATE_COLUMNS[name].kind == "i"]),
            st.integers(0, 10**6),
            st.sampled_from([-(2**31), -2, -1, 0, 1, 2, 3, 4, 5, 2**31 - 1]),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_spoiled_surrogates_are_refused_or_safe_to_use(tree, changes):
    if tree.surrogates is None:
        return
    arrays = arrays_of(tree)
    for name, place, new in changes:
        if arrays[name].size:
            arrays[name][place % arrays[name].size] = new
    try:
        changed = with_surrogates(tree, **arrays)
    except ModelFormatError:
        return
    assert_holes_can_be_routed(changed)
    assert all(repr(one) for node in changed.walk() for one in node.surrogates)


def test_a_node_shows_its_surrogates():
    tree = prostate()
    first, second, third = tree.root.surrogates
    assert first.words() == "colour in {red, blue} (agree 0.863, adjusted 0.672)"
    assert repr(first) == "<Surrogate colour in {red, blue} (agree 0.863, adjusted 0.672)>"
    assert (first.name, first.agree, first.adjusted, first.low) == ("colour", 0.863, 0.672, 0)
    assert [first.branch_words(b) for b in (0, 1)] == ["colour in {red, blue}", "colour = green"]
    assert second.words() == "size > M (agree 0.750, adjusted 0.500)"
    assert [second.branch_words(b) for b in (0, 1)] == ["size > M", "size <= M"]
    assert third.words() == "new = True (agree 0.750, adjusted 0.400)"
    assert tree.node(1).surrogates == []
    assert every_kind().root.surrogates == []


def test_hostile_names_steer_nothing():
    schema = Schema((Column("a", Kind.NUMBER), Column("\x1b[31m\n", Kind.NUMBER)), Target("t", ("no", "yes")))
    tree = build(schema, number("a", 1, leaf("no"), leaf("yes"), surrogates=[surrogate("\x1b[31m\n", 2)]))
    assert repr(tree.root.surrogates) == "[<Surrogate \\x1b[31m\\x0a <= 2 (agree 1.000, adjusted 1.000)>]"
