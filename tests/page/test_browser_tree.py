"""The drawing does what is asked of it: by pointer, by keyboard, by slider, in both languages and both themes."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from tests.page.browser import LAPTOP, PHONE
from tests.page.tables import GOLF, PLAY, document_of, fitted, page_of
from treewright import C45Classifier, CARTClassifier, TreeClassifier

# The golf tree: 0 splits on outlook (overcast, rain, sunny); 1 predicts play; 2 splits on windy; 3 on humidity.
OUTLOOK, OVERCAST, RAIN, SUNNY = 0, 1, 2, 3


@pytest.fixture(scope="module")
def golf():
    model = C45Classifier(min_samples_leaf=1).fit(GOLF, PLAY)
    assert model.to_text().startswith("outlook = overcast: play (4)")
    return model.to_html(None, GOLF, PLAY, title="Golf")


def box_words(page, node):
    """The texts in a node's box: branch, title, small line, weight."""
    return page.ask("i => [...document.querySelectorAll(`#node-${i} text`)].map(t => t.textContent)", node)


def test_a_small_tree_is_drawn_whole(visit, golf):
    page = visit(golf)
    assert page.shown() | {"scale": 1} == {"nodes": 8, "drawn": 8, "scale": 1, "selected": 0, "leaves": 5}
    assert box_words(page, OUTLOOK)[:2] == ["outlook", "64.3\u202f% play"]
    assert box_words(page, SUNNY) == ["= sunny", "humidity", "60\u202f% stay", "5"]
    assert box_words(page, OVERCAST) == ["= overcast", "play", "100\u202f%", "4"]
    assert page.text("h1") == "Golf"
    head = page.text(".head .facts")
    assert re.findall(r"\d+", head)[:2] == ["8", "5"]
    assert "play" in head
    # A class has its sign as well as its colour.
    signs = page.ask(
        """[...document.querySelectorAll('.legend .sign path')]
            .map(path => [path.getAttribute('d'), path.getAttribute('fill')])"""
    )
    assert len({d for d, _ in signs}) == len({fill for _, fill in signs}) == 2


def test_a_click_selects_and_the_panel_tells_all(visit, golf):
    page = visit(golf)
    page.box(SUNNY).click()
    panel = page.text("#panel-node .node-view")
    assert panel.startswith("Node 3 · splits on humidity")
    assert "outlook = sunny" in panel
    assert re.search(r"stay\s+60\s*%\s+3", panel)
    assert "est.why(3)" in panel
    assert page.ask("document.querySelector('svg.tree').getAttribute('aria-activedescendant')") == "node-3"
    # The ledger: the chosen column first, with the figures of the document.
    ledger = document_of_page(page)["ledgers"]["3"]
    chosen = next(one for one in ledger["candidates"] if one["verdict"] == "chosen")
    first = page.page.locator(".ledger tbody").first
    assert first.inner_text().split()[0] == "humidity"
    assert float(re.search(r"0\.\d+", first.inner_text())[0]) == pytest.approx(chosen["gain"], abs=5e-4)
    assert page.page.locator(".ledger tbody").count() == len(ledger["candidates"])
    first.locator("button").click()
    assert "Split information" in first.inner_text()
    # The histogram holds all five rows, and the cut is written at it.
    assert page.page.locator(".plot .cut-words").text_content() == "humidity ≤ 75"
    # The rows are those that are sunny.
    page.page.locator("[data-part=rows] summary").click()
    numbers = page.page.locator(".rows tbody th").all_inner_texts()
    assert [int(n) for n in numbers] == GOLF.index[GOLF["outlook"] == "sunny"].tolist()


def document_of_page(page):
    return json.loads(page.ask("document.getElementById('treewright-data').textContent"))


def test_hovering_shows_a_node_for_a_moment(visit, golf):
    page = visit(golf)
    page.box(RAIN).hover()
    page.page.wait_for_selector(".preview:visible")
    assert page.text(".preview").startswith("Node 2 · splits on windy")
    page.page.mouse.move(5, 400)
    page.page.wait_for_selector(".preview", state="hidden")
    assert page.text("#panel-node").startswith("Node 0")


def test_a_knob_opens_and_closes(visit, golf):
    page = visit(golf)
    before = page.box(RAIN).bounding_box()
    page.page.locator(f"[data-knob='{RAIN}']").click()
    page.settle()
    assert page.shown()["nodes"] == 6
    assert "+2" in box_words(page, RAIN)
    after = page.box(RAIN).bounding_box()
    assert (after["x"], after["y"]) == pytest.approx((before["x"], before["y"]), abs=1.5)
    assert page.box(RAIN).get_attribute("aria-expanded") == "false"
    page.page.locator(f"[data-knob='{RAIN}']").click()
    assert page.shown()["nodes"] == 8
    page.box(RAIN).dblclick()
    assert page.shown()["nodes"] == 6


def test_arrows_walk_along_the_tree(visit, golf):
    page = visit(golf)
    page.page.locator("svg.tree").focus()
    walked = []
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "Home"):
        page.page.keyboard.press(key)
        walked.append(page.shown()["selected"])
    below_sunny = document_of_page(page)["nodes"]["first_child"][SUNNY]
    assert walked == [OVERCAST, RAIN, SUNNY, below_sunny, below_sunny + 1, SUNNY, RAIN, OUTLOOK]
    page.page.keyboard.press("Enter")
    assert page.shown()["nodes"] == 1
    page.page.keyboard.press("ArrowDown")  # a closed node is opened on the way
    assert (page.shown()["nodes"], page.shown()["selected"]) == (8, RAIN)
    assert page.ask("document.querySelector('.unseen').textContent").startswith("Node 2, outlook = rain")
    page.page.keyboard.press("e")
    assert page.shown()["nodes"] == 8


def test_keys_zoom_fit_search_and_help(visit, golf):
    page = visit(golf)
    page.page.locator("svg.tree").focus()
    start = page.shown()["scale"]
    page.page.keyboard.press("+")
    assert page.shown()["scale"] == pytest.approx(start * 1.4)
    page.page.keyboard.press("-")
    page.page.keyboard.press("-")
    assert page.shown()["scale"] == pytest.approx(start / 1.4)
    page.page.keyboard.press("f")
    page.settle()
    assert page.shown()["scale"] == pytest.approx(start)
    page.page.keyboard.press("/")
    assert page.ask("document.activeElement.className") == "search-field"
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("?")
    assert "neighbour" in page.text("dialog")
    page.page.keyboard.press("Escape")
    page.page.wait_for_selector("dialog", state="detached")


def test_wheel_drag_and_buttons_move_the_camera(visit, golf):
    page = visit(golf)
    start = page.shown()["scale"]
    box = page.box(SUNNY).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.wheel(0, -200)
    page.settle()
    assert page.shown()["scale"] > start * 1.2
    closer = page.box(SUNNY).bounding_box()
    # What is under the pointer stays under it.
    assert closer["x"] < x < closer["x"] + closer["width"]
    assert closer["y"] < y < closer["y"] + closer["height"]
    page.page.mouse.move(600, 700)
    page.page.mouse.down()
    page.page.mouse.move(500, 650, steps=4)
    page.page.mouse.up()
    page.settle()
    moved = page.box(SUNNY).bounding_box()
    assert (moved["x"], moved["y"]) == pytest.approx((closer["x"] - 100, closer["y"] - 50), abs=2)
    assert page.shown()["selected"] == 0  # a drag is no click
    page.page.get_by_label("Fit to window (f)").click()
    page.settle()
    assert page.shown()["scale"] == pytest.approx(start)


def test_two_fingers_zoom(visit, golf):
    page = visit(golf)
    start = page.shown()["scale"]
    page.ask(
        """() => {
            const svg = document.querySelector("svg.tree");
            const send = (type, id, x, y) => svg.dispatchEvent(new PointerEvent(type, {
                pointerId: id, pointerType: "touch", button: 0, clientX: x, clientY: y, bubbles: true }));
            svg.setPointerCapture = () => {};
            send("pointerdown", 1, 300, 400); send("pointerdown", 2, 400, 400);
            send("pointermove", 2, 450, 400); send("pointermove", 1, 250, 400);
            send("pointerup", 1, 250, 400); send("pointerup", 2, 450, 400);
        }"""
    )
    assert page.shown()["scale"] == pytest.approx(start * 2)


def test_the_depth_slider_opens_level_by_level(visit):
    page = visit(fitted("cart learned").to_html(methods=[]))
    tree = fitted("cart learned").tree_
    assert tree.depth > 3
    slider = page.page.locator(".depth-slider")
    assert slider.get_attribute("max") == str(tree.depth)
    for depth in (1, 0, tree.depth, 2):
        slider.fill(str(depth))
        assert page.shown()["nodes"] == int((tree.depths <= depth).sum())
        assert page.text(".depth-value") == f"{depth} / {tree.depth}"
    page.page.get_by_label("Collapse all").click()
    assert page.shown()["nodes"] == int((tree.depths <= 1).sum())


def test_search_finds_columns_categories_classes_and_numbers(visit, golf):
    page = visit(golf)
    assert page.ask("treewright.search('HUMID')") == [SUNNY]
    assert page.ask("treewright.search('sunny')") == [SUNNY]
    first = document_of_page(page)["nodes"]["first_child"]
    plays = [OVERCAST, first[RAIN], first[SUNNY]]
    assert page.ask("treewright.search('play')") == plays
    assert page.ask("treewright.search('#6')") == [6]
    assert page.ask("treewright.search('75')") == [first[SUNNY], first[SUNNY] + 1]
    assert page.ask("treewright.search('nobody')") == []
    assert page.text(".search-count") == "no matches"
    # Typed, with next and before; what is closed opens.
    page.ask("treewright.open(0)")
    page.page.locator("#tab-about").click()
    page.page.locator(".search-field").fill("play")
    page.wait("treewright.shown().selected === 1")
    assert page.text("#panel-node").startswith("Node 1 · leaf")
    assert page.ask("document.activeElement.className") == "search-field"
    assert page.text(".search-count") == "1 / 3"
    page.page.keyboard.press("Enter")
    assert page.shown()["selected"] == plays[1]
    page.settle()
    assert page.ask("i => document.querySelector(`#node-${i}`).classList.contains('hit')", plays[1])
    page.page.keyboard.press("Shift+Enter")
    page.page.keyboard.press("Shift+Enter")
    assert page.shown()["selected"] == plays[2]
    page.page.keyboard.press("Escape")
    assert page.text(".search-count") == ""


def test_the_root_may_stand_at_the_side(visit, golf):
    page = visit(golf)
    page.page.get_by_label("Root at the top or on the left").click()
    page.settle()
    root, child = page.box(OUTLOOK).bounding_box(), page.box(RAIN).bounding_box()
    assert child["x"] > root["x"] + root["width"]
    page.page.locator("svg.tree").focus()
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowDown")
    assert page.shown()["selected"] == RAIN


def test_both_languages(visit, golf):
    page = visit(golf)
    page.page.get_by_role("button", name="中文").click()
    assert page.ask("document.documentElement.lang") == "zh-CN"
    assert page.page.locator(".tab").all_inner_texts() == ["结点", "新样本", "剪枝", "说明"]
    assert "按 outlook 划分" in page.text("#panel-node")
    page.page.get_by_role("button", name="English").click()
    assert page.page.locator(".tab").all_inner_texts() == ["Node", "Case", "Pruning", "About"]


@pytest.mark.parametrize(
    ("given", "browsers", "expected"),
    [("zh", "en-GB", "结点"), (None, "zh-CN", "结点"), (None, "fr-FR", "Node"), ("en", "zh-CN", "Node")],
)
def test_the_first_language_is_that_of_the_page_or_of_the_browser(visit, given, browsers, expected):
    page = visit(fitted("cart").to_html(methods=[], language=given), locale=browsers)
    assert page.page.locator(".tab").first.inner_text() == expected


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes(visit, golf, scheme, tmp_path):
    page = visit(golf, color_scheme=scheme)
    page.page.screenshot(path=tmp_path / f"{scheme}.png")

    def darkness():
        colour = page.ask("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3]))

    first = darkness()
    assert (first > 600) == (scheme == "light")
    page.page.keyboard.press("d")
    assert (darkness() > 600) == (scheme == "dark")
    page.page.locator("[aria-label*='(d)']").click()
    assert darkness() == first


def test_print_whole_window_and_text(visit, golf, tmp_path):
    page = visit(golf)
    printed = []
    # The browser's own window would wait for somebody.
    page.ask("window.print = () => { dispatchEvent(new Event('beforeprint')); }")
    for choice in range(3):
        page.page.get_by_role("button", name="Print", exact=True).click()
        page.page.locator(".choice").nth(choice).click()
        assert page.page.locator(".print-sheet svg.tree").count() == int(choice < 2)
        printed.append(page.page.locator(".print-sheet").text_content())
    assert "humidity" in printed[0]
    assert printed[1].count("play") >= 3
    lines = page.page.locator(".print-text").text_content().splitlines()
    # The lines of the library's own text, with signs of typography.
    expected = C45Classifier(min_samples_leaf=1).fit(GOLF, PLAY).to_text().replace("<=", "≤").splitlines()
    assert lines == expected
    page.ask("dispatchEvent(new Event('afterprint'))")
    page.page.emulate_media(media="print")
    page.page.pdf(path=tmp_path / "golf.pdf", prefer_css_page_size=True)
    assert (tmp_path / "golf.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_nothing_sticks_out_of_the_window(visit, size):
    page = visit(page_of("cart"), viewport=size)
    for tab in ("case", "pruning", "about", "node"):
        page.page.locator(f"#tab-{tab}").click()
        width, height = page.ask("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert width <= size["width"]
        assert height <= size["height"]
    stage = page.page.locator(".stage").bounding_box()
    assert stage["width"] > 350
    assert stage["height"] > 200
    page.page.locator(".fold").click()
    assert page.page.locator("#panel-node").is_hidden()
    page.page.locator("#tab-case" if size is PHONE else ".fold").click()
    assert page.page.locator("#panel-case" if size is PHONE else "#panel-node").is_visible()


def test_a_phone_opens_with_a_tree_that_can_be_read(visit):
    """Deep and wide: the levels that are open fit side by side, at a scale at which text is drawn."""
    page = visit(fitted("cart learned").to_html(methods=[]), viewport={"width": 375, "height": 667})
    assert page.shown()["nodes"] >= 3
    assert page.shown()["scale"] >= 0.6
    stage, legend = (page.page.locator(one).bounding_box() for one in (".stage", ".legend"))
    boxes = [box.bounding_box() for box in page.page.locator(".box .card").all()]
    assert min(box["x"] for box in boxes) >= 0
    assert max(box["x"] + box["width"] for box in boxes) <= 375
    root = page.page.locator("#node-0 .card").bounding_box()
    assert stage["y"] < root["y"] < root["y"] + root["height"] < legend["y"]
    panel = page.page.locator("#panel-node").bounding_box()
    assert panel["y"] >= stage["y"] + stage["height"]
    assert panel["height"] > 150


BROKEN = r"""() => [...document.querySelectorAll("#panel-node bdi")].flatMap(name => {
    const found = [];
    for (const text of name.childNodes) for (const word of (text.data || "").matchAll(/[^\s_]+_*/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(place => place.top)).size > 1) found.push(word[0]);
    }
    return found;
})"""
"""The words of names in the panel that stand on two lines."""


def test_names_break_between_words_only(visit):
    names = ["thermoconductivity_coefficient", "region of residence", "x" * 200]
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=names)
    model = CARTClassifier(pruning=None, max_depth=2).fit(table, table.sum(axis=1) > 0)
    page = visit(model.to_html(methods=[]), viewport={"width": 375, "height": 667})
    assert set(page.ask(BROKEN)) <= {"x" * 200}
    assert page.text(".ledger").count("thermoconductivity_coefficient") == 1
    panel = page.page.locator("#panel-node")
    assert panel.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_validation_rows_stand_beside_training_rows(visit):
    page, document = visit(page_of("cart")), document_of("cart")
    head = page.page.locator("#panel-node .class-table thead").first.inner_text()
    assert "validation" in head
    stats = document["nodes"]["validation"]["stats"][0]
    for code, name in enumerate(document["target"]["classes"]):
        row = page.page.locator("#panel-node .class-table tbody tr", has_text=name).first.inner_text()
        assert row.split()[-1] == str(stats[code])


def test_what_is_not_in_the_page_is_said(visit):
    page = visit(fitted("cart").to_html(methods=[]))
    page.page.locator("[data-part=rows] summary").click()
    assert 'est.to_html("tree.html", X, y)' in page.text("[data-part=rows]")


def test_a_single_leaf_is_a_page_too(visit):
    page = visit(CARTClassifier().fit([[1.0], [2.0]], ["a", "a"]).to_html())
    assert page.shown()["nodes"] == page.shown()["drawn"] == 1
    page.page.locator("svg.tree").focus()
    for key in ("ArrowDown", "ArrowRight", "Enter", "f", "e", "c", "Escape", "p"):
        page.page.keyboard.press(key)
    assert page.ask("treewright.path([1.5]).prediction") == "a"
    assert page.page.locator(".depth-slider").is_disabled()


def test_the_floor_of_a_node_is_told_in_both_languages(visit):
    """The average, and on a larger table a part of it and of the price of a name: the same days 100 times."""
    parts = {"criterion": "entropy", "merit": "ratio", "penalty": "description", "floor": "description"}
    both = "60\u202f% of the average gain plus 40\u202f% of 0.9 log2(3) / 1400"
    for times, words in ((1, "at least the average"), (100, both)):
        model = TreeClassifier(**parts, grouping="binary", max_depth=1)
        model.fit(GOLF, PLAY, sample_weight=[float(times)] * 14)
        page = visit(model.to_html(methods=[], language="en"))
        page.box(0).click()
        assert words in page.text("#panel-node .node-view")
    page = visit(model.to_html(methods=[], language="zh"))
    page.box(0).click()
    assert "平均增益占 60\u202f%，指明属性的代价 0.9 log2(3) / 1400 占 40\u202f%" in page.text("#panel-node .node-view")
