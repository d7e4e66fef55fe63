"""Moves: who moves is counted as by hand, and trees part where their texts differ first."""

from collections import Counter

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.explain.moves import Side, moves
from treewright.model.build import build, golf_example, leaf, number
from treewright.model.build import table as asks
from treewright.predict.rule import Rule

RNG = np.random.default_rng(0)
X = [[float(a), ["red", "green", "blue"][b], float(c)] for a, b, c in RNG.integers(0, 3, (80, 3))]
Y = [["low", "mid", "high"][min(int(row[0]) + (row[1] == "red"), 2)] for row in X]


def side(model, rows=X):
    return Side(*model._ask(rows))


def test_every_row_is_counted_where_the_models_say():
    old, new = C45Classifier(max_depth=1).fit(X, Y), CARTClassifier(pruning=None, max_depth=3).fit(X, Y)
    found = moves(side(old), side(new))
    expected = Counter(zip(old.apply(X), new.apply(X), old.predict(X), new.predict(X), strict=True))
    mine = {(m.old_leaf, m.new_leaf, m.old_answer, m.new_answer): len(m.rows) for m in found.moves}
    assert mine == expected
    assert sorted(row for m in found.moves for row in m.rows) == list(range(80))
    assert found.n_changed == (old.predict(X) != new.predict(X)).sum()
    flags = [m.changed for m in found.moves]
    assert flags == sorted(flags, reverse=True)
    changed = [len(m.rows) for m in found.moves if m.changed]
    assert changed == sorted(changed, reverse=True)
    assert found.answers()[1] == new.predict(X).tolist()


def test_numbers_are_told_by_their_differences():
    target = np.array([row[0] * 10 + (row[1] == "red") for row in X])
    old, new = CARTRegressor(max_depth=1, pruning=None).fit(X, target), CARTRegressor(pruning=None).fit(X, target)
    found = moves(side(old), side(new))
    np.testing.assert_allclose(found.shift, new.predict(X) - old.predict(X))
    assert f"{np.abs(found.shift).max():.4g} at most" in found.sentence()
    first = found.moves[0]
    assert first.old_answer == pytest.approx(old.predict(X)[first.rows].mean())


def test_the_same_tree_in_other_codes_changes_nothing():
    """Categories and classes in another order have other codes, but the same names."""
    names = ("red", "green", "blue")

    def tree(order, classes):
        schema = Schema((Column("colour", Kind.CATEGORY, order),), Target("y", classes))
        return build(schema, asks("colour", {"red": leaf("a", 2), ("green", "blue"): leaf("b", 3)}))

    one, two = tree(names, ("a", "b")), tree(names[::-1], ("b", "a"))
    found = moves(Side(one, np.array([[0.0], [1], [2]]), Rule()), Side(two, np.array([[2.0], [1], [0]]), Rule()))
    assert found.partings == ()
    assert found.n_changed == 0
    assert found.sentence() == "The trees ask the same, and no answer changes in 3 rows."


def test_trees_part_where_the_first_question_differs():
    schema = golf_example().schema
    rain = asks("windy", {False: leaf("Play", 3), True: leaf("Don't Play", 2)})
    sunny = number("humidity", 80, leaf("Play", 2), leaf("Don't Play", 3))
    other = build(schema, asks("outlook", {"sunny": sunny, "overcast": leaf("Play", 4), "rain": rain}))
    values = np.array([[0, 78.0, 0], [0, 70.0, 0], [2, 70.0, 1]])
    found = moves(Side(golf_example(), values, Rule()), Side(other, values, Rule()))
    assert [(p.way, p.old, p.new) for p in found.partings] == [
        ("outlook = sunny", "asks humidity <= 75", "asks humidity <= 80")
    ]
    assert found.n_changed == 1
    move = found.moves[0]
    assert (found.old.way(move.old_leaf), found.new.way(move.new_leaf)) == (
        "outlook = sunny and humidity > 75",
        "outlook = sunny and humidity <= 80",
    )
    stump = build(schema, leaf("Play", 3))
    found = moves(Side(golf_example(), values, Rule()), Side(stump, values, Rule()))
    assert [(p.way, p.old, p.new) for p in found.partings] == [("root", "asks outlook", "answers Play")]
    assert "part at the root" in found.sentence()


def test_cuts_with_no_row_between_them_are_the_same_question():
    schema = Schema((Column("age", Kind.NUMBER),), Target("y", ("a", "b")))
    one, two = (build(schema, number("age", cut, leaf("a", 2), leaf("b", 2))) for cut in (4, 4.5))
    values = np.array([[4.0], [5.0], [np.nan]])
    found = moves(Side(one, values, Rule("fractional")), Side(two, values, Rule("fractional")))
    assert found.partings == ()
    values = np.array([[4.5]])
    found = moves(Side(one, values, Rule()), Side(two, values, Rule()))
    assert [(p.old, p.new) for p in found.partings] == [("asks age <= 4", "asks age <= 4.5")]
    assert found.n_changed == 1


def test_what_cannot_be_compared_is_refused():
    numbers = Side(build(Schema((), Target("price")), leaf(3.0)), np.zeros((1, 0)), Rule())
    golf = Side(golf_example(), np.array([[0, 70.0, 0]]), Rule())
    with pytest.raises(InputError, match="old model answers with classes and the new one with numbers"):
        moves(golf, numbers)
    others = Side(build(Schema((), Target("y", ("a", "b"))), leaf("a")), np.zeros((1, 0)), Rule())
    with pytest.raises(InputError, match="no class in common"):
        moves(golf, others)


def test_no_rows():
    golf = Side(golf_example(), np.zeros((0, 3)), Rule())
    assert moves(golf, golf).sentence() == "The trees ask the same, and no answer changes in 0 rows."
