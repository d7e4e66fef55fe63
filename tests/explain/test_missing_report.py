"""The report on missing values: counts by hand on the golf tree, and by a slow walk on grown trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import CARTClassifier, CARTRegressor, MissingReport, ParameterError, TreeClassifier
from treewright.data.encode import Unseen
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.explain import missing_report as explain
from treewright.explain.missing_report import missing_report
from treewright.model.build import build, golf_example, leaf, number
from treewright.predict.missing_policy import MissingPolicy

NAN, NEVER = np.nan, -np.inf
# outlook (0 sunny, 1 overcast, 2 rain), humidity, windy (0 no, 1 yes)
GOLF = np.array(
    [
        [NAN, 80, 1],  # shares: Don't 5/14 + 5/14; heaviest branch sunny: Don't; the root says Play
        [0, NAN, 0],  # Don't, however it is asked
        [NAN, NAN, 0],  # shares: Play 2/14 + 4/14 + 5/14; heaviest branches sunny, then above 75: Don't; root: Play
        [1, NAN, 1],  # overcast: humidity is missing, and nobody asks
        [2, 70, NAN],  # Play, however it is asked
        [2, 90, 1],
    ]
)


def _columns(report: MissingReport) -> list[tuple]:
    return [(c.n_missing, c.n_unseen, c.n_met, dict(c.n_changed)) for c in report.columns]


def test_golf_with_shares_counted_by_hand() -> None:
    report = missing_report(golf_example(), GOLF, MissingPolicy("fractional"))
    assert (report.n_rows, report.missing, report.unseen) == (6, "fractional", "missing")
    assert [c.name for c in report.columns] == ["outlook", "humidity", "windy"]
    assert _columns(report) == [
        (2, 0, 2, {"majority": 1, "stop": 1}),
        (3, 0, 2, {"majority": 1, "stop": 0}),
        (1, 0, 1, {"majority": 0, "stop": 0}),
    ]
    assert [c.proportion for c in report.columns] == [2 / 6, 3 / 6, 1 / 6]
    assert (report.n_met, dict(report.n_changed)) == (4, {"majority": 1, "stop": 1})
    assert [(n.node, n.words, n.column, n.n_rows) for n in report.nodes] == [
        (0, "root", "outlook", 2),
        (1, "outlook = sunny", "humidity", 2),
        (3, "outlook = rain", "windy", 1),
    ]


def test_golf_that_stops_counted_by_hand() -> None:
    """A row that stops at the root never comes to the humidity."""
    report = missing_report(golf_example(), GOLF, MissingPolicy("stop"))
    assert _columns(report) == [
        (2, 0, 2, {"fractional": 1, "majority": 2}),
        (3, 0, 1, {"fractional": 0, "majority": 0}),
        (1, 0, 1, {"fractional": 0, "majority": 0}),
    ]
    assert [(n.node, n.n_rows) for n in report.nodes] == [(0, 2), (1, 1), (3, 1)]


@pytest.mark.parametrize("made_of_it", ["missing", "majority", "stop"])
def test_unseen_categories_are_counted_in_their_column_and_not_as_missing(made_of_it: str) -> None:
    cell = NAN if made_of_it == "missing" else NEVER
    values = np.array([[cell, 80, 1], [NAN, 80, 1], [cell, 80, 1], [1, 80, 1]])
    rule = MissingPolicy("fractional") if made_of_it == "missing" else MissingPolicy("fractional", made_of_it)
    unseen = (Unseen("outlook", "fog", 1), Unseen("outlook", "snow", 1))
    report = missing_report(golf_example(), values, rule, unseen, made_of_it)
    column = report.columns[0]
    assert (column.n_missing, column.proportion, column.n_unseen, column.n_met) == (1, 0.25, 2, 3)
    assert report.unseen == made_of_it
    # Only missing values change with the strategy; the row that is missing says Play at the root, else Don't.
    assert column.n_changed == {"majority": 0, "stop": 3 if made_of_it == "missing" else 1}


def test_numbers_change_when_they_change_by_more_than_rounding() -> None:
    schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    values = np.array([[NAN], [1.0]])

    def changed(low: float, high: float) -> dict:
        tree = build(schema, number("age", 3, leaf(low, 2), leaf(high, 1)))
        return dict(missing_report(tree, values, MissingPolicy("majority")).n_changed)

    assert changed(10.0, 40.0) == {"fractional": 1, "stop": 1}  # 10 against 20
    assert changed(10.0, 10.0) == {"fractional": 0, "stop": 0}
    assert changed(1e6, 1e6 * (1 + 1e-10)) == {"fractional": 0, "stop": 0}
    assert changed(1e-6, 1e-6 * (1 + 1e-6)) == {"fractional": 1, "stop": 1}
    assert changed(0.0, 0.0) == {"fractional": 0, "stop": 0}


def test_a_table_without_holes() -> None:
    report = missing_report(golf_example(), GOLF[5:], MissingPolicy("fractional"))
    assert (report.n_met, report.nodes) == (0, ())
    assert _columns(report) == [(0, 0, 0, {"majority": 0, "stop": 0})] * 3


def test_a_single_leaf_asks_for_nothing() -> None:
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", ("no", "yes")))
    report = missing_report(build(schema, leaf({"yes": 3})), np.array([[NAN], [1.0]]), MissingPolicy("stop"))
    assert (report.columns[0].n_missing, report.n_met, report.nodes) == (1, 0, ())


def test_the_way_to_a_deep_node_is_shown_by_its_last_steps() -> None:
    schema = Schema((Column("x", Kind.NUMBER), Column("z", Kind.NUMBER)), Target("y", ("no", "yes")))
    tree = number("z", 0, leaf("no"), leaf("yes"))
    for cut in range(5):
        tree = number("x", cut, leaf("no"), tree)
    report = missing_report(build(schema, tree), np.array([[9.0, NAN]]), MissingPolicy("stop"))
    (place,) = report.nodes
    assert place.words == "… and x > 2 and x > 1 and x > 0"
    assert place.column == "z"


@pytest.mark.parametrize("together", [1, 2, 5])
def test_the_parts_of_a_table_add_up(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = missing_report(golf_example(), GOLF, MissingPolicy("fractional"))
    monkeypatch.setattr(explain, "CELLS", together * golf_example().n_nodes)
    assert missing_report(golf_example(), GOLF, MissingPolicy("fractional")) == whole


@pytest.mark.parametrize("grown", ["surrogate", "learned", "branch"])
def test_a_strategy_of_growth_is_one_of_those_compared(grown: str) -> None:
    model = CARTClassifier(pruning=None, missing=grown).fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert set(model.missing_report([[1.0]]).n_changed) == {"fractional", "majority", "stop"}
    model.set_params(missing_predict="stop")
    assert set(model.missing_report([[1.0]]).n_changed) == {grown, "fractional", "majority"}


def test_unknown_tables_of_the_report() -> None:
    report = missing_report(golf_example(), GOLF, MissingPolicy("stop"))
    with pytest.raises(ParameterError, match=r"table must be one of 'columns', 'nodes'.*, got 'rows'"):
        report.to_frame("rows")


# ---- a slow walk in plain Python, with nothing of the routing


def _walk(tree: object, row: np.ndarray, strategy: str) -> tuple[object, set[int]]:
    """The answer for a row, and the nodes where it lacks what is asked."""
    ends, met, waiting = [], set(), [(0, 1.0)]
    while waiting:
        i, share = waiting.pop()
        column = int(tree.column[i])
        if column < 0:
            ends.append((i, share))
            continue
        children = list(range(tree.first_child[i], tree.first_child[i] + tree.n_children[i]))
        value = row[column]
        if np.isnan(value):
            met.add(i)
            weights = [tree.weight[child] for child in children]
            if strategy == "stop":
                ends.append((i, share))
            elif strategy == "majority":
                waiting.append((children[int(np.argmax(weights))], share))
            else:
                parts = zip(children, weights, strict=True)
                waiting += [(child, share * w / sum(weights)) for child, w in parts if w > 0]
            continue
        if np.isnan(tree.threshold[i]):
            own = slice(tree.table_start[i], tree.table_start[i + 1])
            table = dict(zip(tree.table_code[own].tolist(), tree.table_branch[own].tolist(), strict=True))
            branch = table.get(int(value), int(tree.other[i]))
        else:
            branch = int(value > tree.threshold[i])
        waiting.append((children[branch], share))
    total = sum(share * tree.value[i] for i, share in ends)
    if tree.schema.target.is_number:
        return float(total[0]), met
    best = np.flatnonzero(total >= total.max() - 1e-12)
    return int(best[0]), met


@st.composite
def _tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A complete table of two numbers and a category, a target, and rows with holes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(8, 40))
    X = rng.integers(0, 6, (n_rows, 3)).astype(float)
    rows = rng.integers(0, 6, (12, 3)).astype(float)
    rows[:, 2] = rng.choice(X[:, 2], 12)
    rows[rng.random(rows.shape) < 0.4] = NAN
    return X, rng.integers(0, 3, n_rows), rows


@pytest.mark.parametrize("own", ["fractional", "majority", "stop"])
@pytest.mark.parametrize(
    "estimator",
    [
        CARTClassifier(pruning=None, categorical_features=[2], missing="error"),
        TreeClassifier(grouping="each", categorical_features=[2], missing="error"),
        CARTRegressor(pruning=None, categorical_features=[2], missing="error", min_samples_leaf=2),
    ],
    ids=["subset", "each", "numbers"],
)
@given(drawn=_tables())
@settings(max_examples=40)
def test_the_report_is_that_of_a_slow_walk(estimator: object, own: str, drawn: tuple) -> None:
    X, y, rows = drawn
    model = estimator.fit(X, y).set_params(missing_predict=own)
    report = model.missing_report(rows)
    tree = model.tree_
    walks = {s: [_walk(tree, r, s) for r in _encoded(tree, rows)] for s in ("fractional", "majority", "stop")}
    met = [nodes for _, nodes in walks[own]]
    by_column = [{tree.column[i] for i in nodes} for nodes in met]

    def other(strategy: str, row: int) -> bool:
        mine, theirs = walks[own][row][0], walks[strategy][row][0]
        return mine != pytest.approx(theirs, rel=1e-9, abs=0)

    assert report.n_met == sum(map(bool, met))
    assert {n.node: n.n_rows for n in report.nodes} == {
        i: sum(i in nodes for nodes in met) for i in set().union(*met)
    }
    for i, column in enumerate(report.columns):
        here = [row for row in range(len(rows)) if i in by_column[row]]
        assert column.n_missing == np.isnan(rows[:, i]).sum()
        assert column.n_met == len(here)
        for strategy, n_changed in column.n_changed.items():
            assert n_changed == sum(other(strategy, row) for row in here)


def _encoded(tree: object, rows: np.ndarray) -> np.ndarray:
    """The rows with the category as its code."""
    out = rows.copy()
    codes = {word: code for code, word in enumerate(tree.schema.columns[2].categories)}
    out[:, 2] = [NAN if np.isnan(cell) else codes[cell] for cell in rows[:, 2]]
    return out
