"""The report of a comparison: one file, no script, no request; hostile names are text; it is read in a real browser."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tests.page.browser import LAPTOP, PHONE, Visit
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.evaluate.compare import compare
from treewright.evaluate.compare_page import Read, compare_page
from treewright.evaluate.compare_scatter import scatter

EVIL = "</style><script>alert('x')</script><img src=http://x.invalid/a.png onerror=alert(1)>\u202e\x1b[31m"


def comparison(names=("age", "colour"), classes=("no", "yes"), n=120):
    import polars as pl

    rng = np.random.default_rng(3)
    age, colour = rng.integers(18, 80, n), rng.choice([f"red{EVIL}" if EVIL in names[0] else "red", "blue"], n)
    y = np.where((age > 50) ^ (rng.random(n) < 0.1), classes[1], classes[0])
    X = pl.DataFrame({names[0]: age.astype(float), names[1]: colour})
    models = {"id3": ID3Classifier(numeric="bisect"), "c4.5": C45Classifier(), "cart": CARTClassifier()}
    _, rows = models["cart"]._read(X, y, None)
    return compare(models, rows, folds=3, methods=["mdl", "cost_complexity"])


@pytest.fixture(scope="module")
def plain_page():
    found = comparison()
    columns = [("age", "number", 62, 0, "every known cell is a whole number"), ("colour", "category", 2, 3, "words")]
    read = Read("people.csv", 120, "answer", columns)
    return found, compare_page(found, read, [("treewright show model.json", "Read it.")], ["A note."])


@pytest.fixture(scope="module")
def evil_page():
    found = comparison((EVIL, EVIL + "2"), (EVIL, EVIL + "!"))
    read = Read(EVIL, 120, EVIL, [(EVIL, EVIL, 1, None, EVIL)] * 300)
    return compare_page(found, read, [(EVIL, EVIL)], [EVIL])


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()
        self.attributes = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}


def tags(html):
    parser = Tags()
    parser.feed(html)
    return parser


def test_what_is_on_the_page(plain_page):
    found, html = plain_page
    assert found.sentence() in html
    assert html.count("<tr") >= len(found.rows) + 3
    for words in ("recommended</span>", "best</span>", "A note.", "treewright show model.json", "people.csv", "colour"):
        assert words in html
    assert html.count('class="treewright"') >= 1
    assert len(html) < 300_000


def test_nothing_on_the_page_runs_or_loads(plain_page, evil_page):
    for html in (plain_page[1], evil_page):
        seen = tags(html)
        assert not seen.seen & {"script", "img", "iframe", "link", "object", "embed", "form", "base"}
        assert not [name for name in seen.attributes if name.startswith("on") or name in ("src", "href", "style")]
        policy = re.search('Content-Security-Policy" content="([^"]*)"', html)[1]
        assert "default-src 'none'" in policy
        assert "script-src" not in policy
        assert "unsafe" not in policy
    assert "\x1b" not in evil_page
    assert "\u202e" not in evil_page


def test_the_picture_is_xml_and_has_a_mark_for_each_tree(plain_page):
    found, _ = plain_page
    root = ET.fromstring(scatter(found))
    space = "{http://www.w3.org/2000/svg}"
    titles = [one.text for one in root.iter(f"{space}title")]
    for row in found.rows:
        assert any(title.startswith(row.title) for title in titles)
    for one in root.iter(f"{space}circle"):
        assert 0 <= float(one.get("cx")) <= 720
        assert 0 <= float(one.get("cy")) <= 380


@pytest.mark.parametrize("kind", ["numbers", "one tree", "same"])
def test_pictures_of_any_comparison(kind):
    X = np.arange(40.0)[:, None]
    if kind == "numbers":
        model, y = CARTRegressor(), np.sin(X[:, 0]) * 100
    else:
        model, y = CARTClassifier(), (X[:, 0] > 20 if kind == "one tree" else np.zeros(40)).astype(int)
    found = compare({"cart": model}, model._read(X, y, None)[1], folds=3, methods=[] if kind == "one tree" else None)
    root = ET.fromstring(scatter(found))
    assert all("nan" not in str(one.attrib) and "inf" not in str(one.attrib) for one in root.iter())


def opened(browser, html, folder, **options):
    file = folder / "report.html"
    file.write_text(html, encoding="utf-8")
    visit = Visit(browser.new_context(**options).new_page(), file.as_uri())
    visit.watch()
    visit.page.goto(visit.address)
    return visit


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_browser_shows_it_without_complaint(browser, plain_page, tmp_path, scheme, size):
    visit = opened(browser, plain_page[1], tmp_path, viewport=size, color_scheme=scheme)
    assert "Recommended" in visit.text(".lead")
    # The page itself is never wider than the screen; tables and pictures scroll in their own boxes.
    assert visit.ask("document.documentElement.scrollWidth <= innerWidth")
    paper = visit.ask("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(251, 252, 253)", "dark": "rgb(18, 23, 29)"}[scheme]
    box = "getComputedStyle(document.querySelector('svg.treewright .tw-f-paper')).fill"
    assert visit.ask(box) == paper  # the styles of the pictures are allowed too
    assert visit.page.locator("svg.scatter").bounding_box()["height"] > 200
    visit.page.locator("summary").first.click()
    assert visit.troubles == []
    visit.page.context.close()


def test_hostile_names_are_text_in_a_browser(browser, evil_page, tmp_path):
    visit = opened(browser, evil_page, tmp_path, viewport=LAPTOP)
    assert "<script>alert('x')" in visit.text("h1")
    assert visit.ask("document.images.length + document.scripts.length") == 0
    assert visit.troubles == []
    visit.page.context.close()
