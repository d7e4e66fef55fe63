"""The viewers dtreeviz and supertree show the binary tree."""

import json
import logging

import pytest

from tests.export.walk import mixed, models
from treewright.errors import ExportError, InputError, TreewrightError
from treewright.export.binary_view import as_binary
from treewright.export.scoring import scoring_of
from treewright.export.viewers import to_dtreeviz, to_supertree

pytestmark = pytest.mark.filterwarnings("ignore::Warning")


@pytest.fixture(scope="module")
def fitted():
    return models()


@pytest.fixture
def dtreeviz():
    found = pytest.importorskip("dtreeviz", reason="dtreeviz is not installed")
    import matplotlib as mpl

    mpl.use("Agg")
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    return found


@pytest.fixture
def supertree():
    return pytest.importorskip("supertree", reason="supertree is not installed")


@pytest.mark.parametrize("name", ["c45", "cart branch", "costs", "regression"])
def test_dtreeviz_predicts_and_counts_as_the_model(fitted, name, dtreeviz):
    X, y, number = mixed(missing=0)
    model, target = fitted[name], number if name == "regression" else y
    shadow = to_dtreeviz(model, X, target).shadow_tree
    names = model.predict(X) if name == "regression" else [list(model.classes_).index(one) for one in model.predict(X)]
    assert [shadow.predict(row) for row in shadow.X_train] == pytest.approx(list(names))
    assert shadow.get_score() == pytest.approx(model.score(X, target))
    assert sum(leaf.nsamples() for leaf in shadow.leaves) == shadow.root.nsamples() == 300
    left, right = shadow.root.split_samples()
    assert (len(left), len(right)) == (shadow.root.left.nsamples(), shadow.root.right.nsamples())
    assert shadow.nnodes() == len(shadow.leaves) + len(shadow.internal)
    assert shadow.get_feature_path_importance([shadow.root.id]).max() == pytest.approx(1)
    if name != "regression":
        assert shadow.root.class_counts().tolist() == [int((y == one).sum()) for one in model.classes_]


def test_dtreeviz_draws(fitted, dtreeviz):
    import matplotlib.pyplot as plt

    X, y, _ = mixed(missing=0)
    viz = to_dtreeviz(fitted["mdl"], X, y)
    assert "digraph G" in viz.view(fontname="DejaVu Sans").dot
    assert "age" in viz.explain_prediction_path(viz.shadow_tree.X_train[0])
    viz.leaf_sizes(fontname="DejaVu Sans")
    plt.close("all")


def test_missing_values_and_unknown_classes_are_refused(fitted, dtreeviz):
    X, y, _ = mixed()
    with pytest.raises(ExportError, match="has a missing value in column"):
        to_dtreeviz(fitted["cart"], X, y)
    with pytest.raises(InputError, match="y has the class 'z', which does not occur in training"):
        to_dtreeviz(fitted["cart"], mixed(missing=0)[0], ["z"] * 300)


@pytest.mark.parametrize("name", ["c45", "regression"])
def test_supertree_has_the_nodes_of_the_binary_tree(fitted, name, supertree, tmp_path, capsys):
    X, y, number = mixed(missing=0)
    scoring = scoring_of(fitted[name])
    binary = as_binary(scoring, "refuse")
    view = to_supertree(fitted[name], X, number if name == "regression" else y)
    view.save_json_tree(str(tmp_path / "tree"))
    found = json.loads((tmp_path / "tree.json").read_text())
    assert found["tree_data"]["feature_names"] == binary.feature_names
    waiting, thresholds = [found["node_data"]], []
    while waiting:
        node = waiting.pop()
        if node["left_node"] is not None:
            thresholds.append(node["threshold"])
            waiting += [node["right_node"], node["left_node"]]
    assert thresholds == binary.threshold[binary.children_left >= 0].tolist()
    to_supertree(fitted[name]).save_html(str(tmp_path / "page"))
    assert "<div" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_without_the_libraries(fitted, monkeypatch):
    monkeypatch.setattr("treewright.extras.find_spec", lambda name: None)
    with pytest.raises(TreewrightError, match="The view of dtreeviz requires dtreeviz, which is not installed"):
        to_dtreeviz(fitted["cart"], [], [])
    with pytest.raises(TreewrightError, match="The view of supertree requires supertree, which is not installed"):
        to_supertree(fitted["cart"])
