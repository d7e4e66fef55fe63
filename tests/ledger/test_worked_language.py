"""A worked solution in English and in Chinese: the same arithmetic, the words of the language, the user's names."""

import re
from string import Formatter

import pytest

from tests.ledger.worked_cases import NAMES, fitted
from treewright.errors import ParameterError
from treewright.ledger.worked.document import Formula, Sentence
from treewright.ledger.worked.expressions import Words
from treewright.ledger.worked.say import LANGUAGES, PHRASES, Say

LATIN = re.compile(r"[A-Za-z]{3,}")
NOT_TRANSLATED = {
    # programs, parameters and names of measures that are the same in every language
    "Release", "Weka", "CART", "Beta", "Krichevsky", "Trofimov", "twoing", "Gini",
    "min_samples_split", "max_depth", "min_impurity_decrease", "log", "n_c",
}  # fmt: skip


@pytest.mark.parametrize("key", PHRASES)
def test_every_phrase_has_both_languages_and_the_same_pieces(key):
    english, chinese = PHRASES[key]
    names = [sorted(name for _, name, _, _ in Formatter().parse(said) if name) for said in (english, chinese)]
    assert set(names[0]) == set(names[1])
    assert english
    assert chinese
    signs = {"≤ t", "> t", "{name}"}
    assert re.search("[\u4e00-\u9fff：]", chinese) or chinese in signs
    assert not re.search("[\u4e00-\u9fff]", english)


def own_words(solution):
    """What is ours in a solution: headings, sentences, heads of tables."""
    document = solution.document
    sentences = [document.title, document.note]
    for section in document.sections:
        sentences.append(section.heading)
        for part in section.parts:
            if isinstance(part, Sentence):
                sentences.append(part)
            elif not isinstance(part, Formula):
                sentences += [*part.head, *part.below, *(cell for line in part.rows for cell in line)]
    return [piece for said in sentences for piece in said.pieces if isinstance(piece, str)]


@pytest.mark.parametrize("name", NAMES)
def test_chinese_has_no_english_words_of_ours(name):
    model = fitted(name)
    said = own_words(model.worked_solution(0, grown=True, language="zh"))
    found = {word for piece in said for word in re.findall(r"[A-Za-z_]{3,}", piece)}
    assert found <= NOT_TRANSLATED
    last = model.tree_.n_nodes - 1
    assert not any(LATIN.search(piece) for piece in own_words(model.worked_solution(last, language="zh"))[:2])


def numbers(text):
    return sorted(re.findall(r"\d+\.\d+", text))


@pytest.mark.parametrize("name", ["c4.5 fractional", "cart surrogate", "regression stop", "pruned reduced_error"])
def test_the_arithmetic_is_the_same(name):
    model = fitted(name)
    english, chinese = (model.worked_solution(0, grown=True, language=language) for language in LANGUAGES)
    shown = numbers(chinese.to_text())
    # reasons of the ledger, which are in English only, tell some figures a second time
    assert set(shown) <= set(numbers(english.to_text()))
    assert len(shown) > 30


def test_other_languages_are_refused():
    with pytest.raises(ParameterError, match="language='fr' is not known; choose one of 'en', 'zh'"):
        fitted("twoing").worked_solution(language="fr")


def test_words_between_names_are_translated():
    model = fitted("c4.5 branch")
    tree = model.grown_tree_
    node = next(i for i in range(tree.n_nodes) if tree.node(i).branch_words and "missing" in tree.node(i).branch_words)
    title = model.worked_solution(node, grown=True, language="zh").to_dict()["title"]
    assert "缺失" in title
    assert "missing" not in title


def test_a_name_that_looks_like_our_words_stays():
    say = Say("zh")
    assert say("kind.category", name=Words("x is missing")).pieces == (Words("x is missing"),)
