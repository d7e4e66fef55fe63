"""Large trees stay fluid: only what is in the window is drawn, near and far, and nothing waits for the rest."""

import pickle

import numpy as np
import pandas as pd
import pytest

from treewright import C45Classifier, CARTClassifier

MOST_ELEMENTS = 6_000
"""Elements of the drawing that a browser moves without effort."""


@pytest.fixture(scope="module")
def large():
    """A tree of more than 20,000 nodes, without its rows, and its page."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(44_000, 4))
    y = rng.integers(0, 2, len(X)) + (X[:, 0] > 0)
    model = CARTClassifier(pruning=None).fit(X, y.astype(str))
    assert model.tree_.n_nodes > 20_000
    return model, pickle.loads(pickle.dumps(model)).to_html(methods=[])


def n_elements(page):
    return page.ask("document.querySelectorAll('svg.tree *').length")


def work(page, script):
    """Milliseconds of the page's own work on one frame, about: the middle of several."""
    return page.ask(
        """async ([text]) => {
            const acts = {
                pan: (i) => treewright.pan(i % 2 ? 40 : -40, 5),
                zoom: (i) => treewright.zoom(i % 2 ? 1.1 : 1 / 1.1),
            };
            const act = acts[text];
            const frame = () => new Promise(requestAnimationFrame);
            const times = [];
            for (let i = 0; i < 9; i++) {
                await frame();
                const start = performance.now();
                act(i);
                await frame();
                times.push(performance.now() - start);
            }
            return times.sort((a, b) => a - b)[4];
        }""",
        [script],
    )


def test_twenty_thousand_nodes_open_move_and_answer(visit, large, tmp_path):
    model, html = large
    page = visit(html)
    assert page.shown()["nodes"] < 60
    assert n_elements(page) < MOST_ELEMENTS
    page.page.keyboard.press("e")
    page.settle()
    shown = page.shown()
    assert shown["nodes"] == model.tree_.n_nodes
    assert shown["drawn"] == 0  # far: paths, no boxes
    assert n_elements(page) < 1_000
    assert page.page.locator(".far-name").count() > 10
    # A quarter of a second a frame would be a slide show, even on a busy machine without a graphics card.
    for _ in range(3):
        assert work(page, "pan") < 250
        assert work(page, "zoom") < 250
        page.ask("treewright.zoom(8)")
        page.settle()
        assert n_elements(page) < MOST_ELEMENTS
    assert 0 < page.shown()["drawn"] < 400
    rows = np.random.default_rng(1).normal(size=(200, 4))
    answers = page.ask("rows => rows.map(row => treewright.path(row).prediction)", rows.tolist())
    assert answers == model.predict(rows).tolist()
    page.page.screenshot(path=tmp_path / "near.png")


def test_the_deepest_leaf_is_found_shown_and_told(visit, large):
    model, html = large
    page = visit(html)
    deepest = int(model.tree_.depths.argmax())
    found = page.ask("text => treewright.search(text)", f"#{deepest}")
    assert found == [deepest]
    page.settle()
    assert page.box(deepest).is_visible()
    panel = page.text("#panel-node .node-view")
    assert f"Node {deepest}" in panel
    assert f"… {model.tree_.depth - 12} earlier steps" in panel
    # Far away, a click chooses the node that is nearest.
    page.page.keyboard.press("e")
    page.settle()
    before = page.shown()["selected"]
    stage = page.page.locator(".stage").bounding_box()
    for part in (0.3, 0.4, 0.5, 0.6):
        page.page.mouse.click(stage["x"] + stage["width"] * part, stage["y"] + stage["height"] * 0.4)
    assert page.shown()["selected"] != before


def test_the_path_of_a_large_tree_can_be_walked(visit, large):
    _, html = large
    page = visit(html)
    leaves = page.ask("treewright.document.path.leaves")
    for i in (0, len(leaves) // 2, len(leaves) - 2):
        page.ask("i => treewright.setAlpha(i)", i)
        assert page.shown()["leaves"] == leaves[i]


def test_a_tree_of_very_many_levels(visit):
    """A chain of thousands of questions: nothing calls itself at every level."""
    n = 6_000
    X = np.arange(n, dtype=float)[:, None]
    y = np.where(np.arange(n) % 2, "odd", "even")
    model = CARTClassifier(pruning=None).fit(X, y)
    if model.tree_.depth < 1_000:
        weights = 1.0 / 1.5 ** np.minimum(np.arange(n), 700)
        model = CARTClassifier(pruning=None).fit(X, y, sample_weight=weights)
    page = visit(pickle.loads(pickle.dumps(model)).to_html(methods=[]))
    page.page.keyboard.press("e")
    page.settle()
    assert page.shown()["nodes"] == model.tree_.n_nodes
    assert n_elements(page) < MOST_ELEMENTS
    rows = [[float(i)] for i in range(0, n, 97)]
    assert page.ask("rows => rows.map(row => treewright.path(row).prediction)", rows) == model.predict(rows).tolist()
    page.ask("i => treewright.select(i)", int(model.tree_.depths.argmax()))
    page.settle()
    assert page.shown()["drawn"] > 0


def test_a_split_into_thousands_of_branches(visit):
    towns = [f"town {i}" for i in range(3_000)]
    X = pd.DataFrame({"town": towns * 4})
    y = ["big" if i % 3 else "small" for i in range(3_000)] * 4
    model = C45Classifier(pruning=None).fit(X, y)
    assert model.tree_.n_leaves == 3_000
    page = visit(pickle.loads(pickle.dumps(model)).to_html(methods=[]))
    assert page.shown()["nodes"] == 3_001
    assert n_elements(page) < MOST_ELEMENTS
    assert page.ask("treewright.search('town 2999').length") == 1
    page.settle()
    assert "= town 2999" in page.page.locator(".box.selected").text_content()
    page.ask("treewright.fit()")
    page.settle()
    assert n_elements(page) < MOST_ELEMENTS
