"""The export panel: texts that run, can be copied and saved, and say which tree they are for."""

import re
import sqlite3

import pandas as pd
import pytest

from tests.page.browser import PHONE
from tests.page.tables import GOLF, HOSTILE, PLAY, document_of, fitted, page_of
from treewright import C45Classifier, CARTClassifier


@pytest.fixture(scope="module")
def golf():
    return C45Classifier(min_samples_leaf=1).fit(GOLF, PLAY)


@pytest.fixture(scope="module")
def golf_page(golf):
    return golf.to_html(methods=[], title="Golf: play?")


def open_export(page, key=None):
    """Open the panel, and choose a format."""
    if not page.page.locator(".export-dialog").count():
        page.page.locator("svg.tree").focus()
        page.page.keyboard.press("x")
    page.page.locator(".export-content > :nth-child(2)").first.wait_for()
    if key is not None:
        page.page.locator(".export-choice").select_option(key)
        page.wait(f"document.querySelector('.export-content code, .export-refusal').textContent.includes({key!r})")


def saved(page, folder):
    """The name and the text of the file that the page saves."""
    with page.page.expect_download() as download:
        page.page.locator("[data-export=save]").click()
    page.troubles.remove("a download")
    download.value.save_as(folder / "saved")
    return download.value.suggested_filename, (folder / "saved").read_bytes().decode("utf-8")


def test_the_statement_that_is_shown_predicts_in_the_database(visit, golf, golf_page):
    page = visit(golf_page)
    open_export(page)
    assert page.ask("document.activeElement.className") == "export-choice"
    assert page.text(".export-tree") == "The tree shown, which is used for prediction: 5 leaves."
    open_export(page, "sqlite")
    with sqlite3.connect(":memory:") as database:
        GOLF.to_sql("data", database, index=False)
        rows = database.execute(page.page.locator(".export-text").text_content())
        names = [column[0] for column in rows.description]
        assert [row[names.index("prediction")] for row in rows] == golf.predict(GOLF).tolist()
    page.page.keyboard.press("Escape")
    assert page.page.locator("dialog").count() == 0


def test_a_text_is_saved_and_copied_as_it_is(visit, golf, golf_page, tmp_path):
    page = visit(golf_page, permissions=["clipboard-read", "clipboard-write"])
    page.page.get_by_role("button", name="Export as SQL, code or rules").click()
    open_export(page, "python")
    text = golf.to_code("python", check=False)
    assert saved(page, tmp_path) == ("Golf-play.py", text)
    page.page.get_by_role("button", name="Copy").click()
    page.wait("document.querySelector('.export-status').textContent === 'Copied.'")
    assert page.ask("navigator.clipboard.readText()") == text


def test_where_the_browser_does_not_allow_copying_the_text_is_selected(visit, golf, golf_page):
    page = visit(golf_page)
    page.ask("Object.defineProperty(navigator, 'clipboard', {value: undefined}); document.execCommand = () => false; 0")
    open_export(page, "c")
    page.page.get_by_role("button", name="Copy").click()
    page.wait("document.querySelector('.export-status').textContent.includes('Ctrl+C')")
    assert page.ask("getSelection().toString()").rstrip() == golf.to_code("c", check=False).rstrip()


def test_the_panel_says_so_if_another_tree_is_shown(visit):
    page, est, path = visit(page_of("cart")), fitted("cart"), document_of("cart")["path"]
    assert est.tree_.n_leaves < est.grown_tree_.n_leaves
    trees = [("treewright.setView('grown')", est.grown_tree_.n_leaves), ("treewright.setAlpha(2)", path["leaves"][2])]
    for script, leaves in trees:
        page.ask(script)
        assert leaves != est.tree_.n_leaves
        open_export(page, "duckdb")
        assert page.text(".export-tree") == (
            f"This is the tree used for prediction ({est.tree_.n_leaves} leaves), not the tree shown ({leaves} leaves)."
        )
        call = page.text(".export-content code")
        assert call.endswith('.to_sql("duckdb")')
        assert eval(call.removesuffix('.to_sql("duckdb")'), {"est": est}).tree_.n_leaves == leaves
        assert est.to_sql("duckdb", check=False) == page.page.locator(".export-text").text_content()
        page.page.keyboard.press("Escape")
    page.ask("i => treewright.setAlpha(i)", path["chosen"])
    open_export(page)
    assert page.text(".export-tree").startswith("The tree shown, which is used for prediction")


def test_a_refusal_and_a_large_tree_are_explained(visit):
    X = pd.DataFrame({"a column whose name is too long for SAS": [float(i % 97) for i in range(400)]})
    model = CARTClassifier(pruning=None).fit(X, [str(i % 97 % 3) for i in range(400)])
    assert model.tree_.n_nodes > 100
    page = visit(model.to_html(methods=[]), locale="zh-CN")
    page.page.get_by_role("button", name="导出为 SQL、代码或规则").click()
    page.page.locator(".export-choice").select_option("sas")
    page.page.locator(".export-refusal").wait_for()
    assert "cannot be the name of a SAS variable" in page.text(".export-refusal")
    open_export(page, "spark")
    assert "本页没有这段文本" in page.text(".export-content .note >> nth=1")
    assert page.text(".export-content code") == 'est.to_sql("spark")'
    page.page.locator(".export-choice").select_option("rules")
    page.wait("document.querySelector('.export-text')?.textContent.startsWith('规则')")


def test_hostile_names_are_text_in_every_format(visit, tmp_path):
    names = [name for name in HOSTILE if name.strip() and not re.search("[\0\ud800-\udfff]", name)]
    values = names * 6
    model = C45Classifier(pruning=None).fit(pd.DataFrame({names[0]: values}, dtype=object), values)
    page = visit(model.to_html(methods=[]))
    for key in ("duckdb", "mysql", "python", "javascript", "c", "rules"):
        open_export(page, key)
        text = page.page.locator(".export-text").text_content()
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", text), key
        # What is saved is the text itself, whatever is shown.
        exact = saved(page, tmp_path)[1]
        assert exact == (model.rules().to_text() if key == "rules" else _export(model, key))
        assert (page.page.locator(".export-content").inner_text().count("such as \\u202e") == 1) == (exact != text)
    tags = set(page.ask("[...document.querySelectorAll('dialog *')].map(e => e.tagName.toLowerCase())"))
    own = "header h2 button svg path label span select optgroup option div p pre code"
    assert tags <= set(own.split())


def _export(model, key):
    return model.to_sql(key, check=False) if key in ("duckdb", "mysql") else model.to_code(key, check=False)


def test_it_fits_a_phone_and_is_not_printed(visit, golf_page):
    page = visit(golf_page, viewport=PHONE)
    open_export(page, "sas")
    box = page.page.locator(".export-dialog").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["y"] + box["height"] <= PHONE["height"]
    for name in ("copy", "save"):
        assert page.page.locator(f"[data-export={name}]").bounding_box()["y"] < box["y"] + box["height"]
    page.page.emulate_media(media="print")
    assert not page.page.locator(".export-dialog").is_visible()
