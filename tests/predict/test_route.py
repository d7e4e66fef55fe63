"""Routing: the compiled rule takes every row where the written tree says, in any memory layout."""

import threading
import time

import numpy as np
import pytest
from hypothesis import given
from sklearn.tree import DecisionTreeClassifier

from tests.model.samples import CLASSES, COLOURS, ROWS, SPECS, chain, encode, every_kind, follow, level_order
from tests.predict.kernel import routed
from treewright._core.predict import route_numbers
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.model.build import build, leaf, number, table
from treewright.model.packed_tree import pack_tree
from treewright.model.tree import TABLE, Tree
from treewright.predict import routing as ends_room
from treewright.predict.predictions import decision_paths, find_leaves


def walked(tree: Tree, row: np.ndarray) -> list[int]:
    """The way of one row by the columns of the tree, in plain Python."""
    way = [0]
    while tree.n_children[way[-1]]:
        i = way[-1]
        value = row[tree.column[i]]
        if tree.kind[i] == TABLE:
            own = slice(tree.table_start[i], tree.table_start[i + 1])
            found = dict(zip(tree.table_code[own].tolist(), tree.table_branch[own].tolist(), strict=True))
            branch = found.get(value, int(tree.other[i]))
        else:
            branch = 0 if value <= tree.threshold[i] else 1
        way.append(int(tree.first_child[i]) + branch)
    return way


@given(SPECS, ROWS)
def test_every_row_goes_where_the_written_tree_says(spec, rows):
    tree, values = build(CLASSES, spec), encode(rows)
    place = level_order(spec)
    ways = [[place[id(part)] for part in follow(spec, row)] for row in rows]
    assert find_leaves(tree, values).tolist() == [way[-1] for way in ways]
    found = decision_paths(tree, values)
    assert found.shape == (len(rows), tree.n_nodes)
    assert [found.indices[a:b].tolist() for a, b in zip(found.indptr, found.indptr[1:], strict=False)] == ways
    assert set(found.data.tolist()) == {1}
    assert found.dtype == np.float64


@given(SPECS, ROWS)
def test_the_compiled_rule_is_the_plain_one_dense_or_searched(spec, rows):
    tree, values = build(CLASSES, spec), encode(rows)
    between, beyond, huge = np.array([[0, 0, 0.5, 0], [0, 0, 7, 0], [1, 1, 1e300, 1]])
    values = np.concatenate([values, values + between, values + beyond, values * huge])
    expected = [walked(tree, row)[-1] for row in values]
    assert find_leaves(tree, values).tolist() == expected
    if tree.n_nodes > 1:
        searched = pack_tree(tree, dense_entries=-1)
        assert searched.tables[1].size == 0
        assert routed(searched, values) == (False, expected)


def spread(n_rows: int = 1000) -> np.ndarray:
    rng = np.random.default_rng(0)
    price = rng.choice([9.0, 9.5, np.nextafter(9.5, 10), 10.0], n_rows)
    codes = [rng.integers(0, 4, n_rows), rng.integers(-1, 6, n_rows), rng.integers(0, 2, n_rows)]
    return np.column_stack([price, *codes])


def unaligned(values: np.ndarray) -> np.ndarray:
    raw = np.zeros(values.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(values.shape)
    raw[...] = values
    return raw


def read_only(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.setflags(write=False)
    return values


LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every second row": lambda v: np.repeat(v, 2, axis=0)[::2],
    "every second column": lambda v: np.repeat(v, 2, axis=1)[:, ::2],
    "backwards rows": lambda v: v[::-1].copy()[::-1],
    "backwards columns": lambda v: v[:, ::-1].copy()[:, ::-1],
    "transposed": lambda v: v.T.copy().T,
    "slice of 3-D": lambda v: np.stack([v, v], axis=1)[:, 1, :],
    "read-only": read_only,
    "unaligned": unaligned,
    "big-endian": lambda v: v.astype(">f8"),
    "float128": lambda v: v.astype(np.longdouble),
    "matrix": lambda v: v.view(np.matrix),
    "list": lambda v: v.tolist(),
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("layout", list(LAYOUTS))
def test_the_memory_layout_does_not_matter(layout):
    tree, values = every_kind(), spread()
    expected = [walked(tree, row)[-1] for row in values]
    assert set(expected) == {3, 4, 5, 6, 7}
    assert find_leaves(tree, LAYOUTS[layout](values)).tolist() == expected


@pytest.mark.parametrize("n_rows", [0, 1, 7, 8, 9, 17])
def test_any_number_of_rows(n_rows):
    tree, values = every_kind(), spread(n_rows)
    found = find_leaves(tree, values)
    assert found.dtype == np.int64
    assert found.tolist() == [walked(tree, row)[-1] for row in values]
    assert decision_paths(tree, values).shape == (n_rows, 8)


def test_a_single_leaf_takes_every_row_of_any_table():
    assert find_leaves(build(CLASSES, leaf("no")), np.full((3, 4), np.nan)).tolist() == [0, 0, 0]
    nothing = Schema((), Target("t", ("a",)))
    assert find_leaves(build(nothing, leaf("a")), np.zeros((2, 0))).tolist() == [0, 0]
    assert decision_paths(build(nothing, leaf("a")), np.zeros((2, 0))).toarray().tolist() == [[1], [1]]


def test_a_value_on_the_threshold_is_low_and_infinity_is_high():
    tree = every_kind()
    values = np.array([[9.5, 0, 0, 0], [np.nextafter(9.5, 10), 0, 0, 0], [np.inf, 0, 0, 0], [-1e308, 0, 0, 0]])
    assert find_leaves(tree, values).tolist() == [3, 5, 5, 3]


@pytest.mark.parametrize("code", [-1, 5, 0.5, -0.5, 1e18, -1e18, np.inf, 2**31, 2**32])
@pytest.mark.parametrize("dense_entries", [10**6, -1])
def test_what_is_no_code_takes_the_other_branch(code, dense_entries):
    packed = pack_tree(every_kind(), dense_entries)
    assert routed(packed, np.array([[10.0, 0, code, 0]])) == (False, [7])
    assert find_leaves(every_kind(), np.array([[10.0, 0, code, 0]] * 40)).tolist() == [7] * 40


def test_a_missing_value_is_named_when_a_row_meets_it():
    tree, values = every_kind(), np.full((40, 4), 9.0)
    values[:, 1:] = 0
    values[33] = [10, 0, np.nan, 0]
    values[37] = [np.nan, 0, 0, 0]
    with pytest.raises(InputError, match=r"Column 'colour' is missing .* row 33"):
        find_leaves(tree, values)
    values[5, 0] = np.nan
    with pytest.raises(InputError, match=r"Column 'price' is missing .* row 5"):
        decision_paths(tree, values)


def test_the_row_of_a_missing_value_is_right_behind_the_first_chunk(monkeypatch):
    monkeypatch.setattr(ends_room, "MAX_STEPS", 20)
    tree, values = every_kind(), spread(100)
    assert find_leaves(tree, values).tolist() == [walked(tree, row)[-1] for row in values]
    values[57, 0] = np.nan
    with pytest.raises(InputError, match="row 57"):
        find_leaves(tree, values)


def test_a_missing_value_that_no_row_meets_does_not_matter():
    values = np.array([[9.0, 0, np.nan, np.nan], [10, np.nan, 0, np.nan]])
    assert find_leaves(every_kind(), values).tolist() == [3, 5]


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 5), (2, 4, 1), ()])
def test_a_table_of_another_shape_is_refused(shape):
    with pytest.raises(InputError, match=r"Expected values of shape \(n_rows, 4\), got"):
        find_leaves(every_kind(), np.zeros(shape))


def test_a_chain_of_100_000_nodes():
    tree = chain(50_000)
    values = np.zeros((200, 4))
    values[:, 0] = np.arange(200) * 251 - 0.5
    start = time.process_time()
    found = find_leaves(tree, values)
    assert time.process_time() - start < 5
    assert tree.depths[found].tolist() == [min(50_000, max(1, int(np.ceil(p)) + 1)) for p in values[:, 0]]
    assert decision_paths(tree, values[-1:]).indices.tolist() == walked(tree, values[-1])


def test_many_categories_are_searched_and_not_spread():
    """40 tables over a million categories would be 160 MB if they were spread."""
    n = 1_000_000
    schema = Schema((Column("id", Kind.CATEGORY, tuple(range(n))),), Target("t", ("a", "b")))
    spec = leaf("a")
    for i in range(40):
        spec = table("id", {(i, n - 1 - i): leaf("b"), i + 100: leaf("a", 2)}, other=spec)
    tree = build(schema, spec)
    assert tree.packed.tables[1].size == 0
    values = np.array([[0.0], [39], [n - 1], [n - 40], [100], [500], [n - 41]])
    assert find_leaves(tree, values).tolist() == [walked(tree, row)[-1] for row in values]
    small = build(schema, table("id", {0: leaf("a"), n - 1: leaf("b")}, other=leaf("a")))
    assert small.packed.tables[1].size == n + 3
    assert find_leaves(small, values).tolist() == [1, 3, 2, 3, 3, 3, 3]


def from_sklearn(fitted: DecisionTreeClassifier) -> tuple[Tree, np.ndarray]:
    """A scikit-learn tree as a Tree, and the number each of our nodes has there."""
    theirs = fitted.tree_
    order = [0]
    for old in order:
        if theirs.children_left[old] >= 0:
            order += [theirs.children_left[old], theirs.children_right[old]]
    old = np.array(order)
    new = np.argsort(old)
    leaf_here = theirs.children_left[old] < 0
    first = np.where(leaf_here, -1, new[theirs.children_left[old]])
    parent = np.full(len(old), -1)
    for i in np.flatnonzero(~leaf_here):
        parent[first[i] : first[i] + 2] = i
    weight = theirs.weighted_n_node_samples[old]
    share = theirs.value[old][:, 0, :]
    columns = tuple(Column(f"x{i}", Kind.NUMBER) for i in range(theirs.n_features))
    none = np.where(leaf_here, np.nan, 0.0)
    tree = Tree(
        schema=Schema(columns, Target("y", tuple(fitted.classes_.tolist()))),
        parent=parent, first_child=first, n_children=np.where(leaf_here, 0, 2), kind=np.where(leaf_here, 0, 1),
        column=np.where(leaf_here, -1, theirs.feature[old]),
        threshold=np.where(leaf_here, np.nan, theirs.threshold[old]),
        table_start=np.zeros(len(old) + 1), table_code=[], table_branch=[], other=np.full(len(old), -1),
        missing_branch=np.where(leaf_here, -1, 0),
        count=theirs.n_node_samples[old], weight=weight, stats=share * weight[:, None], value=share,
        impurity=theirs.impurity[old], gain=none, merit=none, criterion="gini",
    )  # fmt: skip
    return tree, old


def test_scikit_learns_tree_routes_as_scikit_learn_does():
    rng = np.random.default_rng(0)
    table_of_numbers = rng.normal(size=(3000, 6)).astype(np.float32)
    labels = (table_of_numbers[:, 0] * table_of_numbers[:, 1] + rng.normal(size=3000) > 0).astype(int)
    fitted = DecisionTreeClassifier(random_state=0).fit(table_of_numbers, labels)
    tree, old = from_sklearn(fitted)
    new_rows = rng.normal(size=(20_000, 6)).astype(np.float32)
    assert (old[find_leaves(tree, new_rows.astype(np.float64))] == fitted.apply(new_rows)).all()
    ours, theirs = decision_paths(tree, new_rows[:500]), fitted.decision_path(new_rows[:500])
    assert type(ours) is type(theirs)
    assert (ours.toarray() == theirs.toarray()[:, old]).all()


def test_threads_route_side_by_side():
    tree, values = every_kind(), spread(200_000)
    expected = find_leaves(every_kind(), values)
    found: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: found.append(find_leaves(tree, values))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all((one == expected).all() for one in found)


def test_other_threads_run_while_rows_are_routed():
    """The kernel gives the interpreter away: a Python thread goes on counting during one kernel call."""
    packed = chain(2000).packed
    values, out = np.full((20_000, 4), 1e9), np.zeros(20_000, np.int64)
    ticks, busy = [0], [True]

    def count() -> None:
        while busy[0]:
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = ticks[0]
    route_numbers(values.reshape(-1), 4, packed.loops, out)
    during = ticks[0] - before
    busy[0] = False
    thread.join()
    assert during >= 5


def test_colours_of_the_samples_are_all_met():
    tree = build(CLASSES, table("colour", {c: leaf("no", i + 1) for i, c in enumerate(COLOURS)}))
    assert find_leaves(tree, encode([(0.0, "S", c, True) for c in COLOURS])).tolist() == [1, 2, 3, 4, 5]
    assert find_leaves(tree, encode([(0.0, "S", "unknown", True)])).tolist() == [5]


def test_a_threshold_keeps_all_its_digits():
    tree = build(CLASSES, number("price", 1.0, leaf("no"), leaf("yes")))
    assert find_leaves(tree, np.array([[1.0, 0, 0, 0], [1.0 + 1e-9, 0, 0, 0]])).tolist() == [1, 2]
