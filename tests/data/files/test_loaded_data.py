"""Data: what print shows of a table, and how it comes apart."""

import polars as pl

from treewright import read


def test_print_shows_the_kinds_and_why(put, monkeypatch):
    path = put("颜色,price,id,w,good\n青绿,1.5,001,1,是\n乌黑,,002,2,否\n乌黑,3,003,1,\n", "瓜.csv")
    monkeypatch.chdir(path.parent)
    data = read("瓜.csv", "good", weights="w", ignore=["id"])
    assert (
        str(data)
        == repr(data)
        == (
            "瓜.csv: 2 rows, 2 columns, target good\n"
            "column  kind      values  missing  why\n"
            "颜色    category       2        0  text, such as '青绿'\n"
            "price   number         1        1  constant\n"
            "id      ignored                    set by the user\n"
            "w       weight         2        0  set by the user\n"
            "good    target         2        0  booleans\n"
            "Dropped 1 row without a value in 'good'."
        )
    )


def test_what_steers_a_terminal_is_escaped(put):
    shown = str(read(put('a\x1b[31m,b\n1,"\x1b]0;title\x07"\n', "x\x1b.csv")))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\\x1b[31m" in shown


def test_many_columns_are_not_all_shown(put):
    names = [f"c{i}" for i in range(100)]
    shown = str(read(put(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")))
    assert shown.splitlines()[-1] == "… 60 more columns"
    assert len(shown.splitlines()) == 43


def test_taking_apart(put):
    X, y = read(put("a,b\n1,2\n"))
    assert isinstance(X, pl.DataFrame)
    assert y is None
