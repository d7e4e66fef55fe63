"""A column name is never a pattern: `*` and `^a.*$` name one column, as any other name does."""

import polars as pl
import pytest

import treewright
from treewright.data.files.column_kinds import number_text
from treewright.data.files.stream import open_stream
from treewright.data.files.table_writer import safe_formulas

PATTERNS = ["*", "^a.*$", "^x$", "ab", "x", "^.*$"]
PLAIN = ["c1", "c2", "c3", "c4", "c5", "c6"]
ROWS = [(i, f"0{i}", ["red", "=blue"][i % 2], i / 4, ["?", "7"][i % 3 > 0], ["yes", "no"][i // 4]) for i in range(8)]


def write_table(folder, names, end):
    """The rows under these names, as text or with types."""
    path = folder / f"{len(list(folder.iterdir()))}.{end}"
    frame = pl.DataFrame(ROWS, schema=names, orient="row")
    writers = {"csv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc", "jsonl": "write_ndjson"}
    getattr(frame, writers[end])(path)
    return path


@pytest.mark.parametrize("end", ["csv", "parquet", "arrow", "jsonl"])
def test_names_that_look_like_patterns_are_read_as_other_names(tmp_path, end):
    found = []
    for names in (PATTERNS, PLAIN):
        given = {"numeric": [names[1]], "categorical": [names[3]], "ignore": names[4]}
        X, y = treewright.read(write_table(tmp_path, names, end), names[5], **given)
        assert X.columns == names[:4]
        found.append((X.rows(), y.to_list(), X.dtypes))
    assert found[0] == found[1]
    assert found[0][0][1] == (1.0, 1.0, "=blue", "0.25")


@pytest.mark.parametrize("end", ["csv", "parquet", "arrow", "jsonl"])
def test_columns_of_a_stream_are_selected_by_their_exact_names(tmp_path, end):
    with open_stream(write_table(tmp_path, PATTERNS, end), size=16) as stream:
        frames = [batch.frame for batch in stream.batches(["^x$", "*"])]
    assert all(frame.columns == ["^x$", "*"] for frame in frames)
    assert [row[0] for frame in frames for row in frame.rows()] == [row[2] for row in ROWS]


def test_expressions_of_one_column():
    assert number_text(pl.Series("*", [1.0, 2.5])).to_list() == ["1", "2.5"]
    made = safe_formulas(pl.DataFrame({"*": ["=1"], "^*$": ["b"]}))
    assert made.rows(named=True) == [{"*": "'=1", "^*$": "b"}]


def test_a_polars_table_with_such_names_is_fitted():
    X = pl.DataFrame(ROWS, schema=PATTERNS, orient="row").with_columns(pl.Series("^x$", [None, 1, 2, 3, 4, 5, 6, 7]))
    y = X.get_column("^.*$").alias("^y$")
    plain = pl.DataFrame(X.get_columns()).rename(dict(zip(PATTERNS, PLAIN, strict=True)))
    odd = treewright.C45Classifier().fit(X, y, sample_weight=X.get_column("*") + 1)
    same = treewright.C45Classifier().fit(plain, y.to_list(), sample_weight=plain.get_column("c1") + 1)
    assert odd.predict(X).tolist() == same.predict(plain).tolist()
