"""ErrorBased: against the slow twin, and what it promises."""

from dataclasses import replace

import numpy as np
import pytest

from tests.oracles.plans import STRATEGIES
from tests.prune.raised import Case, compare, holed_cases, whole_cases
from treewright import C45Classifier
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, KindError, ParameterError
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.model.check_tree import check_tree
from treewright.model.packed_tree import pack_tree
from treewright.model.tree import Tree
from treewright.predict.predictions import find_leaves
from treewright.prune import ErrorBased, raising_rows
from treewright.prune.limits import Limit
from treewright.prune.method import TRAINING
from treewright.prune.report import KEPT, PRUNED, RAISED

N_SEEDS = 40


def check(cases: list[Case]) -> int:
    """Compare them all; how many branches were raised."""
    for case in cases:
        where = compare(case)
        assert not where, f"seed {case.seed!r} {case.parameters}: {where}\n{case.tree.to_text()}"
    return sum(int((case.pruned().report.verdict == RAISED).sum()) for case in cases)


def test_like_the_slow_twin():
    assert check([case for seed in range(N_SEEDS) for case in whole_cases(seed)]) > 30


@pytest.mark.parametrize("missing", STRATEGIES)
def test_like_the_slow_twin_where_values_are_missing(missing):
    assert check([case for seed in range(2 * N_SEEDS) for case in holed_cases(seed, missing)]) > 10


@pytest.mark.long
@pytest.mark.parametrize("missing", ["error", *STRATEGIES])
def test_like_the_slow_twin_many_times(missing):
    for seed in range(1000, 1600):
        check(whole_cases(seed) if missing == "error" else holed_cases(seed, missing))


def test_with_little_room(monkeypatch):
    """Room for shares that has to be made again and again changes nothing."""
    cases = [case for seed in range(N_SEEDS) for case in holed_cases(seed, "fractional")]
    before = [case.pruned().tree.fingerprint() for case in cases]
    monkeypatch.setattr(raising_rows, "fractions_at_leaves", lambda tree: 0)
    monkeypatch.setattr(raising_rows, "STEPS_PER_CALL", 1)
    more = []
    for name in ("row_buffers", "fraction_store"):
        made = getattr(raising_rows, name)
        monkeypatch.setattr(raising_rows, name, lambda n, made=made, name=name: more.append(name) or made(n))
    assert [case.pruned().tree.fingerprint() for case in cases] == before
    assert more.count("row_buffers") > 5
    assert more.count("fraction_store") > 5


def test_with_tables_that_are_searched():
    """Very many categories: the branch of a value is searched for, not looked up."""
    for seed in range(N_SEEDS):
        for case in [*whole_cases(seed), *holed_cases(seed, "fractional")]:
            before = case.pruned()
            other = Tree(**case.tree.__getstate__())
            other.__dict__["packed"] = pack_tree(other, dense_entries=-1)
            after = ErrorBased(**case.parameters).prune(other, rows=case.rows)
            assert after.tree == before.tree
            np.testing.assert_array_equal(after.report.branch, before.report.branch)


def raisable() -> tuple[Tree, Dataset]:
    """A split that parts 3 rows from 24, below which the large branch parts rows that are really different."""
    schema = Schema((Column("x", Kind.NUMBER), Column("z", Kind.NUMBER)), Target("y", ("a", "b")))
    x = [0.0] * 3 + [1.0] * 24
    z = [0.0, 1.0, 1.0] + [0.0] * 12 + [1.0] * 12
    y = [0, 1, 1] + [0] * 12 + [1] * 12
    tree = build(
        schema, number("x", 0.5, leaf({"a": 1, "b": 2}), number("z", 0.5, leaf({"a": 12}), leaf({"b": 12})))
    )
    return tree, Dataset(schema, np.column_stack([x, z]), np.array(y, np.int32))


def test_a_branch_is_raised():
    """The three rows go where the raised split sends them; the root has its rows and asks another question."""
    tree, rows = raisable()
    pruned = ErrorBased().prune(tree, rows=rows)
    assert pruned.tree.to_text() == "z <= 0.5: a (13)\nz > 0.5: b (14)"
    assert pruned.report.origin.tolist() == [0, 3, 4]
    assert pruned.report.node.tolist() == [2, 0]
    assert pruned.report.verdict.tolist() == [KEPT, RAISED]
    estimate = Limit("release8", 0.25).estimates
    both = estimate(np.array([13.0, 14.0]), np.zeros(2)).sum()
    before = estimate(np.array([3.0, 12.0, 12.0]), np.array([1.0, 0.0, 0.0])).sum()
    assert pruned.report.branch[1] == pytest.approx(both)
    assert pruned.report.subtree[1] == pytest.approx(before)
    # The node that was raised was visited again, with three more rows.
    assert pruned.report.subtree[0] == pytest.approx(both)
    assert np.isnan(pruned.report.branch[0])
    assert pruned.tree.gain[0] == tree.gain[2]


def test_without_raising():
    tree, rows = raisable()
    pruned = ErrorBased(raising=False).prune(tree)
    assert pruned.tree == tree
    assert pruned.report.branch is None
    assert pruned.tree == ErrorBased(raising=False).prune(tree, rows=rows).tree


def test_rows_that_stop_count_with_the_rate_of_their_node():
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", ("a", "b")))
    x = [0.0] * 6 + [1.0] * 8 + [np.nan] * 2
    y = [0] * 6 + [1] * 8 + [0, 1]
    rows = Dataset(schema, np.array(x)[:, None], np.array(y, np.int32))
    columns = build(schema, number("x", 0.5, leaf({"a": 6}), leaf({"b": 8}))).__getstate__()
    stats = np.array([[7.0, 9.0], [6.0, 0.0], [0.0, 8.0]])
    columns |= {
        "missing": "stop",
        "stats": stats,
        "weight": stats.sum(axis=1),
        "count": stats.sum(axis=1).astype(np.int64),
        "value": stats / stats.sum(axis=1, keepdims=True),
    }
    tree = Tree(**columns)
    at_root, low, high = Limit("release8", 0.25).estimates(
        np.array([16.0, 6.0, 8.0]), np.array([7.0, 0.0, 0.0])
    )
    for raises in (True, False):
        report = ErrorBased(raising=raises).prune(tree, rows=rows).report
        assert report.subtree[0] == pytest.approx(low + high + at_root * 2 / 16)
        assert report.leaf[0] == pytest.approx(at_root)


def test_the_last_of_equal_branches_is_the_largest():
    """Both branches have ten rows and a split; only below the second is it worth raising."""
    schema = Schema((Column("x", Kind.NUMBER), Column("z", Kind.NUMBER)), Target("y", ("a", "b")))
    x = [0.0] * 10 + [1.0] * 10
    z = [0.0, 1.0] * 10
    rows = Dataset(schema, np.column_stack([x, z]), np.array([0, 1] * 10, np.int32))
    halves = [number("z", cut, leaf({"a": 5}), leaf({"b": 5})) for cut in (0.25, 0.75)]
    tree = build(schema, number("x", 0.5, *halves))
    assert ErrorBased().prune(tree, rows=rows).tree.threshold[0] == 0.75


def test_empty_branches():
    """They cost nothing, and answer as the node above them does now."""
    letter = Column("letter", Kind.CATEGORY, ("p", "q", "r"))
    schema = Schema((Column("x", Kind.NUMBER), letter), Target("y", ("a", "b")))
    below = {"p": leaf({"b": 9}), "q": leaf({"a": 10}), "r": leaf()}
    tree = build(schema, number("x", 0.5, leaf({"a": 1, "b": 3}), table("letter", below)))
    x = [0.0] * 4 + [1.0] * 19
    letters = [0.0, 0.0, 0.0, 1.0] + [0.0] * 9 + [1.0] * 10
    y = [1, 1, 1, 0] + [1] * 9 + [0] * 10
    rows = Dataset(schema, np.column_stack([x, letters]), np.array(y, np.int32))
    assert tree.node(4).majority == "a"
    pruned = ErrorBased().prune(tree, rows=rows)
    assert pruned.report.verdict.tolist() == [KEPT, RAISED]
    assert pruned.tree.to_text() == "letter = p: b (12)\nletter = q: a (11)\nletter = r: b (0)"
    assert pruned.tree.value[3].tolist() == pruned.tree.value[0].tolist()
    check_tree(pruned.tree)
    # Where rows are shared out: the first row goes down both branches of the root, and then whole down the raised one.
    rows.values[0, 0] = np.nan
    pruned = ErrorBased().prune(replace(tree, missing="fractional"), rows=rows)
    assert pruned.report.verdict.tolist() == [KEPT, RAISED]
    assert pruned.tree.weight.tolist() == [23, 12, 11, 0]
    assert pruned.tree.value[3].tolist() == pruned.tree.value[0].tolist()


def test_branches_of_impossible_categories_are_left_out():
    """As Release 8 does: below letter in {p, q}, a branch for r and s is no more than a leaf that nobody reaches."""
    letter = Column("letter", Kind.CATEGORY, ("p", "q", "r", "s"))
    schema = Schema((letter,), Target("y", ("a", "b", "c", "d")))
    first = table("letter", {"p": leaf({"a": 20}), "q": leaf({"b": 20}), ("r", "s"): leaf()})
    second = table("letter", {("p", "q"): leaf(), "r": leaf({"c": 20}), "s": leaf({"d": 20})})
    tree = build(schema, table("letter", {("p", "q"): first, ("r", "s"): second}))
    codes = np.repeat([0, 1, 2, 3], 20)
    rows = Dataset(schema, codes[:, None].astype(float), codes.astype(np.int32))
    pruned = ErrorBased().prune(tree, rows=rows)
    assert pruned.tree.to_text().splitlines() == [
        "letter in {p, q}:",
        "|   letter = p: a (20)",
        "|   letter = q: b (20)",
        "letter in {r, s}:",
        "|   letter = r: c (20)",
        "|   letter = s: d (20)",
    ]
    assert pruned.report.origin.tolist() == [0, 1, 2, 3, 4, 7, 8]
    assert find_leaves(pruned.tree, rows.values).tolist() == np.repeat([3, 4, 5, 6], 20).tolist()
    check_tree(pruned.tree)
    # Without raising the result is a part of the grown tree with all its branches.
    assert ErrorBased(raising=False).prune(tree).tree == tree


def test_other_rows_are_refused():
    tree, rows = raisable()
    said = r"Expected the 27 training rows of the tree, got 26 rows; pass the same rows again\.$"
    with pytest.raises(InputError, match=said):
        ErrorBased().prune(tree, rows=rows.take(np.arange(26)))


def test_what_it_needs():
    tree, _ = raisable()
    assert ErrorBased().needs == {TRAINING}
    assert ErrorBased(raising=False).needs == frozenset()
    with pytest.raises(InputError, match="Error-based pruning needs the training rows; pass X and y"):
        ErrorBased().prune(tree)
    regression = build(Schema((Column("x", Kind.NUMBER),), Target("y")), number("x", 1, leaf(1.0), leaf(2.0)))
    with pytest.raises(KindError, match="cannot be used for regression"):
        ErrorBased(raising=False).prune(regression)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"confidence": 0}, "confidence must be above 0 and below 1, got 0"),
        ({"confidence": 0.7, "limit": "weka"}, "at most 0.5, as in Weka"),
        ({"confidence": "low"}, "confidence must be a number of at least 0, got 'low'"),
        ({"limit": "normal"}, "limit must be one of 'exact', 'release8', 'weka', got 'normal'"),
        ({"allowance": -0.1}, "allowance must be a number of at least 0, got -0.1"),
        ({"raising": "yes"}, "raising must be True or False, got 'yes'"),
    ],
)
def test_parameters_that_cannot_be(given, said):
    with pytest.raises(ParameterError, match=said):
        ErrorBased(**given)


def test_a_lower_confidence_prunes_more():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 5))
    y = (X[:, 0] + rng.normal(size=400) > 0).astype(int)
    sizes = [
        C45Classifier(variant="textbook", pruning=ErrorBased(confidence=cf)).fit(X, y).get_n_leaves()
        for cf in (0.4, 0.25, 0.1, 0.01)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_weights_that_are_all_large():
    """Whole weights are copies, however large; nothing overflows."""
    tree, rows = raisable()
    many = 2.0**45
    large = replace(tree, stats=tree.stats * many, weight=tree.weight * many)
    pruned = ErrorBased().prune(large, rows=replace(rows, weight=np.full(27, many)))
    assert pruned.tree.weight[0] == 27 * many
    assert pruned.tree.stats[1].tolist() == [13 * many, 0]
    assert pruned.report.verdict.tolist() == [KEPT, RAISED]


def test_golf_stays_as_it_is():
    tree = golf_example()
    pruned = ErrorBased(raising=False).prune(tree)
    assert pruned.tree == tree
    assert PRUNED not in pruned.report.verdict
