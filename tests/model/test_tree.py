"""A tree is immutable, knows its shape, equals its copies and survives storage."""

import copy
import pickle
import time
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

from tests.model.samples import CLASSES, chain, columns_of, every_kind, regression
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, ModelFormatError
from treewright.model.build import build, leaf, number
from treewright.model.surrogates import Surrogates
from treewright.model.tree import Tree
from treewright.model.tree_columns import COLUMNS


def test_every_array_has_its_type_is_contiguous_and_read_only():
    tree = every_kind()
    for name, dtype in COLUMNS.items():
        array = getattr(tree, name)
        assert array.dtype == dtype
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(FrozenInstanceError):
        tree.parent = np.zeros(1)


def test_the_list_of_columns_is_the_list_of_fields():
    assert list(COLUMNS) == [f.name for f in fields(Tree)][1:-4]


def test_the_callers_arrays_are_neither_frozen_nor_shared():
    given = columns_of(every_kind())
    tree = Tree(**given)
    given["threshold"][0] = 0.0
    assert tree.threshold[0] == 9.5


@pytest.mark.parametrize("make", [list, np.asfortranarray, lambda a: a.astype(a.dtype.newbyteorder(">"))])
def test_other_forms_of_the_same_columns_give_the_same_tree(make):
    given = columns_of(every_kind())
    changed = {name: make(v) if isinstance(v, np.ndarray) else v for name, v in given.items()}
    assert Tree(**changed) == every_kind()


def test_shape_of_a_tree_of_every_kind():
    tree = every_kind()
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (8, 5, 2)
    assert tree.is_leaf.tolist() == [False, False, False, True, True, True, True, True]
    assert tree.depths.tolist() == [0, 1, 1, 2, 2, 2, 2, 2]
    assert repr(tree) == "<Tree: 8 nodes, 5 leaves, depth 2>"


def test_a_single_leaf_is_a_tree():
    tree = build(CLASSES, leaf({"yes": 9, "no": 5}))
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (1, 1, 0)
    assert tree.root.is_leaf
    assert tree.to_text() == "yes (14/5)"


def test_a_chain_100_000_deep_is_quick():
    tree = chain(100_000)
    start = time.process_time()
    assert tree.n_nodes == 200_001
    assert tree.depth == 100_000
    assert tree.depths[-1] == 100_000
    assert sum(1 for _ in tree.walk()) == 200_001
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert time.process_time() - start < 5
    assert len(tree.node(200_000).path()) == 100_000
    assert tree.node(200_000).path()[-1][1] == "price > 99999"


def test_walk_meets_each_node_once_before_its_children():
    assert [node.id for node in every_kind().walk()] == [0, 1, 3, 4, 2, 5, 6, 7]


@pytest.mark.parametrize("bad", [-1, 8, 10**30, 1.0, "0", None])
def test_a_node_that_is_not_there_is_named(bad):
    with pytest.raises(InputError, match="nodes of this tree are 0 to 7"):
        every_kind().node(bad)


def test_any_whole_number_names_a_node():
    assert every_kind().node(np.int8(3)).id == 3


def test_same_tree_same_hash():
    assert every_kind().fingerprint() == every_kind().fingerprint()
    assert every_kind() == every_kind()
    assert len({every_kind(), every_kind(), regression()}) == 2
    assert every_kind() != regression()
    assert every_kind() != "tree"


def test_the_fingerprint_is_the_same_for_ever():
    """Stored, so that a change of what is hashed is noticed; all numbers of this tree are exact on any machine."""
    schema = Schema((Column("x", Kind.NUMBER),), Target("t", ("no", "yes")))
    tree = build(schema, number("x", 0.5, leaf("no", 2), leaf("yes", 2)), criterion="gini")
    assert tree.fingerprint() == "04d79729982ea955a4f543cc54da190c71cfabcefc284256efffa415ce821559"


def test_signed_zeros_and_numpy_scalars_make_no_other_tree():
    plain = build(_schema("a", "b"), leaf({"yes": 1}))
    scalars = build(_schema(np.str_("a"), np.str_("b")), leaf({"yes": 1}))
    assert plain == scalars
    tree = columns_of(regression())
    tree["threshold"][0] = 0.0
    other = dict(tree, threshold=np.array([-0.0, np.nan, np.nan]))
    assert Tree(**tree) == Tree(**other)


@pytest.mark.parametrize(
    "other",
    [(1, "b"), (1.0, "b"), (True, "b"), (b"1", "b"), ("b", "1"), ("1b",), ("1", "b", "c"), ("1\nstr 'b'",)],
)
def test_categories_that_differ_in_type_or_order_make_another_tree(other):
    assert build(_schema(*other), leaf({"yes": 1})) != build(_schema("1", "b"), leaf({"yes": 1}))


def _schema(*categories):
    return Schema((Column("c", Kind.CATEGORY, categories),), Target("t", ("no", "yes")))


@pytest.mark.parametrize("name", [name for name in COLUMNS if COLUMNS[name].kind == "f"])
def test_every_number_counts_in_the_fingerprint(name):
    given = columns_of(every_kind())
    cell = np.unravel_index(np.flatnonzero(given[name] > 0)[0], given[name].shape)
    given[name][cell] = np.nextafter(given[name][cell], 0)
    assert Tree(**given) != every_kind()


def test_names_and_criterion_count_in_the_fingerprint():
    tree = every_kind()
    columns = (replace(tree.schema.columns[0], name="cost"), *tree.schema.columns[1:])
    assert replace(tree, schema=Schema(columns, tree.schema.target)) != tree
    assert replace(tree, criterion="gini") != tree
    assert replace(tree, missing="stop") != tree
    assert replace(tree, missing_branch=np.where(tree.is_leaf, -1, 1)) != replace(
        tree, missing_branch=np.where(tree.is_leaf, -1, 0)
    )


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_keeps_the_tree_and_leaves_caches_behind(protocol):
    tree = every_kind()
    plain = len(pickle.dumps(tree, protocol))
    assert tree.packed is tree.packed
    assert tree.depth == 2
    stored = pickle.dumps(tree, protocol)
    assert len(stored) == plain
    loaded = pickle.loads(stored)
    assert loaded == tree
    assert not loaded.parent.flags.writeable


def test_copies_are_the_tree_itself():
    tree = every_kind()
    assert copy.copy(tree) is tree
    assert copy.deepcopy([tree])[0] is tree


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: s.pop("parent"),
        lambda s: s.update(extra=1),
        lambda s: s.update(parent=None),
        lambda s: s.update(first_child=s["first_child"] + 10**6),
        lambda s: s.update(schema=None),
        lambda s: s.update(schema=object.__new__(Schema)),
        lambda s: s.update(schema=Schema((object.__new__(Column),), s["schema"].target)),
        lambda s: s.update(schema=Schema(s["schema"].columns, object.__new__(Target))),
        lambda s: s.update(criterion=b"gini"),
        lambda s: s.update(missing="majority"),
        lambda s: s.update(missing=None),
        lambda s: s.update(surrogates=s["parent"]),
        lambda s: s.update(surrogates=object.__new__(Surrogates)),
        lambda s: s.update(missing_branch=s["missing_branch"] + 1),
        lambda s: s.pop("missing_branch"),
        lambda s: s.update(value=np.array(["a"] * 8)),
        lambda s: s.update(table_code=[[0, 1], [2]]),
        lambda s: s.clear(),
    ],
)
def test_a_bad_stored_state_is_refused(spoil):
    state = every_kind().__getstate__()
    spoil(state)
    with pytest.raises(ModelFormatError):
        object.__new__(Tree).__setstate__(state)


@pytest.mark.parametrize("state", [None, 3, "tree", [], (1, 2), {1: 2}])
def test_a_stored_state_that_is_none_is_refused(state):
    with pytest.raises(ModelFormatError, match="must have exactly the fields schema, parent"):
        object.__new__(Tree).__setstate__(state)


def test_a_spoiled_pickle_is_refused_while_loading():
    stored = pickle.dumps(every_kind())
    at = stored.index(np.array([-1, 0, 0, 1, 1, 2, 2, 2], "<i8").tobytes())
    spoiled = stored[:at] + np.array([-1, 0, 0, 1, 1, 2, 2, 9], "<i8").tobytes() + stored[at + 64 :]
    with pytest.raises(ModelFormatError, match="Field parent"):
        pickle.loads(spoiled)


def test_unchecked_makes_the_same_tree():
    given = columns_of(every_kind())
    assert Tree.unchecked(**given) == every_kind()
    assert not Tree.unchecked(**given).parent.flags.writeable
