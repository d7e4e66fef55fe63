"""Changes: none nearer than those given alters the answer, tried one by one through predict."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from tests.golden.sets import load
from tests.golden.tables import GOLF
from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor

STRATEGIES = ["fractional", "surrogate", "learned", "branch", "stop"]
SIZES = ["S", "M", "L", "XL"]


def tables(seed, n_rows=60, holes=0.15):
    """A table of two numbers, an ordered column and a category, with holes; classes and numbers as targets."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.integers(0, 12, n_rows).astype(float),
            "b": rng.normal(size=n_rows).round(2),
            "size": pd.Categorical(rng.choice(SIZES, n_rows), categories=SIZES, ordered=True),
            "c": rng.choice(list("uvwxyz"), n_rows),
        }
    )
    hole = rng.random(frame.shape) < holes
    answer = (frame["a"] > 5) ^ (frame["c"] < "w") ^ (rng.random(n_rows) < 0.1)
    number = np.where(answer, frame["b"], frame["a"])
    for i, name in enumerate(frame.columns):
        frame.loc[hole[:, i], name] = None
    return frame, answer.map({True: "yes", False: "no"}).to_numpy(), number


def values_to_try(model, name, now):
    """Every value of a column at which an answer may turn, and many between."""
    tree, column = model.tree_, next(c for c in model.tree_.schema.columns if c.name == name)
    if column.categories:
        return list(column.categories)
    position = tree.schema.names.index(name)
    cuts = list(tree.threshold[tree.column == position])
    if tree.surrogates is not None:
        cuts += list(tree.surrogates.threshold[tree.surrogates.column == position])
    cuts = sorted({float(cut) for cut in cuts if np.isfinite(cut)})
    between = [(low + high) / 2 for low, high in pairwise(cuts)]
    edges = [cut + step for cut in cuts for step in (-1e-9, 0.0, 1e-9)]
    return [*edges, *between, *(now + step for step in (-1e-6, 1e-6) if now is not None), -1e9, 1e9]


def distance_of(model, name, now, new, spread):
    """The documented distance of a change."""
    column = next(c for c in model.tree_.schema.columns if c.name == name)
    if now is None:
        return 1.0
    if not column.categories:
        return abs(new - now) / spread
    if name == "size":
        return abs(SIZES.index(new) - SIZES.index(now)) / (len(SIZES) - 1)
    return 1.0


def nearest_by_hand(model, row, frame):
    """For each column the nearest distance at which a value alters the answer, None where no value does."""
    found = {}
    own = model.predict(table(frame, [row]))[0]
    for name in frame.columns:
        now = row[name]
        tried = [value for value in values_to_try(model, name, now) if value != now]
        rows = [row | {name: value} for value in tried]
        answers = model.predict(table(frame, rows))
        spread = float(frame[name].max() - frame[name].min()) if name in ("a", "b") else None
        if isinstance(own, float):
            other = np.abs(answers - own) > 1e-9 * np.maximum(np.abs(answers), abs(own))
        else:
            other = answers != own
        far = [distance_of(model, name, now, tried[i], spread) for i in np.flatnonzero(other)]
        found[name] = min(far) if far else None
    return found


def table(frame, rows):
    """Rows as a frame of the types of another one."""
    made = pd.DataFrame(rows, columns=frame.columns)
    made["size"] = pd.Categorical(made["size"], categories=SIZES, ordered=True)
    return made.astype({"a": float, "b": float})


def check(model, frame, row):
    found = {change.name: change for change in model.explain(row, n_changes=9).changes}
    by_hand = nearest_by_hand(model, row, frame)
    assert {name for name, nearest in by_hand.items() if nearest is not None} == set(found)
    for name, change in found.items():
        # Just above a cut counts as the cut itself, and one by one no value is tried nearer to it than 1e-9.
        assert change.distance <= by_hand[name] + 1e-12
        assert change.distance == pytest.approx(by_hand[name], abs=1e-8)
        changed = table(frame, [row | {name: change.value}])
        assert model.predict(changed)[0] == change.prediction
        if change.probabilities is not None:
            assert list(change.probabilities.values()) == model.predict_proba(changed)[0].tolist()
        assert change.now == row[name]
        assert change.words.endswith(f"(now {'missing' if row[name] is None else said(row[name])})")
    distances = [change.distance for change in found.values()]
    assert distances == sorted(distances)
    return len(found)


def said(value):
    return f"{value:.12g}" if isinstance(value, float) else value


def row_of(frame, i):
    return {name: None if pd.isna(cell) else cell for name, cell in frame.iloc[i].items()}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_no_nearer_change_alters_the_class(strategy, seed):
    frame, classes, _ = tables(seed)
    n_found = 0
    for grouping in ("subset", "each"):
        if strategy == "surrogate" and grouping == "each":
            continue
        model = TreeClassifier(missing=strategy, grouping=grouping, max_depth=6).fit(frame, classes)
        for rule in (None, "majority"):
            model.set_params(missing_predict=rule)
            n_found += sum(check(model, frame, row_of(frame, i)) for i in range(0, 60, 12))
    assert n_found > 10


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_nearer_change_alters_the_number(strategy):
    frame, _, numbers = tables(7)
    model = TreeRegressor(missing=strategy, max_depth=5).fit(frame, numbers)
    assert sum(check(model, frame, row_of(frame, i)) for i in range(0, 60, 7)) > 10


def test_rows_with_many_holes_in_a_tree_that_shares_them_out():
    frame, classes, numbers = tables(11, n_rows=150, holes=0.4)
    for model in (C45Classifier(pruning=None).fit(frame, classes), TreeRegressor(max_depth=8).fit(frame, numbers)):
        for row in ({}, {"a": 3.0}, {"c": "u", "b": 0.5}, {"size": "L"}):
            check(model, frame, dict.fromkeys(frame.columns) | row)


def test_the_words_are_those_of_the_table():
    model = C45Classifier().fit(GOLF.frame(), GOLF.y)
    found = model.explain({"outlook": "sunny", "temperature": 72, "humidity": 80, "windy": "false"})
    assert [change.words for change in found.changes] == [
        "humidity <= 75 (now 80)",
        "outlook in {overcast, rain} (now sunny)",
    ]
    assert [change.prediction for change in found.changes] == ["Play", "Play"]
    assert found.changes[0].value == 75.0
    assert found.changes[0].distance == pytest.approx((80 - 75) / (96 - 65))
    below = model.explain({"outlook": "sunny", "temperature": 72, "humidity": 75, "windy": "false"}).changes[0]
    assert (below.words, below.value, below.distance) == ("humidity > 75 (now 75)", np.nextafter(75, 76), 0.0)


def test_a_change_tells_how_far_it_holds():
    X, y = [[x] for x in range(9)], list("aabbbaaca")
    model = CARTClassifier(pruning=None).fit(X, y)
    words = [model.explain([x]).changes[0].words for x in (0, 3, 8)]
    assert words == ["1.5 < x0 <= 4.5 (now 0)", "x0 <= 1.5 (now 3)", "6.5 < x0 <= 7.5 (now 8)"]


def test_ordered_categories_are_told_as_such():
    sizes = ["S", "M", "L", "XL", "XXL"] * 8
    X = pd.DataFrame({"size": pd.Categorical(sizes, categories=["S", "M", "L", "XL", "XXL"], ordered=True)})
    y = ["no" if size in ("S", "XL") else "yes" for size in sizes]
    model = CARTClassifier(pruning=None).fit(X, y)
    assert [model.explain([size]).changes[0].words for size in ("S", "M", "L", "XL", "XXL", None)] == [
        "S < size <= L (now S)",
        "size = S (now M)",
        "size = XL (now L)",
        "S < size <= L (now XL)",
        "size = XL (now XXL)",
        "size > M (now missing)" if model.explain([None]).prediction == "no" else "size = S (now missing)",
    ]


def test_a_value_that_is_only_asked_for_being_there():
    X = pd.DataFrame({"x": [None, None, 1.0, 1.0, 1.0, None], "z": [1.0, 2, 1, 2, 1, 2]})
    model = TreeClassifier(missing="branch").fit(X, ["a", "a", "b", "b", "b", "a"])
    assert model.to_text().startswith("x is known")
    (change,) = model.explain({"z": 1}).changes
    assert (change.words, change.prediction) == ("x is known (now missing)", "b")
    assert model.predict(pd.DataFrame({"x": [change.value], "z": [1.0]}))[0] == "b"
    assert model.explain({"x": 1.0, "z": 1}).changes == ()


def test_changes_in_real_tables_alter_the_answer(shared):
    for name, model in (("credit_a", CARTClassifier(pruning=None)), ("autompg_raw", CARTRegressor())):
        X, y = load(shared, name)
        model.fit(X, y)
        for i in range(0, len(X), 29):
            found = model.explain(X.iloc[i])
            for change in found.changes:
                row = {name: cell for name, cell in found.row.items() if cell is not None} | {change.name: change.value}
                assert model.explain(row, n_changes=0).prediction == change.prediction != found.prediction
