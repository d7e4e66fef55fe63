"""The page in a notebook: a frame that holds all of it, runs its script, and reaches neither network nor notebook."""

from html.parser import HTMLParser

import pytest

from tests.page.tables import GOLF, PLAY
from treewright import C45Classifier, ParameterError
from treewright.page.inline import InlinePage


@pytest.fixture(scope="module")
def model():
    return C45Classifier(min_samples_leaf=1).fit(GOLF, PLAY)


class Frame(HTMLParser):
    """The attributes of a frame."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_the_frame_holds_the_page_and_nothing_else(model):
    [(tag, attributes)] = Frame(model.show(height=432, language="zh")._repr_html_()).tags
    assert tag == "iframe"
    assert attributes["srcdoc"] == model.to_html(language="zh")
    assert attributes["sandbox"] == "allow-scripts"
    assert "height:432px" in attributes["style"]
    assert "src" not in attributes


def test_nothing_ends_the_frame_early():
    evil = "</iframe>\"'><script>alert(1)</script>&quot;&amp;"
    [(tag, attributes)] = Frame(InlinePage(evil, 100, evil)._repr_html_()).tags
    assert tag == "iframe"
    assert attributes["srcdoc"] == attributes["title"] == evil


def test_outside_a_notebook_it_names_to_html(model):
    assert 'to_html("tree.html")' in repr(model.show())
    for height in (0, 99, "tall", True):
        with pytest.raises(ParameterError, match="height"):
            model.show(height=height)


def test_it_runs_in_a_browser(browser, model):
    page = browser.new_page()
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda one: troubles.append(one.text))
    page.on("request", lambda one: troubles.append(one.url) if one.url.startswith(("http", "file")) else None)
    page.set_content(f"<!doctype html><div>{model.show()._repr_html_()}</div>")
    frame = page.frame_locator("iframe")
    frame.locator("#node-0").wait_for()
    assert "outlook" in frame.locator("#node-0").text_content()
    assert troubles == []
    page.close()
