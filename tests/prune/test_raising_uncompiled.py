"""The kernels of raising, run uncompiled, prune as the compiled ones do."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import treewright
from tests.oracles.plans import STRATEGIES
from tests.prune.raised import holed_cases, whole_cases
from treewright._core import places as compiled
from treewright.prune import impossible, limits, places, raising
from treewright.prune.report import RAISED

CORE = "treewright._core"
KERNELS = (
    "limits",
    "sorting",
    "stand_in",
    "route",
    "route_missing",
    "places",
    "row_lists",
    "share_store",
    "shared_out",
    "raising",
    "raising_shared",
    "askers",
)
"""In the order in which they import each other."""


def load_sources() -> dict[str, ModuleType]:
    """The sources as modules; each stands in for the compiled one while the next are loaded."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        for name in KERNELS:
            source = Path(treewright.__file__).parent / "_core" / f"{name}.py"
            spec = importlib.util.spec_from_file_location(f"{name}_source", source)
            found[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(found[name])
            patch.setitem(sys.modules, f"{CORE}.{name}", found[name])
    return found


SOURCES = load_sources()


@pytest.fixture
def uncompiled(monkeypatch):
    """Have the sources do the work."""
    monkeypatch.setattr(limits, "estimates", SOURCES["limits"].estimates)
    monkeypatch.setattr(impossible, "nearest_askers", SOURCES["askers"].nearest_askers)
    monkeypatch.setattr(places, "Places", SOURCES["places"].Places)
    monkeypatch.setattr(raising, "settle_places", SOURCES["raising"].settle_places)
    monkeypatch.setattr(raising, "move_store", SOURCES["share_store"].move_store)
    for name in ("plant_rows", "settle_shared"):
        monkeypatch.setattr(raising, name, getattr(SOURCES["raising_shared"], name))
    monkeypatch.setattr(places, "shares_at_leaves", lambda tree: 0)


def all_cases():
    for seed in range(8):
        yield from whole_cases(seed)
        for missing in STRATEGIES:
            yield from holed_cases(seed, missing)


EXPECTED = [case.pruned() for case in all_cases()]


def test_the_two_are_two():
    assert all(module.__file__.endswith(".py") for module in SOURCES.values())
    assert not compiled.__file__.endswith(".py"), "the kernels are not compiled; run `make setup`"


def test_the_same_trees(uncompiled):
    n_raised = 0
    for case, expected in zip(all_cases(), EXPECTED, strict=True):
        found = case.pruned()
        assert found.tree == expected.tree, case.seed
        assert found.report.verdict.tolist() == expected.report.verdict.tolist()
        n_raised += int((found.report.verdict == RAISED).sum())
    assert n_raised > 10
