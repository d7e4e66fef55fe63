"""The exports of a page are the texts of the estimator, compressed; what is refused or too large says so."""

import zlib
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest

from tests.page.reading import document
from tests.page.tables import GOLF, PLAY, document_of, fitted
from treewright import C45Classifier, CARTClassifier
from treewright.export.exported import LANGUAGES
from treewright.export.sql_dialects import DIALECTS
from treewright.page import export_part


def texts(shown):
    """The texts of a document, by format and language."""

    def read(packed):
        return {language: zlib.decompress(b64decode(data)).decode("utf-8") for language, data in packed.items()}

    return {one["key"]: read(one["text"]) for one in shown["exports"] if one["text"] is not None}


@pytest.mark.parametrize("name", ["c45", "cart", "cart numbers"])
def test_a_text_is_what_the_estimator_exports_without_a_check(name):
    model, found = fitted(name), texts(document_of(name, given=False))
    refused = [one["key"] for one in document_of(name, given=False)["exports"] if one["refused"]]
    assert {"duckdb", "python", "rules"} <= set(found)
    for key in {*DIALECTS, *LANGUAGES} - set(refused):
        text = model.to_sql(key, check=False) if key in DIALECTS else model.to_code(key, check=False)
        assert found[key] == {"en": text}
        assert "Not executed." in text.splitlines()[1]
    assert found["rules"] == {language: model.rules(language=language).to_text() for language in ("en", "zh")}


def test_every_dialect_and_language_is_offered_with_the_call_that_makes_it():
    model = C45Classifier().fit(GOLF, PLAY)
    offered = document(model.to_html(methods=[]))["exports"]
    assert {one["key"] for one in offered} == {*DIALECTS, *LANGUAGES, "rules"}
    for one in offered:
        found = str(eval(f"model.{one['call']}"))
        assert found.splitlines()[-1] == texts({"exports": [one]})[one["key"]]["en"].splitlines()[-1]


def test_a_format_that_refuses_the_tree_says_why():
    X = pd.DataFrame({"a column whose name is too long for SAS": [1.0, 2.0, 3.0, 4.0]})
    model = CARTClassifier(pruning=None).fit(X, ["a", "a", "b", "b"])
    offered = {one["key"]: one for one in document(model.to_html())["exports"]}
    assert offered["sas"]["text"] is None
    assert "cannot be the name of a SAS variable" in offered["sas"]["refused"]
    assert offered["c"]["text"] is not None
    assert offered["c"]["refused"] is None


USUAL = {"duckdb", "sqlite", "postgres", *LANGUAGES, "rules"}


@pytest.mark.parametrize(("leaves", "kept"), [(60, USUAL), (600, set())])
def test_a_large_tree_has_no_texts(leaves, kept):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2500, 3)), rng.integers(0, 2, 2500)
    model = CARTClassifier(pruning=None, max_leaf_nodes=leaves).fit(X, y)
    assert model.tree_.n_leaves == leaves
    shown = document(model.to_html(methods=[]))
    assert set(texts(shown)) == kept
    assert all(one["refused"] is None for one in shown["exports"])


def test_a_long_text_is_left_out(monkeypatch):
    model = C45Classifier().fit(GOLF, PLAY)
    length = max(len(model.to_sql(name, check=False)) for name in DIALECTS)
    monkeypatch.setattr(export_part, "MAX_LENGTH", length - 1)
    found = texts(document(model.to_html(methods=[])))
    assert 0 < len(found) < len(export_part.FORMATS)
    assert all(len(text) < length for own in found.values() for text in own.values())


def test_texts_have_no_categories_of_columns_that_are_not_tested():
    X = [["a", "secret 1"], ["a", "secret 2"], ["b", "secret 1"], ["b", "secret 2"]]
    found = texts(document(CARTClassifier().fit(X, [0, 0, 1, 1]).to_html()))
    assert len(found) == len(export_part.FORMATS)
    assert not any("secret" in text for own in found.values() for text in own.values())
