"""Explanations and reports in Chinese have no English words besides the user's names."""

import pytest

from tests.chinese import english_words, mixed_table
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
)

X, Y = mixed_table()
CLASSIFIERS = [
    C45Classifier(),
    C45Classifier(pruning=None, missing="learned"),
    C45Classifier(pruning=None, unseen_category="stop"),
    CARTClassifier(),
    CARTClassifier(pruning=None, cost_matrix=[[0, 3], [1, 0]]),
    CARTClassifier(pruning=None, probability="shrinkage"),
    CARTClassifier(pruning="reduced_error", pre_pruning=True, validation_fraction=0.3),
    ID3Classifier(numeric="bisect", pruning="pessimistic"),
    TreeClassifier(missing="stop", pruning="mdl"),
    TreeClassifier(missing="branch", grouping="each"),
]
REGRESSORS = [
    CARTRegressor(pruning=None, max_depth=3),
    TreeRegressor(criterion="absolute_error", max_depth=2),
    CARTRegressor(),
]
ROWS = [X.iloc[0], X.iloc[3], X.iloc[9], {}, {"outlook": "fog", "humidity": 70}, {"windy": True, "size": "L"}]


@pytest.mark.filterwarnings("ignore::treewright.UnseenCategoryWarning")
@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=repr)
def test_explanations_in_chinese(model):
    model.fit(X, Y if hasattr(model, "predict_proba") else [i % 10 + i / 7 for i in range(40)])
    for row in ROWS:
        for policy in (None, "fractional", "majority", "stop"):
            found = model.set_params(missing_predict=policy).explain(row, language="zh")
            assert not english_words(found.to_text(), "fog", "e", "target"), found.to_text()
            assert not english_words(found.to_html(), "fog", "e", "target")
            assert not any(english_words(step.words, "fog") for step in found.steps)
        model.set_params(missing_predict=None)


@pytest.mark.filterwarnings("ignore::treewright.UnseenCategoryWarning")
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_missing_reports_in_chinese(model):
    model.fit(X, Y)
    unseen = X.assign(outlook="fog")
    for table in (X, X.dropna(), unseen):
        report = model.missing_report(table, language="zh")
        assert not english_words(str(report) + report._repr_html_())
    assert "……" not in str(report)


@pytest.mark.parametrize("model", [C45Classifier(pruning=None), CARTRegressor(pruning=None, max_depth=2)], ids=repr)
def test_stability_and_importances_in_chinese(model):
    model.fit(X, Y if hasattr(model, "predict_proba") else range(40))
    report = model.stability(n=5, language="zh")
    assert not english_words(report.to_text(1) + str(report) + report.to_html())
    table = model.importances(language="zh")
    assert not english_words(table.to_text(1) + str(table) + table.to_html())


def test_data_does_not_depend_on_the_language():
    model = C45Classifier().fit(X, Y)
    words, other = (model.stability(n=3, language=language).to_dict() for language in ("en", "zh"))
    assert words.keys() == other.keys()
    assert model.importances(language="zh").to_dict() == model.importances().to_dict()
    assert model.explain(X.iloc[0], language="zh").to_dict().keys() == model.explain(X.iloc[0]).to_dict().keys()


@pytest.mark.parametrize("method", ["explain", "missing_report", "stability", "importances"])
def test_the_language_is_checked(method):
    model = C45Classifier().fit(X, Y)
    given = {"explain": [X.iloc[0]], "missing_report": [X]}.get(method, [])
    with pytest.raises(ParameterError, match="language must be one of"):
        getattr(model, method)(*given, language="fr")
