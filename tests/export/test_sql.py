"""Trees as SQL: executed in SQLite and DuckDB, the statement predicts what the tree predicts, whatever the names."""

import sqlite3
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from tests.export.walk import models
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ExportError, TreeClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.export import sql
from treewright.export.check import compare
from treewright.export.probe_rows import make_probes, predict_probes
from treewright.export.scoring import scoring, scoring_of
from treewright.export.sql_conditions import MOST_CODED
from treewright.export.sql_dialects import DIALECTS
from treewright.model.build import build, leaf, number, table

NAMES = list(models())


@pytest.fixture(scope="module")
def fitted():
    return models()


def check(found, dialect, training=None, **options):
    """Write, execute and compare; a database that is absent skips the test."""
    probes = make_probes(found, training)
    text = sql.write(found, dialect=dialect, **options)
    answers = sql.run(text, probes, dialect, **options)
    if answers is None:
        pytest.skip(f"{dialect} is not installed")
    compare(probes, answers, dialect)
    return text


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "cart unseen refused"])
def test_a_database_predicts_as_the_tree_does(fitted, name, dialect):
    model = fitted[name]
    check(scoring_of(model), dialect, model._kept.values)
    check(scoring_of(model), dialect, None, probabilities=False)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_unseen_categories_that_are_refused_have_no_prediction(fitted, dialect):
    check(scoring_of(fitted["cart unseen refused"]), dialect)


HOSTILE = [
    'say "hi"', "it's", "a]b", "back`tick", "select", "--", "/* */", "; DROP TABLE data", "new\nline", "tab\t", "😀",
    "א", "\\", "%s", "x" * 300, "?", ":name", "$1", " ",
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_hostile_names_and_values_stay_names_and_values(dialect):
    rng = np.random.default_rng(1)
    for i, name in enumerate(HOSTILE):
        other = HOSTILE[i - 1]
        frame = pd.DataFrame({name: rng.choice([other, name, "plain"], 60), other + "2": rng.random(60)})
        y = np.where((frame[name] == other) ^ (frame[other + "2"] > 0.5), name, other)
        model = CARTClassifier(pruning=None, min_samples_leaf=3).fit(frame, y)
        check(scoring_of(model), dialect, table=(name,))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_numbers_survive(dialect):
    cuts = [0.1, 1e-308, 2.0**53 + 2, -0.0, 0.1 + 0.2, 1 / 3, 1e300, -5e-324, 123456789.123456789, 1e15 + 0.5]
    schema = Schema((Column("x", Kind.NUMBER),), Target("y"))
    for cut in cuts:
        tree = build(schema, number("x", cut, leaf(1 / 3), leaf(-1e-7)))
        check(scoring(tree, "majority"), dialect)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_deep_tree(dialect):
    x = np.arange(401.0)
    model = CARTRegressor(pruning=None, min_samples_leaf=1, max_depth=150)
    model.fit(x[:, None], 1.5**x / 1.5**400)
    assert model.tree_.depth > 2 * DIALECTS[dialect].levels
    check(scoring_of(model), dialect)
    if dialect == "sqlite":  # the column with the leaf is that of the last subquery
        with sqlite3.connect(":memory:") as database:
            pd.DataFrame({"x0": x}).to_sql("data", database, index=False)
            assert list(pd.read_sql(model.to_sql(dialect), database)[sql.LEAF]) == list(model.apply(x[:, None]))


@pytest.mark.parametrize(("dialect", "table"), [("sqlite", "shop.days"), ("duckdb", "shop.days"), ("duckdb", "a.b.c")])
def test_a_table_in_a_schema(fitted, dialect, table):
    check(scoring_of(fitted["c45"]), dialect, table=table)
    check(scoring_of(fitted["regression"]), dialect, table=table.split("."))


def test_small_random_trees():
    rng = np.random.default_rng(5)
    for _ in range(60):
        n = int(rng.integers(8, 50))
        frame = pd.DataFrame(
            {"a": rng.integers(0, 4, n).astype(float), "b": rng.choice(list("uvw"), n), "c": rng.random(n) > 0.5}
        )
        for name in ("a", "b"):
            frame.loc[rng.random(n) < 0.3, name] = None
        y = rng.choice(["p", "q", "r"], n)
        missing = rng.choice(["fractional", "stop", "learned", "branch", "surrogate"])
        unseen = rng.choice(["missing", "majority", "stop"])
        grow = CARTClassifier if missing == "surrogate" or rng.random() < 0.5 else C45Classifier
        model = grow(missing=missing, unseen_category=unseen, pruning=None, min_samples_leaf=1).fit(frame, y)
        check(scoring_of(model), "sqlite", model._kept.values)


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in ("sqlite", "duckdb", "mariadb")])
def test_other_dialects_are_parsed(fitted, dialect):
    sqlglot = pytest.importorskip("sqlglot")
    read = {"sqlserver": "tsql"}.get(dialect, dialect)
    for name in ("c45", "cart", "regression", "costs", "cart stop"):
        text = sql.write(scoring_of(fitted[name]), dialect=dialect, table="shop.customers")
        (statement,) = sqlglot.parse(text, read=read)
        tables = {one.name for one in statement.find_all(sqlglot.exp.Table)}
        assert "customers" in tables
        assert {"age", "city"} & {one.name for one in statement.find_all(sqlglot.exp.Column)}


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in ("sqlite", "duckdb", "mariadb")])
@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_are_names_in_other_dialects(dialect, evil):
    """The parser finds the names and values as they are, and besides them only what a harmless tree has."""
    sqlglot = pytest.importorskip("sqlglot")
    exp = sqlglot.exp
    columns = Column(evil, Kind.CATEGORY, (evil, "ok")), Column("x" + evil, Kind.NUMBER)
    schema = Schema(columns, Target("t", (evil, "no")))
    below = number("x" + evil, 0.5, leaf({evil: 1}), leaf({"no": 2, evil: 1}))
    spec = table(evil, {evil: leaf({evil: 2}), "ok": below})
    found = scoring(build(schema, spec), "stop")
    try:
        text = sql.write(found, dialect=dialect, table=(evil,), header=[evil])
    except ExportError:
        assert dialect == "bigquery"  # its names have no way to write these characters
        assert {"`", "\\", "\n"} & set(evil)
        return
    (statement,) = sqlglot.parse(text, read={"sqlserver": "tsql"}.get(dialect, dialect))
    names = {one.name for one in statement.find_all(exp.Identifier)}
    own = {"leaves", "routed", "data", "treewright_leaf", "prediction", "p0", "p1", "_values"}
    assert names - own == {evil, "x" + evil, f"probability_{evil}", "probability_no"}
    literals = [*statement.find_all(exp.Literal), *statement.find_all(exp.National)]
    texts = {one.name for one in literals if one.is_string or isinstance(one, exp.National)}
    assert texts == {evil, "ok", "no"}


def test_size_is_at_most_linear_in_leaves_times_depth():
    rng = np.random.default_rng(2)
    for missing in ("fractional", "surrogate"):
        sizes = []
        for n in (400, 800, 1600):
            x = rng.random((n, 3))
            x[rng.random(x.shape) < 0.1] = np.nan
            model = TreeClassifier(missing=missing, pruning=None, min_samples_leaf=1)
            tree = model.fit(x, rng.integers(0, 2, n)).tree_
            assert tree.n_leaves > sql.CHAINED
            sizes.append(len(sql.write(scoring_of(model))) / (tree.n_leaves * tree.depth))
        assert sizes[2] < 1.3 * sizes[1] < 1.3**2 * sizes[0]


# --- large trees, in which a CASE expression goes on after ELSE ---


def large(missing="fractional", n_leaves=3 * sql.CHAINED, unseen="missing", seed=0, n_levels=12):
    """A tree of so many leaves on numbers and categories, and some rows."""
    rng = np.random.default_rng(seed)
    levels = [f"c{i}" for i in range(n_levels)]
    numbers = {"a": rng.normal(size=2500), "b": rng.integers(0, 9, 2500) / 4.0}
    frame = pd.DataFrame(numbers | {"c": rng.choice(levels, 2500)})
    y = rng.choice(["p", "q", "r"], 2500)
    if missing != "error":
        for name in frame:
            frame.loc[rng.random(2500) < 0.15, name] = None
    options = {"missing_predict" if missing in ("error", "majority") else "missing": missing}
    model = TreeClassifier(
        **options, unseen_category=unseen, pruning=None, min_samples_leaf=1, max_leaf_nodes=n_leaves
    )
    model.fit(frame, y)
    assert model.tree_.n_leaves == n_leaves
    return model


def rows_of(found, dialect, training):
    """What the statement predicts for rows that try every decision, after it was compared with the tree."""
    probes = make_probes(found, training)
    answers = sql.run(sql.write(found, dialect=dialect), probes, dialect)
    if answers is None:
        pytest.skip(f"{dialect} is not installed")
    compare(probes, answers, dialect)
    return answers


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize("missing", ["fractional", "stop", "error", "learned", "branch", "majority", "surrogate"])
def test_large_trees_are_written_otherwise_and_predict_the_same(missing, dialect, monkeypatch):
    unseen = ("missing", "majority", "stop", "error")
    for i, n_leaves in enumerate((sql.CHAINED - 1, sql.CHAINED, sql.CHAINED + 1, 3 * sql.CHAINED)):
        model = large(missing, n_leaves, unseen[i], seed=i)
        found, texts, rows = scoring_of(model), [], []
        for start in (sql.CHAINED, 10**9):
            with monkeypatch.context() as patch:
                patch.setattr(sql, "CHAINED", start)
                texts.append(sql.write(found, dialect=dialect))
                rows.append(rows_of(found, dialect, model._kept.values))
        assert (texts[0] == texts[1]) == (n_leaves < sql.CHAINED)
        assert len(texts[0]) <= len(texts[1])
        assert rows[0].classes == rows[1].classes
        np.testing.assert_array_equal(rows[0].values, rows[1].values)


@pytest.mark.parametrize("unseen", ["missing", "majority", "stop", "error"])
@pytest.mark.parametrize("missing", ["fractional", "surrogate", "learned"])
def test_codes_of_categories_of_every_type_in_duckdb(missing, unseen):
    duckdb = pytest.importorskip("duckdb")
    rng, n = np.random.default_rng(4), 1500
    columns = {"x": rng.normal(size=n), "flag": rng.random(n) > 0.5, "grade": rng.integers(0, 30, n) / 2}
    levels = {"few": 5, "most": MOST_CODED, "more": MOST_CODED + 1}
    columns |= {name: rng.permutation([f"word {i % size}" for i in range(n)]) for name, size in levels.items()}
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
    frame["x"] = frame["x"].astype(float)
    frame["size"] = pd.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True)
    frame = frame.mask(rng.random(frame.shape) < 0.1)
    options = {"missing": missing, "pruning": None, "min_samples_leaf": 1, "unseen_category": unseen}
    grow = CARTClassifier if missing == "surrogate" else TreeClassifier
    names = [name for name in frame if name != "x"]
    model = grow(**options, categorical_features=names, max_leaf_nodes=120)
    model.fit(frame, np.where((rng.random(n) > 0.5) | (columns["flag"] & (frame["size"] == "L")), "p", "q"))
    found = scoring_of(model)
    text = check(found, "duckdb", model._kept.values)
    used = {found.tree.schema.columns[i].name: i for i in found.used}
    assert {"x", "flag", "most", "more"} <= set(used)
    assert f"(treewright_code{used['most']} & " in text
    assert '"more" IN (' in text
    assert f"treewright_code{used['more']}" not in text
    with duckdb.connect() as connection:
        types = {"x": "DOUBLE", "flag": "BOOLEAN", "grade": "DOUBLE"}
        listed = ", ".join(f"{name} {types.get(name, 'VARCHAR')}" for name in frame)
        connection.execute(f"CREATE TABLE data ({listed})")
        given = connection.sql(text).columns
    assert given == [*frame, sql.LEAF, "prediction", "probability_p", "probability_q"]


def test_a_table_that_has_the_name_of_a_subquery_is_refused(fitted):
    for name in ("leaves", "Routed", "mixed2"):
        with pytest.raises(ExportError, match=f"cannot be called '{name}'.*table='main.{name}'"):
            sql.write(scoring_of(fitted["c45"]), table=name)
        check(scoring_of(fitted["c45"]), "sqlite", table=f"main.{name}")


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "stop"])
@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in ("sqlite", "duckdb", "mariadb")])
def test_large_trees_are_parsed_in_other_dialects(missing, dialect):
    sqlglot = pytest.importorskip("sqlglot")
    text = sql.write(scoring_of(large(missing)), dialect=dialect)
    (statement,) = sqlglot.parse(text, read={"sqlserver": "tsql"}.get(dialect, dialect))
    deepest, waiting = 0, [(statement, 0)]
    while waiting:
        node, depth = waiting.pop()
        depth += isinstance(node, sqlglot.exp.Case)
        deepest = max(deepest, depth)
        waiting += [(child, depth) for child in node.iter_expressions()]
    if dialect == "sqlserver":
        assert deepest <= 10  # "SQL Server allows for only 10 levels of nesting in CASE expressions"


def test_duckdb_joins_nothing_but_the_leaves():
    duckdb = pytest.importorskip("duckdb")
    text = sql.write(scoring_of(large("learned", n_levels=40)))
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data (a DOUBLE, b DOUBLE, c VARCHAR)")
        plan = connection.execute(f"EXPLAIN {text}").fetchone()[1]
    assert plan.upper().count("JOIN TYPE") == 1


def test_sqlite_sums_a_deep_tree_in_parts():
    rng = np.random.default_rng(1)
    x = rng.random((3000, 3))
    x[rng.random(x.shape) < 0.1] = np.nan
    model = TreeClassifier(missing="fractional", pruning=None, min_samples_leaf=1, max_leaf_nodes=400)
    model.fit(x, rng.integers(0, 2, 3000))
    assert model.tree_.depth > 2 * DIALECTS["sqlite"].sum_levels
    assert check(scoring_of(model), "sqlite").count("MATERIALIZED") > 2


def test_an_error_of_sqlite_says_what_to_do():
    found = scoring_of(large())
    with pytest.raises(ExportError, match=r"SQLite does not execute the statement: .*set max_leaf_nodes"):
        sql.run("SELECT nothing FROM data", make_probes(found), "sqlite")


def test_what_cannot_be_expressed_is_refused_in_a_sentence(fitted):
    days = pd.DataFrame({"sold": pd.date_range("2024-01-01", periods=40)})
    model = CARTClassifier(pruning=None).fit(days, [i > 20 for i in range(40)])
    with pytest.raises(ExportError, match="Column 'sold' has dates"):
        sql.write(scoring_of(model))
    mixed = pd.DataFrame({"code": [1, "a"] * 20}, dtype=object)
    model = CARTClassifier(pruning=None, categorical_features=["code"]).fit(mixed, [0, 1] * 20)
    with pytest.raises(ExportError, match="Column 'code' has categories of different types"):
        sql.write(scoring_of(model))
    assert sqlite3.sqlite_version_info >= (3, 8, 3)  # common table expressions


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_unseen_categories_are_refused_where_rows_go_down_several_branches(dialect, monkeypatch):
    columns = Column("x", Kind.NUMBER), Column("c", Kind.CATEGORY, ("a", "b")), Column("d", Kind.CATEGORY, ("a", "b"))
    deepest = table("d", {"a": leaf({"yes": 1}), "b": leaf({"yes": 3})})
    below = table("c", {"a": leaf({"no": 2}), "b": number("x", 2.5, leaf({"no": 1}), deepest)})
    one_class = table("c", {"a": leaf({"no": 2}), "b": leaf({"no": 1})})
    trees = [
        build(Schema(columns, Target("t", ("no", "yes"))), number("x", 0.5, deepest, below)),
        build(Schema(columns, Target("t", ("no",))), number("x", 0.5, leaf({"no": 3}), one_class)),
    ]
    for tree in trees:
        made = make_probes(scoring(tree, "fractional", "error"))
        cells = [np.nan, 0.5, 1.0, 2.5, 3.0], [np.nan, -np.inf, 0.0, 1.0], [np.nan, -np.inf, 0.0, 1.0]
        probes = predict_probes(made.scoring, np.array(list(product(*cells))))
        assert 0 < probes.refused.sum() < len(probes.refused)
        for levels in (60, 1):  # with one sum, and with a subquery for each level
            monkeypatch.setattr(sql, "DIALECTS", {**DIALECTS, dialect: replace(DIALECTS[dialect], sum_levels=levels)})
            answers = sql.run(sql.write(made.scoring, dialect=dialect), probes, dialect)
            if answers is None:
                pytest.skip(f"{dialect} is not installed")
            compare(probes, answers, dialect)


def test_many_classes_with_costs_and_fractional_weights():
    """SQLite put the sums of a few leaves and 24 classes into each other until the memory was full."""
    rng = np.random.default_rng(0)
    X = rng.random((600, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    y = rng.integers(0, 24, 600)
    costs = rng.integers(1, 6, (24, 24)) * (1 - np.eye(24, dtype=int))
    model = TreeClassifier(missing="fractional", cost_matrix=costs, max_leaf_nodes=20).fit(X, y)
    assert "AS MATERIALIZED" in model.to_sql("sqlite")
