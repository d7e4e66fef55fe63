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
    with pytest.raises(InputError, match=r"'.*s.json' already exists"):
        data.write_schema(tmp_path / "s.json")
    data.write_schema(tmp_path / "s.json", overwrite=True)


def test_another_file_with_the_same_columns(put, tmp_path):
    said(put).write_schema(tmp_path / "s.json")
    rows = read(put("price,extra,size,colour,id\n4,2024-01-01,M,7,9\n"), schema=tmp_path / "s.json")
    assert rows.X.rows() == [(4.0, "M", "7")]
    assert rows.y is None
    assert rows.sample_weight is None
    assert [(c.kind, c.why) for c in rows.columns if c.name == "extra"] == [("ignored", "not in the schema")]
    with pytest.raises(
        InputError,
        match="Column 'size' has the value 'XL' in line 2, which is not one of its levels; the closest are 'L'",
    ):
        read(put("price,size,colour,id\n4,XL,7,9\n"), schema=tmp_path / "s.json")
    with pytest.raises(
        InputError, match=r"Unknown column 'colour' in schema .*; the closest names are 'color'"
    ):
        read(put("price,size,color,id\n4,S,7,9\n"), schema=tmp_path / "s.json")
    with pytest.raises(InputError, match="Column 'price' must contain numbers, got 'free' in line 2"):
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
    with pytest.raises(
        ParameterError,
        match="Unknown column 'zzz' in `target`; the closest names are 'id', 'size', 'colour', 'price',",
    ):
        read(put(TABLE), "zzz", schema=tmp_path / "s.json")


def changed(**changes):
    document = {**GOOD, **changes}
    return {key: value for key, value in document.items() if value != "gone"}


def column(**fields):
    return changed(columns=[*GOOD["columns"], fields])


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ("", r"is not valid JSON: .*; correct it, or write it again"),
        ("{", r"is not valid JSON: .*; correct it, or write it again"),
        (
            '{"format": "treewright schema", "format": 1}',
            r"Schema .* is not valid JSON: Byte 32, in field format: this key occurs twice in the object",
        ),
        ("[" * 100_000, r"is not valid JSON: .*; correct it, or write it again"),
        ([], r"Schema .* must be a JSON object; correct it, or write the schema again"),
        (changed(format="gone"), "field format must be 'treewright schema' in a schema file"),
        (changed(format="treewright"), "field format must be 'treewright schema' in a schema file"),
        (
            changed(version="1"),
            r"Schema .*: field version must be an integer of at least 1; correct it, or write the schema again",
        ),
        (
            changed(version=True),
            r"Schema .*field version must be an integer of at least 1; correct it, or write the schema again",
        ),
        (
            changed(version=0),
            r"Schema .*field version must be an integer of at least 1; correct it, or write the schema again",
        ),
        (changed(version=2), r"Schema .* has version 2, which needs a newer Treewright; update Treewright"),
        (
            changed(colour=1),
            r"Schema .*: field colour is unknown; the fields are format, version, target, weights, missing,",
        ),
        (
            changed(target=3),
            r"Schema .*: field target must be a string; correct it, or write the schema again",
        ),
        (changed(target="z"), "field target must be one of the columns, got 'z'"),
        (changed(target="i"), "field target must not be an ignored column, got 'i'"),
        (changed(weights="y"), "field weights must not be the target, got 'y'"),
        (changed(weights="c"), "field weights must be a column of kind 'number', got 'c'"),
        (
            changed(missing="?"),
            r"Schema .*field missing must be a list of strings; correct it, or write the schema again",
        ),
        (
            changed(missing=[1, 2]),
            r"Schema .*field missing must be a list of strings; correct it, or write the schema again",
        ),
        (
            changed(missing=["?", "?"]),
            r"Schema .*: field missing must not contain a string twice; correct it, or write the schema again",
        ),
        (
            changed(columns="gone"),
            r"Schema .*field columns must be a list of columns; correct it, or write the schema again",
        ),
        (
            changed(columns=[]),
            r"Schema .*field columns must be a list of columns; correct it, or write the schema again",
        ),
        (changed(columns=[1, 2]), "field columns"),
        (
            changed(columns=[["x"]]),
            r"Schema .*: field columns\[0\] must be a JSON object; correct it, or write the schema again",
        ),
        (
            column(kind="number"),
            r"Schema .*: field columns\[6\]\.name is missing; correct it, or write the schema again",
        ),
        (
            column(name=5, kind="number"),
            r"Schema .*: field columns\[6\]\.name must be a string; correct it, or write the schema again",
        ),
        (
            column(name="x", kind="number"),
            r"Schema .*: field columns\[6\]\.name must be unique, got 'x' twice; correct it, or write the schema again",
        ),
        (
            column(name="z"),
            r"Schema .*: field columns\[6\]\.kind must be one of 'number', 'category', 'ordered', 'date', 'ignored'",
        ),
        (
            column(name="z", kind=["number"]),
            r"Schema .*field columns\[6\]\.kind must be one of 'number', 'category', 'ordered', 'date', 'ignored'; ",
        ),
        (
            column(name="z", kind="text"),
            r"Schema .*field columns\[6\]\.kind must be one of 'number', 'category', 'ordered', 'date', 'ignored'; ",
        ),
        (
            column(name="z", kind="ordered"),
            r"Schema .*: field columns\[6\]\.levels is missing; correct it, or write the schema again",
        ),
        (
            column(name="z", kind="number", levels=["a"]),
            r"Schema .*: field columns\[6\]\.levels is not allowed for kind 'number'",
        ),
        (
            column(name="z", kind="category", levels=[1, 2]),
            r"Schema .*: field columns\[6\]\.levels must be a list of strings",
        ),
        (
            column(name="z", kind="category", levels=["a", "a"]),
            r"Schema .*: field columns\[6\]\.levels must not contain a string twice; correct it, or write the",
        ),
        (
            column(name="z", kind="number", colour=1),
            r"Schema .*: field columns\[6\]\.colour is unknown; the fields are name, kind, levels",
        ),
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
    with pytest.raises(InputError, match="File not found"):
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
