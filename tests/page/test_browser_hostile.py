"""Names and values that would like to be more than text are text: nothing runs, nothing is fetched, nothing pops up."""

import re

import numpy as np
import pandas as pd
import pytest

from tests.page.reading import read
from tests.page.tables import HOSTILE
from treewright import C45Classifier, CARTRegressor
from treewright.model.formatting import format_category

ATTACKS = [
    *HOSTILE,
    '"><img src=x onerror=alert(2)>',
    "javascript:alert(3)",
    "{{7*7}}${alert(4)}",
    "__proto__",
    "constructor",
]


@pytest.fixture(scope="module")
def attacked():
    """A table whose names, categories and classes are all attacks, each of them somewhere in the tree."""
    rng = np.random.default_rng(0)
    n = len(ATTACKS)
    values = np.repeat(np.arange(n), 6)
    # A lone surrogate is no name for a column of pandas; as a value it is text like any other.
    names = [name for name in ATTACKS if name.strip() and name.encode("utf-8", "ignore").decode() == name]
    columns = {names[0]: [ATTACKS[v] for v in values], names[3]: rng.normal(size=len(values)).tolist()}
    columns |= {name: [ATTACKS[i] for i in rng.integers(0, n, len(values))] for name in names[5:9]}
    table = pd.DataFrame(columns, dtype=object).astype({names[3]: float})
    classes = pd.Series([ATTACKS[(v * 5) % n] for v in values], name=ATTACKS[0], dtype=object)
    return table, classes


@pytest.fixture(scope="module")
def attacked_page(attacked):
    table, classes = attacked
    model = C45Classifier(pruning=None).fit(table, classes)
    assert model.tree_.n_leaves >= len(ATTACKS)
    return model, model.to_html(None, table, classes, title=ATTACKS[0], X_val=table, y_val=classes)


def test_everything_is_read_and_clicked_and_nothing_happens(visit, attacked_page):
    model, html = attacked_page
    page = visit(html)
    page.ask("treewright.open(99)")
    assert ATTACKS[0] in page.text("h1")
    assert page.page.title() == ATTACKS[0]
    for node in range(model.tree_.n_nodes):
        page.ask("i => treewright.select(i)", node)
    for tab in ("case", "pruning", "about", "node"):
        page.page.locator(f"#tab-{tab}").click()
    page.page.locator("[data-part=rows] summary").first.click()
    page.page.get_by_role("button", name="中文").click()
    for text in ATTACKS:
        page.ask("text => treewright.search(text)", text.encode("utf-8", "replace").decode())
    page.ask("dispatchEvent(new Event('beforeprint'))")
    # What the page made of it are only elements of its own.
    tags = set(page.ask("[...document.querySelectorAll('#treewright *')].map(e => e.tagName.toLowerCase())"))
    assert not tags & {"script", "img", "iframe", "object", "embed", "link", "style", "base", "form", "a", "meta"}
    names = page.ask("[...document.querySelectorAll('#treewright *')].flatMap(e => e.getAttributeNames())")
    assert not [name for name in set(names) if name.startswith("on")]
    assert page.ask("document.scripts.length") == 2
    assert page.ask("Object.prototype.polluted === undefined && ({}).constructor === Object")


def test_attacks_are_shown_as_they_were_written(visit, attacked_page):
    model, html = attacked_page
    page = visit(html)
    page.page.locator("#tab-case").click()
    options = page.page.locator(".option").all_inner_texts()
    root = model.tree_.root.split.column
    assert len(options) == len(root.categories)
    for shown, category in zip(options, root.categories, strict=True):
        if len(category) < 300:
            assert unescaped(shown) == format_category(category)
        else:
            assert shown == category[:300] + "…"
    plain = [text for text in ATTACKS if re.fullmatch(r"[\x21-\x7e ]{1,200}", text)]
    assert len(plain) > 8
    assert {format_category(text) for text in plain} <= set(options)


def unescaped(text):
    """What the page writes as \\u202e or \\x00 stands for that character."""
    return re.sub(r"\\u([0-9a-f]{4})|\\x([0-9a-f]{2})", lambda m: chr(int(m[1] or m[2], 16)), text)


def test_text_that_turns_the_direction_leaves_its_neighbours_alone(visit):
    table = pd.DataFrame({"a\u202eb": ["x\u202ey", "z"] * 20, "ע\u2067": [1.0, 2.0] * 20})
    page = visit(C45Classifier().fit(table, ["yes\u202e", "no"] * 20).to_html())
    shown = page.page.locator("body").inner_text()
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f]", shown)
    assert "a\\u202eb" in page.page.locator("#node-0").text_content()


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "\u2028", "\ud800"])
def test_answers_are_told_apart_by_their_own_text(visit, text):
    table = pd.DataFrame({"c": [text, "other"] * 20}, dtype=object)
    model = C45Classifier().fit(table, ["is", "is not"] * 20)
    page = visit(model.to_html())
    code = page.ask("treewright.document.columns[0].categories.indexOf('other')")
    answers = page.ask("treewright.document.columns[0].categories.map(c => treewright.path([c]).prediction)")
    assert answers == (["is not", "is"] if code == 0 else ["is", "is not"])


def test_the_policy_refuses_what_an_attacker_would_add(visit, attacked_page):
    """Were some markup to slip through, it could not run: the policy of the page is in force."""
    page = visit(attacked_page[1])
    refused = page.ask(
        """async () => {
            const seen = [];
            document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
            const script = document.createElement("script");
            script.textContent = "window.attacked = true";
            document.body.append(script);
            const image = new Image();
            image.src = "http://127.0.0.1:9/x.png";
            document.body.append(image);
            try { await fetch("http://127.0.0.1:9/"); } catch { /* as it should be */ }
            await new Promise((resolve) => setTimeout(resolve, 100));
            return [window.attacked === undefined, seen.sort()];
        }"""
    )
    assert refused == [True, ["connect-src", "img-src", "script-src-elem"]]
    page.troubles.clear()


def test_the_page_holds_no_attack_as_markup(attacked_page):
    assert len(read(attacked_page[1]).scripts) == 2


def test_a_hostile_regression(visit):
    rng = np.random.default_rng(1)
    words = pd.Series([ATTACKS[i] for i in rng.integers(0, len(ATTACKS), 300)], dtype=object)
    table = pd.DataFrame({ATTACKS[0]: words, ATTACKS[3]: rng.normal(size=300)})
    target = pd.Series(rng.normal(size=300), name=ATTACKS[0])
    model = CARTRegressor(max_depth=4, pruning=None).fit(table, target)
    page = visit(model.to_html(None, table, target))
    page.ask("treewright.open(9)")
    assert page.shown()["nodes"] == model.tree_.n_nodes
    assert ATTACKS[0] in page.text(".legend")
