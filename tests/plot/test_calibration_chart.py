"""The chart of a calibration: its points are the bins, and the line is where shares come true."""

import matplotlib as mpl
import numpy as np
import pytest

from tests.plot.drawn import closed, legend_of, texts_of
from treewright.errors import InputError, KindError
from treewright.evaluate.calibration import reliability
from treewright.plot import calibration

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.collections import LineCollection, PathCollection


def table(seed=0, n=200, of="yes"):
    random = np.random.default_rng(seed)
    predicted = random.random(n) ** 2
    return reliability(predicted, random.random(n) < predicted * 0.8, of=of)


def points(ax):
    return [c for c in ax.collections if isinstance(c, PathCollection)]


def bars(ax):
    return [c for c in ax.collections if isinstance(c, LineCollection)]


@closed
def test_points_and_bars_are_the_bins():
    found = table()
    full = [one for one in found.bins if one.weight]
    ax = calibration(found)
    (drawn,) = points(ax)
    np.testing.assert_allclose(drawn.get_offsets(), [(one.predicted, one.observed) for one in full])
    reach = [segment[:, 1].tolist() for segment in bars(ax)[0].get_segments()]
    np.testing.assert_allclose(reach, [one.interval for one in full], atol=1e-12)
    sizes = drawn.get_sizes()
    assert np.argsort(sizes, kind="stable").tolist() == np.argsort([b.weight for b in full], kind="stable").tolist()
    assert ax.lines[0].get_xydata().tolist() == [[0, 0], [1, 1]]
    said = texts_of(ax)
    assert "predicted probability of yes" in said
    assert "observed proportion of yes" in said
    assert f"expected calibration error {found.error:.3f}" in said
    assert legend_of(ax) == ["perfectly calibrated", "observed, 95% interval"]


@closed
def test_empty_bins_and_shares_of_0_and_1_are_whole():
    ax = calibration(reliability(np.array([0.0, 1.0]), np.array([False, True]), of=None))
    assert points(ax)[0].get_offsets().tolist() == [[0, 0], [1, 1]]
    low, high = ax.get_xlim()
    assert low < 0 < 1 < high
    assert "proportion of correct predictions" in texts_of(ax)


@closed
def test_several_stand_together_with_their_errors():
    found = {"c4.5": table(1), "cart": table(2)}
    _, ax = plt.subplots()
    assert calibration(found, ax) is ax
    assert len(points(ax)) == 2
    assert legend_of(ax) == ["perfectly calibrated", *(f"{name} ({one.error:.3f})" for name, one in found.items())]
    assert points(ax)[0].get_facecolor().tolist() != points(ax)[1].get_facecolor().tolist()
    assert points(ax)[0].get_paths()[0].vertices.shape != points(ax)[1].get_paths()[0].vertices.shape
    assert "expected calibration error in brackets" in texts_of(ax)


@closed
def test_names_are_text_and_dark_figures_are_fine():
    with plt.style.context("dark_background"):
        ax = calibration({"$x^2$ _a": table(1, of="$好瓜$"), "_b": table(2, of="$好瓜$")})
        said = " ".join(texts_of(ax))
    assert "$x^2$" in said
    assert "_b" in said


@pytest.mark.parametrize("bad", [[1, 2], None, {"a": 3}])
def test_what_is_no_calibration_is_named(bad):
    with pytest.raises(KindError, match=r"^Expected a calibration, got (list|NoneType|int)\."):
        calibration(bad)


def test_nothing_and_different_classes_are_refused():
    with pytest.raises(InputError, match="at least one calibration"):
        calibration({})
    with pytest.raises(InputError, match="must be of the same class, got 'no' and 'yes'"):
        calibration({"a": table(of="yes"), "b": table(of="no")})
