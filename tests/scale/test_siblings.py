"""Counts that are found by subtraction: the same trees as from counting every node, and about half the rows counted."""

import numpy as np
import pytest

from tests.scale.sources import array_engine, encode, memory_tree, mixed_rows, number_frame, plan_of
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier
from treewright.errors import TreewrightError
from treewright.scale import growth
from treewright.scale.class_weights import weigh_numbers, weigh_table
from treewright.scale.growth import Resources, grow, missing_code
from treewright.scale.levels import NONE, CodeBranches, SplitNode
from treewright.scale.siblings import Frontier, OpenNode, SiblingCounts, whole

MODELS = {
    "learned": CARTClassifier(missing="learned", max_bins=40, pruning=None),
    "branch": C45Classifier(missing="branch", max_bins=40, pruning=None),
    "multiway": ID3Classifier(numeric="bisect", missing="branch", pruning=None),
    "stop": TreeClassifier(missing="stop", max_bins=40),
    "fractional": TreeClassifier(missing="fractional", max_bins=40, minimum="weight"),
    "depth": CARTClassifier(missing="learned", max_bins=40, max_depth=4),
    "9 leaves": CARTClassifier(missing="learned", max_bins=40, max_leaf_nodes=9),
    "number": CARTRegressor(missing="learned", max_bins=40, min_samples_leaf=3, pruning=None),
}


def rows_of(name, missing, weighted=False):
    if name == "number":
        frame = number_frame(500, missing=missing)
        return frame.drop(columns=["target", "weight"]), frame["target"], frame["weight"] if weighted else None
    X, *others = mixed_rows(500, missing=missing, weighted=weighted)
    return (X[["few", "city", "word", "flag"]] if name == "multiway" else X, *others)  # ID3 has no bins


def tree_and_counts(model, rows, memory=2**30, change=None):
    """The tree grown from counts; of each level, the entries that were counted and those of all its slots."""
    plan = plan_of(model, rows)
    survey = encode(rows, plan.max_bins or 255)
    engine, counted = array_engine(rows, survey, plan), {}
    count = engine.count

    def counting(levels, first, end, *cells):
        found = count(levels, first, end, *cells)
        own = counted.setdefault(len(levels), [0, 0, 0])
        last = 0 if not levels else int(max(levels[-1]["goes"].max(), levels[-1]["part_slot"].max(initial=0)))
        own[0] += int(found[-1][:, : survey.columns[0].n_codes * 3 + 3].sum())
        own[1] = int(count(levels, 0, last + 1)[-1][:, : survey.columns[0].n_codes * 3 + 3].sum())
        own[2] += 1
        return found if change is None else change(found)

    engine.count = counting
    weights = weigh_table(survey, missing_code(survey, plan))
    if survey.schema.target.is_number:
        weights = weigh_numbers(engine, survey, weights, plan.criterion)
    return grow(engine, survey, plan, Resources(memory), weights), counted


@pytest.mark.parametrize("fetches", [2**60, 2**17], ids=["counted", "fetched"])
@pytest.mark.parametrize(("missing", "weighted"), [(0.0, True), (0.15, False)])
@pytest.mark.parametrize("name", MODELS)
def test_the_tree_is_that_of_growth_in_memory(name, missing, weighted, fetches, monkeypatch):
    monkeypatch.setattr(growth, "FETCHES", fetches)
    rows = rows_of(name, missing, weighted)
    tree, counted = tree_and_counts(MODELS[name], rows)
    assert tree == memory_tree(MODELS[name], rows)
    assert tree.n_nodes > 10
    subtracted = sum(all_ - own for own, all_, _ in list(counted.values())[1:])
    if fetches == 2**60 and not (missing and name in ("stop", "fractional")):
        assert subtracted > 0


@pytest.mark.parametrize("memory", [50_000, 120_000])
def test_groups_of_nodes_and_few_kept_counts(memory, monkeypatch):
    """The siblings of a node are counted in several passes, and the counts of some parents are not kept."""
    monkeypatch.setattr(growth, "FETCHES", 2**60)
    for name in ("multiway", "learned", "number"):
        rows = rows_of(name, 0.1)
        tree, counted = tree_and_counts(MODELS[name], rows, memory)
        assert tree == memory_tree(MODELS[name], rows)
        assert max(n for *_, n in counted.values()) > 1


def test_about_half_of_the_rows_are_counted(monkeypatch):
    monkeypatch.setattr(growth, "FETCHES", 2**60)
    _, counted = tree_and_counts(MODELS["learned"], rows_of("learned", 0.15))
    own, all_, n_passes = np.array(list(counted.values())[1:]).T
    assert own.sum() <= 0.55 * all_.sum()
    assert n_passes.max() == 1


def test_a_source_that_changes_is_an_error(monkeypatch):
    """A cell of a child that is above that of its parent."""
    monkeypatch.setattr(growth, "FETCHES", 2**60)
    n = iter(range(1000))

    def change(counts):
        if next(n) == 1:  # move rows of a class from one value of the last column to another
            counts[0, :, -9], counts[0, :, -6] = counts[0, :, -6] + 99, counts[0, :, -9] - 99
        return counts

    with pytest.raises(TreewrightError, match="changed from one pass over the rows to the next"):
        tree_and_counts(MODELS["learned"], rows_of("learned", 0.0), change=change)


# --- the nodes of a level ---


def split_of(children, **more):
    return SplitNode(CodeBranches(0, np.zeros(2, np.int64)), children, **{"n_missing": 0} | more)


def test_the_largest_child_gets_the_rest():
    siblings, counts = SiblingCounts(5), np.full((1, 4), 10)
    splits = {0: split_of([1, 2, 3])}
    siblings.keep(0, splits[0], counts)
    rows = np.array([139, 50, 80, 9])
    frontier = siblings.arrange(splits, [OpenNode(1, 50), OpenNode(2, 80)], [OpenNode(3, 9)], rows)
    assert frontier == Frontier([OpenNode(2, 80), OpenNode(1, 50), OpenNode(3, 9)], 1, 2, 3)
    assert (siblings.sibling_of(1), siblings.sibling_of(2)) == (2, NONE)
    assert siblings.subtract(1, counts // 2) is None
    node, rest = siblings.subtract(3, counts // 5)
    assert (node, rest.tolist()) == (2, [[3, 3, 3, 3]])
    assert counts.min() == 10  # a copy was kept


def test_leaves_are_counted_if_they_are_smaller():
    rows = np.array([100, 30, 70, 100, 70, 30])
    splits = {0: split_of([1, 2]), 3: split_of([4, 5])}
    siblings = SiblingCounts(5)
    for node, one in splits.items():
        siblings.keep(node, one, np.zeros((1, 4)))
    frontier = siblings.arrange(splits, [OpenNode(2, 70), OpenNode(5, 30)], [], rows)  # 1 and 4 are leaves
    assert frontier == Frontier([OpenNode(2, 70), OpenNode(5, 30), OpenNode(1, 0)], 1, 3, 3, 1)


@pytest.mark.parametrize("more", [{"n_missing": 3}, {"n_missing": 3, "missing_branch": 0, "parts": ([0], [1.0])}])
def test_rows_that_are_not_in_one_child(more):
    siblings = SiblingCounts(5)
    splits = {0: split_of([1, 2], **more)}
    siblings.keep(0, splits[0], np.zeros((1, 4)))
    nodes = [OpenNode(1, 50), OpenNode(2, 80)]
    assert siblings.arrange(splits, nodes, [], np.array([133, 50, 80])) == whole(nodes, 2)


def test_no_more_counts_are_kept():
    siblings, splits = SiblingCounts(1), {0: split_of([2, 3]), 1: split_of([4, 5])}
    for node, one in splits.items():
        siblings.keep(node, one, np.zeros((1, 4)))
    nodes = [OpenNode(node, 10 * node) for node in (2, 3, 4, 5)]
    found = siblings.arrange(splits, nodes, [], np.array([50, 90, 20, 30, 40, 50]))
    assert [one.node for one in found.nodes] == [3, 2, 4, 5]
    assert found.first == 1
