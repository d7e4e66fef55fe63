"""The slider walks the cost-complexity path, the list shows every method's tree, and both draw what they say."""

import re

import pytest
from sklearn.metrics import mean_squared_error, r2_score

from tests.page.tables import document_of, fitted, page_of, rows_for


@pytest.fixture
def pruning(visit):
    page = visit(page_of("cart"))
    page.page.locator("#tab-pruning").click()
    return page


def percents(text):
    return [float(x) / 100 for x in re.findall(r"([\d.]+)\u202f%", text)]


def test_the_list_has_every_view_with_its_errors(pruning):
    document = document_of("cart")
    rows = pruning.page.locator(".view-table tbody tr")
    assert rows.count() == len(document["views"]) > 4
    for i, view in enumerate(document["views"]):
        text = rows.nth(i).inner_text()
        assert str(view["n_leaves"]) in text.split()
        errors = [view[name] for name in ("training_error", "validation_error", "cv_error", "cv_se")]
        assert percents(text) == pytest.approx([error for error in errors if error is not None], abs=6e-4)
    # Cross-validation chose the tree that is used for prediction; no other method has an error by it.
    path = fitted("cart").pruning_report_.path
    expected = [path.error[path.chosen], path.standard_error[path.chosen]]
    assert [document["views"][0][name] for name in ("cv_error", "cv_se")] == pytest.approx(expected)
    assert not any(view["cv_error"] for view in document["views"][1:])
    assert pruning.text(".view-table caption") == "Error rate"
    assert "used for prediction" in rows.nth(document["own"]).inner_text()
    assert rows.nth(document["own"]).locator("input").is_checked()


def test_choosing_a_method_draws_its_tree(pruning):
    document = document_of("cart")
    for i, view in enumerate(document["views"]):
        pruning.page.locator(f"#view-{i}").check()
        assert pruning.ask("treewright.view()") == view["key"]
        assert pruning.shown()["leaves"] == view["n_leaves"]
        head = pruning.text(".head .facts").split()
        assert head[head.index("Leaves") + 1] == str(view["n_leaves"])
        pruning.ask("treewright.open(99)")
        assert pruning.shown()["nodes"] >= view["n_leaves"]


def test_choosing_a_method_fits_its_tree_and_resets_the_depth(visit):
    page, document = visit(page_of("cart learned")), document_of("cart learned")
    page.page.locator("#tab-pruning").click()
    keys = [view["key"] for view in document["views"]]
    page.page.locator(f"#view-{keys.index('pessimistic')}").check()
    page.settle()
    fresh = page.shown(), page.text(".depth-value"), page.box(0).bounding_box()
    page.page.locator("#view-0").check()
    page.ask("treewright.open(0); treewright.zoom(0.2); treewright.pan(3000, 2000)")
    page.page.locator(f"#view-{keys.index('pessimistic')}").check()
    page.settle()
    assert (page.shown(), page.text(".depth-value"), page.box(0).bounding_box()) == fresh
    assert page.page.locator(".depth-slider").get_attribute("max") == page.text(".depth-value").split()[-1]


def test_the_slider_walks_the_path(pruning):
    path = document_of("cart")["path"]
    slider = pruning.page.locator(".path-slider")
    last = len(path["alphas"]) - 1
    assert slider.get_attribute("max") == str(last)
    leaves = []
    for i in range(last + 1):
        slider.fill(str(i))
        leaves.append(pruning.shown()["leaves"])
        said = pruning.text(".path-facts")
        expected = [path[name][i] for name in ("training_error", "validation_error") if path[name]]
        assert percents(said)[: len(expected)] == pytest.approx(expected, abs=6e-4)
        assert ("Cost-complexity pruning chose" in said) == (i == path["chosen"])
    assert leaves == path["leaves"]
    assert leaves[-1] == 1
    assert pruning.shown()["nodes"] == 1
    # The keyboard moves it too.
    slider.focus()
    pruning.page.keyboard.press("ArrowLeft")
    assert pruning.shown()["leaves"] == path["leaves"][last - 1]


def test_a_click_into_the_chart_goes_to_that_tree(pruning):
    path = document_of("cart")["path"]
    plot = pruning.page.locator(".error-plot")
    box = plot.bounding_box()
    plot.click(position={"x": box["width"] - 8, "y": box["height"] / 2})
    assert pruning.shown()["leaves"] == path["leaves"][0]
    dots = pruning.page.locator(".error-dot").count()
    assert dots == sum(path[name] is not None for name in ("training_error", "validation_error", "cv_error"))


def test_cross_validation_has_its_band(visit):
    page = visit(fitted("cart").to_html(methods=[]))
    page.page.locator("#tab-pruning").click()
    assert document_of("cart", given=False)["path"]["cv_error"]
    assert page.page.locator(".error-plot .band").count() == 1
    assert "±" in page.text(".path-facts")


def test_errors_of_a_regression_tree_are_named_with_their_unit(visit):
    page, model = visit(page_of("cart numbers")), fitted("cart numbers")
    head = page.text(".head .facts")
    for part, words in (("training", "Training RMSE"), ("validation", "Validation RMSE")):
        X, y = rows_for("cart numbers", part)
        found = re.search(words + r"\s+([\d.]+) \(R² ([\d.]+)\)", head)
        expected = [mean_squared_error(y, model.predict(X)) ** 0.5, r2_score(y, model.predict(X))]
        assert [float(x) for x in found.groups()] == pytest.approx(expected, rel=2e-3)
    page.page.locator("#tab-pruning").click()
    assert page.text(".view-table caption") == "Mean squared error, and R²"
    assert "Cross-validated mean squared error" in page.text(".path-facts")


def test_a_node_that_is_gone_hands_the_panel_to_what_is_left(visit):
    page = visit(page_of("cart"))
    page.ask("treewright.setView('grown')")
    deepest = page.ask("treewright.document.nodes.first_child.length") - 1
    page.ask("i => treewright.select(i)", deepest)
    assert page.shown()["selected"] == deepest
    page.ask("treewright.setAlpha(treewright.document.path.alphas.length - 1)")
    assert page.shown()["selected"] == 0


def test_numbers_of_nodes_are_those_of_the_tree_that_answers(visit):
    model = fitted("c45 raised")
    page = visit(page_of("c45 raised", given=False))
    origin = model.pruning_report_.origin.tolist()
    assert origin != list(range(len(origin)))
    for number, grown in enumerate(origin):
        page.ask("i => treewright.select(i)", grown)
        assert page.text("#panel-node .node-name").startswith(f"Node {number} ·")
        words = page.page.locator("#panel-node .path-to-node li").all_inner_texts()
        expected = [step.replace("<=", "≤").replace(" in {", " ∈ {") for _, step in model.tree_.node(number).path()]
        assert [plain(word) for word in words] == [plain(word) for word in expected]
    gone = next(i for i in range(model.grown_tree_.n_nodes) if i not in origin)
    page.ask("treewright.setView('grown')")
    page.ask("i => treewright.select(i)", gone)
    assert page.text("#panel-node .node-name").startswith(f"Node {gone} of the unpruned tree")


def plain(text):
    """Without what the page escapes."""
    return re.sub(r"\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|[\u2028\u2029\u202a-\u202e\u2066-\u2069\n\t\r]", "", text)


def test_what_pruning_decided_stands_at_the_node(visit):
    page, document = visit(page_of("c45 raised")), document_of("c45 raised")
    page.ask("treewright.setView('grown')")
    seen = set()
    for node, decision in list(document["decisions"].items())[:12]:
        page.ask("i => treewright.select(i)", int(node))
        words = page.text("#panel-node .node-view:not([hidden]) [data-part=pruning]")
        verdict = {"kept": "kept", "pruned": "pruned to a leaf", "raised": "replaced by its largest branch"}
        assert verdict[decision["verdict"]] in words
        seen.add(decision["verdict"])
        numbers = [float(x) for x in re.findall(r"(?:As a leaf|As a subtree)\s+([\d.]+)", words)]
        assert numbers == pytest.approx([decision["leaf"], decision["subtree"]], rel=2e-3)
    assert {"kept", "pruned"} <= seen


def test_the_slider_stands_where_a_tree_that_is_not_on_the_path_would_be(pruning):
    document = document_of("cart")
    leaves = document["path"]["leaves"]
    for i, view in enumerate(document["views"]):
        pruning.page.locator(f"#view-{i}").check()
        at = int(pruning.page.locator(".path-slider").input_value())
        assert abs(leaves[at] - view["n_leaves"]) == min(abs(n - view["n_leaves"]) for n in leaves)
