"""Trees as SQL: executed in SQLite and DuckDB, the statement predicts what the tree predicts, whatever the names."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

from tests.export.walk import models
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ExportError
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.export import sql
from treewright.export.check import compare
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import scoring, scoring_of
from treewright.export.sql_dialects import DIALECTS
from treewright.model.build import build, leaf, number

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


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in ("sqlite", "duckdb")])
def test_other_dialects_are_parsed(fitted, dialect):
    sqlglot = pytest.importorskip("sqlglot")
    read = {"sqlserver": "tsql"}.get(dialect, dialect)
    for name in ("c45", "cart", "regression", "costs", "cart stop"):
        text = sql.write(scoring_of(fitted[name]), dialect=dialect, table="shop.customers")
        (statement,) = sqlglot.parse(text, read=read)
        tables = {one.name for one in statement.find_all(sqlglot.exp.Table)}
        assert "customers" in tables
        assert {"age", "city"} & {one.name for one in statement.find_all(sqlglot.exp.Column)}


def test_size_is_linear_in_leaves_times_depth():
    rng = np.random.default_rng(2)
    sizes = []
    for n in (200, 400, 800):
        x = rng.random((n, 3))
        model = C45Classifier(pruning=None, min_samples_leaf=1, variant="textbook").fit(x, rng.integers(0, 2, n))
        tree = model.tree_
        sizes.append(len(sql.write(scoring_of(model))) / (tree.n_leaves * tree.depth))
    assert max(sizes) < 1.6 * min(sizes)


def test_what_cannot_be_expressed_is_refused_in_a_sentence(fitted):
    days = pd.DataFrame({"sold": pd.date_range("2024-01-01", periods=40)})
    model = CARTClassifier(pruning=None).fit(days, [i > 20 for i in range(40)])
    with pytest.raises(ExportError, match="Column 'sold' has dates"):
        sql.write(scoring_of(model))
    mixed = pd.DataFrame({"code": [1, "a"] * 20}, dtype=object)
    model = CARTClassifier(pruning=None, categorical_features=["code"]).fit(mixed, [0, 1] * 20)
    with pytest.raises(ExportError, match="Column 'code' has categories of different types"):
        sql.write(scoring_of(model))
    model = C45Classifier(unseen_category="error").fit(pd.DataFrame({"c": list("ab") * 20}), [0, 1] * 20)
    with pytest.raises(ExportError, match="unseen_category='missing'"):
        sql.write(scoring_of(model))
    assert sqlite3.sqlite_version_info >= (3, 8, 3)  # common table expressions
