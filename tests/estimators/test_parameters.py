"""Parameters: what is taken, what is refused, and the sentence."""

import re

import joblib
import numpy as np
import pytest

from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError
from treewright.estimators.parameters import (
    count_threads,
    read_bool,
    read_count_or_fraction,
    read_integer,
    read_integer_or_none,
    read_limits,
    read_weight_fraction,
    resolve_limits,
)
from treewright.grow.plan import Limits, Plan


@pytest.mark.parametrize("value", [1, 7, np.int64(3)])
def test_whole_numbers_are_taken(value: int) -> None:
    taken = read_integer("max_depth", value, low=1)
    assert taken == value
    assert type(taken) is int


@pytest.mark.parametrize("value", [0, -1, 2.0, "3", True, None, np.nan, [1]])
def test_what_is_not_a_whole_number_is_refused(value: object) -> None:
    said = rf"^size must be an integer of at least 1, got {re.escape(repr(value))}\.$"
    with pytest.raises(ParameterError, match=said):
        read_integer("size", value, low=1)


def test_none_is_no_limit() -> None:
    assert read_integer_or_none("max_depth", None, low=1) is None
    with pytest.raises(
        ParameterError, match="max_depth must be an integer of at least 1, or None for no limit, got 0"
    ):
        read_integer_or_none("max_depth", 0, low=1)


@pytest.mark.parametrize(
    ("value", "top"), [(1, "below 1"), (0.25, "below 1"), (1.0, "at most 1"), (0.999, "below 1")]
)
def test_counts_and_shares_are_taken(value: float, top: str) -> None:
    assert read_count_or_fraction("min_samples_leaf", value, low=1, top=top) == value


@pytest.mark.parametrize("value", [0, 0.0, -0.5, 1.0, 1.5, np.nan, np.inf, "2", True, None])
def test_what_is_neither_count_nor_share_is_refused(value: object) -> None:
    said = "min_samples_leaf must be an integer of at least 1, or a fraction of the table above 0 and below 1"
    with pytest.raises(ParameterError, match=rf"^{said}, got {re.escape(repr(value))}\.$"):
        read_count_or_fraction("min_samples_leaf", value, low=1, top="below 1")


def test_switch() -> None:
    assert read_bool("collapse", np.True_) is True
    with pytest.raises(ParameterError, match="collapse must be True or False, got 'yes'"):
        read_bool("collapse", "yes")


GOOD = {
    "max_depth": None,
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "min_impurity_decrease": 0.0,
    "max_leaf_nodes": None,
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", 0),
        ("max_depth", 2.5),
        ("min_samples_split", 1),
        ("min_samples_split", 0.0),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", 1.0),
        ("min_impurity_decrease", -0.1),
        ("min_impurity_decrease", np.nan),
        ("min_impurity_decrease", np.inf),
        ("min_impurity_decrease", "0.1"),
        ("max_leaf_nodes", 1),
        ("max_leaf_nodes", "all"),
    ],
)
def test_a_bad_limit_is_named(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=rf"^{name} must be an? .*, got {re.escape(repr(value))}\.$"):
        read_limits(**(GOOD | {name: value}))


def test_good_limits() -> None:
    limits = read_limits(**(GOOD | {"max_depth": 3, "max_leaf_nodes": 4, "min_impurity_decrease": 0.5}))
    assert limits == Limits(max_depth=3, max_leaves=4, min_gain=0.5)


def _dataset(weight: list[float] | None, n_rows: int) -> Dataset:
    schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    weights = None if weight is None else np.array(weight)
    return Dataset(schema, np.zeros((n_rows, 1)), np.zeros(n_rows, dtype=np.int32), weights)


@pytest.mark.parametrize(
    ("minimum", "weight", "leaf"),
    [
        ("rows", None, 2),  # a quarter of 5 rows, rounded up
        ("rows", [1, 1, 3, 0, 3], 1),  # a quarter of the 4 rows that count
        ("weight", [1, 1, 3, 0, 3], 2),  # a quarter of a weight of 8
        ("weight", [0.5, 0.5, 3, 0, 4.0], 1),  # weights not whole: a quarter of 4 mean weights
    ],
)
def test_a_share_is_of_the_table(minimum: str, weight: list[float] | None, leaf: int) -> None:
    plan = Plan(minimum=minimum, limits=Limits(min_leaf=0.25, min_split=7))
    limits = resolve_limits(plan, _dataset(weight, 5), 0.0).limits
    assert (limits.min_leaf, limits.min_split) == (leaf, 7)


@pytest.mark.parametrize(
    ("missing", "hole", "leaf"),
    [
        ("fractional", 2, 2),  # rows are shared out, so a quarter of a weight of 8
        ("fractional", 3, 1),  # a hole in a row of weight 0: a quarter of the 4 rows that count
        ("stop", 2, 1),
    ],
)
def test_where_rows_are_shared_out_a_share_is_of_the_weight(missing: str, hole: int, leaf: int) -> None:
    dataset = _dataset([1, 1, 3, 0, 3], 5)
    dataset.values[hole] = np.nan
    plan = Plan(minimum="rows", missing=missing, limits=Limits(min_leaf=0.25, min_split=7))
    assert resolve_limits(plan, dataset, 0.0).limits.min_leaf == leaf


def test_the_whole_table_is_a_share_and_a_share_is_never_below_the_least_count() -> None:
    plan = Plan(limits=Limits(min_leaf=0.001, min_split=1.0))
    assert resolve_limits(plan, _dataset(None, 5), 0.0).limits == Limits(min_leaf=1, min_split=5)
    plan = Plan(limits=Limits(min_leaf=3, min_split=0.001))
    assert resolve_limits(plan, _dataset(None, 5), 0.0).limits == Limits(min_leaf=3, min_split=2)


def test_a_plan_of_counts_stays_as_it_is() -> None:
    plan = Plan(limits=Limits(min_leaf=3, min_split=7))
    assert resolve_limits(plan, _dataset([1, 2], 2), 0.0) is plan


@pytest.mark.parametrize("minimum", ["rows", "weight"])
@pytest.mark.parametrize(
    ("weight", "expected"), [(None, 0.5), ([1, 1, 3, 0, 3], 0.8), ([0.5, 0.5, 3, 0, 4.0], 0.8)]
)
def test_a_share_of_the_weight(minimum: str, weight: list[float] | None, expected: float) -> None:
    plan = resolve_limits(Plan(minimum=minimum, limits=Limits(min_leaf=3)), _dataset(weight, 5), 0.1)
    assert plan.limits == Limits(min_leaf=3, min_leaf_weight=expected)


@pytest.mark.parametrize("value", [-0.1, 0.6, np.nan, "0.1", None, True])
def test_bad_shares_of_the_weight(value: object) -> None:
    said = rf"^min_weight_fraction_leaf must be a number from 0 to 0\.5, got {re.escape(repr(value))}\.$"
    with pytest.raises(ParameterError, match=said):
        read_weight_fraction(value)


def test_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joblib, "cpu_count", lambda: 8)
    assert [count_threads(n) for n in (None, 1, 3, -1, -2, -8, -20)] == [1, 1, 3, 8, 7, 1, 1]


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_fits_that_joblib_runs_side_by_side_share_the_cores(backend: str) -> None:
    n_workers = max(2, joblib.cpu_count())
    left = joblib.Parallel(n_workers, backend=backend)(
        joblib.delayed(count_threads)(n) for n in (None, 1, 4, -1)
    )
    assert left == [1, 1, 1, 1]


@pytest.mark.parametrize("value", [0, 1.5, "all", True])
def test_bad_cores(value: object) -> None:
    said = rf"^n_jobs must be a number of threads, -1 for all cores, or None for one, got {re.escape(repr(value))}\.$"
    with pytest.raises(ParameterError, match=said):
        count_threads(value)
