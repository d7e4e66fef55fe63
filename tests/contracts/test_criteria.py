"""Every criterion of a plan: its compiled form gives the number of its plain definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from treewright._core.grow import gain_of_counts, impurity_of_counts
from treewright.criteria.registry import IMPURITIES, MERITS
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.candidates import root_candidates
from treewright.grow.plan import CRITERIA, Limits, Plan
from treewright.grow.prepare import CRITERION_CODES

# what the engine calls a criterion -> the definitions of its impurity and of its gain
CLASSES = {"entropy": ("entropy", "information_gain"), "gini": ("gini", "gini_decrease"), "twoing": ("gini", "twoing")}
TABLES = npst.arrays(np.int64, st.tuples(st.integers(2, 6), st.integers(2, 5)), elements=st.integers(0, 1000)).filter(
    lambda t: (t.sum(axis=1) > 0).all()
)


def test_every_criterion_has_a_code_and_a_definition():
    assert set(CRITERION_CODES) == set(CRITERIA)
    assert set(CRITERIA) - set(CLASSES) == {"squared_error", "absolute_error"}


@pytest.mark.parametrize("criterion", CLASSES)
@given(table=TABLES)
def test_compiled_impurity_and_gain(criterion, table):
    if criterion == "twoing":
        table = np.ascontiguousarray(table[:2])
    impurity, gain = (registry[name] for registry, name in zip((IMPURITIES, MERITS), CLASSES[criterion], strict=True))
    total = np.ascontiguousarray(table.sum(axis=0)[None])
    code = CRITERION_CODES[criterion]
    whole = impurity_of_counts(total, code)
    assert whole == pytest.approx(impurity(total[0]), abs=1e-14)
    assert gain_of_counts(table, whole, code) == pytest.approx(gain(table), abs=1e-13)


@pytest.mark.parametrize("weighted", [False, True], ids=["unit", "weighted"])
@pytest.mark.parametrize("criterion", CLASSES)
@given(table=TABLES.map(lambda t: t % 20 + 1))
def test_the_scans_report_the_gain_of_the_definition(criterion, weighted, table):
    """A number with two values has one cut: its gain through each scan is the gain of that table."""
    table = table[:2]
    n_classes = table.shape[1]
    codes = np.indices(table.shape).reshape(2, -1)
    rows = codes if weighted else np.repeat(codes, table.ravel(), axis=1)
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", tuple(range(n_classes))))
    weight = table.ravel().astype(float) if weighted else None
    dataset = Dataset(schema, rows[0][:, None].astype(float), rows[1].astype(np.int32), weight)
    (candidate,) = root_candidates(dataset, Plan(criterion=criterion, limits=Limits(max_depth=1)))
    assert candidate.gain == pytest.approx(MERITS[CLASSES[criterion][1]](table), abs=1e-12)
    assert candidate.n_cuts == 1
