"""The public surface: its names, its version, and what importing it loads."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import treewright

SURFACE = {
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ID3Classifier",
    "MDLTreeClassifier",
    "MDLTreeRegressor",
    "TreeClassifier",
    "TreeRegressor",
    "Tree",
    "Node",
    "MissingReport",
    "PruningReport",
    "PruningComparison",
    "compare_pruning",
    "Ledger",
    "WorkedSolution",
    "Explanation",
    "Stability",
    "Importances",
    "RuleSet",
    "TreewrightError",
    "InputError",
    "KindError",
    "ParameterError",
    "ModelFormatError",
    "UnseenCategoryWarning",
    "Data",
    "load",
    "read",
    "criteria",
    "plot",
    "presets",
    "prune",
}
CRITERIA = {
    "IMPURITIES",
    "LOSSES",
    "MERITS",
    "Contingency",
    "absolute_error",
    "at_least_average",
    "average_gain",
    "classification_error",
    "contingency",
    "cut_charge",
    "decrease",
    "entropy",
    "error_decrease",
    "g_statistic",
    "gain_ratio",
    "gini",
    "gini_decrease",
    "gini_index",
    "information_gain",
    "intrinsic_value",
    "split_info",
    "squared_error",
    "twoing",
    "weighted_impurity",
}
HEAVY = ["pandas", "polars", "pyarrow", "matplotlib"]


def _loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport json, sys; print(json.dumps([m for m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_the_surface_is_exactly_this() -> None:
    assert set(treewright.__all__) == SURFACE
    assert len(treewright.__all__) == len(SURFACE)


def test_the_surface_of_the_criteria_is_exactly_this() -> None:
    assert set(treewright.criteria.__all__) == CRITERIA


@pytest.mark.parametrize("name", sorted(SURFACE))
def test_every_public_name_is_there_and_explained(name: str) -> None:
    thing = getattr(treewright, name)
    assert thing.__doc__
    assert name in dir(treewright)


def test_public_names_have_no_private_twins() -> None:
    shown = {n for n in vars(treewright) if not n.startswith("_")}
    rooms = {p.stem for p in Path(treewright.__file__).parent.iterdir()}
    assert shown - SURFACE - rooms == {"import_module", "TYPE_CHECKING"}


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(
        AttributeError, match=r"no 'Forest'; its public names are C45Classifier, CARTClassifier"
    ):
        treewright.Forest  # noqa: B018


def test_the_version_is_that_of_the_package() -> None:
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    assert treewright.__version__ == tomllib.loads(pyproject.read_text())["project"]["version"]


def test_importing_treewright_loads_nothing_heavy() -> None:
    loaded = _loaded_after("import treewright")
    assert loaded.isdisjoint([*HEAVY, "sklearn", "scipy", "narwhals", "numpy"])


def test_reading_a_tree_needs_no_training_code() -> None:
    loaded = _loaded_after("from treewright import Tree, Node")
    assert loaded.isdisjoint([*HEAVY, "sklearn", "treewright.grow", "treewright.estimators"])


def test_estimators_load_nothing_heavy_beyond_what_scikit_learn_does() -> None:
    ours = _loaded_after("from treewright import CARTClassifier")
    theirs = _loaded_after("import sklearn.base")
    assert (ours - theirs).isdisjoint([*HEAVY, "sklearn.tree", "sklearn.ensemble"])


def test_estimators_load_no_room_that_only_explains_or_draws() -> None:
    loaded = _loaded_after("from treewright import CARTClassifier; CARTClassifier().fit([[1.0], [2.0]], [0, 1])")
    assert loaded.isdisjoint(f"treewright.{room}" for room in ("ledger", "rules", "export", "plot", "page"))
