"""A tree in a file: the same tree again, and nothing that is not one."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from tests.model.missing_trees import grown_trees, own_branches, prostate
from tests.model.samples import CLASSES, SPECS, chain, every_kind, regression
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, KindError, ModelFormatError
from treewright.loading import load, load_bytes
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.model.file.stored_tree import tree_bytes
from treewright.model.tree import Tree
from treewright.model.tree_columns import COLUMNS

TREES = [golf_example, every_kind, regression, prostate, own_branches]


def same_bits(tree, other):
    assert other == tree
    for name in COLUMNS:
        assert getattr(other, name).dtype == getattr(tree, name).dtype
        assert getattr(other, name).tobytes() == getattr(tree, name).tobytes()
    assert other.schema == tree.schema
    assert repr(other.schema) == repr(tree.schema)


@pytest.mark.parametrize("make", TREES)
def test_a_tree_comes_back(make, tmp_path):
    tree = make()
    for name in ("tree.json", "tree.json.gz", "tree.json.zst"):
        tree.save(tmp_path / name)
        same_bits(tree, Tree.load(tmp_path / name))
        same_bits(tree, load(str(tmp_path / name)))
    assert (tmp_path / "tree.json").read_bytes() == tree_bytes(tree)
    assert (tmp_path / "tree.json.gz").stat().st_size < (tmp_path / "tree.json").stat().st_size


@settings(max_examples=40)
@given(SPECS)
def test_every_tree_that_can_be_written_down_comes_back(spec):
    tree = build(CLASSES, spec)
    data = tree_bytes(tree)
    same_bits(tree, load_bytes(data))
    assert tree_bytes(load_bytes(data)) == data


@settings(max_examples=40)
@given(grown_trees())
def test_trees_of_every_strategy_come_back(tree):
    same_bits(tree, load_bytes(tree_bytes(tree)))


def test_the_memory_of_a_tree_does_not_matter():
    tree = every_kind()
    told = {name: np.asfortranarray(getattr(tree, name)) for name in COLUMNS}
    assert tree_bytes(replace(tree, **told)) == tree_bytes(tree)


def deep(n):
    """A tree of n splits, each the second branch of the one before."""
    inner = np.arange(2 * n + 1) % 2 == 0
    inner[-1] = False
    nodes = np.arange(2 * n + 1)
    weight = n + 1.0 - (nodes + 1) // 2
    weight[~inner] = 1.0
    value = np.where(inner, 0.0, 1.0)[:, None]
    return Tree(
        schema=Schema((Column("x", Kind.NUMBER),), Target("y")),
        parent=np.where(nodes == 0, -1, (nodes - 1) // 2 * 2),
        first_child=np.where(inner, nodes + 1, -1),
        n_children=np.where(inner, 2, 0),
        kind=np.where(inner, 1, 0),
        column=np.where(inner, 0, -1),
        threshold=np.where(inner, nodes, np.nan),
        table_start=np.zeros(2 * n + 2, np.int64),
        table_code=np.zeros(0, np.int32),
        table_branch=np.zeros(0, np.int32),
        other=np.full(2 * n + 1, -1),
        missing_branch=np.where(inner, 0, -1),
        count=weight.astype(np.int64),
        weight=weight,
        stats=np.column_stack([weight, value[:, 0], np.zeros(2 * n + 1)]),
        value=value,
        impurity=np.zeros(2 * n + 1),
        gain=np.where(inner, 0.5, np.nan),
        merit=np.where(inner, 0.5, np.nan),
        criterion="squared_error",
    )


def test_a_tree_100_000_deep_comes_back_soon():
    tree = deep(100_000)
    assert tree.depth == 100_000
    start = time.process_time()
    data = tree_bytes(tree)
    other = load_bytes(data)
    assert time.process_time() - start < 5
    assert other == tree
    assert other.apply([[1.0], [1e9]]).tolist() == [3, 200_000]


def test_20_000_nodes_are_written_and_read_in_a_moment():
    tree = chain(10_000)
    tree.fingerprint()
    start = time.process_time()
    data = tree_bytes(tree)
    written = time.process_time()
    load_bytes(data)
    assert written - start < 0.3
    assert time.process_time() - written < 0.3


VALUES = (0, 1.5, "1", "", "\ud800", True, -(2**70), 10**300, 5e-324, float("inf"), "日本\u2028", 'q"\\\n')


def test_categories_of_every_type_come_back():
    column = Column("c", Kind.CATEGORY, VALUES)
    halves = {VALUES[:6]: leaf(VALUES[3], 2), VALUES[6:]: leaf(VALUES[5], 3)}
    tree = build(Schema((column,), Target("t", VALUES)), table("c", halves))
    other = load_bytes(tree_bytes(tree))
    same_bits(tree, other)
    assert [type(v) for v in other.schema.columns[0].categories] == [type(v) for v in VALUES]


def test_numpy_values_are_those_of_python():
    schema = Schema((Column("c", Kind.CATEGORY, (np.str_("a"), np.int8(3), np.bool_(True))),), Target("t", ("x",)))
    tree = build(schema, leaf("x"))
    assert load_bytes(tree_bytes(tree)).schema.columns[0].categories == ("a", 3, True)
    assert load_bytes(tree_bytes(tree)) == tree


@pytest.mark.parametrize("value", [(1, 2), b"x", None, np.datetime64("2020-01-01"), 1j])
def test_other_types_are_refused_before_anything_is_written(value, tmp_path):
    tree = build(Schema((Column("day", Kind.CATEGORY, (value,)),), Target("t", ("x",))), leaf("x"))
    with pytest.raises(KindError, match="Column 'day' has a category of the type"):
        tree.save(tmp_path / "tree.json")
    tree = build(Schema((), Target("day", ("x", value))), leaf("x"))
    with pytest.raises(KindError, match="The target 'day' has a class of the type"):
        tree.save(tmp_path / "tree.json")
    assert not list(tmp_path.iterdir())


def test_a_file_is_not_replaced_by_accident(tmp_path):
    place = tmp_path / "tree.json"
    golf_example().save(place)
    with pytest.raises(InputError, match="already exists"):
        every_kind().save(place)
    assert Tree.load(place) == golf_example()
    every_kind().save(place, overwrite=True)
    assert Tree.load(place) == every_kind()


def test_the_tree_of_an_estimator_is_read_alone(tmp_path):
    from treewright import CARTClassifier

    model = CARTClassifier().fit([[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 9, [0, 1, 1, 0] * 9)
    model.save(tmp_path / "model.json")
    assert Tree.load(tmp_path / "model.json") == model.tree_
    model.rules().save(tmp_path / "rules.json")
    with pytest.raises(ModelFormatError, match="Field kind is 'rules'"):
        Tree.load(tmp_path / "rules.json")


# What is wrong, the field that is named, and the change.
BAD = [
    ("no root", "tree.first_child", lambda t: t["tree"].update(first_child=[])),
    ("a short column", "tree.weight", lambda t: t["tree"]["weight"].pop()),
    ("text for numbers", "tree.weight", lambda t: t["tree"].update(weight="much")),
    ("a text among numbers", "tree.weight", lambda t: t["tree"]["weight"].__setitem__(1, "x")),
    ("a float among links", "tree.first_child", lambda t: t["tree"]["first_child"].__setitem__(0, 1.5)),
    ("a child before its parent", "first_child", lambda t: t["tree"]["first_child"].__setitem__(1, 0)),
    ("a child out of range", "first_child", lambda t: t["tree"]["first_child"].__setitem__(0, 2**31 - 1)),
    ("a link beyond 32 bits", "tree.first_child", lambda t: t["tree"]["first_child"].__setitem__(0, 2**40)),
    ("children shared", "tree.first_child", lambda t: t["tree"]["first_child"].__setitem__(1, 5)),
    ("too many children", "n_children", lambda t: t["tree"]["n_children"].__setitem__(0, 7)),
    ("a column beyond the schema", "tree.column", lambda t: t["tree"]["column"].__setitem__(0, 9)),
    ("a number asked like a category", "tree.n_codes", lambda t: t["tree"]["column"].__setitem__(0, 1)),
    ("no threshold", "threshold", lambda t: t["tree"]["threshold"].__setitem__(1, None)),
    ("codes that sum to more", "tree.n_codes", lambda t: t["tree"]["n_codes"].__setitem__(0, 4)),
    ("codes that are more than there are", "tree.n_codes", lambda t: t["tree"]["n_codes"].__setitem__(0, 2**62)),
    ("a code beyond the schema", "table_code", lambda t: t["tree"]["table_code"].__setitem__(2, 7)),
    ("a branch that nothing leads to", "table_branch", lambda t: t["tree"].update(table_branch=[0, 0, 2, 0, 1])),
    ("a negative weight", "tree.weight", lambda t: t["tree"]["weight"].__setitem__(0, -1.0)),
    ("an endless weight", "tree.weight", lambda t: t["tree"]["weight"].__setitem__(0, float("inf"))),
    ("a missing weight", "tree.weight", lambda t: t["tree"]["weight"].__setitem__(0, None)),
    ("a negative count", "tree.count", lambda t: t["tree"]["count"].__setitem__(0, -1)),
    ("a value that is no share", "value", lambda t: t["tree"]["value"].__setitem__(0, 0.9)),
    ("shares of other rows", "value", lambda t: t["tree"]["value"].__setitem__(slice(2), [0.5, 0.5])),
    ("branches of more weight", "weight", lambda t: heavier(t["tree"])),
    ("an impurity that cannot be", "impurity", lambda t: t["tree"]["impurity"].__setitem__(0, 7.0)),
    ("a criterion of numbers", "tree.criterion", lambda t: t["tree"].update(criterion="squared_error")),
    ("a strategy unknown", "tree.missing", lambda t: t["tree"].update(missing="hope")),
    ("a field too many", "tree.parent", lambda t: t["tree"].update(parent=[])),
    ("a field too few", "tree.gain", lambda t: t["tree"].pop("gain")),
    ("no tree", "tree", lambda t: t.update(tree=None)),
    ("a list for a tree", "tree", lambda t: t.update(tree=[1, 2])),
    ("a kind of column unknown", "schema.columns[0].kind", lambda t: t["schema"]["columns"][0].update(kind="date")),
    ("categories of a number", "categories is unknown", lambda t: t["schema"]["columns"][1].update(categories=[])),
    ("two columns of one name", "schema", lambda t: t["schema"]["columns"][1].update(name="outlook")),
    ("a category twice", "schema", lambda t: t["schema"]["columns"][0].update(categories=["a", "b", "a"])),
    ("equal categories", "schema", lambda t: t["schema"]["columns"][0].update(categories=[1, True, "x"])),
    ("categories that are none", "schema.columns[0].categories", lambda t: category(t, None)),
    ("categories in a list", "schema.columns[0].categories", lambda t: category(t, [1])),
    ("no classes", "schema", lambda t: t["schema"]["target"].update(classes=[])),
    ("a class less", "tree.stats", lambda t: t["schema"]["target"].update(classes=["Play"])),
    ("a number for a name", "schema.target.name", lambda t: t["schema"]["target"].update(name=3)),
    ("another tree", "fingerprint", lambda t: t["tree"]["count"].__setitem__(0, 15)),
    ("a new field", "extra", lambda t: t.update(extra=1)),
]


def category(told, value):
    told["schema"]["columns"][0]["categories"][0] = value


def heavier(tree):
    """The root holds less than its branches, and all shares are right."""
    tree["weight"][0], tree["stats"][:2] = 7.0, [2.5, 4.5]


@pytest.mark.parametrize(("field", "change"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_a_file_with_a_fault_is_refused_by_its_field(field, change):
    told = json.loads(tree_bytes(golf_example()))
    change(told)
    data = json.dumps(told).replace("Infinity", "1e999").encode()
    with pytest.raises(ModelFormatError, match=r"Field") as caught:
        load_bytes(data)
    assert field in str(caught.value)


def test_a_file_without_its_fingerprint_is_read():
    told = json.loads(tree_bytes(golf_example()))
    del told["fingerprint"]
    assert load_bytes(json.dumps(told).encode()) == golf_example()


def test_many_categories_of_one_hash_are_refused_at_once():
    """Python tells numbers of one hash apart one by one, which takes for ever for a hundred thousand."""
    told = json.loads(tree_bytes(golf_example()))
    told["schema"]["columns"][0]["categories"] = [i * (2**61 - 1) for i in range(1, 60_000)]
    start = time.process_time()
    with pytest.raises(ModelFormatError, match=r"Field schema .* too many values with the same hash"):
        load_bytes(json.dumps(told).encode())
    assert time.process_time() - start < 1.0


def test_a_tree_of_numbers_has_its_limits_too():
    tree = build(Schema((Column("x", Kind.NUMBER),), Target("y")), number("x", 1, leaf(2.0), leaf(3.0)))
    told = json.loads(tree_bytes(tree))
    told["tree"]["value"][1] = 7.0
    with pytest.raises(ModelFormatError, match=r"Field value .* it must be the value in `stats`"):
        load_bytes(json.dumps(told).encode())
