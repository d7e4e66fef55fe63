"""The report of a comparison: one file, no script, no request; hostile names are text; it is read in a real browser."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tests.page.browser import LAPTOP, PHONE, Visit
from tests.page.test_browser_accessibility import AXE, FOUND
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.estimators.training_data import read_training_data
from treewright.evaluate.compare_algorithms import compare
from treewright.evaluate.compare_charts import MARK, place_label, scatter, text_width
from treewright.evaluate.compare_page import ColumnSummary, TableSummary, compare_page

EVIL = "</style><script>alert('x')</script><img src=http://x.invalid/a.png onerror=alert(1)>\u202e\x1b[31m"


def comparison(names=("age", "colour"), classes=("no", "yes"), n=120):
    import polars as pl

    rng = np.random.default_rng(3)
    age, colour = rng.integers(18, 80, n), rng.choice([f"red{EVIL}" if EVIL in names[0] else "red", "blue"], n)
    y = np.where((age > 50) ^ (rng.random(n) < 0.1), classes[1], classes[0])
    X = pl.DataFrame({names[0]: age.astype(float), names[1]: colour})
    models = {"id3": ID3Classifier(numeric="bisect"), "c4.5": C45Classifier(), "cart": CARTClassifier()}
    rows = read_training_data(models["cart"], X, y, None).rows
    return compare(models, rows, folds=3, methods=["mdl", "cost_complexity"])


@pytest.fixture(scope="module")
def plain_page():
    found = comparison()
    columns = [
        ColumnSummary("age", "number", 62, 0, "every known cell is a whole number"),
        ColumnSummary("colour", "category", 2, 3, "words"),
    ]
    read = TableSummary("people.csv", 120, "answer", columns)
    return found, compare_page(found, read, [("treewright show model.json", "Read it.")], ["A note."])


@pytest.fixture(scope="module")
def evil_page():
    found = comparison((EVIL, EVIL + "2"), (EVIL, EVIL + "!"))
    read = TableSummary(EVIL, 120, EVIL, [ColumnSummary(EVIL, EVIL, 1, None, EVIL)] * 300)
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
        assert any(title.startswith(row.title()) for title in titles)
    for one in root.iter(f"{space}circle"):
        assert 0 <= float(one.get("cx")) <= 720
        assert 0 <= float(one.get("cy")) <= 380


def test_marks_are_fixed_by_algorithm_and_labels_cover_none(plain_page):
    found, _ = plain_page
    cart_only = replace(found, rows=tuple(row for row in found.rows if row.algorithm == "cart"))
    both = [re.findall('<path d="M[^"]*z" fill="(#[0-9a-f]+)"', scatter(one)) for one in (found, cart_only)]
    assert set(both[1]) == {"#009e73"}
    assert set(both[1]) <= set(both[0])
    root, space = ET.fromstring(scatter(found)), "{http://www.w3.org/2000/svg}"
    marks = [
        (float(one.get("cx")), float(one.get("cy")))
        for one in root.iter(f"{space}circle")
        if one.get("class") == "mark" and float(one.get("cy")) > 30
    ]
    labels = [one for one in root.iter(f"{space}text") if one.get("class") == "strong"]
    assert marks
    assert {one.text.partition(":")[0] for one in labels} <= {"best", "recommended", "readable"}
    for one in labels:
        x, y, width = float(one.get("x")), float(one.get("y")), text_width(one.text)
        for mark_x, mark_y in marks:
            assert not (x - MARK < mark_x < x + width + MARK and y - 13 - MARK < mark_y < y + 4 + MARK)


def test_a_label_goes_where_nothing_is_covered():
    crowd = [(x, y, x + 12.0, y + 12.0) for x in range(80, 640, 20) for y in range(150, 250, 20)]
    left, top, right, bottom = place_label((360.0, 200.0), 120.0, crowd)
    assert not [one for one in crowd if left < one[2] and right > one[0] and top < one[3] and bottom > one[1]]
    corner = place_label((710.0, 50.0), 200.0, [])
    assert corner[2] <= 720
    assert corner[1] >= 36


def test_what_the_shown_tree_predicts(plain_page):
    found, html = plain_page
    assert "Predictions of held-out rows" in html
    matrix = found.held_out(found.shown).scores.confusion
    for count in matrix.ravel():
        assert f">{count:.0f}</td>" in html
    for words in ("recall", "Calibration", "Importance of the columns", 'aria-label="Calibration"'):
        assert words in html


@pytest.mark.parametrize("kind", ["numbers", "one tree", "same"])
def test_pictures_of_any_comparison(kind):
    X = np.arange(40.0)[:, None]
    if kind == "numbers":
        model, y = CARTRegressor(), np.sin(X[:, 0]) * 100
    else:
        model, y = CARTClassifier(), (X[:, 0] > 20 if kind == "one tree" else np.zeros(40)).astype(int)
    rows = read_training_data(model, X, y, None).rows
    found = compare({"cart": model}, rows, folds=3, methods=[] if kind == "one tree" else None)
    html = compare_page(found, TableSummary("t.csv", 40, "y", []), [])
    for picture in re.findall("<svg.*?</svg>", html, re.DOTALL):
        root = ET.fromstring(picture)
        assert all("nan" not in str(one.attrib) and "inf" not in str(one.attrib) for one in root.iter())
    assert ("Residuals" in html) == (kind == "numbers")


def opened(browser, html, folder, **options):
    file = folder / "report.html"
    file.write_text(html, encoding="utf-8")
    visit = Visit(browser.new_context(**options).new_page(), file.as_uri())
    visit.watch()
    visit.page.goto(visit.address)
    return visit


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(LAPTOP, "light", id="laptop-light"),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(LAPTOP, "dark", id="laptop-dark", marks=pytest.mark.long),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.long),
    ],
)
def test_a_browser_shows_it_without_complaint(browser, plain_page, tmp_path, scheme, size):
    visit = opened(browser, plain_page[1], tmp_path, viewport=size, color_scheme=scheme)
    assert "Recommended" in visit.text(".lead")
    # The page itself is never wider than the screen; tables and pictures scroll in their own boxes.
    assert visit.ask("document.documentElement.scrollWidth <= innerWidth")
    paper = visit.ask("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(251, 252, 253)", "dark": "rgb(18, 23, 29)"}[scheme]
    box = "getComputedStyle(document.querySelector('svg.treewright .tw-f-paper')).fill"
    assert visit.ask(box) == paper  # the styles of the pictures are allowed too
    assert visit.page.locator("svg.chart[aria-label^='Trees']").bounding_box()["height"] > 200
    visit.page.locator("summary").first.click()
    assert visit.troubles == []
    visit.page.context.close()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run npm ci in the folder web")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, plain_page, tmp_path, scheme):
    visit = opened(browser, plain_page[1], tmp_path, viewport=LAPTOP, color_scheme=scheme)
    visit.ask(AXE.read_text("utf-8") + ";0")
    assert visit.ask(FOUND, None) == []
    visit.page.context.close()


def test_hostile_names_are_text_in_a_browser(browser, evil_page, tmp_path):
    visit = opened(browser, evil_page, tmp_path, viewport=LAPTOP)
    assert "<script>alert('x')" in visit.text("h1")
    assert visit.ask("document.images.length + document.scripts.length") == 0
    assert visit.troubles == []
    visit.page.context.close()
