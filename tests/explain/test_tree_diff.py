"""Two trees compared: moves are counted as by hand, and trees differ where their texts differ first."""

from collections import Counter

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.estimators.prediction import encode_for_prediction
from treewright.explain.tree_diff import ComparedTree, diff_trees
from treewright.model.build import build, golf_example, leaf, number
from treewright.model.build import table as asks
from treewright.predict.missing_policy import MissingPolicy

RNG = np.random.default_rng(0)
X = [[float(a), ["red", "green", "blue"][b], float(c)] for a, b, c in RNG.integers(0, 3, (80, 3))]
Y = [["low", "mid", "high"][min(int(row[0]) + (row[1] == "red"), 2)] for row in X]


def side(model, rows=X):
    return ComparedTree(model.tree_, encode_for_prediction(model, rows), model._prediction_policy().rule)


def test_every_row_is_counted_where_the_models_say():
    old, new = C45Classifier(max_depth=1).fit(X, Y), CARTClassifier(pruning=None, max_depth=3).fit(X, Y)
    found = diff_trees(side(old), side(new))
    expected = Counter(zip(old.apply(X), new.apply(X), old.predict(X), new.predict(X), strict=True))
    mine = {(m.old_leaf, m.new_leaf, m.old_prediction, m.new_prediction): len(m.rows) for m in found.moves}
    assert mine == expected
    assert sorted(row for m in found.moves for row in m.rows) == list(range(80))
    assert found.n_changed == (old.predict(X) != new.predict(X)).sum()
    flags = [m.changed for m in found.moves]
    assert flags == sorted(flags, reverse=True)
    changed = [len(m.rows) for m in found.moves if m.changed]
    assert changed == sorted(changed, reverse=True)
    assert found.predictions()[1] == new.predict(X).tolist()


def test_the_differences_of_numbers():
    target = np.array([row[0] * 10 + (row[1] == "red") for row in X])
    old, new = CARTRegressor(max_depth=1, pruning=None).fit(X, target), CARTRegressor(pruning=None).fit(X, target)
    found = diff_trees(side(old), side(new))
    np.testing.assert_allclose(found.shift, new.predict(X) - old.predict(X))
    assert f"by at most {np.abs(found.shift).max():.4g}" in found.sentence()
    first = found.moves[0]
    assert first.old_prediction == pytest.approx(old.predict(X)[first.rows].mean())


def test_the_same_tree_in_other_codes_changes_nothing():
    """Categories and classes in another order have other codes, but the same names."""
    names = ("red", "green", "blue")

    def tree(order, classes):
        schema = Schema((Column("colour", Kind.CATEGORY, order),), Target("y", classes))
        return build(schema, asks("colour", {"red": leaf("a", 2), ("green", "blue"): leaf("b", 3)}))

    one, two = tree(names, ("a", "b")), tree(names[::-1], ("b", "a"))
    found = diff_trees(
        ComparedTree(one, np.array([[0.0], [1], [2]]), MissingPolicy()),
        ComparedTree(two, np.array([[2.0], [1], [0]]), MissingPolicy()),
    )
    assert found.differences == ()
    assert found.n_changed == 0
    assert found.sentence() == "The trees have the same splits, and no prediction changes in 3 rows."


def test_trees_differ_at_the_first_split_that_differs():
    schema = golf_example().schema
    rain = asks("windy", {False: leaf("Play", 3), True: leaf("Don't Play", 2)})
    sunny = number("humidity", 80, leaf("Play", 2), leaf("Don't Play", 3))
    other = build(schema, asks("outlook", {"sunny": sunny, "overcast": leaf("Play", 4), "rain": rain}))
    values = np.array([[0, 78.0, 0], [0, 70.0, 0], [2, 70.0, 1]])
    found = diff_trees(
        ComparedTree(golf_example(), values, MissingPolicy()), ComparedTree(other, values, MissingPolicy())
    )
    assert [(p.path, p.old, p.new) for p in found.differences] == [
        ("outlook = sunny", "splits on humidity <= 75", "splits on humidity <= 80")
    ]
    assert found.n_changed == 1
    move = found.moves[0]
    assert (found.old.path(move.old_leaf), found.new.path(move.new_leaf)) == (
        "outlook = sunny and humidity > 75",
        "outlook = sunny and humidity <= 80",
    )
    stump = build(schema, leaf("Play", 3))
    found = diff_trees(
        ComparedTree(golf_example(), values, MissingPolicy()), ComparedTree(stump, values, MissingPolicy())
    )
    assert [(p.path, p.old, p.new) for p in found.differences] == [("root", "splits on outlook", "predicts Play")]
    assert "differ at the root" in found.sentence()
    found = diff_trees(found.old, found.new, "zh")
    assert [(p.path, p.old, p.new) for p in found.differences] == [("根结点", "按 outlook 划分", "预测 Play")]
    assert found.sentence().startswith("两棵树在根结点处不同；3 个样本中有 2 个的预测发生变化")


def test_cuts_with_no_row_between_them_are_the_same_split():
    schema = Schema((Column("age", Kind.NUMBER),), Target("y", ("a", "b")))
    one, two = (build(schema, number("age", cut, leaf("a", 2), leaf("b", 2))) for cut in (4, 4.5))
    values = np.array([[4.0], [5.0], [np.nan]])
    found = diff_trees(
        ComparedTree(one, values, MissingPolicy("fractional")),
        ComparedTree(two, values, MissingPolicy("fractional")),
    )
    assert found.differences == ()
    values = np.array([[4.5]])
    found = diff_trees(ComparedTree(one, values, MissingPolicy()), ComparedTree(two, values, MissingPolicy()))
    assert [(p.old, p.new) for p in found.differences] == [("splits on age <= 4", "splits on age <= 4.5")]
    assert found.n_changed == 1


def test_what_cannot_be_compared_is_refused():
    numbers = ComparedTree(build(Schema((), Target("price")), leaf(3.0)), np.zeros((1, 0)), MissingPolicy())
    golf = ComparedTree(golf_example(), np.array([[0, 70.0, 0]]), MissingPolicy())
    with pytest.raises(InputError, match="old model predicts classes and the new model predicts numbers"):
        diff_trees(golf, numbers)
    others = ComparedTree(build(Schema((), Target("y", ("a", "b"))), leaf("a")), np.zeros((1, 0)), MissingPolicy())
    with pytest.raises(InputError, match="no class in common"):
        diff_trees(golf, others)


def test_no_rows():
    golf = ComparedTree(golf_example(), np.zeros((0, 3)), MissingPolicy())
    assert diff_trees(golf, golf).sentence() == "The trees have the same splits, and no prediction changes in 0 rows."
