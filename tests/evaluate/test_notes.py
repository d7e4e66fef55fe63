"""Notes: what people stumble over is noticed, and what is fine is not."""

import numpy as np

from treewright import CARTClassifier
from treewright.evaluate.notes import table_notes


def rows_of(X, y):
    return CARTClassifier()._read(X, y, None)[1]


def test_many_classes_and_columns_that_name_rows_are_noticed():
    n = 60
    X = [[f"row {i}", i + 100, i % 4, "same"] for i in range(n)]
    notes = " ".join(table_notes(rows_of(X, [f"class {i // 2}" for i in range(n)])))
    assert "'x0' has another value in nearly every row" in notes
    assert "'x1' has another value in nearly every row" in notes
    assert "'x2'" not in notes
    assert "Column 'x3' has one value only" in notes
    many = table_notes(rows_of(X, [f"class {i}" for i in range(n)]))
    assert any("60 classes in 60 rows" in note for note in many)


def test_idle_columns_are_one_note():
    table = np.column_stack([np.ones((30, 9)), np.arange(30) % 7])
    listed = ", ".join(f"'x{i}'" for i in range(6))
    said = f"Columns {listed} have (and 3 more) one value only, so that no tree can use them."
    assert table_notes(rows_of(table, np.arange(30) % 2)) == [said]


def test_measures_that_all_differ_are_no_names():
    rng = np.random.default_rng(0)
    assert table_notes(rows_of(rng.normal(size=(200, 3)), np.arange(200) % 2)) == []
    assert table_notes(rows_of(np.arange(20.0)[:, None], np.arange(20) % 2)) == []
    assert table_notes(rows_of([["a", 1], ["b", 2], ["c", 3]], [0, 1, 0])) == []
