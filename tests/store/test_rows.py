"""Training rows in a file: the same rows again, and only those the tree was grown on."""

import json

import numpy as np
import pytest

from tests.store.models import file_of, fitted, table
from treewright import CARTClassifier, CARTRegressor, ModelFormatError
from treewright.loading import load_bytes


@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_rows_come_back_bit_by_bit(kind, missing):
    model = fitted(kind, missing, None)
    kept = load_bytes(file_of(model, rows=True))._kept
    rows = model._kept
    assert kept.values.tobytes() == rows.values.tobytes()
    assert (kept.target.dtype, kept.target.tolist()) == (rows.target.dtype, rows.target.tolist())
    assert (kept.weight is None) == (rows.weight is None)
    assert rows.weight is None or kept.weight.tobytes() == rows.weight.tobytes()
    assert kept.copies == rows.copies
    assert kept.schema is load_bytes(file_of(model, rows=True)).tree_.schema or kept.schema == rows.schema


def test_edges_come_back():
    X = np.array([[5e-324, -0.0], [1e308, 1.0], [np.nan, -1e308], [1.0, 0.0]])
    model = CARTClassifier(pruning=None).fit(X, [0, 1, 0, 1])
    assert load_bytes(file_of(model, rows=True))._kept.values.tobytes() == model._kept.values.tobytes()


BAD = {
    "columns": lambda rows: rows["columns"].pop(),
    "columns[0].values": lambda rows: rows["columns"][0]["values"].pop(),
    "columns[2].values": lambda rows: rows["columns"][2]["values"].__setitem__(0, 9),
    "columns[1].values": lambda rows: rows["columns"][1]["values"].__setitem__(0, float("inf")),
    "target": lambda rows: rows["target"].__setitem__(0, 3),
    "copies": lambda rows: rows.update(copies=1),
    "weight": lambda rows: rows.update(weight=[-1.0] * len(rows["target"])),
    " must be the 90 rows the tree was grown on, got 0": lambda rows: rows.update(weight=[0.0] * len(rows["target"])),
    " have other targets": lambda rows: rows["target"].__setitem__(slice(None), [0] * len(rows["target"])),
    "extra": lambda rows: rows.update(extra=1),
}


@pytest.mark.parametrize(("field", "change"), BAD.items(), ids=list(BAD))
def test_other_rows_are_refused(field, change):
    told = json.loads(file_of(fitted(CARTClassifier, "fractional", None), rows=True))
    change(told["rows"])
    with pytest.raises(ModelFormatError, match="Field rows") as caught:
        load_bytes(json.dumps(told).replace("Infinity", "1e999").encode())
    assert field in str(caught.value)


def test_rows_make_no_difference_to_answers():
    model = fitted(CARTRegressor, "surrogate", None)
    rows = table()[1]
    assert load_bytes(file_of(model, rows=True)).predict(rows).tobytes() == model.predict(rows).tobytes()
