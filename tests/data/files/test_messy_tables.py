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
