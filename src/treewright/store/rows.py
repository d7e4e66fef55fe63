"""Rows: training rows as a model file holds them.

In: an encoded table, or the object that was written of one. Out: the other. A column of categories is written as
codes, -1 where a value is missing; a column of numbers as numbers, null where one is missing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Kind, Schema
from treewright.model.file.fields import Fields


def rows_document(rows: Dataset) -> dict[str, Any]:
    """The rows as an object of a file; their schema stands elsewhere.

    >>> from treewright.data.schema import Column, Target
    >>> schema = Schema((Column("age", Kind.NUMBER), Column("red", Kind.CATEGORY, (False, True))), Target())
    >>> rows_document(Dataset(schema, np.array([[30.0, np.nan]]), np.array([1.5])))["columns"]
    [{'values': array([30.])}, {'values': array([-1])}]
    """
    columns = []
    for column, values in zip(rows.schema.columns, rows.values.T, strict=True):
        told: NDArray[Any] = np.ascontiguousarray(values)
        if column.kind is not Kind.NUMBER:
            told = np.where(np.isnan(values), -1, values).astype(np.int64)
        columns.append({"values": told})
    return {"copies": rows.copies, "columns": columns, "target": rows.target, "weight": rows.weight}


def read_rows(fields: Fields, schema: Schema) -> Dataset:
    """The rows that an object of a file holds."""
    target: NDArray[Any]
    if schema.target.is_number:
        target = fields.floats("target", None)
    else:
        target = fields.ints("target", None, 0, schema.target.n_classes - 1).astype(np.int32)
    n = len(target)
    if n == 0:
        fields.refuse("target", "is empty, but a tree was grown on some rows")
    weight = None if fields.is_null("weight") else fields.floats("weight", n, low=0)
    copies = fields.truth("copies")
    found = []
    for column, one in zip(schema.columns, _as_many(fields, schema), strict=True):
        if column.kind is Kind.NUMBER:
            found.append(one.floats("values", n, nan=True))
        else:
            codes = one.ints("values", n, -1, column.n_categories - 1)
            found.append(np.where(codes < 0, np.nan, codes))
        one.done()
    fields.done()
    values = np.empty((n, len(found)))
    for i, cells in enumerate(found):
        values[:, i] = cells
    return Dataset(schema, values, target, weight, copies)


def _as_many(fields: Fields, schema: Schema) -> list[Fields]:
    found = list(fields.each("columns"))
    if len(found) != schema.n_columns:
        fields.refuse("columns", f"holds {len(found)} columns, but the schema has {schema.n_columns}")
    return found
