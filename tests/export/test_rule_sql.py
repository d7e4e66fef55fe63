"""Rules as SQL: executed in SQLite and DuckDB, the statement predicts what the rules predict, whatever the names."""

import sqlite3
from math import nan

import numpy as np
import pandas as pd
import pytest

from tests.export.walk import mixed
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ExportError
from treewright.export import rule_sql, sql
from treewright.export.check import compare
from treewright.export.probe_rows import make_probes
from treewright.export.rule_probes import make_rule_probes
from treewright.export.rule_scoring import RuleScoring, rule_scoring
from treewright.export.sql_dialects import DIALECTS

UNSEEN = ("missing", "majority", "stop", "error")
HOSTILE = [
    'say "hi"', "it's", "a]b", "select", "--", "/* */", "; DROP TABLE data", "new\nline", " OR ", "😀", "\\", "?",
]  # fmt: skip


def rule_sets(unseen="missing"):
    """Rules of leaves and generalised rules of several algorithms, by name."""
    X, y, number = mixed()
    found = {}
    for missing in ("majority", "learned", "branch", "surrogate", "stop"):
        options = {"missing_predict" if missing == "majority" else "missing": missing}
        model = CARTClassifier(**options, unseen_category=unseen, min_samples_leaf=5, pruning=None).fit(X, y)
        found |= {f"cart {missing} {form}": model.rules(form) for form in ("leaves", "generalised")}
    grown = C45Classifier(unseen_category=unseen, missing_predict="majority", min_samples_leaf=5).fit(X, y)
    found |= {f"c45 {form}": grown.rules(form) for form in ("leaves", "generalised")}
    numbers = CARTRegressor(missing="learned", unseen_category=unseen, min_samples_leaf=9).fit(X, number)
    return found | {"regression": numbers.rules("leaves")}


def check(rules, dialect, **options):
    """Write, execute and compare; returns whether the rules were written as rules, not as their tree."""
    scoring = rule_scoring(rules)
    is_list = isinstance(scoring, RuleScoring)
    probes = (make_rule_probes if is_list else make_probes)(scoring)
    writer = rule_sql if is_list else sql
    answers = writer.run(writer.write(scoring, dialect=dialect, **options), probes, dialect, **options)
    if answers is None:
        pytest.skip(f"{dialect} is not installed")
    compare(probes, answers, dialect)
    return is_list


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
@pytest.mark.parametrize("unseen", UNSEEN)
def test_a_database_predicts_as_the_rules_do(unseen, dialect):
    written = {name: check(rules, dialect) for name, rules in rule_sets(unseen).items()}
    assert all(is_list for name, is_list in written.items() if "generalised" in name)
    assert written["cart majority leaves"] == written["regression"] == (unseen == "missing")
    assert not written["cart surrogate leaves"]  # surrogates decide where conditions say nothing


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_hostile_names_and_values_stay_names_and_values(dialect):
    rng = np.random.default_rng(1)
    for i, name in enumerate(HOSTILE):
        other = HOSTILE[i - 1]
        listed = [other, name, "plain", *(f"{other}{k}" for k in range(6))]
        frame = pd.DataFrame({name: rng.choice(listed, 120), other + "2": rng.random(120)})
        frame.loc[rng.random(120) < 0.1, name] = None
        y = np.where(frame[name].isin(listed[:1] + listed[3:6]) ^ (frame[other + "2"] > 0.5), name, other)
        model = CARTClassifier(missing="learned", pruning=None, min_samples_leaf=3).fit(frame, y)
        for form in ("leaves", "generalised"):
            assert check(model.rules(form), dialect, table=(name,))


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "mariadb"])  # sqlglot has no VALUES of it
def test_statements_are_parsed(dialect):
    sqlglot = pytest.importorskip("sqlglot")
    read = {"sqlserver": "tsql"}.get(dialect, dialect)
    for rules in rule_sets().values():
        scoring = rule_scoring(rules)
        if isinstance(scoring, RuleScoring):
            (statement,) = sqlglot.parse(rule_sql.write(scoring, dialect=dialect, table="shop.customers"), read=read)
            assert "customers" in {one.name for one in statement.find_all(sqlglot.exp.Table)}
            assert {"age", "city"} & {one.name for one in statement.find_all(sqlglot.exp.Column)}


def test_the_number_of_the_rule_is_that_of_predict():
    """Brute force: the first rule whose conditions a row satisfies, read by the rules themselves."""
    X, y, _ = mixed(seed=3, missing=0.0)
    rules = C45Classifier(min_samples_leaf=5).fit(X, y).rules("generalised")
    with sqlite3.connect(":memory:") as connection:
        X.to_sql("data", connection, index=False)
        rows = connection.execute(rules.to_sql("sqlite", probabilities=False, check=False)).fetchall()
    width = len(X.columns)
    words = {row[width]: row[width + 1] for row in rows}
    assert set(words) <= {0, *(rule.number for rule in rules)}
    assert [row[width + 1] for row in rows] == rules.predict(X).tolist()
    for rule in rules:
        first = [row for row in rows if row[width] == rule.number]
        assert {row[width + 1] for row in first} <= {rule.prediction}


def test_nan_is_missing_in_duckdb():
    duckdb = pytest.importorskip("duckdb")
    x = np.array([[1.0], [2.0], [3.0], [4.0], [nan]] * 8)
    y = np.array(["low", "low", "high", "high", "high"] * 8)
    rules = CARTClassifier(missing="learned", pruning=None).fit(x, y).rules("leaves")
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data (x0 DOUBLE)")
        connection.execute("INSERT INTO data VALUES (1), ('NaN'), (NULL), (4), ('Infinity')")
        rows = connection.execute(rules.to_sql("duckdb", probabilities=False)).fetchall()
    assert [row[-1] for row in rows] == ["low", "high", "high", "high", "high"]


def test_what_cannot_be_expressed_is_refused_in_a_sentence():
    mixed_types = pd.DataFrame({"code": [1, "a"] * 20}, dtype=object)
    model = CARTClassifier(pruning=None, categorical_features=["code"], missing="learned").fit(mixed_types, [0, 1] * 20)
    with pytest.raises(ExportError, match="Column 'code' has categories of different types"):
        rule_sql.write(rule_scoring(model.rules("leaves")))
