"""The kernels' source, run uncompiled, gives the answers of the compiled kernels."""

import math
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings

from tests.model.missing_trees import HOLED, grown_trees
from tests.model.samples import CLASSES, ROWS, SPECS, chain, encode, every_kind
from tests.predict.kernel import routed, side_by_side
from treewright._core import _predict as compiled
from treewright._core.predict import routing as uncompiled
from treewright._core.predict import routing_batch as uncompiled_lanes
from treewright._core.predict import routing_shared as uncompiled_missing
from treewright._core.predict import rows as uncompiled_fill
from treewright.model.build import build
from treewright.model.packed_tree import pack_surrogates, pack_tree
from treewright.model.tree import Tree


def both(tree, values, dense_entries=10**6):
    packed = pack_tree(tree, dense_entries)
    return [routed(packed, values, module=module) for module in (compiled, uncompiled)]


def both_in_lanes(tree, values, *rules):
    return [side_by_side(tree, values, rules, module) for module in (compiled, uncompiled_lanes)]


def test_the_two_are_two():
    for module in (uncompiled, uncompiled_lanes, uncompiled_missing, uncompiled_fill):
        assert module.__file__.endswith(".py")
    for module in (compiled, compiled, compiled, compiled):
        assert not module.__file__.endswith(".py"), "the kernels are not compiled; run `make setup`"


@settings(max_examples=50)
@given(SPECS, ROWS)
def test_both_route_alike(spec, rows):
    tree = build(CLASSES, spec)
    if tree.n_nodes == 1:
        return
    values = encode(rows)
    alike = both(tree, values) + both(tree, values, -1)
    assert all(one == alike[0] for one in alike)
    many = np.tile(np.where(values < 0, np.nan, values), (40 // len(values) + 1, 1))
    for one in both_in_lanes(tree, many, "stop", "stop"):
        assert one[0] == both(tree, many)[0][1]


@pytest.mark.parametrize("order", ["C", "F"])
def test_both_stop_at_the_same_values(order):
    values = np.full((30, 4), 10.0, order=order)
    values[:, 1:] = 0
    values[11, 2] = values[20, 0] = np.nan
    values[12, 2] = -np.inf
    for stopped, nodes in both(every_kind(), values):
        assert stopped
        assert [nodes[row] for row in (11, 12, 20, 21)] == [2, 2, 0, 5]
    for nodes, which in both_in_lanes(every_kind(), values, "stop", "stop"):
        assert [nodes[row] for row in (11, 12, 20, 21)] == [2, 2, 0, 5]
        assert which == [11, 12, 20]


def ended(tree: Tree, values: np.ndarray, module: ModuleType, dense_entries: int) -> list:
    """Where rows end that go one way, by every choice of what is done with missing and unseen values."""
    packed = pack_tree(tree, dense_entries)
    stay, found = np.arange(tree.n_nodes, dtype=np.int32), []
    on = [np.where(tree.is_leaf, stay, tree.first_child + b) for b in (tree.missing_branch, tree.heaviest_branch)]
    choices = [stay, *(nodes.astype(np.int32) for nodes in on)]
    for missing in choices:
        for unseen in (choices[0], choices[2]):
            asides = [
                (missing, unseen, *tree.packed_surrogates), (missing, unseen, *pack_surrogates(None)),
            ]  # fmt: skip
            found += [routed(packed, values, aside, module) for aside in asides]
    return found


def spread_out(tree: Tree, values: np.ndarray, module: ModuleType, dense_entries: int, places: int) -> list:
    """The nodes, weights and means of rows that go down every branch, as far as there is room."""
    packed = pack_tree(tree, dense_entries)
    rows, zeros = np.arange(len(values)), np.zeros(len(values), np.int64)
    found = []
    for whole_way in (False, True):
        for unseen in (np.zeros(0, np.int32), tree.heaviest_branch):
            out_node, out_weight, counts = np.full(places, -9), np.full(places, -9.0), np.full(len(values), -9)
            work = (out_node, out_weight, counts, np.zeros(tree.n_leaves, np.int64), np.zeros(tree.n_leaves))
            shares = (unseen, tree.n_children, tree.branch_fractions)
            n = module.route_fractional(values, packed.cells, packed.tables, shares, rows, zeros, work, whole_way)
            mean = np.zeros((len(values), 3))
            room = (places, np.zeros((tree.depth, 2), np.int64), np.zeros(tree.depth), np.zeros(3))
            own = (*shares, tree.value)
            n_means = module.mean_predictions(values, packed.cells, packed.tables, own, rows, zeros, room, mean)
            if not whole_way:
                same_means(tree, out_node, out_weight, np.cumsum(counts[:n]), mean[:n_means])
            found.append([n, out_node.tolist(), out_weight.tolist(), counts.tolist(), mean.tolist()])
    return found


def same_means(tree: Tree, nodes: np.ndarray, weights: np.ndarray, stops: np.ndarray, means: np.ndarray) -> None:
    """The means are those of the ends that are written down: of as many rows as both got to."""
    for mean, stop, start in zip(means, stops, [0, *stops], strict=False):
        own = slice(start, stop)
        expected = [math.fsum(weights[own] * column) for column in tree.value[nodes[own]].T]
        np.testing.assert_allclose(mean, expected, rtol=1e-15, atol=1e-16)


@settings(max_examples=50)
@given(grown_trees(), HOLED)
def test_both_go_on_alike_where_values_are_missing(tree, values):
    for dense_entries in (10**6, -1):
        many = np.tile(values, (20 // len(values) + 1, 1))
        one, two = (ended(tree, many, m, dense_entries) for m in (compiled, uncompiled))
        assert one == two
        for places in (1000, tree.n_nodes):
            one, two = (
                spread_out(tree, values, m, dense_entries, places) for m in (compiled, uncompiled_missing)
            )
            assert one == two


def test_a_row_is_left_for_later_when_it_may_find_no_room():
    values = np.full((5, 4), np.nan)
    for module in (compiled, uncompiled_missing):
        found = spread_out(every_kind(), values, module, 10**6, 10)
        # 4 of the 5 leaves have rows; 8 nodes.
        assert [one[0] for one in found] == [2, 2, 1, 1]
        assert [one[3][:2] for one in found] == [[4, 4], [4, 4], [7, -9], [7, -9]]


def test_both_climb_alike():
    tree = chain(30)
    ends_at = np.array([60, 1, -1, 7], np.int64)
    ends = np.cumsum(np.where(ends_at < 0, 2, tree.depths[ends_at] + 1))
    found = []
    for module in (compiled, uncompiled):
        out = np.full(ends[-1], -9)
        module.write_paths(tree.parent, ends_at, ends, out)
        found.append(out.tolist())
    assert found[0] == found[1]
    assert found[0][31:35] == [0, 1, -9, -9]


def test_both_fill_alike():
    numbers = np.array([[0.0, 5, 1], [2, np.nan, -0.0], [7, 5, 0.5], [np.nan, 1, np.inf], [-np.inf, -1, 1]])
    starts, table = np.array([0, 3, 5]), np.array([1.0, np.nan, 0, 0, 1])
    columns, n_codes = np.array([0, 2]), np.array([0, 6, 2], np.int32)
    found = []
    for module in (compiled, uncompiled_fill):
        values, lost = numbers.copy(), np.zeros(2, np.uint8)
        module.translate(values, columns, starts, table, lost)
        block = np.zeros((3, 2))
        for code in (np.int8, np.int16, np.int32, np.int64):
            module.fill_codes(np.array([1, -1, 0], code), np.array([4.0, 5, 6]), block, 1)
            assert block[:, 1].tolist() == [5, 6, 4]
        bits = [np.array(one).view(np.uint64) for one in ([1.0, -0.0, 1e308, -1e308], [-5.0, np.nan, 3], [1, -np.inf])]
        both = module.HAS_MISSING | module.HAS_INFINITE
        assert [module.find_special_values(one) for one in bits] == [0, module.HAS_MISSING, both]
        looks = [module.only_codes(numbers[:n], n_codes) for n in range(6)]
        found.append((repr(values.tolist()), lost.tolist(), [bool(look) for look in looks]))
    assert found[0] == found[1]
    nan = float("nan")
    expected = [[1.0, 5.0, 1.0], [0.0, nan, 0.0], [nan, 5.0, nan], [nan, 1.0, nan], [nan, -1.0, 1.0]]
    assert found[0] == (repr(expected), [1, 1], [True, True, True, False, False, False])
