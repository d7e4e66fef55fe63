"""The functions of treewright.plot: which there are, that they are fetched when needed, and what that loads."""

import json
import subprocess
import sys

import pytest

from treewright import plot

FUNCTIONS = {
    "calibration", "decision_regions", "importances", "node_distribution", "plot_tree", "pruning_comparison",
    "pruning_path", "to_svg",
}  # fmt: skip


def loaded_after(statement):
    code = f"{statement}\nimport json, sys; print(json.dumps([m for m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_the_functions_are_exactly_these():
    assert set(plot.__all__) == FUNCTIONS
    assert set(dir(plot)) >= FUNCTIONS
    for name in FUNCTIONS:
        assert callable(getattr(plot, name))
        assert ">>>" in getattr(plot, name).__doc__


def test_a_function_stays_what_it_is_when_its_file_is_imported():
    from treewright.plot import importance_chart, node_chart

    assert plot.importances is importance_chart.importances
    assert plot.node_distribution is node_chart.node_distribution


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(AttributeError, match=r"no function 'draw'\. The functions are calibration, decision_regions"):
        plot.draw  # noqa: B018


def test_a_picture_is_made_without_matplotlib():
    use = (
        "from treewright import CARTClassifier, plot\n"
        "model = CARTClassifier(pruning=None).fit([[1], [2]], ['a', 'b'])\n"
        "model.to_svg(); model.to_dot(); model._repr_html_(); plot.to_svg(model.tree_)"
    )
    assert "matplotlib" not in loaded_after(use)


def test_a_tree_is_drawn_without_training_code():
    use = "from treewright.model.build import golf_example\nfrom treewright.plot import to_svg\nto_svg(golf_example())"
    assert loaded_after(use).isdisjoint(["sklearn", "treewright.grow", "treewright.estimators"])
