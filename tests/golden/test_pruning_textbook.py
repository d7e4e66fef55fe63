"""Pruning as the textbooks work it out: Zhou's watermelons, and Quinlan's pessimistic errors.

Zhou, Machine Learning, section 4.3: ten rows of table 4.1 grow the tree of figure 4.5, seven prune it. Columns tie at
several nodes; the book takes the one that comes first here. A leaf with as many of both classes says 是.
"""

import numpy as np
import pytest

from tests.golden.tables import WATERMELON_20
from treewright import ID3Classifier
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.grower import grow
from treewright.model.build import build, leaf, number, table
from treewright.predict.predictions import predict_class_codes
from treewright.prune import Pessimistic, PrePruning, ReducedError

TRAINING = (1, 2, 3, 6, 7, 10, 14, 15, 16, 17)  # as the book numbers them
VALIDATION = (4, 5, 8, 9, 11, 12, 13)
NAMES = ("脐部", "色泽", "根蒂", "敲声", "纹理", "触感")

UNPRUNED = """\
脐部 = 凹陷:
|   色泽 = 青绿: 是 (1)
|   色泽 = 乌黑: 是 (2)
|   色泽 = 浅白: 否 (1)
脐部 = 稍凹:
|   根蒂 = 蜷缩: 否 (1)
|   根蒂 = 稍蜷:
|   |   色泽 = 青绿: 是 (1)
|   |   色泽 = 乌黑:
|   |   |   纹理 = 清晰: 否 (1)
|   |   |   纹理 = 稍糊: 是 (1)
|   |   |   纹理 = 模糊: 是 (0)
|   |   色泽 = 浅白: 是 (0)
|   根蒂 = 硬挺: 是 (0)
脐部 = 平坦: 否 (2)"""
STUMP = """\
脐部 = 凹陷: 是 (4/1)
脐部 = 稍凹: 是 (4/2)
脐部 = 平坦: 否 (2)"""
POST_PRUNED = """\
脐部 = 凹陷: 是 (4/1)
脐部 = 稍凹:
|   根蒂 = 蜷缩: 否 (1)
|   根蒂 = 稍蜷:
|   |   色泽 = 青绿: 是 (1)
|   |   色泽 = 乌黑: 是 (2/1)
|   |   色泽 = 浅白: 是 (0)
|   根蒂 = 硬挺: 是 (0)
脐部 = 平坦: 否 (2)"""


@pytest.fixture(scope="module")
def melons():
    """The training rows, the validation rows and the tree of figure 4.5."""
    columns = [
        Column(name, Kind.CATEGORY, tuple(dict.fromkeys(WATERMELON_20[name]))) for name in NAMES
    ]
    schema = Schema(tuple(columns), Target("好瓜", ("是", "否")))
    values = np.array([[c.categories.index(v) for v in WATERMELON_20[c.name]] for c in columns], float).T
    target = np.array([("是", "否").index(label) for label in WATERMELON_20.y], np.int32)
    every = Dataset(schema, values, target)
    training, validation = (every.take(np.array(numbers) - 1) for numbers in (TRAINING, VALIDATION))
    return training, validation, grow(training, ID3Classifier().plan())


def accuracy(tree, rows):
    return np.mean(predict_class_codes(tree, rows.values) == rows.target)


def percent(shares):
    return [f"{share:.1%}" for share in shares]


def walk(report):
    """The nodes in the order of the visits, by what they ask for, with the verdicts."""
    return [(one.where, one.column, one.verdict) for one in report]


def test_the_unpruned_tree_is_figure_4_5(melons):
    training, validation, tree = melons
    assert tree.to_text() == UNPRUNED
    assert percent([accuracy(tree, validation), accuracy(tree, training)]) == ["42.9%", "100.0%"]


def test_pre_pruning_makes_a_stump(melons):
    training, validation, tree = melons
    pruned = PrePruning().prune(tree, validation=validation)
    assert walk(pruned.report) == [
        ("root", "脐部", "kept"),
        ("脐部 = 凹陷", "色泽", "pruned"),
        ("脐部 = 稍凹", "根蒂", "pruned"),
    ]
    assert percent(pruned.report.details["accuracy before"]) == ["42.9%", "71.4%", "71.4%"]
    assert percent(pruned.report.details["accuracy after"]) == ["71.4%", "57.1%", "71.4%"]
    assert pruned.tree.to_text() == STUMP
    assert percent([accuracy(pruned.tree, validation), accuracy(pruned.tree, training)]) == ["71.4%", "70.0%"]


def test_post_pruning_as_in_the_book_prunes_where_accuracy_rises(melons):
    training, validation, tree = melons
    pruned = ReducedError(ties="keep").prune(tree, validation=validation)
    assert walk(pruned.report) == [
        ("脐部 = 稍凹 and 根蒂 = 稍蜷 and 色泽 = 乌黑", "纹理", "pruned"),
        ("脐部 = 稍凹 and 根蒂 = 稍蜷", "色泽", "kept"),
        ("脐部 = 凹陷", "色泽", "pruned"),
        ("脐部 = 稍凹", "根蒂", "kept"),
        ("root", "脐部", "kept"),
    ]
    assert percent(pruned.report.details["accuracy before"]) == ["42.9%", "57.1%", "57.1%", "71.4%", "71.4%"]
    assert percent(pruned.report.details["accuracy after"]) == ["57.1%", "57.1%", "71.4%", "71.4%", "42.9%"]
    assert pruned.tree.to_text() == POST_PRUNED
    assert percent([accuracy(pruned.tree, validation), accuracy(pruned.tree, training)]) == ["71.4%", "80.0%"]


def test_post_pruning_as_in_the_literature_prunes_where_accuracy_does_not_fall(melons):
    _, validation, tree = melons
    pruned = ReducedError().prune(tree, validation=validation)
    assert [one.verdict for one in pruned.report] == ["pruned", "pruned", "pruned", "pruned", "kept"]
    assert pruned.tree.to_text() == STUMP


def test_pessimistic_errors_of_node_t4():
    # 16 rows: 7 errors as a leaf; three leaves with 3, 2 and no errors.
    columns = Column("x", Kind.NUMBER), Column("part", Kind.CATEGORY, ("a", "b", "c"))
    schema = Schema(columns, Target("class", ("p", "q")))
    parts = {"a": leaf({"p": 3, "q": 4}), "b": leaf({"p": 2, "q": 5}), "c": leaf({"p": 2})}
    tree = build(schema, number("x", 0.5, leaf({"p": 40}), table("part", parts)))
    report = Pessimistic().prune(tree).report
    t4 = report.of(2)
    assert (t4.weight, t4.leaf, t4.subtree, t4.verdict) == (16, 7.5, 6.5, "pruned")
    assert t4.details["error rate"] == 0.40625
    assert (t4.details["leaves"], t4.details["training errors"]) == (3, 5)
    assert f"{t4.allowance:.2f}" == "1.96"
    assert t4.words == (
        "Node 2 (x > 0.5): 7.5 errors as a leaf, 6.5 as a subtree, 8.46 with one standard error: pruned."
    )
    assert Pessimistic(standard_errors=0).prune(tree).report.of(2).verdict == "kept"


def test_node_t4_through_an_estimator():
    """The same node grown from rows: nine of one class and seven of the other, in three branches."""
    rows = {"a": ("yes", 6, "no", 3), "b": ("yes", 3, "no", 2), "c": ("no", 2, "no", 0)}
    X = [[value] for value, (_, n, _, m) in rows.items() for _ in range(n + m)]
    y = [label for major, n, minor, m in rows.values() for label in [major] * n + [minor] * m]
    grown = ID3Classifier().fit(X, y)
    assert (grown.get_n_leaves(), len(y)) == (3, 16)
    model = grown.pruned("pessimistic")
    one = model.pruning_report_.of(0)
    assert (one.leaf, one.subtree, one.verdict) == (7.5, 6.5, "pruned")
    assert round(one.allowance, 2) == 1.96
    assert one.details["error rate"] == 0.40625
    assert "7.5 errors as a leaf, 6.5 as a subtree, 8.46 with one standard error: pruned" in one.words
    assert ID3Classifier(pruning="pessimistic").fit(X, y).get_n_leaves() == model.get_n_leaves() == 1
