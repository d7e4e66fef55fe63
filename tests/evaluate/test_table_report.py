"""`inspect`: what people stumble over is found, and what is fine is not."""

import numpy as np
import pandas as pd
import pytest

import treewright
from treewright import InputError, ParameterError
from treewright.evaluate.table_checks import is_regression_target


def kinds(frame, target=None):
    return {(one.column, one.kind) for one in treewright.inspect(frame, target)}


def shop(n=120, seed=0):
    rng = np.random.default_rng(seed)
    size, kind, bought = rng.normal(size=n), rng.choice(["a", "b", "c"], n), rng.choice(["n", "y"], n)
    return pd.DataFrame({"size": size, "kind": kind, "bought": bought})


def test_a_usual_table_has_no_findings():
    assert kinds(shop(), "bought") == set()
    assert "Nothing unusual was found." in str(treewright.inspect(shop(), "bought"))


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("no of row", lambda n: np.arange(n)[::-1] + 7, "row_number"),
        ("customerId", lambda n: np.arange(n) ** 2, "identifier"),
        ("编号", lambda n: np.arange(n) * 3, "identifier"),
        ("who", lambda n: [f"person {i}" for i in range(n)], "identifier"),
        ("remark", lambda n: [f"the box of order {i // 2} was open" for i in range(n)], "free_text"),
        ("remark", lambda n: [f"第{i // 2}号包裹收到时外箱已经破损" for i in range(n)], "free_text"),
        ("unit", lambda n: ["kg"] * n, "constant"),
        ("later", lambda n: [np.nan] * n, "empty"),
        ("rarely", lambda n: [i if i % 3 == 0 else np.nan for i in range(n)], "missing_values"),
        ("zip", lambda n: [f"z{i % 55}" for i in range(n)], "many_categories"),
        ("again", lambda n: shop(n)["kind"], "copy_of_column"),
        ("parts", lambda n: [[i] for i in range(n)], "unreadable"),
        ("shipped", lambda n: (shop(n)["bought"] == "y") * 2.5, "copy_of_target"),
        ("score", lambda n: (shop(n)["bought"] == "y") * 3 + shop(n)["size"].rank() / n, "leak"),
        ("ended", lambda n: np.where(shop(n)["bought"] == "y", np.arange(n) / 7, np.nan), "leak"),
    ],
)  # fmt: skip
def test_one_finding(name, values, kind):
    table = shop()
    table[name] = values(len(table))
    assert kinds(table, "bought") == {(name, kind)}


def test_dates_beside_a_column_that_cannot_be_read_and_as_the_target():
    table = shop()
    table["day"] = pd.date_range("2024-01-01", periods=len(table))
    table["parts"] = [[i] for i in range(len(table))]
    assert kinds(table, "bought") == {("parts", "unreadable")}
    report = treewright.inspect(table.drop(columns="parts"), "day")
    assert report.n_columns == len(table.columns) - 2
    assert not [one for one in report if one.column.startswith("day:")]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("year", lambda n: np.arange(n) + 1900),
        ("模型年", lambda n: np.arange(n) + 1900),
        ("weight", lambda n: np.arange(n) * 3),
        ("checked", lambda n: ["x" if i % 2 else None for i in range(n)]),
        ("humid", lambda n: np.arange(n) * 5),
    ],
)
def test_no_finding(name, values):
    table = shop()
    table[name] = values(len(table))
    assert kinds(table, "bought") == set()


def test_findings_about_the_target_and_the_rows():
    table = shop(300)
    table.loc[0, "bought"], table.loc[1, "bought"] = "never", None
    assert kinds(table, "bought") == {("bought", "rare_classes"), ("bought", "missing_target")}
    twice = pd.concat([shop(), shop()])
    report = treewright.inspect(twice, "bought")
    assert [(one.kind, one.found) for one in report] == [("repeated_rows", "120 rows repeat an earlier row")]
    assert kinds(shop(), [f"class {i // 2}" for i in range(120)]) == {("target", "many_classes")}


def test_numbers_that_give_away_a_number():
    table = shop(400)
    price = 3 * table["size"] + 1
    assert kinds(table, price.rename("price")) == {("size", "leak")}
    curved = np.exp(2 * table["size"])
    assert kinds(table, curved) == {("size", "leak")}
    noisy = price + np.random.default_rng(1).normal(size=400) / 5
    assert kinds(table, noisy) == set()


def test_the_order_of_the_rows_does_not_matter(monkeypatch):
    monkeypatch.setattr("treewright.evaluate.target_leaks.MAX_ROWS", 100)
    table = shop(300)
    table["score"] = (table["bought"] == "y") * 3 + np.arange(300) / 300
    table.loc[:1, "score"] = 9
    found = [treewright.inspect(table.sample(frac=1, random_state=i), "bought").to_dict() for i in range(3)]
    assert found[0] == found[1] == found[2]


def test_a_report_in_every_form():
    table = shop()
    table["<id>"] = range(len(table))
    report = treewright.inspect(table, "bought", language="zh")
    assert len(report) == 1
    assert "连续的整数" in str(report)
    assert list(report.to_frame().columns) == ["column", "kind", "found", "action"]
    assert "&lt;id&gt;" in report._repr_html_()
    assert report.to_dict()["task"] == "classification"
    assert table.equals(shop().assign(**{"<id>": range(len(table))}))


def test_what_cannot_be_inspected():
    with pytest.raises(ParameterError, match="the closest names are 'bought'"):
        treewright.inspect(shop(), "bougt")
    with pytest.raises(InputError, match="has 3 values, but the table has 120 rows"):
        treewright.inspect(shop(), [1, 2, 3])


def test_which_numbers_are_quantities():
    assert not is_regression_target(np.arange(100.0) % 10)
    assert is_regression_target(np.arange(100.0) % 11)
    assert is_regression_target(np.array([0.0, 0.5, np.nan]))
