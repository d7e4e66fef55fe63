"""treewright.read: hand-made files, what the user may say about them, and one sentence for each that cannot be read."""

import bz2
import datetime as dt
import gzip
import io
import lzma
import os
import sys

import numpy as np
import polars as pl
import pytest
import zstandard

import treewright
from treewright import C45Classifier, CARTRegressor, Data, InputError, KindError, ParameterError, read
from treewright.data.schema import Kind

GOLF = "outlook,humidity,windy,play\nsunny,85,false,no\nrain,?,true,yes\novercast,78,NA,yes\n"


def test_a_table_a_target_and_what_they_are(put):
    data = read(put(GOLF), "play")
    X, y = data
    assert X.rows() == [("sunny", 85.0, "false"), ("rain", None, "true"), ("overcast", 78.0, None)]
    assert X.dtypes == [pl.String, pl.Float64, pl.String]
    assert y.to_list() == ["no", "yes", "yes"]
    assert y.name == data.target == "play"
    assert data.sample_weight is None
    assert data.categorical_features == "from_dtype"
    assert data.notes == ()
    assert [(c.name, c.kind, c.n_values, c.n_missing) for c in data.columns] == [
        ("outlook", "category", 3, 0),
        ("humidity", "number", 2, 1),
        ("windy", "category", 2, 1),
        ("play", "target", 2, 0),
    ]
    assert len(data) == 3
    assert isinstance(data, Data)


def test_without_a_target_all_columns_are_features(put):
    data = read(put(GOLF))
    assert data.y is None
    assert data.target is None
    assert data.X.width == 4


def test_what_is_read_can_be_learned(put):
    X, y = read(put(GOLF), "play")
    assert C45Classifier().fit(X, y).classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize(
    ("compress", "end"),
    [
        (gzip.compress, ".gz"),
        (bz2.compress, ".bz2"),
        (lzma.compress, ".xz"),
        (zstandard.compress, ".zst"),
        (gzip.compress, ""),
    ],
)
def test_compressed_files_are_known_by_their_bytes(put, compress, end):
    assert read(put(compress(GOLF.encode()), f"golf.csv{end}")).X.equals(read(put(GOLF)).X)


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(GOLF.encode()))))
    data = read("-", "play")
    assert data.X.height == 3
    assert data.source == "standard input"


def test_the_path_may_be_relative_or_of_home(put, monkeypatch):
    path = put(GOLF)
    monkeypatch.setenv("HOME", str(path.parent))
    monkeypatch.chdir(path.parent)
    assert read("table.csv").X.equals(read("~/table.csv").X)


def test_names_with_stars_and_schemes_are_names(put):
    put(GOLF, "table1.csv")
    assert read(put("a,b\n1,2\n", "table*.csv")).X.rows() == [(1.0, 2.0)]
    with pytest.raises(InputError, match=r"File not found: .s3:/bucket/golf.csv."):
        read("s3://bucket/golf.csv")


class TestSaid:
    """What the user says goes before what the cells look like."""

    def test_a_number_as_category_keeps_its_text(self, put):
        path = put("code,x\n1,2.50\n02,3\n")
        assert read(path, categorical=["code", "x"]).X.rows() == [("1", "2.50"), ("02", "3")]

    def test_a_category_as_number_names_the_first_bad_cell(self, put):
        path = put("age,x\n31,1\nmany,2\n")
        with pytest.raises(
            InputError, match="Column 'age' must contain numbers, got 'many' in line 3; correct the cell"
        ):
            read(path, numeric="age")

    def test_codes_may_be_numbers(self, put):
        path = put("zip,id\n00123,12345678901234567\n00124,5\n")
        assert read(path, numeric=["zip", "id"]).X.rows() == [(123.0, 12345678901234568.0), (124.0, 5.0)]

    def test_ordered_levels(self, put):
        path = put("size,fits\nS,no\nL,yes\n,yes\nM,no\n")
        data = read(path, "fits", ordered={"size": ["S", "M", "L", "XL"]})
        assert data.X["size"].dtype == pl.Enum(["S", "M", "L", "XL"])
        assert data.categorical_features == {"size": ["S", "M", "L", "XL"]}
        model = C45Classifier(categorical_features=data.categorical_features).fit(*data)
        column = model.tree_.schema.columns[0]
        assert (column.kind, column.categories) == (Kind.ORDERED, ("S", "M", "L", "XL"))
        assert data.columns[0].why == "set by the user: S < M < L < XL"

    def test_ordered_numbers_are_text(self, put):
        assert read(put("grade,x\n1,5\n3,6\n"), ordered={"grade": [3, 2, 1]}).X["grade"].to_list() == [
            "1",
            "3",
        ]

    def test_a_level_that_is_not_listed(self, put):
        with pytest.raises(
            InputError,
            match="Column 'size' has the value 'XS' in line 3, which is not one of its levels; the closest are 'S'",
        ):
            read(put("size,x\nS,1\nXS,2\n"), ordered={"size": ["S", "M"]})

    def test_ignored_columns_are_not_read(self, put):
        data = read(put("day,x\n2024-01-05,1\n2024-01-06,2\n"), ignore=["day"])
        assert data.X.columns == ["x"]
        assert (data.columns[0].kind, data.columns[0].n_values) == ("ignored", None)

    def test_weights(self, put):
        data = read(put("x,w,y\n1,2,a\n2,0.5,b\n3,0,\n"), "y", weights="w")
        assert data.sample_weight.tolist() == [2.0, 0.5]
        assert data.X.columns == ["x"]
        assert data.sample_weight.dtype == np.float64
        CARTRegressor().fit(data.X, [1, 2], sample_weight=data.sample_weight)

    @pytest.mark.parametrize(
        ("cell", "sentence"),
        [
            ("-1", "a negative weight"),
            ("", "a missing weight"),
            ("heavy", "must contain numbers"),
            ("inf", "infinite"),
        ],
    )
    def test_bad_weights(self, put, cell, sentence):
        with pytest.raises(InputError, match=f"'w' .*{sentence}.* in line 3"):
            read(put(f"x,w,y\n1,2,a\n2,{cell},b\n"), "y", weights="w")

    def test_rows_without_a_target_are_left_out_and_counted(self, put):
        data = read(put("x,y\n1,a\n2,\n3,?\n4,b\n"), "y")
        assert data.X.rows() == [(1.0,), (4.0,)]
        assert data.y.to_list() == ["a", "b"]
        assert data.notes == ("Dropped 2 rows without a value in 'y'.",)

    def test_whole_targets_stay_whole(self, put):
        assert read(put("x,y\n1,1\n2,2\n"), "y").y.dtype == pl.Int64
        assert read(put("x,y\n1,1.5\n2,2\n"), "y").y.dtype == pl.Float64
        assert read(put("x,y\n1,1\n2,2\n"), "y", categorical=["y"]).y.to_list() == ["1", "2"]

    @pytest.mark.parametrize(
        ("given", "sentence"),
        [
            ({"target": "plya"}, "Unknown column 'plya' in `target`; the closest names are 'play'"),
            (
                {"weights": "w"},
                "Unknown column 'w' in `weights`; the closest names are 'outlook', 'humidity', 'windy',",
            ),
            ({"ignore": ["windi"]}, "Unknown column 'windi' in `ignore`; the closest names are 'windy'"),
            (
                {"categorical": ["zzz"]},
                "Unknown column 'zzz' in `categorical`; .*'outlook', 'humidity', 'windy', 'play'",
            ),
            (
                {"numeric": [3]},
                "Unknown column 3 in `numeric`; the closest names are 'outlook', 'humidity', 'windy',",
            ),
            (
                {"ordered": {"size": ["S"]}},
                "Unknown column 'size' in `ordered`; the closest names are 'outlook', 'humidity', 'windy',",
            ),
            (
                {"ordered": {"windy": "SML"}},
                r"`ordered` must list the categories of column 'windy' from low to high, got 'SML'",
            ),
            (
                {"ordered": {"windy": ["S", "S"]}},
                "`ordered` must list each category of column 'windy' once, got 'S' twice",
            ),
            (
                {"ordered": {"windy": []}},
                "`ordered` must list the categories of column 'windy' from low to high, got none",
            ),
            (
                {"ordered": ["windy"]},
                "`ordered` must map columns to their categories from low to high, got a list",
            ),
            (
                {"categorical": ["windy"], "numeric": ["windy"]},
                "Column 'windy' cannot be both category and number; choose one",
            ),
            (
                {"target": "play", "weights": "play"},
                "Column 'play' cannot be both target and weights; choose one",
            ),
            (
                {"target": "play", "ignore": ["play"]},
                "Column 'play' cannot be both target and ignored; choose one",
            ),
            ({"target": 3}, "`target` must be a column name, got 3"),
            ({"format": "xls"}, r"format must be one of 'csv', 'tsv', 'parquet'.*, got 'xls'"),
            ({"delimiter": "::"}, "`delimiter` must be one character, such as ',' or ';', got '::'"),
            ({"decimal": ";"}, r"`decimal` must be '\.' or ',', got ';'"),
            ({"decimal": ",", "delimiter": ","}, "`delimiter` and `decimal` must differ, got ',' for both"),
            (
                {"encoding": "klingon"},
                "`encoding` must be a text encoding, such as 'utf-8', .* or 'latin-1', got 'klingon'",
            ),
            (
                {"encoding": "base64"},
                "`encoding` must be a text encoding, such as 'utf-8', .* or 'latin-1', got 'base64'",
            ),
            ({"header": ["a"]}, r"`header` must have 4 names, one for each column of .*, got 1"),
        ],
    )
    def test_wrong_parameters(self, put, given, sentence):
        with pytest.raises(ParameterError, match=sentence):
            read(put(GOLF), **given)


class TestRefused:
    """Files that cannot be read, each with one sentence."""

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            ("", r".* has no rows; pass a file with rows"),
            ("\n \n\n", r".* has no rows; pass a file with rows"),
            ("a,b\n", r".* has column names, but no rows; pass a file with rows"),
            ("a,a\n1,2\n", r".* has several columns named 'a'; column names must be unique"),
            ("a,b\n1,2\n3\n", "Line 3 of .* has 1 cell, but the first row has 2"),
            ("a,b\n\n\n1,2\n3,4,5\n", "Line 5 of .* has 3 cells, but the first row has 2"),
            ('a,b\n1,"x\ny"\n3,4,5\n', "Line 4 of .* has 3 cells"),
            (
                'a,b\n1,"x\n2,3\n',
                "A quote that opens in or after line 2 is never closed; close it, or double it",
            ),
            (
                "a,b\n1,\0\n",
                r".* has a NUL byte in line 2, so it is not text; pass its encoding or format, or another file",
            ),
            (bytes(range(256)) * 9, "NUL byte in line 1"),
            (
                b"PK\x03\x04" + bytes(30),
                r".* is a zip archive or a spreadsheet, which is not supported; save the table as CSV or Parquet",
            ),
            (b"PAR1 and nothing else", "cannot be read as parquet"),
            (b"ARROW1 and nothing else", "cannot be read as arrow"),
            (
                "5.1,3.5\n4.9,3.0\n",
                r"The first line of .* must have the column names, got the number '5\.1'; pass header=False",
            ),
            ("x\ninf\n2\n", "'x' has the infinite value inf in line 2"),
            ("x\n1e999\n2\n", "'x' has the infinite value inf in line 2"),
        ],
    )
    def test_contents(self, put, content, sentence):
        with pytest.raises(InputError, match=sentence) as caught:
            read(put(content))
        assert "\n" not in str(caught.value)
        assert str(caught.value).endswith(".")

    def test_no_file_a_folder_and_no_name(self, tmp_path):
        with pytest.raises(InputError, match=r"File not found: .*nothing.csv'; check its name and folder"):
            read(tmp_path / "nothing.csv")
        with pytest.raises(InputError, match="is a folder; pass the name of a file in it"):
            read(tmp_path)
        with pytest.raises(InputError, match=r"`path` must be a file name, such as 'golf\.csv', got ''"):
            read("")
        for path in (3, b"golf.csv", None):
            with pytest.raises(KindError, match="`path` must be a string or a Path, got "):
                read(path)

    @pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
    def test_no_permission(self, put):
        path = put(GOLF)
        read(path)  # all that is imported is there before the rights are gone
        path.chmod(0)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)  # nobody
        try:
            with pytest.raises(InputError, match=r"No permission to read .*; change its permissions"):
                read(path)
        finally:
            if root:
                os.seteuid(0)

    def test_damaged_gzip(self, put):
        with pytest.raises(InputError, match="is a damaged or truncated gzip file"):
            read(put(gzip.compress(GOLF.encode())[:-12]))

    def test_nothing_left_to_learn(self, put):
        with pytest.raises(
            InputError,
            match=r"has no feature columns; ignore fewer columns, or pass another file",
        ):
            read(put("y\n1\n2\n"), "y")
        with pytest.raises(InputError, match=r"No row of .* has a value in 'y'"):
            read(put("x,y\n1,\n2,?\n"), "y")

    @pytest.mark.parametrize(
        "cell", ["2024-02-29", "29.02.2024", "2/29/2024", "2024-02-29T12:30:00Z", "12:30", "2024年2月9日"]
    )
    def test_dates(self, put, cell):
        path = put(f"when,x\n{cell},1\n,2\n{cell},3\n")
        assert read(path).columns[0].kind == "date"
        assert read(path, categorical=["when"]).X["when"].to_list() == [cell, None, cell]
        assert read(path, ignore=["when"]).X.columns == ["x"]

    def test_every_sentence_is_an_error_of_the_house(self, put):
        with pytest.raises(treewright.TreewrightError):
            read(put(""))


class TestDeclared:
    """ARFF and .names files say themselves what their columns are; the user may say otherwise."""

    ARFF = (
        "@relation golf\n@attribute outlook {sunny, rain, 'hot day'}\n@attribute temp numeric\n"
        "@attribute day date 'yyyy-MM-dd'\n@attribute play {yes, no}\n@data\n"
        "sunny, 85, '2024-01-01', yes\nrain, ?, '2024-01-02', no\n?, 70, '2024-01-03', ?\n"
    )

    def test_arff(self, put):
        for path in (put(self.ARFF, "golf.arff"), put(self.ARFF, "golf.txt")):
            data = read(path, "play")
            assert data.X.rows() == [("sunny", 85.0, dt.datetime(2024, 1, 1)), ("rain", None, dt.datetime(2024, 1, 2))]
            assert data.X["outlook"].dtype == pl.Enum(["sunny", "rain", "hot day"])
            assert data.y.to_list() == ["yes", "no"]
            assert [(c.kind, c.why) for c in data.columns] == [
                ("category", "declared in the file"),
                ("number", "declared in the file; constant"),
                ("date", "its type is Datetime"),
                ("target", "declared in the file"),
            ]
        assert read(path).target is None

    def test_arff_said_otherwise(self, put):
        path = put(self.ARFF, "golf.arff")
        data = read(path, "outlook", categorical=["temp", "day"], ordered={"play": ["no", "yes"]})
        assert data.X.columns == ["temp", "day", "play"]
        assert data.X["temp"].to_list() == ["85", None]
        assert data.categorical_features == {"play": ["no", "yes"]}

    def test_names(self, put):
        stem = put("no, yes.\nsize: [ordered] S, M, L.\nn: continuous.\nid: label.\n", "t.names").with_suffix(
            ""
        )
        put("S, 5, a, no.\nL, ?, b, yes.\n", "t.data")
        put("M, 7, c, no.\n", "t.test")
        for path in (stem, f"{stem}.names", f"{stem}.data"):
            data = read(path)
            assert data.X.rows() == [("S", 5.0), ("L", None)]
            assert data.y.to_list() == ["no", "yes"]
            assert data.categorical_features == {"size": ["S", "M", "L"]}
        assert read(f"{stem}.test").X.rows() == [("M", 7.0)]
