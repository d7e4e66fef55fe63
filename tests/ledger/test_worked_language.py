"""Worked solutions and ledgers in English and in Chinese: the same numbers, and no English words in Chinese."""

import re
from html import unescape

import pytest

from tests.ledger.cases import mixed
from tests.ledger.worked_cases import NAMES, fitted
from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier, load
from treewright.errors import ParameterError
from treewright.language import LANGUAGES
from treewright.ledger.ledger_reasons import _TEMPLATES, Reason, read_reason, stored_text
from treewright.ledger.worked.document import Label
from treewright.ledger.worked.sentences import Sentences

ENGLISH = re.compile(r"[A-Za-z_]{2,}")
AGREED = {
    # programs, parameters, methods, formulas and names of measures that are the same in every language
    "Release", "Weka", "CART", "Beta", "Krichevsky", "Trofimov", "twoing", "Gini", "CF", "IM", "df", "KT",
    "min_samples_split", "max_depth", "min_impurity_decrease", "max_leaf_nodes", "monotonic_cst", "log", "n_c", "alpha",
    "Ent", "Gain", "GainRatio", "IV", "SSE", "SAE", "MSE", "MAE", "RMSE", "SE", "ln", "Gain_", "U_", "T_", "c_v", "m_v",
    "log2", "inf", "error_based", "global",
}  # fmt: skip
USER = {
    # names, categories and classes of the tables below
    "size", "colour", "step", "grade", "yes", "no", "maybe", "same", "length", "width", "red", "green", "blue", "grey",
    "XL",
}  # fmt: skip


def english_words(text):
    """The English words of a text that are neither agreed nor the user's."""
    return {word for word in ENGLISH.findall(text) if word not in AGREED | USER}


@pytest.mark.parametrize(("n_grown", "n_pruned"), [(4, 2), pytest.param(6, 3, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", NAMES)
def test_a_chinese_solution_has_no_english_words(name, n_grown, n_pruned):
    model = fitted(name)
    for node in range(min(model.grown_tree_.n_nodes, n_grown)):
        assert english_words(model.worked_solution(node, grown=True, language="zh").to_text()) == set()
    for node in range(min(model.tree_.n_nodes, n_pruned)):
        assert english_words(model.worked_solution(node, language="zh").to_text()) == set()


@pytest.mark.parametrize(("n_grown", "n_pruned"), [(5, 3), pytest.param(8, 8, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", NAMES)
def test_a_chinese_ledger_has_no_english_words(name, n_grown, n_pruned):
    model = fitted(name)
    for node in range(min(model.grown_tree_.n_nodes, n_grown)):
        ledger = model.why(node, grown=True, language="zh")
        assert english_words(str(ledger)) == set()
        assert english_words(unescape(re.sub("<[^>]*>", " ", ledger.to_html()))) == set()
        assert english_words("".join(one.reason for one in ledger.candidates)) == set()
    for node in range(min(model.tree_.n_nodes, n_pruned)):
        assert english_words(str(model.why(node, language="zh"))) == set()


@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(),
        C45Classifier(missing="branch", pruning=None, min_samples_split=80),
        CARTClassifier(max_leaf_nodes=4, pruning=None),
        CARTClassifier(max_depth=1, pruning=None, class_weight="balanced"),
        CARTClassifier(min_impurity_decrease=0.05, pruning=None, missing="learned"),
        CARTClassifier(pre_pruning=True, validation_fraction=0.3, pruning=None),
        CARTRegressor(monotonic_cst={"length": 1}, missing="learned"),
        TreeClassifier(
            criterion="entropy", merit="ratio", floor="description", penalty="description", grouping="binary"
        ),
    ],
    ids=repr,
)
def test_every_kind_of_leaf_and_reason_is_translated(model, tmp_path):
    table, classes, numbers = mixed(300, holes=0.1 if getattr(model, "missing", "") in ("branch", "learned") else 0.0)
    model.fit(table, numbers if isinstance(model, CARTRegressor) else classes)
    model.save(tmp_path / "model.json", ledgers=True)
    loaded = load(tmp_path / "model.json")
    for node in range(model.tree_.n_nodes):
        ledger = model.why(node, language="zh")
        assert english_words(str(ledger)) == set()
        assert str(loaded.why(node, language="zh")) == str(ledger)
        assert str(loaded.why(node)) == str(model.why(node))


def numbers(text):
    return re.findall(r"\d+\.\d+", text)


@pytest.mark.parametrize("name", ["c4.5 fractional", "cart surrogate", "regression stop", "pruned reduced_error"])
def test_the_arithmetic_is_the_same(name):
    model = fitted(name)
    english, chinese = (model.worked_solution(0, grown=True, language=language) for language in LANGUAGES)
    assert sorted(numbers(chinese.to_text())) == sorted(numbers(english.to_text()))
    assert len(numbers(chinese.to_text())) > 30
    english, chinese = (model.why(0, language=language) for language in LANGUAGES)
    assert sorted(numbers(str(chinese))) == sorted(numbers(str(english)))


def test_other_languages_are_refused():
    model = fitted("twoing")
    for text in (model.worked_solution, model.why, lambda language: model.why_pruned(0, language=language)):
        with pytest.raises(ParameterError, match=r"language must be one of 'en', 'zh', got 'fr'\."):
            text(language="fr")


def test_words_between_names_are_translated():
    model = fitted("c4.5 branch")
    tree = model.grown_tree_
    node = next(i for i in range(tree.n_nodes) if "missing" in (tree.node(i).condition() or ""))
    title = model.worked_solution(node, grown=True, language="zh").to_dict()["title"]
    assert "缺失" in title
    assert "missing" not in title


def test_a_name_that_looks_like_a_condition_stays():
    _ = Sentences("zh")
    assert _("{name} (ordered)", name=Label("x is missing")).pieces[0] == Label("x is missing")


@pytest.mark.parametrize("message", _TEMPLATES)
def test_a_stored_reason_is_read_again(message):
    template = _TEMPLATES[message]
    nested = {
        "amount": _TEMPLATES["{n} rows"](n="2"),
        "reason": _TEMPLATES["the highest gain"](),
        "details": _TEMPLATES["predictions here must be at least {low}"](low="0.5"),
        "bounds": _TEMPLATES["predictions here must be at least {low}"](low="0.5"),
        "direction": _TEMPLATES["they must rise with it"](),
    }
    if message == "{reason} ({details})":
        nested["reason"] = _TEMPLATES["a split on it would violate monotonic_cst"]()
    places = set(re.findall(r"\{(\w+)\}", message))
    reason = template(**{name: nested.get(name, "7") for name in places})
    again = read_reason(stored_text(reason))
    assert isinstance(again, Reason)
    assert (again, again.message, again.values) == (reason, reason.message, reason.values)
    assert stored_text(again) == stored_text(reason)


def test_other_texts_of_a_file_stay_as_they_are():
    assert read_reason("something else") == "something else"
    assert read_reason("(" * 200_000) == "(" * 200_000
