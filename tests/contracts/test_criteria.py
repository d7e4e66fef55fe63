"""Every criterion of a plan: its record is whole, and its compiled form gives the number of its plain definition."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from treewright import TreeClassifier, load
from treewright._core import codes
from treewright._core.grow import gain_of_counts, impurity_of_counts
from treewright.criteria import CRITERIA
from treewright.criteria.registry import CLASS_CRITERIA
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError
from treewright.grow.candidates import root_candidates
from treewright.grow.plan import NAMES, Limits, Plan
from treewright.grow.prepare import criterion_code
from treewright.language import LANGUAGES, messages

TABLES = npst.arrays(np.int64, st.tuples(st.integers(2, 6), st.integers(2, 5)), elements=st.integers(0, 1000)).filter(
    lambda t: (t.sum(axis=1) > 0).all()
)
every = pytest.mark.parametrize("criterion", CLASS_CRITERIA)


def test_every_record_is_whole():
    assert tuple(CRITERIA) == NAMES["criterion"]
    assert len({one.code for one in CRITERIA.values()}) == len(CRITERIA)
    for name, one in CRITERIA.items():
        assert name == one.name
        assert one.code in vars(codes).values()
        assert all(one.label)
        assert all(one.heading)
        assert one.symbol
        assert criterion_code(one) == one.code


def test_a_code_without_a_compiled_form_is_refused_before_growth():
    unknown = replace(CRITERIA["gini"], name="strange", code=99)
    with pytest.raises(ParameterError, match=r"criterion='strange' has the code 99, which the kernels do not know; "):
        criterion_code(unknown)
    assert np.isnan(impurity_of_counts(np.array([[3, 4]]), 99))


@every
@given(table=TABLES)
def test_compiled_impurity_and_gain(criterion, table):
    record = CRITERIA[criterion]
    if record.two_branches:
        table = np.ascontiguousarray(table[:2])
    total = np.ascontiguousarray(table.sum(axis=0)[None])
    whole = impurity_of_counts(total, record.code)
    assert whole == pytest.approx(record.impurity(total[0]), abs=1e-14)
    assert gain_of_counts(table, whole, record.code) == pytest.approx(record.gain(table), abs=1e-13)


@every
@given(table=TABLES)
def test_impurities_of_many_nodes_are_those_of_each(criterion, table):
    record = CRITERIA[criterion]
    whole = np.concatenate([table, np.zeros((1, table.shape[1]), np.int64)])
    expected = [*(record.impurity(row) for row in table), 0.0]
    np.testing.assert_allclose(record.of_weights(whole), expected, rtol=0, atol=1e-14)


@every
@given(table=TABLES)
def test_an_impurity_is_concave_and_largest_for_equal_classes(criterion, table):
    """So no split adds to it, which the bounds of the kernels and the check of model files count on."""
    record = CRITERIA[criterion]
    whole, weight = table.sum(axis=0), table.sum(axis=1)
    inner = sum(w * record.impurity(row) for w, row in zip(weight, table, strict=True)) / weight.sum()
    assert inner <= record.impurity(whole) + 1e-12
    assert record.impurity(whole) <= record.most(len(whole)) + 1e-12
    assert record.impurity(np.eye(len(whole))[0]) == 0.0


@pytest.mark.parametrize("weighted", [False, True], ids=["unit", "weighted"])
@every
@given(table=TABLES.map(lambda t: t % 20 + 1))
def test_the_scans_report_the_gain_of_the_definition(criterion, weighted, table):
    """A number with two values has one cut: its gain through each scan is the gain of that table."""
    table = table[:2]
    (candidate,) = root_candidates(_rows_of(table, Kind.NUMBER, weighted), _plan(criterion))
    assert candidate.gain == pytest.approx(CRITERIA[criterion].gain(table), abs=1e-12)
    assert candidate.n_cuts == 1


@pytest.mark.parametrize("weighted", [False, True], ids=["unit", "weighted"])
@every
@given(table=TABLES.map(lambda t: t % 20 + 1))
def test_the_best_cut_is_that_of_the_definition(criterion, weighted, table):
    gain = CRITERIA[criterion].gain
    low = np.cumsum(table, axis=0)[:-1]
    gains = [gain([a, table.sum(axis=0) - a]) for a in low]
    (candidate,) = root_candidates(_rows_of(table, Kind.NUMBER, weighted), _plan(criterion))
    assert candidate.gain == pytest.approx(max(gains), abs=1e-12)
    assert candidate.n_cuts == len(gains)


@pytest.mark.parametrize("weighted", [False, True], ids=["unit", "weighted"])
@every
@given(table=TABLES.map(lambda t: t % 20 + 1))
def test_the_best_subset_is_that_of_the_definition(criterion, weighted, table):
    gain = CRITERIA[criterion].gain
    ways = [np.array([m >> v & 1 for v in range(len(table))], bool) for m in range(1, 2 ** (len(table) - 1))]
    best = max(gain([table[way].sum(axis=0), table[~way].sum(axis=0)]) for way in ways)
    (candidate,) = root_candidates(_rows_of(table, Kind.CATEGORY, weighted), _plan(criterion))
    assert candidate.gain == pytest.approx(best, abs=1e-12)


@every
@given(table=TABLES.map(lambda t: t % 20 + 1))
def test_a_branch_for_each_value_gains_what_the_definition_says(criterion, table):
    record = CRITERIA[criterion]
    if record.two_branches:
        with pytest.raises(ParameterError, match="requires binary splits: grouping must be 'subset'"):
            Plan(criterion=criterion, grouping="each")
        return
    (candidate,) = root_candidates(_rows_of(table, Kind.CATEGORY, weighted=False), _plan(criterion, grouping="each"))
    assert candidate.gain == pytest.approx(record.gain(table), abs=1e-12)


X = np.array([[0, 2], [1, 0], [2, 1], [3, 2], [4, 1], [5, 0], [6, 2], [7, 1], [8, 0], [9, 1]], float)
Y = ["a", "a", "b", "a", "b", "c", "b", "c", "c", "c"]


@every
def test_every_layer_takes_the_criterion(criterion, tmp_path):
    """Growth, prediction, ledgers, worked solutions in both languages, the page and the model file."""
    model = TreeClassifier(criterion=criterion).fit(X, Y)
    assert model.score(X, Y) == 1.0
    tree = model.tree_
    np.testing.assert_allclose(tree.impurity, CRITERIA[criterion].of_weights(tree.stats), atol=1e-14)
    chosen = model.why(0).chosen
    inner = model.tree_.stats[1:3]
    assert chosen.raw_gain == pytest.approx(CRITERIA[criterion].gain(inner), abs=1e-12)
    assert max(cut.gain for cut in chosen.cuts) == pytest.approx(chosen.gain, abs=1e-12)
    heading = CRITERIA[criterion].heading
    for language in LANGUAGES:
        assert messages(language)(heading) in model.worked_solution(0, language=language).to_text()
    page = tmp_path / "page.html"
    model.to_html(page)
    assert messages("zh")(CRITERIA[criterion].label) in page.read_text(encoding="utf-8")
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.tree_ == tree
    assert again.tree_.criterion == criterion


@every
def test_two_classes_weights_and_constraints_agree(criterion):
    """Weight 2 is two rows; a constraint that the best cut keeps changes nothing."""
    y = [label == "c" for label in Y]
    grown = [
        TreeClassifier(criterion=criterion, max_depth=1, **options).fit(X, y, sample_weight=weight).tree_
        for options, weight in (({}, None), ({}, np.full(len(X), 2.0)), ({"monotonic_cst": [1, 0]}, None))
    ]
    for other in grown[1:]:
        np.testing.assert_array_equal(other.threshold, grown[0].threshold)
        np.testing.assert_allclose(other.gain, grown[0].gain, atol=1e-12)


def _rows_of(table, kind, weighted):
    """A column whose values have these classes: as many rows, or one row of such a weight."""
    cells = np.indices(table.shape).reshape(2, -1)
    rows = cells if weighted else np.repeat(cells, table.ravel(), axis=1)
    column = Column("x", kind, tuple(range(len(table))) if kind is Kind.CATEGORY else ())
    schema = Schema((column,), Target("y", tuple(range(table.shape[1]))))
    weight = table.ravel().astype(float) if weighted else None
    return Dataset(schema, rows[0][:, None].astype(float), rows[1].astype(np.int32), weight)


def _plan(criterion, **others):
    return Plan(criterion=criterion, limits=Limits(max_depth=1), **others)
