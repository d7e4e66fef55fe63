"""A model fitted on pandas, saved and loaded, answers the same rows from polars, numpy, pyarrow and a CSV file."""

import warnings

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import treewright
from tests.golden.sets import load as load_set
from tests.golden.sets import schema_of
from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier
from treewright.data.files.model_rows import select_model_columns

SETS = ["golf", "labor", "vote", "credit_a", "titanic", "penguins", "hepatitis", "watermelon30", "autompg", "servo"]


def answers(model, rows):
    """Classes or numbers, and leaves, without a word about names that an array does not have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return model.predict(rows).tolist(), model.apply(rows).tolist()


@pytest.mark.parametrize("name", SETS)
def test_the_same_rows_from_everywhere(name, shared, tmp_path):
    table, target = load_set(shared, name)
    is_class = schema_of(shared)[name]["task"] == "classification"
    kinds = [C45Classifier(), CARTClassifier(), TreeClassifier(missing="learned")] if is_class else [CARTRegressor()]
    table.to_csv(tmp_path / "rows.csv", index=False)
    from_polars = pl.from_pandas(table)
    words = [column for column in table.columns if table[column].dtype == "category"]
    read = treewright.read(tmp_path / "rows.csv", categorical=words)
    text = pl.read_csv(tmp_path / "rows.csv", infer_schema=False)
    for estimator in kinds:
        estimator.fit(table, target).save(tmp_path / "model.json", overwrite=True)
        model = treewright.load(tmp_path / "model.json")
        expected = answers(estimator, table)
        assert answers(model, table) == expected
        assert answers(model, from_polars) == expected
        assert answers(model, from_polars.to_arrow()) == expected
        assert answers(model, table.astype(object).to_numpy()) == expected
        assert answers(model, read.X) == expected
        assert answers(model, select_model_columns(text, model.tree_.schema.columns, by_name=True)) == expected
        assert answers(model.tree_, from_polars) == expected
        assert isinstance(from_polars.to_arrow(), pa.Table)


def test_plain_arrays_of_numbers(tmp_path):
    rows = np.arange(60.0).reshape(20, 3) % 7
    model = CARTClassifier(pruning=None).fit(rows, rows[:, 0] > rows[:, 1])
    model.save(tmp_path / "model.json")
    again = treewright.load(tmp_path / "model.json")
    for table in (rows, rows.astype(np.float32), rows.astype(int), rows.tolist(), pl.DataFrame(rows)):
        assert answers(again, table) == answers(model, rows)
