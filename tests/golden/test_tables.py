"""The literal tables are the ones among the reference data."""

import csv

import pytest

from tests.golden import tables


@pytest.mark.parametrize("name", tables.CSV)
def test_table_equals_reference_file(name, shared):
    table = tables.CSV[name]
    with (shared / "data" / f"{name}.csv").open(encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    assert tuple(names) == table.names
    assert len(rows) == len(table.rows)
    for row, expected in zip(rows, table.rows, strict=True):
        read = [float(c) if isinstance(e, float) else c or None for c, e in zip(row, expected, strict=True)]
        assert tuple(read) == expected


@pytest.mark.parametrize(
    ("table", "n_rows", "counts"),
    [
        (tables.WATERMELON_20, 17, {"是": 8, "否": 9}),
        (tables.WATERMELON_30, 17, {"是": 8, "否": 9}),
        (tables.LOAN, 15, {"是": 9, "否": 6}),
        (tables.GOLF, 14, {"Play": 9, "Don't Play": 5}),
        (tables.WEATHER_NUMERIC, 14, {"yes": 9, "no": 5}),
        (tables.WEATHER_NOMINAL, 14, {"yes": 9, "no": 5}),
        (tables.BUYS_COMPUTER, 14, {"yes": 9, "no": 5}),
        (tables.RESTAURANT, 12, {"Yes": 6, "No": 6}),
        (tables.TAN_CHEAT, 10, {"Yes": 3, "No": 7}),
        (tables.HAIR_EYES, 8, {"+": 3, "-": 5}),
        (tables.CONTACT_LENSES, 24, {"none": 15, "soft": 5, "hard": 4}),
    ],
)
def test_rows_and_classes_as_the_books_say(table, n_rows, counts):
    assert len(table.rows) == n_rows
    assert {label: table.y.count(label) for label in counts} == counts


def test_weka_changed_two_humidities_of_quinlans_table():
    quinlan, weka = tables.GOLF["humidity"], tables.WEATHER_NUMERIC["humidity"]
    assert weka == [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]
    assert [(row, a, b) for row, (a, b) in enumerate(zip(quinlan, weka, strict=True)) if a != b] == [
        (2, 78, 86),
        (13, 80, 91),
    ]
    assert tables.GOLF["temperature"] == tables.WEATHER_NUMERIC["temperature"]


def test_words_of_the_restaurant_table_are_not_missing():
    assert "None" in tables.RESTAURANT["Patrons"]
    assert not tables.RESTAURANT.frame().isna().any(axis=None)


def test_cells_that_are_missing():
    assert tables.WATERMELON_20A.frame().isna().sum().to_dict() == {
        "色泽": 3, "根蒂": 2, "敲声": 2, "纹理": 2, "脐部": 2, "触感": 2,
    }  # fmt: skip
    assert [n for n, row in enumerate(tables.GOLF_12.rows, start=1) if None in row] == [12]
    assert tables.GOLF.rows[11] == ("overcast", 72, 90, "true", "Play")


def test_mingers_leaves_hold_112_students():
    assert tables.MINGERS.sum() == 112
