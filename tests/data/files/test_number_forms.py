"""Numbers written for people: the form of a column, in training, in a schema file, and in rows for a saved model."""

import io
import json

import polars as pl
import pytest

from treewright import C45Classifier, CARTRegressor, read
from treewright.cli.main import main
from treewright.data.files.number_forms import EXAMPLES, NumberForm

FORMS = [
    (["$1,200", "$3.50", "-$4", "($5.00)", "7"], [1200, 3.5, -4, -5, 7], "$1,234.5"),
    (["USD 12", "USD -3"], [12, -3], "USD1,234.5"),
    (["12 EUR", "1.234,50 EUR"], [12, 1234.5], "EUR1.234,5"),
    (["€ 1.234,50", "€ 2"], [1234.5, 2], "€1.234,5"),
    (["£5", "n/a", "£6", "--", "#DIV/0!"], [5, None, 6, None, None], "£1,234.5"),
    (["12 %", "3.5%", "-1 %"], [12, 3.5, -1], "1,234.5 %"),
    (["1,234", "2,500"], [1234, 2500], "1,234.5"),
    (["1,234", "2,5"], [1.234, 2.5], "1.234,5"),
    (["1.234.567", "1.234", "5"], [1234567, 1234, 5], "1.234,5"),
    (["1 234 567", "1\u00a0234", "12"], [1234567, 1234, 12], "1,234.5"),
    (["1'234", "5"], [1234, 5], "1,234.5"),
    (["1,23,456", "99"], [123456, 99], "1,234.5"),
    (["12 kg", "3.5kg"], [12, 3.5], "1,234.5 kg"),
    (["20 °C", "-3 °C", "−4 °C"], [20, -3, -4], "1,234.5 °C"),
    (["12元", "3元"], [12, 3], "1,234.5 元"),
]


def write(cells):
    rows = [[cell, f"r{i % 2}"] for i, cell in enumerate(cells)]
    return pl.DataFrame(rows, schema=["x", "y"], orient="row").write_csv(quote_style="always")


@pytest.mark.parametrize(("cells", "values", "form"), FORMS)
def test_forms_are_numbers(put, cells, values, form):
    data = read(put(write(cells)), "y")
    assert (data.X["x"].to_list(), data.formats) == (values, {"x": form})
    assert data.notes[0].startswith("Column 'x' is read as a number: ")
    kept = read(put(write(cells)), "y", categorical=["x"])
    assert (kept.X["x"].to_list(), kept.formats) == (cells, {})
    data.write_schema(path := put("", "schema.json"), overwrite=True)
    assert read(put(write(cells)), schema=path).X["x"].to_list() == values
    assert NumberForm.from_text(form).text == form


@pytest.mark.parametrize(("cells", "values", "form"), FORMS)
def test_a_model_reads_rows_in_the_form_of_training(put, capsys, monkeypatch, tmp_path, cells, values, form):
    monkeypatch.chdir(tmp_path)
    numbers = [float(i) for i in range(len(cells))]
    data = read(put(write(cells)), "y")
    model = CARTRegressor(min_samples_leaf=1, min_samples_split=2).fit(data.X, numbers)
    model.save("model.json")
    assert json.loads((tmp_path / "model.json").read_text())["schema"]["columns"][0]["format"] == form
    put("x\n" + "".join(f'"{cell}"\n' for cell in cells), "rows.csv")
    assert main(["predict", "model.json", "rows.csv", "--columns", "none"]) == 0
    found = pl.read_csv(io.StringIO(capsys.readouterr().out))["prediction"].to_list()
    assert found == pytest.approx(model.predict(data.X).tolist())
    put('x\n"5 miles"\n', "rows.csv")
    assert main(["predict", "model.json", "rows.csv"]) != 0
    assert f"must contain numbers written as {form!r}, got '5 miles' in row 0" in capsys.readouterr().err


def test_notes(put):
    assert read(put(write(["$1,200", "$3.50"])), "y").notes == (
        "Column 'x' is read as a number: currency '$' and thousands separators are removed.",
    )
    assert read(put(write(["1,234", "2,500"])), "y").notes == (
        "Column 'x' is read as a number: thousands separators are removed; '1,234' is read as 1234, because every "
        "group has 3 digits.",
    )
    data = read(put("x;y\n1,234;a\n12,500;b\n"), "y")
    assert data.X["x"].to_list() == [1234, 12500]
    data = read(put("x;y\n1,234;a\n12,5;b\n"), "y")
    assert (data.X["x"].to_list(), data.notes) == ([1.234, 12.5], ())


def test_what_does_not_fit_is_counted_or_keeps_the_text(put):
    data = read(put(write(["$5"] * 19 + ["sold"])), "y")
    assert data.X["x"].null_count() == 1
    assert data.notes[0].endswith("1 of 20 known cells does not fit and becomes missing: 'sold' in line 21.")
    assert read(put(write(["$5"] * 98 + ["sold", "gone"])), "y").X["x"].null_count() == 2
    assert read(put(write(["$5"] * 18 + ["sold"])), "y").X["x"].dtype == pl.String
    assert read(put(write(["01234"] + ["12345"] * 99)), "y").X["x"].dtype == pl.String


def test_a_target_keeps_its_form(put, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    path = put("a,price\n" + "".join(f'{i},"${1000 * i:,}"\n' for i in range(30)))
    assert main(["fit", str(path), "--target", "price", "-a", "cart", "--regression", "--no-cv", "-o", "m.json"]) == 0
    capsys.readouterr()
    assert main(["evaluate", "m.json", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["r2"] > 0.5


def test_categories_with_many_values_get_a_note(put):
    cells = [f"word {chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60)] * 2
    assert read(put(write(cells)), "y").notes == (
        "Column 'x' is a category with 60 values; use `ignore` if they do not help to predict.",
    )
    assert read(put(write(cells[:40])), "y").notes[0].startswith("Column 'x' is a category with 40 values, of which 40")
    assert read(put(write(cells[:5] * 9)), "y").notes == ()


def test_plain_numbers_have_no_format(put):
    data = read(put(write(["1", "2.5", "-"])), "y")
    assert (data.X["x"].to_list(), data.formats, data.notes) == ([1, 2.5, None], {}, ())
    assert C45Classifier().fit(*data).tree_.schema.columns[0].format is None
    assert set(EXAMPLES) == {".", ","}
