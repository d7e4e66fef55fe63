"""`predict` and `predict_proba` on a source: what they give for the same rows in memory, and all columns."""

import os
import sys
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from sklearn.base import clone

from tests.export.hostile import HOSTILE
from tests.export.walk import ends, mixed, models
from treewright import CARTClassifier, CARTRegressor, MDLTreeClassifier, TreeClassifier
from treewright.errors import ExportError, InputError, UnseenCategoryWarning
from treewright.estimators.prediction import encode_columns, prediction_policy
from treewright.export.scoring import scoring_of
from treewright.scale import local

FILL = {"city": "Oslo", "grade": "low", "age": 1.0, "income": 1.0}
LAZY = ["duckdb", "polars", "dask", "ibis"]
MODELS = models()


def rows_to_predict(n=240):
    """Other rows than in training, with an unseen category, in another order of columns and with more columns."""
    X = mixed(n, seed=5)[0].astype({"grade": object})
    X.loc[::7, "city"] = "Cairo"
    X = X.astype({"city": object}).where(X.notna(), None)
    X["age"], X["income"] = X["age"].astype(float), X["income"].astype(float)
    X = X[["city", "income", "grade", "age"]]
    X.insert(1, "row", np.arange(n))
    return X.assign(note=[f"note {i}" for i in range(n)])


def parts_of(frame, place, n_files=3, form="parquet"):
    place.mkdir()
    for i, part in enumerate(np.array_split(np.arange(len(frame)), n_files)):
        table = pa.Table.from_pandas(frame.iloc[part], preserve_index=False)
        write = pyarrow.parquet.write_table if form == "parquet" else pyarrow.csv.write_csv
        write(table, str(place / f"{i}.{form}"))
    return f"{place}/*.{form}"


def open_source(library, frame):
    """The rows as a source of a library; it must be there."""
    pytest.importorskip(library)
    if library == "duckdb":
        import duckdb

        return duckdb.connect().from_arrow(pa.Table.from_pandas(frame, preserve_index=False))
    if library == "polars":
        import polars as pl

        return pl.from_pandas(frame).lazy()
    if library == "dask":
        import dask.dataframe as dd

        return dd.from_pandas(frame, npartitions=3)
    import ibis

    database = ibis.sqlite.connect()
    fill(database.con, frame)
    return database.table("source")


def fill(connection, frame):
    """Put the rows into a table of SQLite, by SQLite itself."""
    def quote(name):
        return '"' + name.replace('"', '""') + '"'

    types = ["REAL" if one.kind in "fi" else "TEXT" for one in frame.dtypes]
    columns = ", ".join(f"{quote(name)} {kind}" for name, kind in zip(frame.columns, types, strict=True))
    connection.execute(f"CREATE TABLE source ({columns})")
    cells = frame.astype(object).where(frame.notna(), None).values.tolist()
    connection.executemany(f"INSERT INTO source VALUES ({', '.join('?' * len(types))})", cells)


def fetch(found, library):
    """The rows of a lazy frame in memory."""
    if library == "duckdb":
        return found.df()
    if library == "polars":
        return found.collect(engine="streaming").to_pandas()
    if library == "dask":
        return found.compute()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Ibis about pandas
        return found.execute()


def expected_of(model, frame):
    """For each row by its number: the class and the probabilities, or None for a row that is refused.

    In memory a row is refused if it lacks any value; in a database, if it lacks one that is tested on its path.
    """
    names, lenient = list(model.feature_names_in_), clone(model)
    lenient.__dict__ |= vars(model) | {"missing_predict": "majority"}
    scoring, codes = scoring_of(model), prediction_policy(model.tree_, "majority", model.unseen_category)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        for i, number in enumerate(frame["row"].tolist()):
            row = frame[names].iloc[i : i + 1]
            try:
                found[number] = model.predict(row)[0], model.predict_proba(row)[0]
            except InputError as error:
                is_met = "missing value" not in str(error)
                if not is_met:
                    is_met = ends(scoring, encode_columns(model.tree_, row, codes).values[0]) is None
                found[number] = None if is_met else (lenient.predict(row)[0], lenient.predict_proba(row)[0])
    return found


@pytest.mark.parametrize("library", LAZY)
@pytest.mark.parametrize("name", [name for name in MODELS if "regression" not in name])
def test_it_predicts_what_it_predicts_in_memory(name, library):
    model, frame = MODELS[name], rows_to_predict()
    expected = expected_of(model, frame)
    refuses = None in expected.values()
    source = open_source(library, frame)
    if refuses and library in ("polars", "dask"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnseenCategoryWarning)
            found = model.predict(source)
            with pytest.raises(Exception, match=r"has a missing value|does not occur"):
                fetch(found, library)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        classes = fetch(model.predict(source), library)
        both = fetch(model.predict_proba(source), library)
    assert list(classes.columns) == [*frame.columns, "prediction"]
    new = [f"probability_{label}" for label in model.classes_]
    assert list(both.columns) == [*frame.columns, "prediction", *new]
    for found in (classes, both):
        assert sorted(found["row"]) == frame["row"].tolist()
        again = found.set_index("row")
        assert again["note"].to_dict() == frame.set_index("row")["note"].to_dict()
        for number, one in expected.items():
            predicted = again.loc[number, "prediction"]
            assert pd.isna(predicted) if one is None else predicted == one[0]
    probabilities = both.set_index("row")[new].astype(float)
    for number, one in expected.items():
        values = probabilities.loc[number].to_numpy()
        if one is None:
            assert np.isnan(values).all()
        else:
            assert np.abs(values - one[1]).max() <= 1e-12
    assert name == "single leaf" or len(set(classes["prediction"].dropna())) > 1


@pytest.mark.parametrize("library", LAZY)
@pytest.mark.parametrize("name", ["regression", "regression fractional"])
def test_a_regression_tree_predicts_numbers(name, library):
    model, frame = MODELS[name], rows_to_predict()
    names = list(model.feature_names_in_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        expected = model.predict(frame[names])
        found = fetch(model.predict(open_source(library, frame)), library).sort_values("row")
    assert np.allclose(found["prediction"].astype(float), expected, rtol=1e-12, atol=0)
    assert len(set(expected)) > 3


@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("cart refused", "cart unseen refused")])
def test_files_give_arrays_in_the_order_of_the_rows(name, form, tmp_path, monkeypatch):
    monkeypatch.setattr(local, "BATCH_ROWS", 50)
    model, frame = MODELS[name], rows_to_predict()
    source = parts_of(frame, tmp_path / "parts", form=form)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        X = frame[list(model.feature_names_in_)]
        found, expected = model.predict(source), model.predict(X)
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)
        if name.startswith("regression"):
            return
        assert np.array_equal(model.predict_proba(source), model.predict_proba(X))
        assert np.array_equal(model.predict_log_proba(source), model.predict_log_proba(X))


def test_files_warn_once_of_unseen_categories_with_the_number_of_all_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(local, "BATCH_ROWS", 50)
    frame = rows_to_predict()
    source = parts_of(frame, tmp_path / "parts")
    n = Counter(frame["city"])["Cairo"]
    with pytest.warns(UnseenCategoryWarning, match=rf"'Cairo' in column 'city' \({n} rows\)") as said:
        MODELS["mdl"].predict(source)
    assert len(said) == 1


def test_a_file_of_texts_is_read_by_the_types_of_the_model(tmp_path):
    """Codes such as 01 stay texts, and a column that is empty in one file is a number."""
    X = pd.DataFrame({"code": ["01", "02", "1", "2"] * 30, "x": np.arange(120.0)})
    y = np.where((X["code"] == "01") | (X["x"] > 100), "a", "b")
    model = CARTClassifier(missing="learned", pruning=None).fit(X, y)
    rows = pd.DataFrame({"x": [None, None, None], "more": [1, 2, 3], "code": ["01", "1", None]})
    rows.to_csv(tmp_path / "a.csv", index=False)
    expected = model.predict(rows[["code", "x"]].astype({"x": float}))
    assert np.array_equal(model.predict(str(tmp_path / "a.csv")), expected)
    assert expected.tolist()[:2] == ["a", "b"]


def test_a_path_is_a_path(tmp_path):
    frame = rows_to_predict().drop(columns="city").assign(city="Oslo")
    parts_of(frame, tmp_path / "parts")
    model = MODELS["mdl"]
    expected = model.predict(frame[list(model.feature_names_in_)])
    assert np.array_equal(model.predict(tmp_path / "parts"), expected)
    with pytest.raises(InputError, match="No file is named"):
        model.predict(str(tmp_path / "none.parquet"))


@pytest.mark.parametrize("library", [*LAZY, "files"])
def test_missing_columns_are_named(library, tmp_path):
    frame = rows_to_predict().drop(columns=["age", "city"])
    source = parts_of(frame, tmp_path / "parts") if library == "files" else open_source(library, frame)
    with pytest.raises(InputError, match="Columns 'age', 'city' of the model not found in the source, which has 'row'"):
        MODELS["mdl"].predict(source)
    with pytest.raises(InputError, match="not found in the source"):
        MODELS["mdl"].predict_proba(source)


@pytest.mark.parametrize("library", LAZY)
def test_names_of_new_columns_must_be_free(library):
    frame = rows_to_predict().rename(columns={"note": "Prediction"})
    with pytest.raises(InputError, match="has a column 'Prediction', which is the name of a column of predictions"):
        MODELS["mdl"].predict(open_source(library, frame))
    frame = rows_to_predict().rename(columns={"note": "probability_a"})
    known = frame.fillna(value=FILL).replace("Cairo", "Oslo")
    assert "probability_a" in fetch(MODELS["mdl"].predict(open_source(library, known)), library)
    with pytest.raises(InputError, match="has a column 'probability_a'"):
        MODELS["mdl"].predict_proba(open_source(library, frame))


NAMES = [name for name in HOSTILE if name and not set("\x00\ud800\udfff") & set(name)]


@pytest.mark.parametrize("library", LAZY)
def test_hostile_names_and_categories_and_classes(library):
    """Names of columns, of categories and of classes are values, whatever they contain."""
    rng, n = np.random.default_rng(3), 600
    plain = ["treewright_leaf", "data", "routed", "leaves", "c0", "x0", "p0", "select", "1=1; DROP TABLE source; --"]
    names = [*NAMES[:12], *plain, 'a "b".c', "a.b", "a`b", "{rows}", "]"]
    frame = pd.DataFrame({name: rng.choice(NAMES, n) for name in names})
    y = np.array(NAMES)[rng.integers(0, len(NAMES), n)]
    y = np.where(frame[names[0]] == NAMES[3], NAMES[5], np.where(frame["a.b"] == NAMES[7], NAMES[9], y))
    model = CARTClassifier(missing="learned", max_depth=6, pruning=None).fit(frame, y)
    source = frame.assign(row=np.arange(n))[["row", *reversed(names)]]
    found = fetch(model.predict_proba(open_source(library, source)), library).sort_values("row")
    assert list(found.columns)[: len(names) + 1] == list(source.columns)
    assert found["prediction"].tolist() == model.predict(frame).tolist()
    assert np.abs(found.iloc[:, -len(model.classes_) :].to_numpy(float) - model.predict_proba(frame)).max() <= 1e-12
    assert found[names[0]].tolist() == frame[names[0]].tolist()


def test_classes_that_differ_in_case_have_columns_of_their_own():
    import duckdb

    X, y = [[1.0], [2.0], [3.0], [4.0]], ["Yes", "yes", "YES", "no"]
    model = CARTClassifier(pruning=None, missing="learned").fit(X, y)
    found = model.predict_proba(duckdb.sql("SELECT unnest([1.0, 2.0, 3.0, 4.0]) AS x0"))
    assert found.columns[2:] == ["probability_YES", "probability_Yes_2", "probability_no", "probability_yes_3"]
    assert min(found.fetchall())[1:] == ("Yes", 0.0, 1.0, 0.0, 0.0)


@pytest.mark.parametrize("classes", [[False, True], [3, 700]])
@pytest.mark.parametrize("library", LAZY)
def test_classes_keep_their_type(library, classes):
    frame = rows_to_predict()[["row", "income"]].dropna()
    X = frame[["income"]]
    y = np.where(X["income"] > 20, *classes[::-1])
    model = CARTClassifier(pruning=None, missing="learned").fit(X, y)
    found = fetch(model.predict(open_source(library, frame)), library).sort_values("row")
    assert found["prediction"].tolist() == y.tolist()
    assert isinstance(found["prediction"].tolist()[0], bool if classes[1] is True else int)


def test_categories_that_are_numbers_or_booleans():
    import duckdb

    rng, n = np.random.default_rng(0), 400
    frame = pd.DataFrame({"code": rng.integers(0, 6, n), "flag": rng.random(n) < 0.4})
    y = np.where(frame["code"].isin([1, 4]) ^ frame["flag"], "a", "b")
    model = TreeClassifier(categorical_features=["code"], missing="learned", pruning=None).fit(frame, y)
    for kind in ("TINYINT", "DOUBLE", "DECIMAL(9, 2)"):
        table = pa.Table.from_pandas(frame.assign(row=np.arange(n)))
        source = duckdb.connect().from_arrow(table).project(f"row, flag, code::{kind} AS code")
        found = sorted(model.predict(source).project("row, prediction").fetchall())
        assert [one for _, one in found] == y.tolist()


def test_numbers_of_32_bits_are_compared_as_numbers_of_64():
    """0.1 in 32 bits is above 0.1 in 64 bits: DuckDB alone would compare both in 32 bits."""
    import duckdb

    model = CARTClassifier(pruning=None, missing="learned").fit([[0.0], [0.2]], ["low", "high"])
    assert model.tree_.threshold[0] == 0.1
    cell = np.float32(0.1)
    assert model.predict(np.array([[cell]], np.float32)).tolist() == ["high"]
    assert model.predict(duckdb.sql("SELECT 0.1::FLOAT AS x0")).fetchall()[0][1] == "high"


def test_an_integer_column_and_an_enum_and_a_dictionary_are_read(tmp_path):
    import duckdb

    frame = pd.DataFrame({"n": [1, 2, 3, 4] * 10, "word": ["a", "b", "c", "a"] * 10})
    model = CARTClassifier(pruning=None, missing="learned").fit(frame, frame["word"] + (frame["n"] > 2).astype(str))
    expected = model.predict(pd.DataFrame({"n": [1, 4], "word": ["c", "a"]})).tolist()
    source = duckdb.sql("SELECT unnest([1, 4])::UTINYINT AS n, unnest(['c', 'a'])::ENUM('a', 'c', 'z') AS word")
    assert [row[-1] for row in sorted(model.predict(source).fetchall())] == expected
    table = pa.table({"n": pa.array([1, 4], pa.int8()), "word": pa.array(["c", "a"]).dictionary_encode()})
    pyarrow.parquet.write_table(table, str(tmp_path / "a.parquet"))
    assert model.predict(tmp_path / "a.parquet").tolist() == expected


@pytest.mark.parametrize("library", ["duckdb", "ibis"])
def test_a_column_of_another_type_is_named(library):
    frame = rows_to_predict().drop(columns="age").assign(age="old")
    with pytest.raises(InputError, match=r"Column 'age' of the source has the type String, .* fitted on numbers"):
        MODELS["mdl"].predict(open_source(library, frame))


def test_what_sql_cannot_express_is_refused_with_the_names_of_the_user():
    X = pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2021-05-05", "2022-03-03", "2023-02-02"] * 5)})
    y = (X["day"] > pd.Timestamp("2021-06-01")).map({True: "late", False: "early"})
    model = CARTClassifier(pruning=None, missing="learned").fit(X, y)
    with pytest.raises(ExportError, match="Column 'day' has dates"):
        model.predict(open_source("duckdb", X))
    found = fetch(model.predict(open_source("polars", X)), "polars")
    assert found["prediction"].tolist() == y.tolist()


def test_an_engine_of_ibis_without_sql_is_named():
    ibis = pytest.importorskip("ibis")
    import polars as pl

    source = ibis.polars.connect({"t": pl.DataFrame({"x0": [1.0]})}).table("t")
    model = CARTClassifier(pruning=None, missing="learned").fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(ExportError, match="There is no SQL for the backend 'polars' of Ibis"):
        model.predict(source)


def test_ibis_writes_a_statement_that_duckdb_executes(monkeypatch):
    """Ibis needs not fetch the rows: the statement it makes is executed here by DuckDB itself."""
    ibis, duckdb = pytest.importorskip("ibis"), pytest.importorskip("duckdb")
    if not hasattr(duckdb.DuckDBPyConnection, "fetch_arrow_table"):  # which Ibis 12 calls, and DuckDB 2 renamed
        arrow = duckdb.DuckDBPyConnection.to_arrow_table
        monkeypatch.setattr(duckdb.DuckDBPyConnection, "fetch_arrow_table", arrow, raising=False)
    frame, model = rows_to_predict(), MODELS["c45"]
    database = ibis.duckdb.connect()
    database.con.register("registered", pa.Table.from_pandas(frame, preserve_index=False))
    database.con.execute("CREATE TABLE source AS SELECT * FROM registered")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of DuckDB about Ibis
        found = model.predict_proba(database.table("source"))
    rows = database.con.execute(str(ibis.to_sql(found))).fetchall()
    expected = expected_of(model, frame)
    assert len(rows) == len(frame)
    for row in rows:
        label, probabilities = expected[row[1]]
        assert row[6] == label
        assert np.abs(np.array(row[7:]) - probabilities).max() <= 1e-12


@pytest.mark.parametrize("library", LAZY)
def test_frames_go_on_as_frames(library):
    """They are lazy: filters and selections of the result are computed with it."""
    frame = rows_to_predict().drop(columns="city").assign(city="Oslo")
    model = MODELS["mdl"]
    expected = model.predict(frame[list(model.feature_names_in_)])
    found = model.predict(open_source(library, frame))
    if library == "duckdb":
        rows = found.filter("prediction = 'a' AND row > 20").project("row").fetchall()
        rows = [row for (row,) in rows]
    elif library == "polars":
        import polars as pl

        rows = found.filter((pl.col("prediction") == "a") & (pl.col("row") > 20)).select("row").collect()["row"]
    elif library == "dask":
        rows = found[(found["prediction"] == "a") & (found["row"] > 20)]["row"].compute()
    else:
        rows = fetch(found.filter((found["prediction"] == "a") & (found["row"] > 20)).select("row"), library)["row"]
    assert sorted(rows) == [i for i, label in enumerate(expected) if label == "a" and i > 20]
    assert len(rows) > 5


def test_nothing_stays_behind_in_the_database():
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE TABLE source AS SELECT unnest([1.0, 2.0]) AS x0")
    model = CARTClassifier(pruning=None, missing="learned").fit([[1.0], [2.0]], ["a", "b"])
    found = model.predict(connection.table("source"))
    assert sorted(found.fetchall()) == [(1.0, "a"), (2.0, "b")]
    views = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
    tables = "SELECT table_name FROM duckdb_tables()"
    assert connection.execute(views).fetchall() == []
    assert connection.execute(tables).fetchall() == [("source",)]


@pytest.mark.parametrize("library", ["duckdb", "polars", "dask"])
def test_a_source_without_rows(library, tmp_path):
    frame, model = rows_to_predict().fillna(value=FILL).replace("Cairo", "Oslo"), MODELS["mdl"]
    if library == "duckdb":
        assert model.predict_proba(open_source(library, frame).filter("row < 0")).fetchall() == []
    elif library == "polars":
        assert model.predict_proba(open_source(library, frame).head(0)).collect().height == 0
    else:
        found = model.predict_proba(open_source(library, frame))
        assert len(found[found["row"] < 0].compute()) == 0
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame[:0]), str(tmp_path / "a.parquet"))
    assert model.predict(tmp_path / "a.parquet").shape == (0,)
    assert model.predict_proba(tmp_path / "a.parquet").shape == (0, 3)


def test_other_methods_name_what_takes_a_source():
    frame = rows_to_predict()
    source = open_source("duckdb", frame)
    for work in (MODELS["mdl"].apply, MODELS["mdl"].decision_path):
        with pytest.raises(InputError, match="can be used in fit, predict and predict_proba"):
            work(source)
    with pytest.raises(InputError, match="predict_log_proba takes a table in memory or a path"):
        MODELS["mdl"].predict_log_proba(source)


def test_a_model_that_was_fitted_on_a_source_predicts_it(tmp_path):
    frame, y, _ = mixed(600, seed=1)
    frame = frame.astype({"grade": object}).assign(target=y)
    source = parts_of(frame, tmp_path / "parts")
    model = MDLTreeClassifier().fit(source, y="target")
    assert np.array_equal(model.predict(source), model.predict(frame.drop(columns="target")))
    assert (model.predict(source) == y).mean() > 0.6


def test_an_unfitted_model_is_refused(tmp_path):
    from sklearn.exceptions import NotFittedError

    for model in (CARTClassifier(), CARTRegressor()):
        with pytest.raises(NotFittedError):
            model.predict(str(tmp_path / "a.parquet"))


@pytest.mark.long
def test_spark(tmp_path):
    pyspark = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = pyspark.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.warehouse.dir", str(tmp_path)).getOrCreate()
    try:
        frame = rows_to_predict()
        source = session.read.parquet(parts_of(frame, tmp_path / "parts").replace("*", "[0-9]"))
        for name in ("c45", "cart learned", "cart stop", "cart refused", "costs", "mdl"):
            expected, both = expected_of(MODELS[name], frame), MODELS[name].predict_proba(source)
            assert both.columns == [*frame.columns, "prediction", "probability_a", "probability_b", "probability_c"]
            for row in both.collect():
                one = expected[row["row"]]
                assert row["prediction"] == (one and one[0])
                assert one is None or np.abs(np.array(row[-3:]) - one[1]).max() <= 1e-12
        assert session.catalog.listTables() == []
        _hostile_names_on_spark(session)
    finally:
        session.stop()


def _hostile_names_on_spark(session):
    names = ["a.b", "a`b", "{rows}", 'a"b', "x\\y", "prediction of", "line\nbreak"]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.choice(["{}", "`", "\\", "'", "a\nb"], 300) for name in names})
    y = frame["a`b"] + frame["{rows}"]
    model = CARTClassifier(pruning=None, missing="learned").fit(frame, y)
    source = session.createDataFrame(frame.values.tolist(), [f"k{i}" for i in range(len(names))]).toDF(*names)
    found = model.predict_proba(source).collect()
    expected = Counter(zip(*frame.values.T.tolist(), model.predict(frame).tolist(), strict=True))
    assert Counter(tuple(row)[: len(names) + 1] for row in found) == expected
