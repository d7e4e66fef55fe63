"""Tables as people have them: what each column becomes, and what is said about it.

A case is one column of a file with 40 rows, beside a plain number and the target. Nothing may become a category
without a reason: a category of text that was meant as something else has a note.
"""

from itertools import cycle, islice

import pytest

from tests.cli.running import run
from treewright import read

N = 40


def cells(*values):
    return list(islice(cycle(values), N))


def days(form):
    """Forty days in 2024, in a form such as {d}.{m}.{y}."""
    return [form.format(y=2024, m=1 + i // 28, d=1 + i % 28) for i in range(N)]


def spread(form, step=37):
    return [form.format(i * step) for i in range(N)]


# name of the case: (cells, kind, part of the note or None for no note)
CASES = {
    "iso dates": (days("{y}-{m:02}-{d:02}"), "date", "is read as dates"),
    "iso date times": ([f"{day} 1{i % 10}:30:00" for i, day in enumerate(days("{y}-{m:02}-{d:02}"))], "date", "dates"),
    "iso with T and zone": (days("{y}-{m:02}-{d:02}T08:00:00Z"), "date", "dates"),
    "slashes, year first": (days("{y}/{m}/{d}"), "date", "dates"),
    "points, day first": (days("{d:02}.{m:02}.{y}"), "date", "dates"),
    "slashes, month first": (days("{m}/{d}/{y}"), "date", "dates"),
    "slashes, day first": (days("{d}/{m}/{y}"), "date", "dates"),
    "Chinese dates": (days("{y}年{m}月{d}日"), "date", "dates"),
    "month names": ([f"{1 + i % 28}-{'Jan' if i % 2 else 'Dec'}-2024" for i in range(N)], "date", "dates"),
    "dates with a gap": (["", *days("{y}-{m:02}-{d:02}")[1:]], "date", "dates"),
    "one cell is no date": (["soon", *days("{y}-{m:02}-{d:02}")[1:]], "date", "'soon'"),
    "dollars": (spread("${}"), "number", "'$'"),
    "dollars and thousands": ([f"${i * 1111:,}" for i in range(1, N + 1)], "number", "thousands"),
    "euros behind": (spread("{} €"), "number", "€"),
    "pounds": (spread("£{}.50"), "number", "£"),
    "currency code": (spread("USD {}"), "number", "USD"),
    "negative in parentheses": ([f"(${i})" if i % 3 else f"${i}" for i in range(1, N + 1)], "number", "$"),
    "percent": (spread("{}%"), "number", "%"),
    "percent with space": (spread("{} %"), "number", "%"),
    "thousands with commas": ([f"{i * 12345:,}" for i in range(1, N + 1)], "number", "thousands"),
    "apostrophes": ([f"{i * 12345:,}".replace(",", "'") for i in range(1, N + 1)], "number", "thousands"),
    "thousands with spaces": ([f"{i * 12345:,}".replace(",", " ") for i in range(1, N + 1)], "number", "thousands"),
    "decimal comma beside points": ([f"{i},5" for i in range(N)], "number", "decimal"),
    "kilograms": (spread("{} kg"), "number", "kg"),
    "centimetres without space": (spread("{}cm"), "number", "cm"),
    "plain integers": (spread("{}"), "number", None),
    "plain decimals": (spread("{}.25"), "number", None),
    "exponents": ([f"{i}.5e-3" for i in range(N)], "number", None),
    "plus signs": (spread("+{}"), "number", None),
    "n/a in capitals": (["N/A", *spread("{}")[1:]], "number", None),
    "n/a in small letters": (["n/a", *spread("{}")[1:]], "number", None),
    "a hyphen for missing": (["-", *spread("{}")[1:]], "number", None),
    "two hyphens for missing": (["--", *spread("{}")[1:]], "number", None),
    "spreadsheet errors": (["#DIV/0!", "#N/A", *spread("{}")[2:]], "number", None),
    "one word among numbers": (["unknown", *spread("{}")[1:]], "number", "'unknown'"),
    "ten words among numbers": ([*cells("low")[:10], *spread("{}")[10:]], "category", "occur once"),
    "yes and no": (cells("yes", "no"), "category", None),
    "true and false": (cells("TRUE", "FALSE", "FALSE"), "category", None),
    "ja and nein": (cells("ja", "nein"), "category", None),
    "shi and fou": (cells("是", "否"), "category", None),
    "yes in four spellings": (cells("Yes", "yes", "NO", "no"), "category", "is read as booleans, 'no' and 'yes'"),
    "y beside yes": (cells("y", "yes", "N", "no"), "category", "is read as booleans"),
    "booleans with a hyphen": (["-", *cells("TRUE", "false")[1:]], "category", "with '-' as missing"),
    "one cell is no boolean": (["perhaps", *cells("ja", "nein")[1:]], "category", "'perhaps'"),
    "yes, no and perhaps": (cells("yes", "no", "perhaps"), "category", None),
    "zip codes": ([f"0{1000 + i % 7}" for i in range(N)], "category", "begins with a zero"),
    "phone numbers": ([f"00491234567{i:05}" for i in range(N)], "category", "begins with a zero"),
    "long account numbers": ([f"12345678901234567{i:02}" for i in range(N)], "category", "more than 15 digits"),
    "words": (cells("red", "green", "blue"), "category", None),
    "Chinese words": (cells("青绿", "乌黑", "浅白"), "category", None),
    "a word in quotes": (cells('"red, dark"', "green"), "category", None),
    "all different words": ([f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(N)], "category", "occur once"),
    "free text": ([f"parcel {i} arrived late and was sent back" for i in range(N)], "category", "occur once"),
    "currencies that differ": (cells("$5", "€7", "£9"), "category", None),
    "units that differ": (cells("5 kg", "7 m"), "category", None),
    "ranges": (cells("10-20", "20-30"), "category", None),
    "comparisons": (cells("<5", ">=5"), "category", None),
    "nothing": ([""] * N, "number", None),
    "one value": (["7"] * N, "number", None),
    "spaces around": (spread("  {} "), "number", None),
    "none as a category": (cells("none", "mild", "severe"), "category", None),
}  # fmt: skip


def text(column):
    quoted = [f'"{cell}"' if "," in cell and not cell.startswith('"') else cell for cell in column]
    return "plain,odd,y\n" + "".join(f"{i * 3 % 11}.5,{cell},{'ab'[i % 2]}\n" for i, cell in enumerate(quoted))


@pytest.mark.parametrize("name", CASES)
def test_a_column(name, tmp_path):
    column, kind, note = CASES[name]
    (tmp_path / "t.csv").write_text(text(column), encoding="utf-8")
    data = read(tmp_path / "t.csv", "y")
    found = {one.name: one.kind for one in data.columns}
    assert found == {"plain": "number", "odd": kind, "y": "target"}
    about = [str(one) for one in data.notes if "'odd'" in str(one)]
    if note is None:
        assert about == []
    else:
        assert note in " ".join(about)


def test_booleans_have_two_values_whatever_their_spelling(tmp_path):
    for name in ("yes in four spellings", "y beside yes", "booleans with a hyphen", "one cell is no boolean"):
        (tmp_path / "t.csv").write_text(text(CASES[name][0]), encoding="utf-8")
        assert read(tmp_path / "t.csv", "y").X["odd"].drop_nulls().n_unique() == 2
        as_written = read(tmp_path / "t.csv", "y", categorical=["odd"]).X["odd"]
        assert as_written.drop_nulls().n_unique() == len({cell for cell in CASES[name][0] if cell})


def number_rows(n=120):
    return [[str(i * 3 % 11), str(i * 7 % 5), "ab"[i * 3 % 11 > 5]] for i in range(n)]


# name of the file: (its columns besides x, z and y, row by row; a part of the notes of fit)
FILES = {
    "leak": (lambda i, y: {"later": {"a": 3, "b": 8}[y] + i % 3}, "'later' alone predicts"),
    "copy of the target": (lambda i, y: {"again": y.upper()}, "'again' is a copy of the target"),
    "row numbers": (lambda i, y: {"n": i + 1}, "'n' is ignored: consecutive integers"),
    "identifiers": (lambda i, y: {"order": f"K-{i * i}"}, "'order' is ignored"),
    "free text": (lambda i, y: {"remark": f"the parcel no {i} came late on day {i}"}, "'remark' is ignored"),
    "constant": (lambda i, y: {"unit": "kg"}, "'unit' is ignored: the same value in every row"),
    "empty column": (lambda i, y: {"spare": ""}, "'spare' is ignored"),
    "mostly missing": (lambda i, y: {"rare": i * i if i % 3 == 0 else ""}, None),
    "many levels": (lambda i, y: {"street": f"s{i % 60}"}, "'street' is a category with 60 values"),
    "mixed types": (lambda i, y: {"odd": [f"{i}", "low", "high"][i % 3]}, "occur once"),
    "wide": (lambda i, y: {f"c{j}": (i * j) % 7 for j in range(1, 301)}, None),
    "names like patterns": (lambda i, y: {"*": i % 3, "^c.*$": i % 2, "a b": i % 5}, None),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_goes_through_every_command(name, tmp_path, capsys, monkeypatch):
    """inspect, fit, cv, compare and predict take the file, say the same about it, and predict its own rows."""
    monkeypatch.chdir(tmp_path)
    make, note = FILES[name]
    rows = [{"x": x, "z": z, **make(i, y), "y": y} for i, (x, z, y) in enumerate(number_rows())]
    lines = [",".join(map(str, row)) for row in ([*rows[0]], *(row.values() for row in rows))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run(capsys, "inspect", "t.csv", "-t", "y").code == 0
    commands = {"fit": ["-o", "m.json", "--no-cv"], "cv": ["--folds", "2"]}
    commands["compare"] = ["--folds", "2", "--pruning", "pessimistic"]
    for command, options in commands.items():
        said = run(capsys, command, "t.csv", "-t", "y", *options)
        assert said.code == 0, said.err
        assert note is None or note in said.err
    said = run(capsys, "predict", "m.json", "t.csv")
    assert said.code == 0, said.err
    assert [line.rpartition(",")[2] for line in said.out.splitlines()[1:]] == [row["y"] for row in rows]


def test_five_thousand_levels_are_named_and_do_not_spoil_the_tree(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{i * 3 % 11},c{i * 7919 % 5000},{'ab'[i * 3 % 11 > 5]}" for i in range(10_000)]
    (tmp_path / "t.csv").write_text("\n".join(["x,code,y", *rows]) + "\n", encoding="utf-8")
    said = run(capsys, "fit", "t.csv", "-t", "y", "--no-cv")
    assert "'code' is a category with 5000 values" in said.err
    assert "2 leaves" in said.out


ENCODINGS = {
    "byte order mark": "utf-8-sig",
    "UTF-16": "utf-16",
    "GB 18030": "gb18030",
    "Latin 1": "latin-1",
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_an_encoding(name, tmp_path):
    word = "grün" if name == "Latin 1" else "乌黑"
    (tmp_path / "t.csv").write_bytes(text(cells(word, "red")).encode(ENCODINGS[name]))
    data = read(tmp_path / "t.csv", "y")
    assert data.X["odd"][0] == word


@pytest.mark.parametrize("name", ["iso dates", "points, day first", "dollars and thousands", "percent", "kilograms"])
def test_a_model_reads_the_same_values_again(name, tmp_path, capsys, monkeypatch):
    """The file is fitted and predicted by commands; the predictions are those of the training table."""
    monkeypatch.chdir(tmp_path)
    column = CASES[name][0]
    rows = [f'{i * 7 % 5},"{cell}",{"ab"[i >= N // 2]}' for i, cell in enumerate(column)]
    (tmp_path / "t.csv").write_text("\n".join(["plain,odd,y", *rows]) + "\n", encoding="utf-8")
    assert run(capsys, "fit", "t.csv", "-t", "y", "-a", "cart", "-o", "m.json").code == 0
    said = run(capsys, "predict", "m.json", "t.csv")
    assert said.code == 0, said.err
    predicted = [line.rpartition(",")[2] for line in said.out.splitlines()[1:]]
    assert predicted == ["ab"[i >= N // 2] for i in range(N)]


def test_a_cell_that_does_not_fit_can_be_declared_missing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(text(CASES["one word among numbers"][0]), encoding="utf-8")
    assert run(capsys, "fit", "t.csv", "-t", "y", "-o", "m.json").code == 0
    said = run(capsys, "predict", "m.json", "t.csv")
    assert "use --missing-marker unknown if the value is missing" in said.err
    assert run(capsys, "predict", "m.json", "t.csv", "--missing-marker", "unknown").code == 0
