"""The public surface: its names, its version, and what importing it loads."""

import json
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import treewright
from treewright.prune.registry import METHODS

SURFACE = {
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "Data",
    "Explanation",
    "Explanations",
    "ExportError",
    "ID3Classifier",
    "Importances",
    "InputError",
    "KindError",
    "Ledger",
    "MDLTreeClassifier",
    "MDLTreeRegressor",
    "MissingReport",
    "ModelFormatError",
    "Node",
    "OutputError",
    "ParameterError",
    "PruningComparison",
    "PruningReport",
    "RuleSet",
    "Stability",
    "TableReport",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "TreeShapeWarning",
    "TreewrightError",
    "UnseenCategoryWarning",
    "WorkedSolution",
    "compare_pruning",
    "criteria",
    "fit_source",
    "inspect",
    "load",
    "plot",
    "presets",
    "prune",
    "read",
}
CRITERIA = {
    "CRITERIA",
    "Criterion",
    "IMPURITIES",
    "LOSSES",
    "MERITS",
    "Contingency",
    "absolute_error",
    "at_least_average",
    "average_gain",
    "classification_error",
    "contingency",
    "cut_penalty",
    "decrease",
    "entropy",
    "error_decrease",
    "g_statistic",
    "gain_ratio",
    "gini",
    "gini_decrease",
    "poisson",
    "gini_index",
    "information_gain",
    "intrinsic_value",
    "split_info",
    "squared_error",
    "twoing",
    "weighted_impurity",
}
HEAVY = ["pandas", "polars", "pyarrow", "matplotlib"]
METHOD_FILES = [
    f"treewright.prune.{name}"
    for name in ("cost_complexity", "critical_value", "error_based", "global_budget", "mdl", "minimum_error")
]
LATER = [
    *METHOD_FILES,
    "treewright.prune.report",
    "treewright.prune.steps",
    "treewright.grow.grower",
    "treewright._core.grow",
    "treewright.data.files",
    "treewright.model.file",
    "treewright.model.node",
    "treewright.model.split",
]
"""What an estimator loads when it is first asked for it."""


STEPS = {
    "package": "import treewright",
    "estimator": "from treewright import CARTClassifier",
    "estimators": (
        "from treewright import C45Classifier, CARTRegressor, MDLTreeClassifier\n"
        "C45Classifier(), CARTRegressor(), MDLTreeClassifier()"
    ),
    "fit without pruning": "CARTClassifier(pruning=None).fit([[1.0], [2.0]], [0, 1])",
    "fit": "CARTClassifier().fit([[1.0], [2.0]], [0, 1])",
}
"""What is done in one process, one step after the other; what a step loads is among what is loaded by then."""


@cache
def _loaded_after(*statements: str) -> list[set[str]]:
    """The modules that are loaded after each of several statements of one new process."""
    tell = "print(json.dumps([*sys.modules]))"
    code = "\n".join(["import json, sys", *(f"{statement}\n{tell}" for statement in statements)])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [set(json.loads(line)) for line in done.stdout.splitlines()]


def _loaded_by(step: str) -> set[str]:
    return dict(zip(STEPS, _loaded_after(*STEPS.values()), strict=True))[step]


def test_the_surface_is_exactly_this() -> None:
    assert set(treewright.__all__) == SURFACE
    assert len(treewright.__all__) == len(SURFACE)


def test_the_surface_of_the_criteria_is_exactly_this() -> None:
    assert set(treewright.criteria.__all__) == CRITERIA


def test_every_public_name_is_there_and_explained() -> None:
    assert [name for name in sorted(SURFACE) if not getattr(treewright, name).__doc__] == []
    assert SURFACE - {*dir(treewright)} == set()


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
    loaded = _loaded_by("package")
    assert loaded.isdisjoint([*HEAVY, "sklearn", "scipy", "narwhals", "numpy"])


def test_reading_a_tree_needs_no_training_code() -> None:
    (loaded,) = _loaded_after("from treewright import Tree, Node")
    assert loaded.isdisjoint([*HEAVY, "sklearn", "treewright.grow", "treewright.estimators"])


def test_estimators_load_nothing_heavy_beyond_what_scikit_learn_does() -> None:
    (theirs,) = _loaded_after("import sklearn.base")
    more = _loaded_by("estimator") - theirs
    assert more.isdisjoint([*HEAVY, "sklearn.tree", "sklearn.ensemble"])
    assert {name.partition(".")[0] for name in more} & {
        "scipy",
        "joblib",
        "sklearn",
        "threadpoolctl",
    } == set()


def test_an_estimator_is_imported_without_what_only_its_questions_need() -> None:
    loaded = _loaded_by("estimators")
    rooms = {".".join(module.split(".")[:2]) for module in loaded if module.startswith("treewright.")}
    assert rooms == {
        f"treewright.{room}"
        for room in ("_core", "criteria", "data", "deprecation", "errors", "estimators", "fast_paths", "grow",
                     "language", "model", "predict", "prune", "text_table")
    }
    assert loaded.isdisjoint(LATER)


def test_a_fit_without_pruning_loads_no_method_of_pruning() -> None:
    loaded = _loaded_by("fit without pruning")
    assert "treewright.grow.grower" in loaded
    assert loaded.isdisjoint(METHOD_FILES)


def test_the_names_of_pruning_are_those_of_its_files() -> None:
    assert all(getattr(treewright.prune, name).__name__ == name for name in treewright.prune.__all__)
    assert set(treewright.prune.__all__) <= set(dir(treewright.prune))
    assert [method.name for method in METHODS.values()] == list(METHODS)
    with pytest.raises(AttributeError, match=r"no 'Shears'; its names are MDL, CostComplexity"):
        treewright.prune.Shears  # noqa: B018


def test_estimators_load_no_room_that_only_explains_or_draws() -> None:
    loaded = _loaded_by("fit")
    assert loaded.isdisjoint(f"treewright.{room}" for room in ("ledger", "rules", "export", "plot", "page"))
