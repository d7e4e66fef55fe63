"""What every estimator does alike: results at once or not at all, names, importances, reading."""

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, InputError, Tree
from treewright.estimators import fitting, training_data
from treewright.grow import grower
from treewright.model.surrogates import Surrogates

Golf = tuple[pd.DataFrame, pd.Series]


def test_fit_returns_the_estimator(golf: Golf) -> None:
    model = CARTClassifier()
    assert model.fit(*golf) is model
    assert isinstance(model.tree_, Tree)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_first_fit_leaves_nothing(
    golf: Golf, monkeypatch: pytest.MonkeyPatch, error: type
) -> None:
    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(grower, "grow", stop)
    model = CARTClassifier(max_depth=3)
    before = copy.copy(vars(model))
    with pytest.raises(error):
        model.fit(*golf)
    assert vars(model) == before
    with pytest.raises(NotFittedError):
        model.predict(golf[0])


STAGES = {"read_table": training_data, "drop_zero_weights": training_data, "resolve_limits": fitting, "grow": grower}


@pytest.mark.parametrize("stage", STAGES)
def test_an_interrupted_second_fit_leaves_the_first(
    golf: Golf, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    X, y = golf
    model = CARTClassifier(pruning=None).fit(X, y)
    before = dict(vars(model))

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(STAGES[stage], stage, stop)
        with pytest.raises(KeyboardInterrupt):
            model.fit(np.zeros((3, 1)), [0, 1, 0])
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())
    assert model.score(X, y) == 1.0


def test_a_failed_fit_leaves_the_first(golf: Golf) -> None:
    model = CARTClassifier().fit(*golf)
    before = dict(vars(model))
    with pytest.raises(InputError):
        model.fit(np.array([[1.0], [np.inf]]), [0, 1])
    assert vars(model) == before


def test_names_are_kept_and_stale_ones_dropped(golf: Golf) -> None:
    X, y = golf
    model = CARTClassifier().fit(X, y)
    assert model.feature_names_in_.tolist() == list(X.columns)
    assert model.feature_names_in_.dtype == object
    model.fit(X[["Humidity"]].to_numpy(), y)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 1


def test_what_is_not_a_result_survives_a_fit(golf: Golf) -> None:
    model = CARTClassifier()
    model.note = "mine"  # type: ignore[attr-defined]
    model.fit(*golf)
    assert model.note == "mine"  # type: ignore[attr-defined]


def test_columns_in_another_order_are_refused(golf: Golf) -> None:
    X, y = golf
    model = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.predict(X[X.columns[::-1]])


def test_reading_an_unfitted_estimator(golf: Golf) -> None:
    model = CARTClassifier()
    for read in (model.get_depth, model.get_n_leaves, model.to_text, lambda: model.feature_importances_):
        with pytest.raises(NotFittedError):
            read()
    for ask in (
        model.predict,
        model.predict_proba,
        model.predict_log_proba,
        model.apply,
        model.decision_path,
    ):
        with pytest.raises(NotFittedError):
            ask(golf[0])


def test_importances_are_gains_by_weight(golf: Golf) -> None:
    model = C45Classifier(variant="textbook").fit(*golf)
    tree = model.tree_
    gained = dict.fromkeys(range(4), 0.0)
    for node in range(tree.n_nodes):
        if tree.column[node] >= 0:
            gained[int(tree.column[node])] += tree.gain[node] * tree.weight[node]
    total = sum(gained.values())
    expected = [g / total for g in gained.values()]
    np.testing.assert_allclose(model.feature_importances_, expected, rtol=1e-12)
    # Outlook gains 0.2467 bits on 14 rows; humidity and windy the 0.9710 of 5 rows each.
    assert model.feature_importances_ == pytest.approx([0.262420, 0, 0.368790, 0.368790], abs=1e-6)


def test_surrogates_have_their_part_of_the_importances() -> None:
    """As in rpart: the gain of the split they stand in for, times their adjusted agreement."""
    X = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    model = CARTClassifier().fit(X, ["a", "b", "c", "c"])
    tree = model.tree_
    # Gini: the root gains 5/8 - 2/4 * 1/2 = 3/8 on 4 rows, the node below it 1/2 on 2 rows.
    assert [(int(c), g * w) for c, g, w in zip(tree.column, tree.gain, tree.weight, strict=True) if c >= 0] == [
        (0, 1.5),
        (1, 1.0),
    ]
    assert model.feature_importances_ == pytest.approx([0.6, 0.4, 0.0])
    stand_ins = Surrogates(
        start=[0, 2, *[2] * (tree.n_nodes - 1)],
        column=[1, 2],
        threshold=[0.5, 0.5],
        low=[0, 0],
        agree=[0.75, 0.75],
        adjusted=[0.5, 0.5],
        table_start=[0, 0, 0],
        table_code=[],
        table_branch=[],
    )
    model.tree_ = replace(tree, missing="surrogate", surrogates=stand_ins)
    assert model.feature_importances_ == pytest.approx(np.array([1.5, 1.0 + 0.75, 0.75]) / 4.0)


def test_a_single_leaf_has_no_importances() -> None:
    model = CARTClassifier().fit([[1.0, 2.0], [1.0, 2.0]], ["a", "b"])
    assert model.feature_importances_.tolist() == [0.0, 0.0]
    assert (model.get_depth(), model.get_n_leaves()) == (0, 1)


def test_apply_and_decision_path_agree(golf: Golf) -> None:
    X, y = golf
    model = C45Classifier().fit(X, y)
    leaf = model.apply(X)
    path = model.decision_path(X).toarray()
    tree = model.tree_
    assert path.shape == (14, tree.n_nodes)
    assert (path[:, 0] == 1).all()
    assert (path[np.arange(14), leaf] == 1).all()
    assert (tree.n_children[leaf] == 0).all()
    # Every node on a path but the root has its parent there too.
    for row in path:
        nodes = np.flatnonzero(row)
        assert set(tree.parent[nodes[1:]]) <= set(nodes)


def test_text_speaks_the_users_words(golf: Golf) -> None:
    model = C45Classifier().fit(*golf)
    text = model.to_text()
    for word in ("Outlook", "overcast", "Humidity", "75", "Windy", "yes", "no"):
        assert word in text
    assert text == model.tree_.to_text()
    assert "Humidity" not in model.to_text(max_depth=1)


def test_a_pickled_estimator_answers_the_same(golf: Golf) -> None:
    X, y = golf
    model = C45Classifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_id3_refuses_numbers_with_advice(golf: Golf) -> None:
    with pytest.raises(InputError) as caught:
        ID3Classifier().fit(*golf)
    said = str(caught.value)
    assert "'Temperature', 'Humidity'" in said
    assert "Outlook" not in said
    assert "numeric='bisect'" in said
    assert "categorical_features" in said


def test_id3_takes_numbers_that_are_listed_as_categories(golf: Golf) -> None:
    model = ID3Classifier(categorical_features=["Outlook", "Temperature", "Humidity", "Windy"]).fit(*golf)
    assert np.isnan(model.tree_.threshold).all()


def test_a_long_list_of_refused_columns_is_cut_short() -> None:
    with pytest.raises(InputError, match="got numeric or ordered columns 'x0', 'x1', 'x2', 'x3', 'x4' and 15 more"):
        ID3Classifier().fit(np.eye(20), np.arange(20) % 2)


def test_ordered_categories_are_refused_like_numbers() -> None:
    size = pd.Categorical(["S", "M", "L"], categories=["S", "M", "L"], ordered=True)
    with pytest.raises(InputError, match="got numeric or ordered column 'size'"):
        ID3Classifier().fit(pd.DataFrame({"size": size}), [0, 1, 0])


def test_any_number_of_threads_grows_one_tree(golf: Golf) -> None:
    trees = {CARTClassifier(n_jobs=n).fit(*golf).tree_ for n in (None, 1, 2, -1)}
    assert len(trees) == 1


def test_parameters_are_never_changed_by_fit(golf: Golf) -> None:
    model = C45Classifier(min_samples_leaf=0.1)
    before = model.get_params()
    model.fit(*golf)
    assert model.get_params() == before


def test_shares_of_the_table_are_minimums() -> None:
    X = np.arange(20.0)[:, None]
    y = np.arange(20) % 2
    assert CARTClassifier(pruning=None, min_samples_leaf=0.25).fit(X, y).tree_.count[1:].min() >= 5
    assert CARTRegressor(pruning=None, min_samples_split=1.0).fit(X, y).get_depth() == 1


def test_a_branch_has_its_share_of_the_weight() -> None:
    """As in scikit-learn: a light class cannot have a leaf of its own."""
    X = np.arange(20.0)[:, None]
    y = np.arange(20) % 2
    model = CARTClassifier(pruning=None, class_weight={0: 1000, 1: 0.001}, min_weight_fraction_leaf=0.05).fit(X, y)
    assert model.get_n_leaves() > 2
    assert model.tree_.weight.min() >= 0.05 * model.tree_.weight[0]
    assert (model.predict(X) == 0).all()
    both = CARTClassifier(class_weight={0: 1000, 1: 0.001}, min_weight_fraction_leaf=0.05, min_samples_leaf=4)
    assert both.fit(X, y).tree_.count.min() >= 4


def test_importances_are_those_that_rpart_prints(shared: Path) -> None:
    """The vignette of rpart, stagec: g2 30, grade 28, gleason 20, ploidy 13, age 7, eet 2.

    rpart's cp takes back the splits below grade <= 2.5 and that of the node of 23 rows: here they gain nothing.
    """
    table = pd.read_csv(shared / "data" / "rpart_stagec.csv")
    X = table[["age", "eet", "g2", "grade", "gleason", "ploidy"]]
    model = CARTClassifier(pruning=None, min_samples_split=20, min_samples_leaf=7).fit(X, table["pgstat"])
    tree = model.tree_
    taken_back = [
        node.id
        for node in tree.walk()
        if node.depth > 0 and (node.path()[0][1] == "grade <= 2.5" or node.weight == 23)
    ]
    here = np.isin(np.arange(tree.n_nodes), taken_back) & (tree.n_children > 0)
    assert np.count_nonzero(tree.n_children > 0) - here.sum() == 7
    model.tree_ = replace(tree, gain=np.where(here, 0.0, tree.gain))
    assert dict(zip(X, (100 * model.feature_importances_).round(), strict=True)) == {
        "g2": 30, "grade": 28, "gleason": 20, "ploidy": 13, "age": 7, "eet": 2,
    }  # fmt: skip
