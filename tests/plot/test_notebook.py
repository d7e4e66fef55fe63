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
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.plot.notebook import MAX_HEIGHT, MAX_WIDTH, NODES


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
    assert "cost complexity pruning left 2 of 4 leaves" in shown
    weighted = CARTRegressor(pruning=None).fit([[1], [2]], [1.0, 2.0], sample_weight=[1, 2.5])._repr_html_()
    assert "fitted on 2 rows of weight 3.5" in weighted


def test_a_large_tree_is_shown_in_part():
    X = [[i] for i in range(300)]
    model = CARTClassifier(pruning=None).fit(X, [i % 2 for i in range(300)])
    shown = model._repr_html_()
    assert 1 < shown.count("<title>node ") <= NODES[0]
    assert "to_svg() draws more of it" in shown


def test_what_is_shown_of_a_large_tree_is_seen_at_once():
    """A wide picture would be scrolled, and its root not be seen."""
    random = np.random.default_rng(0)
    X = pd.DataFrame({"town": random.choice([f"town {i}" for i in range(7)], 2000), "x": random.normal(size=2000)})
    y = np.where(random.random(2000) < 0.2, "c", np.where((X["x"] > 0) ^ (X["town"] > "town 3"), "a", "b"))
    for model in (C45Classifier(pruning=None), CARTClassifier(pruning=None)):
        shown = model.fit(X, y)._repr_html_()
        width, height = re.search(r'width="([\d.]+)" height="([\d.]+)"', shown).groups()
        assert float(width) <= MAX_WIDTH
        assert float(height) <= MAX_HEIGHT
        assert shown.count("<title>node ") >= 8
        assert "to_svg() draws more of it" in shown


def test_more_branches_than_nodes_are_shown():
    towns = [[f"town {i % 100}"] for i in range(400)]
    shown = C45Classifier(pruning=None).fit(towns, [i % 100 % 2 for i in range(400)])._repr_html_()
    assert shown.count("<title>node ") > 50
    assert "to_svg() draws more of it" in shown


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
