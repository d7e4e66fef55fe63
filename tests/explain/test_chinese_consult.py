"""Questions, results and refusals of a consultation in Chinese have no English words besides the user's names."""

import pytest

from tests.chinese import english_words, mixed_table
from treewright import C45Classifier, CARTClassifier, CARTRegressor, InputError, ParameterError
from treewright.explain.consult import consult

MODELS = [
    C45Classifier(pruning=None),
    C45Classifier(pruning=None, missing="learned"),
    CARTClassifier(pruning=None),
    CARTClassifier(pruning=None, cost_matrix=[[0, 3], [1, 0]]),
    CARTClassifier(pruning=None, probability="laplace"),
]
UNREADABLE = ["", "nonsense", "o", "9", "1e999", "80-70", "> L"]
UNREADABLE += ["sunny: 0.5", "sunny: 0.7, rain: 0.7", "sunny: 0.7, rain"]


def texts_of(case, answer):
    """Answer all questions alike, and return all that is said on the way."""
    said = []
    while case.question is not None:
        said += [case.question.to_text(), case.why()]
        for text in UNREADABLE:
            try:
                case.with_answer(text)
            except InputError as error:
                said.append(str(error).replace(repr(text), ""))
        try:
            case = case.with_answer(answer)
        except InputError:
            case = case.with_answer("?")
        said += [one.words for one in case.answers]
    return [*said, case.why(), case.result.to_text()]


@pytest.mark.parametrize("answer", ["?", "70-80", "< 75", ">= 70", "sunny: 0.5, rain: 0.5", "1"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_consultation_in_chinese(model, answer):
    model.fit(*mixed_table())
    case = consult(model.tree_, model._prediction_policy().rule, language="zh")
    for text in texts_of(case, answer):
        assert not english_words(text, "nonsense", "o", "e"), text


def test_a_number_in_chinese():
    X, _ = mixed_table()
    model = CARTRegressor(max_depth=2, pruning=None).fit(X, range(40))
    case = consult(model.tree_, model._prediction_policy().rule, language="zh")
    for text in texts_of(case, "?"):
        assert not english_words(text, "nonsense", "o", "e", "target"), text


def test_many_categories_in_chinese():
    X = [[f"{i:02}"] for i in range(25)] * 4
    model = C45Classifier(pruning=None).fit(X, [i % 25 < 12 for i in range(100)])
    case = consult(model.tree_, model._prediction_policy().rule, language="zh")
    assert case.question.to_text() == "x0（25 个取值之一，如 00, 01, 02；输入开头几个字符即可）？"
    with pytest.raises(InputError, match="另有 17 个"):
        case.with_answer("none")
    with pytest.raises(InputError, match="与 'x0' 的多个取值匹配"):
        case.with_answer("0")


def test_going_back_in_chinese():
    model = C45Classifier().fit(*mixed_table())
    case = consult(model.tree_, model._prediction_policy().rule, language="zh")
    with pytest.raises(InputError, match="还没有可以撤回的回答"):
        case.back()
    with pytest.raises(InputError, match="还没有对 'outlook' 的回答"):
        case.without_answer("outlook")
    with pytest.raises(ParameterError, match="language must be one of"):
        consult(model.tree_, model._prediction_policy().rule, language="fr")
