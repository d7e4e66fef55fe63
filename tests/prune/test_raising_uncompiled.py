"""The kernels of raising, run uncompiled, prune as the compiled ones do."""


import pytest

from tests.oracles.plans import STRATEGIES
from tests.prune.raised import holed_cases, whole_cases
from treewright._core import _prune as compiled
from treewright._core.prune import bottom_up, error_limits, raising_shared, raising_state
from treewright._core.prune import raising as raising_kernel
from treewright.prune import error_based, limits, raising_rows
from treewright.prune.report import RAISED


@pytest.fixture
def uncompiled(monkeypatch):
    """Have the sources do the work."""
    monkeypatch.setattr(limits, "estimates", error_limits.estimates)
    monkeypatch.setattr(error_based, "nearest_same_column", bottom_up.nearest_same_column)
    monkeypatch.setattr(raising_rows, "RaisingState", raising_state.RaisingState)
    monkeypatch.setattr(raising_rows, "prune_and_raise", raising_kernel.prune_and_raise)
    monkeypatch.setattr(raising_rows, "move_store", raising_shared.move_store)
    for name in ("route_rows_from_root", "prune_and_raise_fractional"):
        monkeypatch.setattr(raising_rows, name, getattr(raising_shared, name))
    monkeypatch.setattr(raising_rows, "fractions_at_leaves", lambda tree: 0)


def all_cases():
    for seed in range(8):
        yield from whole_cases(seed)
        for missing in STRATEGIES:
            yield from holed_cases(seed, missing)


EXPECTED = [case.pruned() for case in all_cases()]


def test_the_two_are_two():
    assert all(module.__file__.endswith(".py") for module in (raising_kernel, raising_shared, raising_state))
    assert not compiled.__file__.endswith(".py"), "the kernels are not compiled; run `make setup`"


def test_the_same_trees(uncompiled):
    n_raised = 0
    for case, expected in zip(all_cases(), EXPECTED, strict=True):
        found = case.pruned()
        assert found.tree == expected.tree, case.seed
        assert found.report.verdict.tolist() == expected.report.verdict.tolist()
        n_raised += int((found.report.verdict == RAISED).sum())
    assert n_raised > 10
