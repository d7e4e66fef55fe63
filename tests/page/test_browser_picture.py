"""The small charts in the boxes, and the pictures that the page saves."""

from xml.etree import ElementTree as ET

import pytest
from matplotlib.image import imread

from tests.page.tables import GOLF, PLAY, document_of, fitted, page_of
from treewright import C45Classifier

OVERCAST, SUNNY = 1, 3

BARS = """i => [...document.querySelectorAll(`#node-${i} .box-chart rect`)]
    .map(bar => ["x", "y", "width", "height"].map(name => +bar.getAttribute(name)))"""


@pytest.fixture(scope="module")
def golf():
    return C45Classifier(min_samples_leaf=1).fit(GOLF, PLAY).to_html(methods=[], title="Golf: play?")


def test_a_box_has_the_histogram_of_its_column_or_its_classes(visit, golf):
    page = visit(golf)
    assert page.page.locator(".box-chart").count() == page.shown()["nodes"] == 8
    tall = page.page.locator("#node-3 .card").get_attribute("height")
    # Five sunny days at 70, 70, 85, 90 and 95, two of them with play; the cut at 75.
    found = page.ask("treewright.document.distributions[3]")
    edges, counts = found["edges"], found["counts"]
    bars = page.ask(BARS, SUNNY)
    assert len(bars) == sum(weight > 0 for weights in counts for weight in weights)
    assert sum(height for *_, height in bars) == pytest.approx(36 / max(map(sum, counts)) * 5, abs=0.4)
    width = float(page.page.locator("#node-3 .card").get_attribute("width")) - 22
    cut = page.page.locator("#node-3 .chart-cut").get_attribute("d")
    place = (75 - edges[0]) / (edges[-1] - edges[0]) * width
    assert float(cut[1:].split()[0]) == pytest.approx(place, abs=0.06)
    # A leaf of four days, all with play, the first class.
    assert [height for *_, height in page.ask(BARS, OVERCAST)] == [36, 0]
    page.page.locator("svg.tree").focus()
    page.page.keyboard.press("h")
    page.settle()
    assert page.page.locator(".box-chart").count() == 0
    assert page.page.locator("#node-3 .card").get_attribute("height") != tall
    assert page.page.get_by_label("Show or hide the distributions").get_attribute("aria-pressed") == "false"


def test_a_leaf_of_numbers_has_the_distribution_of_the_target(visit):
    page, found = visit(page_of("cart numbers")), document_of("cart numbers")["target_distribution"]
    page.ask("treewright.setView('grown')")
    page.page.get_by_label("Show or hide the distributions").click()
    leaf = next(i for i, n in enumerate(document_of("cart numbers")["nodes"]["n_children"]) if not n)
    page.ask("i => treewright.select(i)", leaf)
    page.settle()
    weights = found["counts"][leaf]
    expected = [36 * weight / max(weights) for weight in weights]
    assert [height for *_, height in page.ask(BARS, leaf)] == pytest.approx(expected, abs=0.06)


def test_a_large_tree_has_no_charts_at_the_start(visit):
    assert fitted("cart learned").tree_.n_leaves > 20
    assert visit(fitted("cart learned").to_html(methods=[])).page.locator(".box-chart").count() == 0


def saved(page, kind, folder):
    """The file that the page saves; a download is what was asked for."""
    page.page.get_by_role("button", name="Save as a picture").click()
    with page.page.expect_download() as download:
        page.page.locator(f"[data-save={kind}]").click()
    page.troubles.remove("a download")
    assert download.value.suggested_filename == f"Golf-play.{kind}"
    download.value.save_as(folder / f"tree.{kind}")
    return folder / f"tree.{kind}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_need_nothing_of_the_page(visit, golf, tmp_path, scheme):
    page = visit(golf, color_scheme=scheme)
    root = ET.parse(saved(page, "svg", tmp_path)).getroot()
    elements = list(root.iter())
    names = {element.tag.rpartition("}")[2] for element in elements}
    assert names <= {"svg", "defs", "pattern", "g", "rect", "path", "text", "tspan", "circle"}
    assert not {"class", "style", "role", "tabindex"} & {name for element in elements for name in element.attrib}
    texts = [element for element in elements if element.tag.endswith("}text")]
    words = [element.text for element in texts]
    assert words.count("play") == 3 + 2  # three leaves, and in the legend the target and a class
    assert {"outlook", "humidity", "windy", "= sunny", "≤ 75"} <= set(words)
    assert all(element.get("font-family") and element.get("fill").startswith("rgb") for element in texts)
    light = {"light": "rgb(251, 252, 253)", "dark": "rgb(18, 23, 29)"}[scheme]
    assert next(element for element in root if element.tag.endswith("}rect")).get("fill") == light
    patterns = {f"url(#{element.get('id')})" for element in elements if element.tag.endswith("}pattern")}
    used = {element.get("fill") for element in elements if (element.get("fill") or "").startswith("url")}
    assert used
    assert used <= patterns
    pixels = imread(saved(page, "png", tmp_path))
    assert pixels.shape[:2] == pytest.approx((2 * float(root.get("height")), 2 * float(root.get("width"))), abs=1)
    # The picture is drawn: blue and orange bars on the ground of the theme.
    for colour in ((0, 114, 178), (230, 159, 0)):
        assert (abs(pixels[..., :3] * 255 - colour).max(axis=2) < 3).sum() > 500
