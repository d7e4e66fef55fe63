"""What `python -m benchmarks` says about trees and times: a spoilt tree must not pass, and figures stay as they are."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.__main__ import SECTIONS, chosen, main, read_arguments, summary
from benchmarks.choice import Choice
from benchmarks.exact import compare
from benchmarks.growth import slope
from benchmarks.limit import mean_depth
from benchmarks.machine import made_with
from benchmarks.page import about_words, fill, lines_of
from benchmarks.page_tables import TABLES
from benchmarks.peers import OTHERS, OURS, SCIKIT_LEARN, Setting
from benchmarks.peers.weka import arff
from benchmarks.real import real, why_missing
from benchmarks.rows import HEAD, Row, text_of
from benchmarks.same import same, same_in_three_runs
from benchmarks.tables import Table, floats, integers, regression, with_missing
from benchmarks.timing import Reported, Timed, take_turns
from treewright import CARTClassifier, CARTRegressor


def grown(table, **limits):
    """Our tree and scikit-learn's."""
    kind, other = CARTClassifier, DecisionTreeClassifier
    if table.is_regression:
        kind, other = CARTRegressor, DecisionTreeRegressor
    ours = kind(pruning=None, **limits).fit(table.values, table.target).tree_
    return ours, other(random_state=0, **limits).fit(table.as_float32(), table.target).tree_


TABLES_OF_NUMBERS = {"floats": floats(600, 3), "integers": integers(600, 6, 2), "regression": regression(300)}


@pytest.mark.parametrize("name", TABLES_OF_NUMBERS)
def test_our_tree_is_the_exact_one(name):
    table = TABLES_OF_NUMBERS[name]
    for limits in ({"max_depth": 3}, {}):
        verdict = compare(*grown(table, **limits), table)
        assert str(verdict).startswith("exact (")
        assert verdict.n_walked > 0.3 * verdict.n_nodes


@pytest.mark.parametrize("name", TABLES_OF_NUMBERS)
@pytest.mark.parametrize("spoilt", ["threshold", "column", "stats"])
def test_a_spoilt_tree_differs(name, spoilt):
    """At the root and below it: another threshold, another column, counts that are not those of the rows."""
    table = TABLES_OF_NUMBERS[name]
    ours, theirs = grown(table, max_depth=3)
    for node in (0, 1):
        given = getattr(ours, "value" if spoilt == "stats" and table.is_regression else spoilt).copy()
        given[node] += 1 if spoilt == "column" else 0.8
        worse = _unchecked(ours, **{"value" if spoilt == "stats" and table.is_regression else spoilt: given})
        assert str(compare(worse, theirs, table)).startswith(f"DIFFERS at node {node}")


def _unchecked(tree, **changed):
    """The tree with other columns, which its own check would refuse."""
    names = [n for n in type(tree).__dataclass_fields__ if n not in ("schema", "criterion", "missing")]
    columns = {name: getattr(tree, name) for name in names} | changed
    return type(tree).unchecked(tree.schema, tree.criterion, tree.missing, **columns)


def test_a_leaf_where_the_other_tree_gains_differs():
    table = TABLES_OF_NUMBERS["floats"]
    shallow, deep = grown(table, max_depth=2), grown(table, max_depth=3)
    assert not compare(shallow[0], deep[1], table).is_exact
    assert not compare(deep[0], shallow[1], table).is_exact


def test_a_leaf_where_the_other_tree_gains_nothing_is_a_tie():
    """Both columns are useless: no cut changes the shares of the classes."""
    values = np.array([[0, 0], [0, 0], [1, 1], [1, 1]], dtype=float)
    table = Table(values, np.array([0, 1, 0, 1]))
    leaf = CARTClassifier(pruning=None, min_impurity_decrease=0.1).fit(values, table.target).tree_
    theirs = DecisionTreeClassifier(random_state=0).fit(values, table.target).tree_
    assert (leaf.n_nodes, theirs.node_count > 1) == (1, True)
    verdict = compare(leaf, theirs, table)
    assert (verdict.n_ties, verdict.wrong) == (1, [])


def test_equal_columns_are_a_tie_and_the_walk_goes_on_below():
    table = TABLES_OF_NUMBERS["floats"]
    twice = replace(table, values=np.hstack([table.values, -table.values]))
    ours, theirs = grown(twice)
    verdict = compare(ours, theirs, twice)
    assert verdict.is_exact
    assert verdict.n_ties > 3
    assert verdict.n_walked > 0.3 * verdict.n_nodes


def test_a_cut_between_values_that_scikit_learn_takes_for_one_is_finer():
    values = np.array([[0.0], [5e-8], [0.5], [0.6]])
    table = Table(values, np.array([0, 1, 1, 1]))
    ours, theirs = grown(table)
    verdict = compare(ours, theirs, table)
    assert (verdict.n_near, verdict.wrong) == (1, [])
    assert "1 finer" in str(verdict)


def test_three_runs_find_a_tree_that_depends_on_the_order_of_rows():
    table = with_missing(300, 2)
    setting = Setting(max_depth=4)
    assert same_in_three_runs(table, setting, {}) == "same tree in 3 runs"
    other = CARTClassifier(pruning=None, max_depth=3, categorical_features=list(table.categories))
    spoilt = {2: other.fit(table.values, table.target)}
    assert same_in_three_runs(table, setting, spoilt).startswith("DIFFERS with")


def test_a_wrong_tree_fails_the_run():
    right, wrong = Row("s", "a", check="exact (1 tie)"), Row("s", "b", check=same({"x": 1, "y": 2}))
    assert "none wrong" in summary([right])
    assert summary([right, wrong]).splitlines()[1:] == ["s: b: DIFFERS with y"]


def test_the_goal_is_held_against_cpu_time_on_one_thread_and_the_clock_on_two():
    times = Timed(0.2, 0.4, 0.2, 1), Timed(1.0, 1.0, 1.0, 1)
    one = Row("s", "a", threads=1, ours=times[0], theirs=times[1], goal=0.3)
    assert (one.reached, one.is_met) == (0.2, True)
    two = replace(one, threads=2)
    assert (two.reached, two.is_met) == (0.4, False)
    assert replace(one, goal=None).is_met is None
    assert replace(one, value=0.5).is_met is False
    assert [word for word in text_of(two).split() if word == "NO"] == ["NO"]
    assert len(HEAD) > 100
    assert json.loads(json.dumps(two.to_dict()))["wall_ratio"] == 0.4


def test_turns_are_kept_within_the_budget_and_the_minimum_counts():
    calls = []
    slow = Reported(30.0, "model")
    runs = take_turns([lambda: calls.append("a"), lambda: slow], 3)
    assert calls == ["a"] * 3
    assert (runs[1].timed.cpu, runs[1].timed.rounds, runs[1].result) == (30.0, 3, "model")
    calls.clear()
    take_turns([lambda: calls.append("a")], 3, budget=-1.0)
    assert calls == ["a"]


def test_the_clock_of_a_disturbed_program_of_one_thread_counts_no_more_than_its_work():
    assert Timed(2.0, 9.0, 2.0, 1).undisturbed().wall == 2.0
    assert Timed(2.0, 1.9, 2.0, 1).undisturbed().wall == 1.9
    assert Timed(2.0, 9.0, 2.0, 5).undisturbed().wall == 9.0


def test_sections_and_cases_are_chosen_by_name():
    choice = chosen(read_arguments(["predict", "mixed", "cov"]))
    assert not choice.wants("bins", "mixed, 2 classes")
    assert choice.wants("predict", "floats")
    assert choice.wants("real", "covtype")
    assert not choice.wants("real", "adult")
    assert Choice().wants("real", "adult")


def test_every_peer_says_why_it_is_missing_or_which_version_it_is():
    peers = [OURS, SCIKIT_LEARN, *OTHERS]
    about = made_with(peers)
    for peer in peers:
        assert (peer.missing() is None) == (peer.NAME in about)
    assert {"date", "command", "machine", "treewright", "scikit-learn"} <= set(about)


def test_the_exponent_is_the_slope_between_two_points():
    times = [Timed(2.0, 9, 9, 1), Timed(16.0, 9, 9, 1)]
    assert slope([10, 20], times) == pytest.approx(3.0)


def test_the_levels_of_a_tree_are_the_mean_depth_of_its_rows():
    """Three rows at depth 1, one each at 2: (3 + 2 + 2) / 5."""
    tree = CARTClassifier(pruning=None).fit([[0], [0], [0], [1], [2]], [0, 0, 0, 1, 2]).tree_
    assert mean_depth(tree) == pytest.approx(7 / 5)


@pytest.fixture
def folder(tmp_path):
    column = {"name": "size", "type": "categorical", "levels": ["s", "m", "l"]}
    target = {"name": "y", "type": "categorical", "levels": ["no", "yes"]}
    columns = [column, {"name": "age", "type": "numeric"}, target]
    schema = {"tiny": {"task": "classification", "target": "y", "columns": columns}}
    (tmp_path / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    (tmp_path / "tiny.csv").write_text("size,age,y\nl,1,yes\n,2,no\ns,,no\nm,4,\n", encoding="utf-8")
    return tmp_path


def test_a_real_table_has_codes_and_its_frame_and_no_rows_without_target(folder):
    table = real(folder, "tiny")
    assert np.array_equal(table.values, [[2, 1], [np.nan, 2], [0, np.nan]], equal_nan=True)
    assert (table.target.tolist(), table.categories) == ([1, 0, 0], (0,))
    assert isinstance(table.given, pd.DataFrame)
    assert table.shuffled().frame["age"].isna().sum() == 1


def test_without_the_folder_one_sentence_says_so(folder):
    assert why_missing(folder, "tiny") is None
    assert "--data" in why_missing(folder / "nowhere", "tiny")
    assert why_missing(folder, "other") == f"there is no other.csv in {folder}"


def test_the_table_of_weka():
    table = Table(np.array([[0.0, 1.5], [np.nan, np.nan], [2.0, 0.1]]), np.array([1, 0, 1]), (0,))
    head, data = arff(table).split("@data\n")
    assert head.splitlines()[1:] == ["@attribute x0 {c0,c2}", "@attribute x1 numeric", "@attribute y {0,1}"]
    assert data == "c0,1.5,1\n?,?,0\nc2,0.1,1\n"


def test_what_was_not_measured_stays_on_the_page():
    page = "<!-- figures: a -->\nold\n<!-- /figures -->\n<!-- figures: b -->\nkept\n<!-- /figures -->\n"
    assert fill(page, {"a": ["new"]}) == page.replace("old", "new")
    with pytest.raises(SystemExit, match="no place for c"):
        fill(page, {"c": []})


def test_the_page_has_a_place_for_every_section():
    assert set(TABLES) == set(SECTIONS)


@pytest.mark.long
def test_a_quick_run_fills_every_table(tmp_path, shared, monkeypatch):
    from pathlib import Path

    page = Path("docs/speed.md").resolve()
    out = tmp_path / "speed.json"
    assert main(["--quick", "--json", str(out), "--data", str(shared / "data")]) == 0
    made = lines_of(json.loads(out.read_text(encoding="utf-8")))
    assert set(made) == {"about", *TABLES}
    assert all(len(lines) > 3 for name, lines in made.items() if name != "about")
    fill(page.read_text(encoding="utf-8"), made)


def test_the_page_is_made_of_the_figures():
    times = Timed(0.05, 0.03, 0, 1), Timed(1, 1, 1, 1)
    rows = [Row("numbers", "floats", "10 x 2", "8", n, "scikit-learn", *times, check="exact") for n in (1, 2)]
    figures = {
        "made_with": {"date": "2026-01-01", "command": "python -m benchmarks --json x", "machine": "m", "numpy": "2"},
        "rows": [row.to_dict() for row in rows],
    }
    made = lines_of(figures)
    assert "| floats | 10 x 2 | 8 | 0.05 | 1 | 0.050 | 0.030 | exact |" in made["numbers"]
    assert made["numbers"][-2] == "Measured on 2026-01-01 by `python -m benchmarks`."
    assert about_words(figures["made_with"]) == "Last run: 2026-01-01, m; numpy 2."
