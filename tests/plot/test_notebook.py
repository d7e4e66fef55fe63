"""What a notebook shows: the picture of a fitted tree, scikit-learn's display before, and text when told so."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from tests.export.hostile import HOSTILE
from treewright import C45Classifier, CARTClassifier, CARTRegressor, compare_pruning, read
from treewright.plot.svg import NOTEBOOK_HEIGHT, NOTEBOOK_NODES, NOTEBOOK_WIDTH


@pytest.fixture
def model():
    return CARTClassifier(pruning=None).fit([[i] for i in range(8)], list("aabbabab"))


def test_a_fitted_estimator_is_its_picture(model):
    shown = model._repr_html_()
    assert "<svg" in shown
    assert "fitted on 8 rows" in shown
    assert "<code>CARTClassifier(pruning=None)</code>" in shown
    assert model._repr_mimebundle_()["text/html"] == shown
    assert model._repr_mimebundle_()["text/plain"] == repr(model)


def test_before_fit_it_is_the_display_of_scikit_learn():
    model = C45Classifier()
    assert "<svg" not in model._repr_html_() or "sk-" in model._repr_html_()
    assert "sk-top-container" in model._repr_html_()
    assert "sk-top-container" in model._repr_mimebundle_()["text/html"]


def test_the_setting_of_scikit_learn_is_kept(model):
    with sklearn.config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert model._repr_mimebundle_() == {"text/plain": repr(model)}


def test_in_a_pipeline_the_display_is_that_of_the_pipeline(model):
    pipeline = make_pipeline("passthrough", CARTClassifier()).fit([[1], [2]], ["a", "b"])
    assert "sk-top-container" in pipeline._repr_html_()


def test_pruning_and_weights_are_told():
    X, y = [[i] for i in range(40)], ["a"] * 20 + ["b"] * 20
    y[3] = "b"
    shown = CARTClassifier().fit(X, y)._repr_html_()
    assert "cost complexity pruning kept 2 of 4 leaves" in shown
    weighted = CARTRegressor(pruning=None).fit([[1], [2]], [1.0, 2.0], sample_weight=[1, 2.5])._repr_html_()
    assert "fitted on 2 rows with weight 3.5" in weighted


def test_a_large_tree_is_shown_in_part():
    X = [[i] for i in range(300)]
    model = CARTClassifier(pruning=None).fit(X, [i % 2 for i in range(300)])
    shown = model._repr_html_()
    assert 1 < shown.count("<title>node ") <= NOTEBOOK_NODES[0]
    assert "to_svg() draws more nodes" in shown


def test_what_is_shown_of_a_large_tree_is_seen_at_once():
    """A wide picture would be scrolled, and its root not be seen."""
    random = np.random.default_rng(0)
    X = pd.DataFrame({"town": random.choice([f"town {i}" for i in range(7)], 2000), "x": random.normal(size=2000)})
    y = np.where(random.random(2000) < 0.2, "c", np.where((X["x"] > 0) ^ (X["town"] > "town 3"), "a", "b"))
    for model in (C45Classifier(pruning=None), CARTClassifier(pruning=None)):
        shown = model.fit(X, y)._repr_html_()
        width, height = re.search(r'width="([\d.]+)" height="([\d.]+)"', shown).groups()
        assert float(width) <= NOTEBOOK_WIDTH
        assert float(height) <= NOTEBOOK_HEIGHT
        assert shown.count("<title>node ") >= 8
        assert "to_svg() draws more nodes" in shown


def test_more_branches_than_nodes_are_shown():
    towns = [[f"town {i % 100}"] for i in range(400)]
    shown = C45Classifier(pruning=None).fit(towns, [i % 100 % 2 for i in range(400)])._repr_html_()
    assert shown.count("<title>node ") > 50
    assert "to_svg() draws more nodes" in shown


class Tags(HTMLParser):
    """The tags of a page, and the names of their attributes."""

    def __init__(self):
        super().__init__()
        self.found, self.named = set(), set()

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)
        self.named.update(name for name, _ in attrs)


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_are_text(evil):
    model = C45Classifier(pruning=None).fit([[evil, 1.0], ["b", 2.0]] * 2, [evil, "ok"] * 2)
    shown = model._repr_html_()
    shown.encode()
    page = Tags()
    page.feed(shown)
    assert page.found <= {"div", "code", "br", "svg", "title", "desc", "style", "g", "rect", "path", "text"}
    assert not any(name.startswith("on") or name in ("href", "src") for name in page.named)


def test_before_fit_the_methods_say_so():
    for method in ("to_svg", "to_dot", "plot_tree"):
        with pytest.raises(NotFittedError):
            getattr(C45Classifier(), method)()


def test_everything_a_notebook_shows_is_safe_and_aligned(tmp_path):
    file = tmp_path / "people.csv"
    lines = [f"{20 + i},<i>{'ab'[i % 2]},{'<u>no' if i < 9 else 'yes'}" for i in range(20)]
    file.write_text("\n".join(["<b>age,town,y", *lines]))
    data = read(file, target="y")
    model = C45Classifier().fit(data.X, data.y)
    shown = {
        "Data": data, "estimator": model, "Tree": model.tree_, "Node": model.tree_.node(0), "Ledger": model.why(),
        "Explanation": model.explain(data.X[:1]), "Explanations": model.explain(data.X), "RuleSet": model.rules(),
        "PruningReport": model.pruning_report_, "PruningComparison": compare_pruning(model, data.X, data.y),
    }  # fmt: skip
    for name, one in shown.items():
        html = one._repr_html_()
        page = Tags()
        page.feed(html)
        assert not page.found & {"b", "i", "u", "script"}, name
        if name not in ("estimator", "Tree"):
            assert "<table>" in html, name
            assert "<td>" not in html, name
            assert "color" not in html, name  # the colours are those of the notebook, light or dark
    assert "<svg" in model.tree_._repr_html_()
    assert '<td style="text-align:left">&lt;b&gt;age</td>' in data._repr_html_()
    assert '<td style="text-align:right">20</td>' in data._repr_html_()
