"""The page for keyboards and screen readers: axe-core finds nothing, and tabs and sliders say where they are.

axe-core is a tool of the folder web; without it these tests are skipped, and say how to install it.
"""

from pathlib import Path

import pytest

from tests.page.tables import GOLF, PLAY, document_of, page_of
from treewright import CARTClassifier

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

FOUND = """async rules => (await axe.run(rules ? { runOnly: rules } : {})).violations.map(one =>
    `${one.impact} ${one.id}: ${one.nodes.map(node => node.html.slice(0, 120)).slice(0, 3).join(" ")}`)"""


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run npm ci in the folder web")
@pytest.mark.parametrize(
    ("locale", "scheme"),
    [
        ("en-GB", "light"),
        pytest.param("en-GB", "dark", marks=pytest.mark.long),
        ("zh-CN", "light"),
        pytest.param("zh-CN", "dark", marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing(visit, locale, scheme):
    # A small page with every part; axe-core looks at each element.
    model = CARTClassifier(min_samples_leaf=2).fit(GOLF, PLAY)
    html = model.to_html(None, GOLF, PLAY, X_val=GOLF, y_val=PLAY, methods=["cost_complexity", "pessimistic"])
    page = visit(html, locale=locale, color_scheme=scheme)
    page.ask("treewright.setView('grown')")
    page.ask(AXE.read_text("utf-8") + ";0")
    # Between the themes only colours differ.
    rules = ["color-contrast"] if scheme == "dark" else None
    found = page.ask(FOUND, rules)
    page.page.locator("#tab-case").click()
    page.page.locator(".question.first .unknown").click()
    for tab in ("case", "pruning", "about"):
        page.page.locator(f"#tab-{tab}").click()
        found += page.ask(FOUND, rules)
    page.page.locator(".toolbar .tools").last.locator("button").nth(2).click()
    found += page.ask(FOUND, rules)
    page.page.keyboard.press("Escape")
    page.page.locator(".toolbar .tools").last.locator("button").nth(3).click()
    page.page.locator(".export-text").wait_for()
    assert found + page.ask(FOUND, rules) == []


def test_arrows_go_from_tab_to_tab_and_the_slider_names_its_tree(visit):
    page, leaves = visit(page_of("cart")), document_of("cart")["path"]["leaves"]
    page.page.locator("#tab-node").focus()
    for arrow, tab in (("Right", "case"), ("Right", "pruning"), ("Left", "case"), ("Right", "pruning")):
        page.page.keyboard.press(f"Arrow{arrow}")
        assert page.ask("document.activeElement.id") == f"tab-{tab}"
        assert page.page.locator(f"#panel-{tab}").is_visible()
    slider = page.page.locator(".path-slider")
    slider.fill("1")
    assert slider.get_attribute("aria-valuetext") == f"{leaves[1]} leaves"
