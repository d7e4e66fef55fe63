"""The kernel's source, run uncompiled, gives the answers of the compiled kernel."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings

import treewright
from tests.model.samples import CLASSES, ROWS, SPECS, chain, encode, every_kind
from treewright._core import route as compiled
from treewright.model.build import build
from treewright.model.pack import pack


def load_source() -> ModuleType:
    source = Path(treewright.__file__).parent / "_core" / "route.py"
    spec = importlib.util.spec_from_file_location("route_uncompiled", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


UNCOMPILED = load_source()


def both(tree, values, dense_entries=10**6):
    packed = pack(tree, dense_entries)
    answers = []
    for module in (compiled, UNCOMPILED):
        out = np.zeros(len(values), np.int64)
        answers.append((module.route(values, packed.cells, packed.tables, out), out.tolist()))
    return answers


def test_the_two_are_two():
    assert UNCOMPILED.__file__.endswith(".py")
    assert not compiled.__file__.endswith(".py"), "the kernels are not compiled; run `make setup`"


@settings(max_examples=50)
@given(SPECS, ROWS)
def test_both_route_alike(spec, rows):
    tree = build(CLASSES, spec)
    if tree.n_nodes == 1:
        return
    values = encode(rows)
    for dense_entries in (10**6, -1):
        first, second = both(tree, values, dense_entries)
        assert first == second


@pytest.mark.parametrize("order", ["C", "F"])
def test_both_stop_at_the_same_missing_value(order):
    values = np.full((30, 4), 10.0, order=order)
    values[:, 1:] = 0
    values[11, 2] = values[20, 0] = np.nan
    first, second = both(every_kind(), values)
    assert first == second
    assert first[0] == 11
    assert first[1][11] == 2


def test_both_climb_alike():
    tree = chain(30)
    ends_at = np.array([60, 1, 7], np.int64)
    ends = np.cumsum(tree.depths[ends_at] + 1)
    found = []
    for module in (compiled, UNCOMPILED):
        out = np.zeros(ends[-1], np.int64)
        module.climb(tree.parent, ends_at, ends, out)
        found.append(out.tolist())
    assert found[0] == found[1]
    assert found[0][31:33] == [0, 1]
