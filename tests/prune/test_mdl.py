"""Description length: what labels, tests and trees cost in bits, by hand and by what a code can reach."""

from itertools import count, product
from math import factorial, log2, pi, prod

import numpy as np
import pytest

from tests.contracts.pruning import built_case
from tests.model.samples import chain, regression
from tests.oracles.pruning_brute import cuts, n_cuts
from tests.oracles.pruning_compare import as_nodes, paths_of
from tests.prune.left_over import with_rows_staying
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import KindError
from treewright.model.build import build, golf_example, is_missing, leaf, number, ordered, table
from treewright.model.subtree import collapse_nodes
from treewright.prune.mdl import MDL, label_bits, split_bits

TOWNS = tuple("abcdefg")
SCHEMA = Schema(
    (Column("x", Kind.NUMBER), Column("size", Kind.ORDERED, ("S", "M", "L")), Column("town", Kind.CATEGORY, TOWNS)),
    Target("y", ("no", "yes")),
)


def labels(*counts):
    return float(label_bits(np.array([counts], dtype=float), len(counts))[0])


def one_by_one(counts):
    """The same labels one after the other, each by the shares so far and half a row of every class."""
    chance, seen = 1.0, [0] * len(counts)
    for c, n in enumerate(counts):
        for _ in range(n):
            chance *= (seen[c] + 0.5) / (sum(seen) + len(counts) / 2)
            seen[c] += 1
    return -log2(chance)


def test_the_labels_of_a_leaf_by_the_published_formula():
    # 3 and 2 of two classes: 3 log2(5/3) + 2 log2(5/2) + 1/2 log2(5/2) + log2(pi / Gamma(1)).
    assert labels(3, 2) == pytest.approx(3 * log2(5 / 3) + 2.5 * log2(5 / 2) + log2(pi), rel=1e-14)
    # 40, 30 and 30 of three: Gamma(3/2) is half the root of pi, so the last term is log2(2 pi).
    many = 40 * log2(10 / 4) + 60 * log2(10 / 3) + log2(50) + log2(2 * pi)
    assert labels(40, 30, 30) == pytest.approx(many, rel=1e-14)
    # 9 of one class of four: 3/2 log2(9/2) + log2(pi^2 / Gamma(2)).
    assert labels(9, 0, 0, 0) == pytest.approx(1.5 * log2(4.5) + 2 * log2(pi), rel=1e-14)


def test_a_few_rows_of_many_classes_cost_what_a_code_can_reach():
    # One row of ten classes is one of ten; the formula says -0.83 bits.
    assert labels(1, *[0] * 9) == pytest.approx(log2(10), rel=1e-14)
    assert labels(2, 1, *[0] * 24) == pytest.approx(one_by_one([2, 1, *[0] * 24]), rel=1e-13)
    assert labels(0, 0, 0) == 0.0


def test_labels_are_never_cheaper_than_one_by_one():
    for counts in product(range(9), repeat=3):
        assert labels(*counts) >= one_by_one(counts) - 1e-9


@pytest.mark.parametrize(("n", "k"), [(1, 2), (5, 2), (12, 2), (1, 3), (4, 3), (9, 3), (2, 5), (6, 5)])
def test_there_is_a_code_with_these_lengths(n, k):
    # Kraft: over all sequences of n labels the sum of 2^-length is at most 1.
    counts = [c for c in product(range(n + 1), repeat=k) if sum(c) == n]
    ways = [factorial(n) / prod(map(factorial, c)) for c in counts]
    total = sum(w * 2.0 ** -labels(*c) for w, c in zip(ways, counts, strict=True))
    assert total <= 1 + 1e-12


def test_weights_below_one_cost_little_and_not_less_than_nothing():
    small = label_bits(np.array([[0.01, 0.0], [0.1, 0.2], [0.5, 0.5]]), 2)
    assert np.all(small > 0)
    assert np.all(np.diff(small) > 0)


def test_golf_by_hand():
    # Sunny as a leaf: a bit, and the labels of 3 and 2. With its split: a bit, one of three columns, one of the 4
    # cuts that 5 rows have, and two leaves of 2 and 3 rows of one class.
    report = MDL().prune(golf_example()).report
    sunny = report.of(1)
    pure = [1 + 0.5 * log2(n / 2) + log2(pi) for n in (2, 3, 4)]
    assert sunny.leaf == pytest.approx(1 + 3 * log2(5 / 3) + 2.5 * log2(5 / 2) + log2(pi), rel=1e-14)
    assert sunny.subtree == pytest.approx(1 + log2(3) + log2(4) + pure[0] + pure[1], rel=1e-14)
    assert sunny.verdict == "pruned"
    # Rain asks for a category with a branch each, which has no cut to tell.
    rain = report.of(3)
    assert rain.subtree == pytest.approx(1 + log2(3) + pure[0] + pure[1], rel=1e-14)
    assert rain.verdict == "pruned"
    # The root has two leaves now of 5 rows, and the 4 of overcast.
    root = report.of(0)
    assert root.leaf == pytest.approx(1 + 9 * log2(14 / 9) + 5 * log2(14 / 5) + 0.5 * log2(7) + log2(pi), rel=1e-14)
    assert root.subtree == pytest.approx(1 + log2(3) + 2 * sunny.leaf + pure[2], rel=1e-14)
    assert root.verdict == "pruned"


def bits(spec, **how):
    """Of the test at the root, less what the choice among three columns costs."""
    return float(split_bits(build(SCHEMA, spec, **how))[0]) - log2(3)


def grouped(*groups):
    return table("town", {tuple(group): leaf({"no": 1 + i, "yes": 2}) for i, group in enumerate(groups)})


def test_the_cut_of_a_number_is_one_of_the_rows_less_one():
    assert bits(number("x", 1, leaf({"no": 9}), leaf({"yes": 8}))) == pytest.approx(4.0)
    assert bits(number("x", 1, leaf({"no": 1}), leaf({"yes": 1}))) == pytest.approx(0.0)


def test_the_cut_of_an_ordered_category_is_one_of_its_categories_less_one():
    assert bits(ordered("size", "M", leaf({"no": 9}), leaf({"yes": 8}))) == pytest.approx(1.0)
    assert bits(ordered("size", "M", leaf({"no": 1}), leaf({"yes": 1}))) == pytest.approx(0.0)


def test_groups_of_categories():
    assert bits(grouped(*"abcdefg")) == pytest.approx(0.0)
    assert bits(grouped("ab", "cdefg")) == pytest.approx(log2(2**6 - 1))
    # Only categories met at the node are told apart, and two of them in only one way.
    assert bits(grouped("a", "g")) == pytest.approx(0.0)
    assert bits(grouped("a", "bg")) == pytest.approx(log2(3))


def stirling(v, b):
    """In how many ways v categories can be put into b groups."""
    if v == b:
        return 1
    return 0 if b in (0, v + 1) else b * stirling(v - 1, b) + stirling(v - 1, b - 1)


@pytest.mark.parametrize(("groups", "n_groups"), [(("ab", "cd", "efg"), 3), (("a", "b", "c", "d", "efg"), 5)])
def test_many_groups_cost_an_upper_bound_that_is_close(groups, n_groups):
    found, least = bits(grouped(*groups)), log2(stirling(7, n_groups))
    assert least <= found <= least + 1


def test_the_bound_on_groups_holds_for_every_number_of_them():
    for v in range(2, 13):
        schema = Schema((Column("town", Kind.CATEGORY, tuple(range(v))),), Target("y", ("no", "yes")))
        for b in range(2, v + 1):
            groups = {tuple(range(i, v, b)): leaf({"no": 1}) for i in range(b)}
            found = float(split_bits(build(schema, table("town", groups)))[0])
            assert log2(stirling(v, b)) - 1e-12 <= found <= 1.3 * log2(stirling(v, b)) + 1e-12


def test_whether_a_value_is_missing_is_one_more_test():
    asked = is_missing("town", leaf({"no": 3}), leaf({"yes": 3}))
    assert bits(asked, missing="branch") == pytest.approx(1.0)
    known = number("x", 1, leaf({"no": 9}), leaf({"yes": 8}))
    assert bits(known, missing="learned") == pytest.approx(log2(17))
    assert bits(known, missing="fractional") == pytest.approx(4.0)
    own = number("x", 1, leaf({"no": 9}), leaf({"yes": 6}), leaf({"yes": 2}))
    assert bits(own) == pytest.approx(log2(17))


def test_rows_that_stay_are_told_where_they_stay():
    # 30 no and 30 yes are told apart, and 2 no stay.
    tree = with_rows_staying(build(SCHEMA, number("x", 1, leaf({"no": 30}), leaf({"yes": 30}))), 0, [2, 0])
    root = MDL().prune(tree).report.of(0)
    pure = 1 + 0.5 * log2(15) + log2(pi)
    split = 1 + log2(3) + log2(61)
    assert root.subtree == pytest.approx(split + 2 * pure + log2(pi), rel=1e-14)
    assert root.verdict == "kept"


def test_an_empty_leaf_costs_its_bit():
    towns = {"a": leaf({"no": 20}), "b": leaf({"yes": 20}), **{town: leaf() for town in "cdefg"}}
    tree = build(SCHEMA, table("town", towns))
    pure = 1 + 0.5 * log2(10) + log2(pi)
    assert MDL().prune(tree).report.of(0).subtree == pytest.approx(1 + log2(3) + 2 * pure + 5, rel=1e-14)


def test_a_class_without_rows_costs_nothing():
    schema = Schema(SCHEMA.columns, Target("y", ("no", "perhaps", "yes")))
    spec = number("x", 1, leaf({"no": 9}), leaf({"yes": 8}))
    two, three = (MDL().prune(build(s, spec)).report for s in (SCHEMA, schema))
    assert two.leaf.tolist() == three.leaf.tolist()
    assert two.subtree.tolist() == three.subtree.tolist()


def message(tree):
    """The bits of a whole tree, put together from its nodes."""
    k = np.count_nonzero(tree.stats[0])
    return tree.n_nodes + split_bits(tree).sum() + label_bits(tree.stats[tree.is_leaf], k).sum()


@pytest.mark.parametrize("seed", range(80))
def test_no_pruned_tree_has_a_shorter_message(seed):
    cases = (built_case((seed, again)) for again in count())
    case, root = next((c, r) for c in cases if n_cuts(r := as_nodes(c.tree, c.validation)) <= 500)
    tree = case.tree
    place = {path: i for i, path in enumerate(paths_of(tree))}
    lengths = []
    for leaves in cuts(root):
        become = np.zeros(tree.n_nodes, bool)
        become[[place[node.path] for node in leaves]] = True
        lengths.append(message(collapse_nodes(tree, become).tree))
    pruned = MDL().prune(tree)
    assert message(pruned.tree) == pytest.approx(min(lengths), rel=1e-12)
    if len(pruned.report):
        at_root = pruned.report.of(0)
        assert min(lengths) == pytest.approx(min(at_root.leaf, at_root.subtree), rel=1e-12)
    assert MDL().prune(pruned.tree).tree == pruned.tree


def test_noise_is_pruned_and_signal_stays():
    rng = np.random.default_rng(0)
    noise = leaf({"no": 50, "yes": 50})
    for i in range(20):
        noise = number("x", i, leaf({rng.choice(["no", "yes"]): 1}), noise)
    assert MDL().prune(build(SCHEMA, noise)).tree.n_nodes == 1
    signal = number("x", 3, leaf({"no": 45, "yes": 5}), leaf({"no": 5, "yes": 45}))
    assert MDL().prune(build(SCHEMA, signal)).tree.n_leaves == 2


def test_a_leaf_alone_a_class_alone_and_a_chain_of_many_nodes():
    assert MDL().prune(build(SCHEMA, leaf({"no": 3}))).tree.n_nodes == 1
    one = Schema(SCHEMA.columns, Target("y", ("no",)))
    assert MDL().prune(build(one, number("x", 1, leaf({"no": 3}), leaf({"no": 4})))).tree.n_nodes == 1
    assert MDL().prune(chain(3000)).tree.n_nodes == 1


def test_regression_is_refused():
    with pytest.raises(KindError, match="MDL pruning cannot be used for regression; use"):
        MDL().prune(regression())
