"""Numbers of few values are read from tallies instead of sorted lists: the same trees, bit for bit."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.compare import check_same
from tests.oracles.plans import NAMED, random_limits
from tests.oracles.tables import make_table
from treewright._core.codes import WHOLE
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow import coded, grower, prepare, threads
from treewright.grow.grower import grow
from treewright.grow.plan import Limits, Plan

PLANS = {
    "gini": Plan(),
    "entropy": Plan(criterion="entropy"),
    "twoing": Plan(criterion="twoing"),
    "c4.5": Plan(criterion="entropy", merit="ratio", floor="average", grouping="each", charge="cuts", side="release8",
                 minimum="weight", collapse=True),
    "mdl": Plan(criterion="entropy", merit="ratio", floor="description", grouping="each", charge="description"),
    "squared error": Plan(criterion="squared_error"),
    "charged": Plan(criterion="squared_error", charge="description"),
}  # fmt: skip


@pytest.fixture
def small_tables_too(monkeypatch):
    monkeypatch.setattr(coded, "FEWEST_ROWS", 1)


def numbers(draw: st.DrawFn, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """A column of few values or of many, in any order, with ties and halves."""
    n_values = draw(st.sampled_from([1, 2, 3, 16, 70, 256, 300, 10**6]))
    return rng.integers(0, n_values, n_rows) * draw(st.sampled_from([1.0, 0.5, -0.25]))


@st.composite
def datasets(draw: st.DrawFn, n_classes: int, *, holes: bool = False) -> Dataset:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([2, 9, 40, 150, 600]))
    values = [numbers(draw, n_rows, rng) for _ in range(draw(st.integers(1, 5)))]
    signal = values[0] / (abs(values[0]).max() + 1.0) + draw(st.sampled_from([0.0, 0.3])) * rng.normal(size=n_rows)
    columns = [Column(f"n{i}", Kind.NUMBER) for i in range(len(values))]
    for i in range(draw(st.integers(0, 2))):
        names = tuple(f"c{v}" for v in range(draw(st.sampled_from([2, 4, 30, 300]))))
        values.append(rng.integers(0, len(names), n_rows).astype(float))
        columns.append(Column(f"c{i}", Kind.CATEGORY, names))
    table = np.column_stack(values)
    if holes:
        table[rng.random(table.shape) < rng.choice([0.0, 0.1, 1.0], table.shape[1], p=[0.5, 0.45, 0.05])] = np.nan
    if not n_classes:
        return Dataset(Schema(tuple(columns), Target("y")), table, signal.round(draw(st.sampled_from([0, 9]))))
    labels = np.digitize(signal, np.linspace(signal.min(), signal.max(), n_classes + 1)[1:-1]).astype(np.int32)
    return Dataset(Schema(tuple(columns), Target("y", tuple(range(n_classes)))), table, labels)


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    return Limits(
        max_depth=draw(st.sampled_from([None, 2, 6])),
        min_leaf=draw(st.sampled_from([1, 1, 3, 10])),
        max_leaves=draw(st.sampled_from([None, None, 2, 12])),
    )


@pytest.mark.parametrize("name", PLANS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_same_tree_as_from_lists(name, data):
    many = 2 if name == "twoing" else data.draw(st.sampled_from([2, 3, 7, 12, 33]))
    n_classes = 0 if PLANS[name].for_numbers else many
    check_same_as_from_lists(data, data.draw(datasets(n_classes)), replace(PLANS[name], limits=data.draw(limits())))


MISSING = {
    "surrogate": Plan(missing="surrogate"),
    "always": Plan(missing="surrogate", surrogates="always", max_surrogates=2),
    "learned": Plan(missing="learned"),
    "learned entropy": Plan(criterion="entropy", missing="learned", grouping="each"),
    "branch": Plan(criterion="entropy", missing="branch", grouping="each"),
    "stop": Plan(missing="stop"),
    "surrogate regression": Plan(criterion="squared_error", missing="surrogate"),
    "learned regression": Plan(criterion="squared_error", missing="learned"),
}


@pytest.mark.parametrize("name", MISSING)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_same_tree_as_from_lists_with_holes(name, data):
    dataset = data.draw(datasets(0 if MISSING[name].for_numbers else data.draw(st.sampled_from([2, 3])), holes=True))
    check_same_as_from_lists(data, dataset, replace(MISSING[name], limits=data.draw(limits())))


def check_same_as_from_lists(data: st.DataObject, dataset: Dataset, plan: Plan) -> None:
    with pytest.MonkeyPatch.context() as patch:
        from_lists = grow(dataset, plan)
        patch.setattr(coded, "FEWEST_ROWS", 1)
        patch.setattr(coded, "SPARE", data.draw(st.sampled_from([0.01, 0.3, 1.0, 100.0])))
        patch.setattr(coded, "MOST_SLOTS", data.draw(st.sampled_from([1, 2, 64])))
        assert grow(dataset, plan).fingerprint() == from_lists.fingerprint()
        patch.setattr(grower, "WORTH_THREADS", 0)
        patch.setattr(threads, "SMALL", data.draw(st.sampled_from([10, 100])))
        assert grow(dataset, plan, n_jobs=2).fingerprint() == from_lists.fingerprint()


@pytest.mark.parametrize("name", ["cart gini", "cart entropy", "c45", "cart squared_error"])
@pytest.mark.usefixtures("small_tables_too")
def test_same_tree_as_the_slow_grower(name):
    options = next(NAMED[n] for n in NAMED if n.startswith(name))
    for number in range(40):
        table = replace(make_table((name, number), regression=options.is_regression), weights=None)
        check_same((name, number), table, random_limits(Random(number), options) if number % 2 else options)


def coded_columns(values: np.ndarray, plan: Plan, weight: np.ndarray | None = None) -> list[int]:
    columns = tuple(Column(f"n{i}", Kind.NUMBER) for i in range(values.shape[1]))
    labels = np.arange(len(values), dtype=np.int32) % 2
    target, answers = (Target("y"), labels * 1.0) if plan.for_numbers else (Target("y", ("a", "b")), labels)
    ready = prepare.prepare(Dataset(Schema(columns, target), values, answers, weight), plan, coded=True)
    list_of, _, byte_of = ready.fields["places"]
    assert ready.fields["n_lists"] == 1 + (list_of >= 0).sum()
    return np.flatnonzero(byte_of >= 0).tolist()


def test_which_columns_are_coded():
    rng = np.random.default_rng(3)
    n_rows = 2000
    values = np.column_stack([rng.normal(size=n_rows), np.arange(n_rows) % 256, np.arange(n_rows) % 257,
                              rng.integers(0, 2, n_rows) * -0.0, np.full(n_rows, 7.0)])  # fmt: skip
    assert coded_columns(values, Plan()) == [1, 3, 4]
    assert coded_columns(values, Plan(criterion="squared_error")) == [1, 3, 4]
    assert coded_columns(np.asfortranarray(values), Plan()) == [1, 3, 4]
    assert coded_columns(values, Plan(criterion="absolute_error")) == []
    assert coded_columns(values, Plan(monotonic=(0, 1, 0, 0, 0))) == []
    assert coded_columns(values, Plan(missing="surrogate", surrogates="always")) == [1, 3, 4]
    assert coded_columns(values, Plan(), np.linspace(1, 2, n_rows)) == []
    values[5, :2] = np.nan
    assert coded_columns(values, Plan(missing="learned")) == [3, 4]
    assert coded_columns(values, Plan(missing="surrogate")) == [3, 4]
    assert coded_columns(values, Plan(missing="stop")) == []
    assert coded_columns(values, Plan(missing="fractional")) == []


def test_no_tallies_where_they_would_be_larger_than_the_table():
    values = np.arange(1200.0).reshape(-1, 1) % 200
    schema = Schema((Column("n", Kind.NUMBER),), Target("y", tuple(range(1200))))
    labels = np.arange(1200, dtype=np.int32)
    assert coded.code_columns(Dataset(schema, values, labels), Plan(), WHOLE, {}, {}) is None
    assert coded.code_columns(Dataset(schema, values % 2, labels), Plan(), WHOLE, {}, {}) is not None


def test_codes_rise_with_the_value():
    values = np.array([[3.5], [-2.0], [0.0], [-0.0], [3.5], [1e300]] * 200)
    schema = Schema((Column("n", Kind.NUMBER),), Target("y", ("a", "b")))
    coding = coded.code_columns(Dataset(schema, values, np.zeros(len(values), np.int32)), Plan(), WHOLE, {}, {})
    assert coding.codes[:6, 0].tolist() == [2, 0, 1, 1, 2, 3]
    assert values[coding.row_of, 0].tolist() == [-2.0, 0.0, 3.5, 1e300]
