"""Rules in Chinese have no English words besides the user's names, and store the same bytes."""

from dataclasses import replace

import pytest

from tests.chinese import english_words, mixed_table
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
)
from treewright.rules.rule_file import rules_bytes

MODELS = [
    C45Classifier(pruning=None),
    C45Classifier(missing="learned", pruning=None),
    CARTClassifier(pruning=None),
    ID3Classifier(numeric="bisect"),
    TreeClassifier(missing="stop"),
    TreeClassifier(missing="branch", grouping="each"),
    CARTClassifier(min_samples_leaf=30),
]
ROWS = [{}, {"outlook": "sunny"}, {"outlook": "fog", "humidity": 90, "windy": True}, {"humidity": 70, "size": "L"}]


@pytest.mark.filterwarnings("ignore::treewright.UnseenCategoryWarning")
@pytest.mark.parametrize("form", ["leaves", "generalised"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_rules_in_chinese(model, form):
    X, y = mixed_table()
    rules = model.fit(X, y).rules(form, language="zh")
    for text in (str(rules), rules.to_text(1), rules.to_markdown(), rules.to_markdown(1), rules.to_html(1)):
        assert not english_words(text)
    for row in (*ROWS, X.iloc[0], X.iloc[9]):
        found = rules.explain(row)
        assert not english_words(str(found) + found.to_html(), "fog")
        assert found.prediction == replace(rules, language="en").explain(row).prediction
    for rule in rules:
        assert not english_words(rule.words("zh") + rule.figures("zh"))


def test_rules_of_numbers_in_chinese():
    X, _ = mixed_table()
    rules = CARTRegressor(max_depth=2, pruning=None).fit(X, range(40)).rules(language="zh")
    for text in (str(rules), rules.to_markdown(), rules.to_html(), str(rules.explain(X.iloc[3]))):
        assert not english_words(text, "target")


@pytest.mark.parametrize("form", ["leaves", "generalised"])
def test_a_file_does_not_depend_on_the_language(form):
    model = C45Classifier(pruning=None).fit(*mixed_table())
    assert rules_bytes(model.rules(form, language="zh")) == rules_bytes(model.rules(form))


def test_the_language_is_checked():
    model = C45Classifier().fit(*mixed_table())
    with pytest.raises(ParameterError, match="language must be one of"):
        model.rules(language="fr")
