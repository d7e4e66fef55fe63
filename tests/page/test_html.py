"""The HTML of a page: one data block, one script and one style sheet, allowed by their hashes, and nothing else."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files

import pandas as pd
import pytest

from tests.page.reading import document, read
from tests.page.tables import ESTIMATORS, GOLF, HOSTILE, PLAY, SOME, fitted, page_of
from treewright import C45Classifier, CARTClassifier, TreewrightError
from treewright.model.formatting import format_category
from treewright.page import html
from treewright.page.html import assets, data_block, page_html


def hash_of(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy_of(found):
    """The parts of the policy, by name."""
    (content,) = [a["content"] for tag, a in found.tags if tag == "meta" and "http-equiv" in a]
    return {part.split()[0]: part.split()[1:] for part in content.split(";")}


@pytest.mark.parametrize(
    "name", [*SOME, *(pytest.param(name, marks=pytest.mark.long) for name in ESTIMATORS if name not in SOME)]
)
def test_there_is_one_data_block_and_one_script(name):
    found = read(page_of(name))
    assert found.doctype == "doctype html"
    assert [given for given, _ in found.scripts] == [{"type": "application/json", "id": "treewright-data"}, {}]
    assert len(found.styles) == 1
    assert ("div", {"id": "treewright"}) in found.tags
    assert {tag for tag, _ in found.tags} == {
        "html", "head", "meta", "title", "style", "body", "div", "noscript", "p", "script",
    }  # fmt: skip


def test_the_policy_allows_the_script_and_the_style_and_nothing_else():
    found = read(page_of("c45"))
    ((_, style),) = found.styles
    assert policy_of(found) == {
        "default-src": ["'none'"],
        "script-src": [hash_of(found.script()[0])],
        "style-src": [hash_of(style)],
        "img-src": ["data:"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }


def test_the_policy_stands_before_all_that_it_rules():
    tags = [tag for tag, _ in read(page_of("c45")).tags]
    metas = [i for i, (tag, given) in enumerate(read(page_of("c45")).tags) if "http-equiv" in given]
    assert metas[0] < min(tags.index("style"), tags.index("script"))


def test_nothing_is_fetched_or_handled():
    for _, given in read(page_of("c45")).tags:
        assert not {"src", "href", "srcset", "action", "style"} & set(given)
        assert not any(name.startswith("on") for name in given)


def test_the_script_is_all_assets_in_their_order():
    folder = files("treewright.page") / "assets"
    script, style = assets()
    at = {".js": 0, ".css": 0}
    names = [line.partition("#")[0].strip() for line in (folder / "order.txt").read_text("utf-8").splitlines()]
    for name in filter(None, names):
        text, kind = (folder / name).read_text("utf-8"), name[name.rindex(".") :]
        whole = script if kind == ".js" else style
        assert text in whole
        assert whole.index(text) >= at[kind]
        at[kind] = whole.index(text)
    listed = {name for name in names if name}
    assert {one.name for one in folder.iterdir() if one.name.endswith((".js", ".css"))} == listed
    assert script.startswith('(() => {\n"use strict";\n')
    assert script.endswith("\n})();\n")


@pytest.mark.parametrize("text", ["</ScRiPt>", "</style>", "<!-- x", "a\r\nb"])
def test_an_asset_that_could_end_its_block_is_refused(text, monkeypatch):
    monkeypatch.setattr(html, "_read", lambda asset: "bad.js" if asset.name == "order.txt" else text)
    assets.cache_clear()
    try:
        with pytest.raises(TreewrightError, match=r"bad\.js"):
            assets()
    finally:
        assets.cache_clear()


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_survives_the_block(text):
    block = data_block({"name": text, text: [text]})
    assert json.loads(block) == {"name": text, text: [text]}
    assert not re.search("[<>&\u2028\u2029\u202e\ud800-\udfff]", block)
    block.encode("utf-8")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_stand_in_a_page_as_text(text):
    """As the name of a column, a category, a class and the title."""
    other = "other" if text != "other" else "one"
    # The strings of pandas hold no lone surrogates, its objects do.
    X = pd.DataFrame({0: pd.Series([text, other, text, other], dtype=object), 1: [1, 2, 3, 4]})
    X.columns = pd.Index([text or "x", "n"], dtype=object)
    y = [text, other, text, other]
    model = CARTClassifier().fit(X, y)
    html = model.to_html(None, X, y, title=text)
    found, shown = read(html), document(html)
    assert len(found.scripts) == 2
    assert shown["title"] == text
    assert shown["columns"][0]["name"] == (text or "x")
    assert sorted(shown["columns"][0]["categories"]) == sorted([format_category(text), other])
    assert sorted(shown["target"]["classes"]) == sorted([format_category(text), other])
    html.encode("utf-8")
    (title,) = re.findall(r"<title>(.*?)</title>", html, re.DOTALL)
    assert "<" not in title


def test_the_title_is_text():
    html = fitted("c45").to_html(title="a < b & c\u202e\ud800")
    parser = _Title()
    parser.feed(html)
    assert parser.title == "a < b & c\\u202e\\ud800"


class _Title(HTMLParser):
    title, inside = "", False

    def handle_starttag(self, tag, attrs):
        self.inside = tag == "title"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        self.title += data if self.inside else ""


def test_numbers_that_are_none_never_come_into_a_page():
    with pytest.raises(ValueError, match="not JSON compliant"):
        data_block({"x": float("nan")})


def test_the_language_is_that_of_the_page():
    for language in (None, "en", "zh"):
        html = C45Classifier().fit(GOLF, PLAY).to_html(language=language)
        assert f'<html lang="{language or "en"}">' in html
        assert document(html)["language"] == language


def test_a_page_says_what_it_needs_where_scripts_are_off():
    text = read(page_html({"title": "t", "language": "zh"})).text
    assert "needs JavaScript" in text
    assert "需要 JavaScript" in text


def test_line_ends_are_the_same_everywhere():
    assert "\r" not in page_of("cart")
