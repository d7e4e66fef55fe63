"""Tables on disk: polars' own readers read what is written, and formulas are made harmless."""

import csv
import gzip

import polars as pl
import pytest
import zstandard

from treewright.data.files.table_writer import (
    LEADING,
    format_from_name,
    is_formula,
    safe_formulas,
    safe_text,
    write_table,
)
from treewright.errors import InputError, ParameterError

FRAME = pl.DataFrame(
    {"n": [1, None, -3], "f": [0.5, None, -2.0], "s": ["a,b", 'say "x"', None], "色": ["红", "", "\t"]}
)
READERS = {
    "csv": pl.read_csv,
    "tsv": lambda file: pl.read_csv(file, separator="\t"),
    "parquet": pl.read_parquet,
    "arrow": pl.read_ipc,
    "jsonl": pl.read_ndjson,
}


@pytest.mark.parametrize("kind", READERS)
def test_read_again(kind, tmp_path):
    write_table(FRAME, tmp_path / f"x.{kind}")
    assert READERS[kind](tmp_path / f"x.{kind}").equals(FRAME)


def test_by_name_or_said(tmp_path):
    write_table(FRAME, tmp_path / "x", "parquet")
    assert pl.read_parquet(tmp_path / "x").equals(FRAME)
    assert [format_from_name(f"x{end}") for end in (".TSV", ".feather", ".ndjson", ".csv.zst", ".arff")] == [
        "tsv",
        "arrow",
        "jsonl",
        "csv",
        None,
    ]
    with pytest.raises(
        InputError,
        match=r"Unknown extension of 'y'; use \.csv, \.tsv, \.parquet, \.arrow or \.jsonl, or pass `format`",
    ):
        write_table(FRAME, tmp_path / "y")
    with pytest.raises(ParameterError, match=r"format must be one of 'csv'.*, got 'xls'"):
        write_table(FRAME, tmp_path / "y", "xls")


def test_compressed(tmp_path):
    write_table(FRAME, tmp_path / "plain.csv")
    plain = (tmp_path / "plain.csv").read_bytes()
    write_table(FRAME, tmp_path / "x.csv.gz")
    write_table(FRAME, tmp_path / "x.csv.zst")
    assert gzip.decompress((tmp_path / "x.csv.gz").read_bytes()) == plain
    assert zstandard.ZstdDecompressor().decompress((tmp_path / "x.csv.zst").read_bytes()) == plain


def test_nothing_is_overwritten_or_half_written(tmp_path):
    (tmp_path / "x.csv").write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        write_table(FRAME, tmp_path / "x.csv")
    with pytest.raises(Exception, match="nested"):  # polars' own words: CSV holds no lists
        write_table(pl.DataFrame({"a": [[1, 2]]}), tmp_path / "x.csv", overwrite=True)
    assert (tmp_path / "x.csv").read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir()] == ["x.csv"]
    write_table(FRAME, tmp_path / "x.csv", overwrite=True)
    assert pl.read_csv(tmp_path / "x.csv").equals(FRAME)


@pytest.mark.parametrize("leading", LEADING)
def test_a_formula_gets_an_apostrophe(leading, tmp_path):
    text = f"{leading}cmd|' /C calc'!A0"
    frame = safe_formulas(pl.DataFrame({text: [text, "plain", None, f" {text}"], "n": [-1, 2, None, 3]}))
    write_table(frame, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        head, first, second, third, fourth = csv.reader(file)
    assert head == [f"'{text}", "n"]
    assert first == [f"'{text}", "-1"]  # a negative number stays one
    assert (second[0], third[0], fourth[0]) == ("plain", "", f" {text}")
    assert safe_text(text) == f"'{text}"
    assert not is_formula(safe_text(text))


def test_formulas_in_categories():
    frame = pl.DataFrame({"a": pl.Series(["=x", "y"], dtype=pl.Enum(["y", "=x"]))})
    assert safe_formulas(frame)["a"].to_list() == ["'=x", "y"]
    assert safe_formulas(pl.DataFrame({"n": [-1.5]})).rows() == [(-1.5,)]
