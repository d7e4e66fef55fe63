"""The tree in matplotlib: the same picture, readable at any size, in any language, and without a warning."""

import pickle
import sys

import matplotlib as mpl
import pytest

from tests.export.hostile import HOSTILE, hostile_tree, tree_of_all
from tests.model.samples import chain, every_kind, regression
from tests.plot.drawn import closed, texts_of
from treewright import C45Classifier, CARTClassifier
from treewright.errors import KindError, ParameterError, TreewrightError
from treewright.export.colours import DARK, LIGHT
from treewright.model.build import golf_example
from treewright.plot import matplotlib_tree, plot_tree

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch


def drawn(ax):
    ax.figure.canvas.draw()
    return ax


def cards(ax):
    """The boxes of the nodes in pixels."""
    ax.figure.canvas.draw()
    patches = [p for p in ax.patches if isinstance(p, FancyBboxPatch) and p.get_height() > 40]
    return [patch.get_window_extent() for patch in patches]


@closed
def test_golf_has_its_words():
    words = texts_of(plot_tree(golf_example(), title="Golf"))
    for text in ("Golf", "outlook", "humidity", "≤ 75", "sunny", "Play: 64%", "n=14"):
        assert text in words


@pytest.mark.parametrize("size", [(1.5, 1), (3, 6), (12, 4), (20, 15)])
@closed
def test_boxes_and_words_do_not_overlap_at_any_size(size):
    _, ax = plt.subplots(figsize=size)
    plot_tree(every_kind(), ax)
    boxes = cards(ax)
    assert len(boxes) == 8
    for i, a in enumerate(boxes):
        assert not any(a.overlaps(b) for b in boxes[:i])
    words = [text.get_window_extent() for text in ax.texts if text.get_text()]
    slack = 0.01 * ax.bbox.width + 1
    for i, a in enumerate(words):
        for b in words[:i]:
            across = min(a.x1, b.x1) - max(a.x0, b.x0)
            down = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert across <= slack or down <= slack


@closed
def test_words_stay_in_their_boxes():
    X = [[f"a category of {'w' * i} letters", i] for i in range(12)]
    y = [f"CLASS WITH A WIDE NAME {i % 4}" for i in range(12)]
    model = C45Classifier(pruning=None, variant="textbook").fit(X, y)
    assert model.get_n_leaves() > 5
    ax = drawn(plot_tree(model))
    boxes = cards(ax)
    for text in ax.texts:
        extent = text.get_window_extent()
        at = [box for box in boxes if box.y0 <= extent.y0 + 1 and extent.y1 - 1 <= box.y1 and box.overlaps(extent)]
        assert len(at) <= 1
        if at:
            assert extent.x0 >= at[0].x0
            assert extent.x1 <= at[0].x1


@closed
def test_letters_keep_their_size_in_the_picture():
    """Twice as many dots make the picture larger, not the letters in it."""
    ax = plot_tree(golf_example())
    sizes = []
    for dpi in (50, 200):
        ax.figure.set_dpi(dpi)
        drawn(ax)
        root = next(text for text in ax.texts if text.get_text() == "outlook")
        sizes.append(root.get_window_extent().width / ax.bbox.width)
    assert sizes[0] == pytest.approx(sizes[1], rel=0.1)
    ax.figure.set_size_inches(2, 1.5)
    drawn(ax)
    root = next(text for text in ax.texts if text.get_text() == "outlook")
    assert root.get_window_extent().width / ax.bbox.width == pytest.approx(sizes[1], rel=0.25)


@closed
def test_a_new_figure_is_as_large_as_the_tree_needs(monkeypatch):
    small, large = (plot_tree(tree).figure.get_size_inches() for tree in (golf_example(), chain(15)))
    assert large[1] > 4 * small[1]
    monkeypatch.setattr(matplotlib_tree, "LARGEST_FIGURE", 5.0)
    assert max(plot_tree(chain(15)).figure.get_size_inches()) == pytest.approx(5)


@closed
def test_given_axes_are_used_and_returned():
    _, ax = plt.subplots()
    assert plot_tree(golf_example(), ax) is ax
    assert not ax.axison
    with pytest.raises(KindError, match="ax must be matplotlib axes or None, got int"):
        plot_tree(golf_example(), 3)


@closed
def test_limits_and_bad_parameters():
    assert "… 2 leaves" in texts_of(plot_tree(golf_example(), max_depth=1))
    assert len(texts_of(plot_tree(chain(1000), max_nodes=9))) < 80
    with pytest.raises(ParameterError, match=r"direction must be one of .* got 'up'"):
        plot_tree(golf_example(), direction="up")


@closed
def test_hostile_names_are_drawn_as_text_and_without_a_warning():
    ax = drawn(plot_tree(tree_of_all(), title="".join(HOSTILE[:40])))
    assert "$x^2$" in texts_of(ax)
    assert "_hidden" in texts_of(ax)
    for text in ax.texts:
        text.get_text().encode()
        assert not text.get_parse_math()


@pytest.mark.parametrize("evil", ["$", "\\", "", "\ud800", "x" * 10_000, "😀"])
@closed
def test_a_hostile_name_of_everything(evil):
    drawn(plot_tree(hostile_tree(evil), title=evil))


@closed
def test_chinese_is_written_where_a_font_has_it_and_never_warned_of():
    X = [["青绿"], ["乌黑"], ["浅白"]] * 3
    ax = drawn(C45Classifier(pruning=None).fit(X, ["是", "否", "是"] * 3).plot_tree(title="西瓜"))
    assert "西瓜" in texts_of(ax) or "\\u897f\\u74dc" in texts_of(ax)


@closed
def test_letters_that_no_font_has_are_shown_by_their_number(monkeypatch):
    from treewright.plot import fonts

    monkeypatch.setattr(fonts, "FALLBACK_FONTS", ())
    ax = drawn(plot_tree(hostile_tree("瓜"), title="西瓜"))
    assert "\\u74dc" in texts_of(ax)
    assert any(text.startswith("\\u897f") for text in texts_of(ax))


@closed
def test_a_dark_figure_has_light_letters():
    assert to_hex(plot_tree(golf_example()).texts[0].get_color()) == LIGHT.muted
    with plt.style.context("dark_background"):
        assert to_hex(plot_tree(golf_example()).texts[0].get_color()) == DARK.muted


@closed
def test_a_figure_can_be_stored_and_saved(tmp_path):
    ax = plot_tree(regression())
    again = pickle.loads(pickle.dumps(ax.figure))
    again.savefig(tmp_path / "tree.png", bbox_inches="tight")
    for kind in ("svg", "pdf"):
        ax.figure.savefig(tmp_path / f"tree.{kind}")
        assert (tmp_path / f"tree.{kind}").stat().st_size > 1000


def test_without_matplotlib_one_sentence_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    model = CARTClassifier().fit([[1], [2]], ["a", "b"])
    sentence = r"requires matplotlib, which is not installed; run `pip install 'treewright\[plot\]'`"
    with pytest.raises(TreewrightError, match=sentence):
        model.plot_tree()
