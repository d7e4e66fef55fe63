"""Schema files: written, used again, and refused with the name of the field."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import InputError, ModelFormatError, ParameterError, read
from treewright.data.files.schema_file import read_schema_file

TABLE = "id,size,colour,price,w,good\n001,S,1,2.5,1,yes\n002,L,2,-,2,no\n003,M,2,3,1,\n"
GOOD = {
    "format": "treewright schema",
    "version": 1,
    "target": "y",
    "weights": "w",
    "missing": ["-"],
    "columns": [
        {"name": "x", "kind": "ordered", "levels": ["low", "high"]},
        {"name": "c", "kind": "category", "levels": ["a", "b"]},
        {"name": "d", "kind": "category"},
        {"name": "w", "kind": "number"},
        {"name": "y", "kind": "category"},
        {"name": "i", "kind": "ignored"},
    ],
}


def said(put):
    given = {
        "ordered": {"size": ["S", "M", "L"]},
        "categorical": ["colour"],
        "ignore": ["id"],
        "weights": "w",
        "missing": ["-"],
    }
    return read(put(TABLE), "good", **given)


def test_written_and_used_again(put, tmp_path):
    first = said(put)
    for name in ("schema.json", "schema.json.gz"):
        first.write_schema(tmp_path / name)
        again = read(put(TABLE), schema=tmp_path / name)
        assert again.X.equals(first.X)
        assert again.X.schema == first.X.schema
        assert again.y.equals(first.y)
        assert again.sample_weight.tolist() == first.sample_weight.tolist()
        assert again.categorical_features == first.categorical_features
        assert [(c.name, c.kind) for c in again.columns] == [(c.name, c.kind) for c in first.columns]
    again.write_schema(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "schema.json").read_text()


def test_the_file_is_plain_json(put, tmp_path):
    said(put).write_schema(tmp_path / "schema.json")
    assert json.loads((tmp_path / "schema.json").read_text(encoding="utf-8")) == {
        "format": "treewright schema",
        "version": 1,
        "target": "good",
        "weights": "w",
        "missing": ["-"],
        "columns": [
            {"name": "id", "kind": "ignored"},
            {"name": "size", "kind": "ordered", "levels": ["S", "M", "L"]},
            {"name": "colour", "kind": "category"},
            {"name": "price", "kind": "number"},
            {"name": "w", "kind": "number"},
            {"name": "good", "kind": "category"},
        ],
    }


def test_an_existing_file_is_kept(put, tmp_path):
    data = said(put)
    data.write_schema(tmp_path / "s.json")
    with pytest.raises(InputError, match=r"'.*s.json' is there already"):
        data.write_schema(tmp_path / "s.json")
    data.write_schema(tmp_path / "s.json", overwrite=True)


def test_another_file_with_the_same_columns(put, tmp_path):
    said(put).write_schema(tmp_path / "s.json")
    rows = read(put("price,extra,size,colour,id\n4,2024-01-01,M,7,9\n"), schema=tmp_path / "s.json")
    assert rows.X.rows() == [(4.0, "M", "7")]
    assert rows.y is None
    assert rows.sample_weight is None
    assert [(c.kind, c.why) for c in rows.columns if c.name == "extra"] == [("ignored", "not in the schema")]
    with pytest.raises(InputError, match="'size' has 'XL' in line 2, which is none of its levels"):
        read(put("price,size,colour,id\n4,XL,7,9\n"), schema=tmp_path / "s.json")
    with pytest.raises(
        InputError, match=r"names the column 'colour', which the table does not have; .* are 'color'"
    ):
        read(put("price,size,color,id\n4,S,7,9\n"), schema=tmp_path / "s.json")
    with pytest.raises(InputError, match="'price' is said to be a number, but has 'free' in line 2"):
        read(put("price,size,colour,id\nfree,S,7,9\n"), schema=tmp_path / "s.json")


def test_what_is_said_goes_before_the_schema(put, tmp_path):
    said(put).write_schema(tmp_path / "s.json")
    data = read(
        put(TABLE),
        "colour",
        schema=tmp_path / "s.json",
        categorical=["size"],
        ignore=["good"],
        numeric=["id"],
    )
    assert data.target == "colour"
    assert data.y.to_list() == ["1", "2", "2"]
    assert [(c.name, c.kind) for c in data.columns] == [
        ("id", "number"), ("size", "category"), ("colour", "target"),
        ("price", "number"), ("w", "weight"), ("good", "ignored"),
    ]  # fmt: skip
    assert data.X["size"].dtype == pl.String
    with pytest.raises(ParameterError, match="target names the column 'zzz'"):
        read(put(TABLE), "zzz", schema=tmp_path / "s.json")


def changed(**changes):
    document = {**GOOD, **changes}
    return {key: value for key, value in document.items() if value != "gone"}


def column(**fields):
    return changed(columns=[*GOOD["columns"], fields])


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ('{"format": "treewright schema", "format": 1}', "is no JSON: .*format"),
        ("[" * 100_000, "is no JSON"),
        ([], "the document is no object"),
        (changed(format="gone"), "field format is not 'treewright schema'"),
        (changed(format="treewright"), "field format is not 'treewright schema'"),
        (changed(version="1"), "field version is no number of a version"),
        (changed(version=True), "field version is no number"),
        (changed(version=0), "field version is no number"),
        (changed(version=2), "is of version 2, made by a newer Treewright; update"),
        (changed(colour=1), "field colour is not known; the fields are format, version, target"),
        (changed(target=3), "field target is no text"),
        (changed(target="z"), "field target names 'z', which is not among the columns"),
        (changed(target="i"), "field target names 'i', which is an ignored column"),
        (changed(weights="y"), "field weights names 'y', which is the target"),
        (changed(weights="c"), "field weights names 'c', whose kind is not 'number'"),
        (changed(missing="?"), "field missing is no list of texts"),
        (changed(missing=[1, 2]), "field missing is no list of texts"),
        (changed(missing=["?", "?"]), "field missing holds a text twice"),
        (changed(columns="gone"), "field columns is no list of columns"),
        (changed(columns=[]), "field columns is no list of columns"),
        (changed(columns=[1, 2]), "field columns"),
        (changed(columns=[["x"]]), r"field columns\[0\] is no object"),
        (column(kind="number"), r"field columns\[6\].name is not there"),
        (column(name=5, kind="number"), r"field columns\[6\].name is no text"),
        (column(name="x", kind="number"), r"field columns\[6\].name is 'x' again"),
        (column(name="z"), r"field columns\[6\].kind is none of 'number', 'category', 'ordered', 'ignored'"),
        (column(name="z", kind=["number"]), r"field columns\[6\].kind is none of"),
        (column(name="z", kind="date"), r"field columns\[6\].kind is none of"),
        (column(name="z", kind="ordered"), r"field columns\[6\].levels is not there"),
        (
            column(name="z", kind="number", levels=["a"]),
            r"field columns\[6\].levels does not go with kind 'number'",
        ),
        (column(name="z", kind="category", levels=[1, 2]), r"field columns\[6\].levels is no list of texts"),
        (
            column(name="z", kind="category", levels=["a", "a"]),
            r"field columns\[6\].levels holds a text twice",
        ),
        (column(name="z", kind="number", colour=1), r"field columns\[6\].colour is not known"),
    ],
)
def test_refused(put, document, sentence):
    path = put(document if isinstance(document, str) else json.dumps(document), "schema.json")
    with pytest.raises(InputError, match=sentence) as caught:
        read_schema_file(path)
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, ModelFormatError)


def test_the_good_one_is_good(put):
    assert read_schema_file(put(json.dumps(GOOD), "s.json")).levels == {"x": ("low", "high"), "c": ("a", "b")}
    with pytest.raises(InputError, match="There is no file"):
        read(put(TABLE), schema="nothing.json")


@given(st.data())
def test_mutated_files_are_read_or_refused(tmp_path_factory, data):
    text = bytearray(json.dumps(GOOD).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from([b"", b"0", b'"', b"[", b"}", b"\xff", b"null"])
        )
    path = tmp_path_factory.mktemp("s") / "s.json"
    path.write_bytes(bytes(text))
    try:
        said_of = ""
        read_schema_file(path)
    except InputError as error:
        said_of = str(error)
    assert "\n" not in said_of
