"""The switch of the fast paths: names, sizes, the environment, and that it is obeyed."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treewright._core import codes
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError
from treewright.fast_paths import (
    FAST_PATHS,
    describe_fast_paths,
    fast_path_sizes,
    is_used,
    kernel_bits,
    only_fast_paths,
    read_fast_paths,
    size_of,
    without_fast_paths,
)
from treewright.grow.grower import grow
from treewright.grow.plan import Plan
from treewright.grow.prepare import prepare

SPEED = Path(__file__).resolve().parent.parent / "docs" / "speed.md"
BITS = {name: getattr(codes, name) for name in dir(codes) if name.startswith("FAST_")}


def test_each_bit_belongs_to_one_path():
    given = [path.bit for path in FAST_PATHS.values() if path.bit]
    assert sorted(given) == sorted(BITS.values()) == [2**i for i in range(len(BITS))]
    declared = (Path(codes.__file__).parent / "codes.pxd").read_text(encoding="utf-8")
    assert all(f"    {name} = {bit}\n" in declared for name, bit in BITS.items())


def test_the_kernels_are_told():
    dataset = Dataset(Schema((Column("a", Kind.NUMBER),), Target("y", (0, 1))), np.arange(4.0)[:, None],
                      np.array([0, 1, 0, 1], np.int32))  # fmt: skip
    assert prepare(dataset, Plan()).numbers["fast_paths"] == sum(BITS.values())
    with without_fast_paths("two classes", "bounds"):
        assert prepare(dataset, Plan()).numbers["fast_paths"] == sum(BITS.values()) - codes.FAST_TWO - codes.FAST_BOUNDS
    with without_fast_paths():
        assert prepare(dataset, Plan()).numbers["fast_paths"] == 0


def test_settings_nest_and_end():
    with without_fast_paths("two classes"), fast_path_sizes({"threads": 3}):
        with only_fast_paths("two classes"), fast_path_sizes({"coded columns": 7}):
            assert is_used("two classes")
            assert not is_used("bounds")
            assert (size_of("threads"), size_of("coded columns")) == (3, 7)
        assert not is_used("two classes")
        assert is_used("bounds")
        assert (size_of("threads"), size_of("coded columns")) == (3, 1000)
    assert kernel_bits() == sum(BITS.values())
    with pytest.raises(ZeroDivisionError), without_fast_paths():
        _ = 1 / 0
    assert all(map(is_used, FAST_PATHS))


@pytest.mark.parametrize("text", ["coded", "off, pairs", "pairs,,bounds"])
def test_unknown_names(text):
    with pytest.raises(ParameterError, match=r"^Unknown fast path .*; use 'packed labels', "):
        read_fast_paths(text)


def test_a_path_without_a_size():
    with pytest.raises(ParameterError, match="'two classes' has no size"), fast_path_sizes({"two classes": 1}):
        pass


SETTINGS = {"": list(FAST_PATHS), "off": [""], "bounds, running sums": ["bounds", "running sums"]}


@pytest.mark.parametrize("value", SETTINGS)
def test_the_environment(value):
    code = "from treewright.fast_paths import *; print(*[name for name in FAST_PATHS if is_used(name)], sep=',')"
    run = subprocess.run([sys.executable, "-c", code], env=os.environ | {"TREEWRIGHT_FAST_PATHS": value},
                         capture_output=True, text=True, check=True)  # fmt: skip
    assert run.stdout.strip().split(",") == SETTINGS[value]


def test_the_page_lists_them():
    assert describe_fast_paths() in SPEED.read_text(encoding="utf-8")


@pytest.mark.parametrize("column", [np.arange(60.0) % 7, np.linspace(0, 1, 60)], ids=["coded", "sorted"])
def test_twoing_where_labels_find_no_room_in_the_entries(column):
    """As in a table of 2^30 rows: its gain was Gini's, twice as large, and a minimum of gain let other splits pass."""
    labels = ((np.arange(60) * 7 % 11) < 5).astype(np.int32)
    dataset = Dataset(Schema((Column("a", Kind.NUMBER),), Target("y", (0, 1))), column[:, None], labels)
    usual = grow(dataset, Plan(criterion="twoing"))
    with without_fast_paths("packed labels"), fast_path_sizes({"coded columns": 1}):
        assert grow(dataset, Plan(criterion="twoing")).fingerprint() == usual.fingerprint()
    low = labels[column <= usual.threshold[0]]
    high = labels[column > usual.threshold[0]]
    apart = 2 * abs(low.mean() - high.mean())
    assert usual.gain[0] == pytest.approx(len(low) * len(high) / 60**2 / 4 * apart**2, rel=1e-12)
