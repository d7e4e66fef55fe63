"""Missing values and unseen categories as parameters: what is taken, what is refused, what is said at prediction."""

import copy
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils import get_tags

from tests.estimators.family import ALL, FRAME, X, Y, every, says
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    InputError,
    MDLTreeClassifier,
    MDLTreeRegressor,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
    UnseenCategoryWarning,
)
from treewright.grow.plan import MISSING
from treewright.model.strategies import UNIVERSAL_STRATEGIES

NEW = pd.DataFrame({"age": [30, 40, 50], "town": ["Köln", "Rom", "Köln"]})
HOLED = pd.DataFrame({"age": [np.nan, 40.0], "town": ["Ulm", None]})


def _answers(model: object, table: object) -> list[list]:
    """Everything an estimator answers, as lists."""
    found = [model.predict(table), model.apply(table), model.decision_path(table).toarray()]
    if hasattr(model, "predict_proba"):
        found.append(model.predict_proba(table))
    return [np.asarray(one).tolist() for one in found]


# ---- parameters


DEFAULTS = {
    ID3Classifier: "branch",
    C45Classifier: "fractional",
    CARTClassifier: "surrogate",
    CARTRegressor: "surrogate",
    MDLTreeClassifier: "auto",
    MDLTreeRegressor: "auto",
    TreeClassifier: "fractional",
    TreeRegressor: "fractional",
}


@pytest.mark.parametrize("kind", DEFAULTS, ids=lambda k: k.__name__)
def test_the_defaults_are_those_of_the_books(kind: type) -> None:
    given = kind().get_params()
    assert given["missing"] == DEFAULTS[kind]
    grown = kind(**({"numeric": "bisect"} if kind is ID3Classifier else {})).plan().missing
    assert grown == ("fractional" if DEFAULTS[kind] == "auto" else DEFAULTS[kind])  # "auto": unless holes tell more
    assert (given["missing_predict"], given["unseen_category"]) == (None, "missing")
    has_surrogates = kind in (CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor)
    assert ("max_surrogates" in given) == ("surrogates" in given) == has_surrogates


def test_the_plan_holds_what_was_asked() -> None:
    plan = CARTClassifier(max_surrogates=2, surrogates="always").plan()
    assert (plan.missing, plan.max_surrogates, plan.surrogates) == ("surrogate", 2, "always")
    assert TreeRegressor(missing="learned", grouping="each").plan().missing == "learned"


def test_the_unknown_share_is_a_branch_of_the_split_information_in_release8_only() -> None:
    assert C45Classifier().plan().info == "all"
    assert C45Classifier(variant="textbook").plan().info == "known"
    assert {ID3Classifier().plan().info, CARTClassifier().plan().info, TreeClassifier().plan().info} == {"known"}


@every
@pytest.mark.parametrize("value", ["mean", 3, None, ["fractional"]], ids=repr)
@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("missing", "'fractional', 'surrogate', 'learned', 'branch', 'stop', 'error'"),
        ("unseen_category", "'missing', 'majority', 'stop', 'error'"),
    ],
)
def test_an_unknown_choice_lists_the_valid_ones(estimator: object, name: str, valid: str, value: object) -> None:
    bad = clone(estimator).set_params(**{name: value})
    with pytest.raises(ParameterError) as caught:
        bad.fit(X, Y)
    assert str(caught.value) == f"{name} must be one of {valid}, got {value!r}."


@every
@pytest.mark.parametrize("value", ["mean", 3, ["stop"], True], ids=repr)
def test_an_unknown_way_of_prediction_lists_the_valid_ones(estimator: object, value: object) -> None:
    bad = clone(estimator).set_params(missing="stop", missing_predict=value)
    with pytest.raises(ParameterError) as caught:
        bad.fit(X, Y)
    names = "'fractional', 'majority', 'stop', 'error'"
    assert str(caught.value) == f"missing_predict must be None or one of {names}, got {value!r}."


SURROGATES = [CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor]


@pytest.mark.parametrize("kind", SURROGATES)
def test_bad_values_of_the_surrogates(kind: type) -> None:
    for value in (-1, 2.0, "all", None, True):
        with says(ParameterError, f"^max_surrogates must be an integer of at least 0, got {value!r}"):
            kind(missing="surrogate", max_surrogates=value).fit(X, Y)
    with says(ParameterError, "^surrogates must be one of 'needed', 'always'.*, got 'never'"):
        kind(missing="surrogate", surrogates="never").fit(X, Y)
    with says(ParameterError, "^surrogates='always' has no effect with missing='stop'", "use missing='surrogate'"):
        kind(missing="stop", surrogates="always").fit(X, Y)


@pytest.mark.parametrize(
    ("estimator", "advice"),
    [
        (ID3Classifier(missing="surrogate"), "use CARTClassifier"),
        (C45Classifier(missing="surrogate"), "use CARTClassifier"),
        (C45Classifier(missing="surrogate", grouping="greedy"), "use CARTClassifier"),
        (TreeClassifier(missing="surrogate", grouping="each"), "set grouping='subset'"),
        (TreeClassifier(missing="surrogate", grouping="greedy"), "set grouping='subset'"),
        (TreeRegressor(missing="surrogate", grouping="each"), "set grouping='subset'"),
    ],
    ids=repr,
)
def test_surrogates_need_splits_in_two(estimator: object, advice: str) -> None:
    with says(ParameterError, "^missing='surrogate'", "more than two branches", "missing='fractional'", advice):
        estimator.fit(FRAME, Y)


@pytest.mark.parametrize("kind", [CARTClassifier, TreeClassifier])
def test_twoing_has_no_third_branch(kind: type) -> None:
    with says(ParameterError, "^missing='branch' adds a third branch", "criterion='twoing'", "use missing"):
        kind(missing="branch", criterion="twoing").fit(X, Y)


def test_the_median_cannot_try_missing_rows_in_many_branches() -> None:
    bad = TreeRegressor(missing="learned", criterion="absolute_error", grouping="each")
    with says(ParameterError, "^missing='learned'", "criterion='absolute_error'", "set grouping='subset'"):
        bad.fit(FRAME, Y)


@pytest.mark.parametrize("grown", MISSING)
@pytest.mark.parametrize("asked", [*MISSING, "majority"])
def test_only_a_tree_that_learned_it_can_be_asked_for_it(grown: str, asked: str) -> None:
    model = CARTClassifier(missing=grown, missing_predict=asked)
    if asked == grown or asked in UNIVERSAL_STRATEGIES:
        model.fit(FRAME, Y)
        assert _answers(model, FRAME)
        return
    with says(ParameterError, f"^missing_predict='{asked}' requires a tree grown with missing='{asked}'", f"'{grown}'"):
        model.fit(FRAME, Y)


def test_the_way_of_prediction_may_be_changed_after_the_fit_and_is_checked_again() -> None:
    model = CARTClassifier(missing="learned").fit(FRAME, Y)
    model.set_params(missing_predict="surrogate")
    with says(ParameterError, "missing_predict='surrogate'", "missing='learned'"):
        model.predict(HOLED)
    model.set_params(missing_predict="majority", unseen_category="mean")
    with says(ParameterError, "^unseen_category must be one of .*, got 'mean'"):
        model.predict(HOLED)
    # What the tree was grown with counts, not what `missing` says by now.
    model.set_params(missing="surrogate", missing_predict="learned", unseen_category="missing")
    assert len(model.predict(HOLED)) == 2


@every
def test_the_tag_says_whether_missing_values_are_taken(estimator: object) -> None:
    assert get_tags(estimator).input_tags.allow_nan
    assert not get_tags(clone(estimator).set_params(missing="error")).input_tags.allow_nan


# ---- missing values are refused where that was asked for


@every
@pytest.mark.parametrize("column", ["age", "town"])
def test_error_refuses_a_hole_in_fit_and_in_predict(estimator: object, column: str) -> None:
    estimator = clone(estimator).set_params(missing="error")
    bad = FRAME.astype({"age": float})
    bad.loc[1, column] = None
    sentence = (f"Column '{column}' has a missing value", "row 1", "fill it", "pass another `missing`")
    with says(InputError, *sentence):
        estimator.fit(bad, Y)
    estimator.fit(FRAME, Y)
    for ask in (estimator.predict, estimator.apply, estimator.decision_path, estimator.missing_report):
        with says(InputError, *sentence):
            ask(bad)


@every
def test_a_tree_that_refused_holes_can_be_asked_otherwise(estimator: object) -> None:
    model = clone(estimator).set_params(missing="error", missing_predict="majority").fit(FRAME, Y)
    assert len(model.predict(HOLED)) == 2
    model.set_params(missing="stop", missing_predict="error").fit(FRAME, Y)
    with says(InputError, "Column 'age' has a missing value", "row 0"):
        model.predict(HOLED)


# ---- unseen categories


@every
@pytest.mark.parametrize(
    ("policy", "does"),
    [
        ("missing", "is treated as missing"),
        ("majority", "follows the heaviest branch"),
        ("stop", "stops at the node that splits on the column"),
    ],
)
def test_one_warning_a_call_names_column_value_and_rows(estimator: object, policy: str, does: str) -> None:
    model = clone(estimator).set_params(unseen_category=policy).fit(FRAME, Y)
    for ask in ("predict", "apply", "decision_path", "predict_proba", "predict_log_proba"):
        if not hasattr(model, ask):
            continue
        with pytest.warns(UnseenCategoryWarning) as caught:
            getattr(model, ask)(NEW)
        (one,) = caught
        said = str(one.message)
        assert said.startswith("Unseen categories 'Köln' in column 'town' (2 rows), 'Rom' in column 'town' (1 row)")
        assert f"; with unseen_category='{policy}' such a value {does}" in said
        assert one.filename == __file__


def test_many_unseen_values_are_counted() -> None:
    model = C45Classifier().fit(pd.DataFrame({"id": ["a", "b"] * 4}), [0, 1] * 4)
    with pytest.warns(UnseenCategoryWarning, match=r"'n3' in column 'id' \(1 row\), and 996 more; with"):
        model.predict(pd.DataFrame({"id": [f"n{i}" for i in range(1000)]}))


def test_score_warns_at_a_place_outside_of_the_package() -> None:
    model = CARTClassifier().fit(FRAME, Y)
    with pytest.warns(UnseenCategoryWarning) as caught:
        model.score(NEW, [0, 1, 0])
    assert "sklearn" in caught[0].filename


@every
def test_an_unseen_category_can_be_an_error(estimator: object) -> None:
    model = clone(estimator).set_params(unseen_category="error").fit(FRAME, Y)
    for ask in (model.predict, model.apply, model.decision_path, model.missing_report):
        with says(InputError, "'town'", "'Köln'", "use one of 'Bonn', 'Kiel', 'Ulm'"):
            ask(NEW)


@every
@pytest.mark.parametrize("refusing", [{"missing": "error"}, {"missing": "stop", "missing_predict": "error"}], ids=repr)
def test_where_holes_are_refused_an_unseen_category_is_named(estimator: object, refusing: dict) -> None:
    """It counts as missing, and missing is refused: the sentence names the category, not a hole."""
    model = clone(estimator).set_params(**refusing).fit(FRAME, Y)
    with says(InputError, "'town'", "'Köln'", "does not occur in training"):
        model.predict(NEW)


@every
def test_an_unseen_category_as_missing_is_a_missing_one(estimator: object) -> None:
    model = clone(estimator).fit(FRAME, Y)
    with pytest.warns(UnseenCategoryWarning):
        found = _answers(model, NEW)
    assert found == _answers(model, NEW.assign(town=[None] * 3))


@every
@pytest.mark.parametrize("policy", ["majority", "stop"])
def test_the_other_policies_are_those_of_missing_values(estimator: object, policy: str) -> None:
    """The heaviest branch, or the end of the way: as a missing value under the strategy of that name."""
    model = clone(estimator).set_params(unseen_category=policy).fit(FRAME, Y)
    with pytest.warns(UnseenCategoryWarning):
        found = _answers(model, NEW)
    as_missing = copy.copy(model).set_params(missing_predict=policy)
    assert found == _answers(as_missing, NEW.assign(town=[None] * 3))


def test_unseen_and_missing_follow_their_own_rules_side_by_side() -> None:
    table = pd.DataFrame({"town": ["Ulm"] * 3 + ["Bonn"] * 2})
    model = CARTClassifier(missing="fractional", unseen_category="majority").fit(table, [0, 0, 0, 1, 1])
    with pytest.warns(UnseenCategoryWarning):
        found = model.predict_proba(pd.DataFrame({"town": [None, "Rom", "Bonn"]}))
    np.testing.assert_allclose(found, [[0.6, 0.4], [1, 0], [0, 1]], rtol=1e-15)


def test_known_categories_give_no_warning() -> None:
    model = CARTClassifier().fit(FRAME, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(model.predict(HOLED)) == 2


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_the_report_says_what_is_unseen_without_a_warning(estimator: object) -> None:
    model = clone(estimator).fit(FRAME, Y)
    report = model.missing_report(NEW)
    assert [(one.name, one.n_missing, one.n_unseen) for one in report.columns] == [("age", 0, 0), ("town", 0, 3)]
    assert (report.n_rows, report.missing, report.unseen) == (3, model.tree_.missing, "missing")
