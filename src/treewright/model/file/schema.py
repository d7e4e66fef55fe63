"""Schema: the columns and the target in a model file.

In: a schema, or the object that was written of one. Out: the other. Categories and classes are texts, truth values and
numbers: what else Python has, JSON has no form for, and it is refused before anything is written.
"""

from typing import Any

import numpy as np

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import KindError
from treewright.model.check_schema import check_schema
from treewright.model.file.fields import Fields
from treewright.model.file.text import MOST_BITS
from treewright.model.words import printable

KINDS = {Kind.NUMBER: "number", Kind.ORDERED: "ordered", Kind.CATEGORY: "category"}
"""What a file calls the kinds of column."""

_KINDS = {word: kind for kind, word in KINDS.items()}


def schema_document(schema: Schema) -> dict[str, Any]:
    """The schema as an object of a file.

    >>> schema_document(Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes"))))["target"]
    {'name': 'buys', 'classes': ['no', 'yes']}
    """
    columns = []
    for column in schema.columns:
        told: dict[str, Any] = {"name": column.name, "kind": KINDS[column.kind]}
        if column.kind is not Kind.NUMBER:
            told["categories"] = plain_values(column.categories, f"Column {column.name!r} has a category")
        columns.append(told)
    target = schema.target
    classes = None
    if target.classes is not None:
        classes = plain_values(target.classes, f"The target {target.name!r} has a class")
    return {"columns": columns, "target": {"name": target.name, "classes": classes}}


def read_schema(fields: Fields) -> Schema:
    """The schema that an object of a file holds, checked.

    >>> told = {"columns": [{"name": "age", "kind": "number"}], "target": {"name": "buys", "classes": None}}
    >>> read_schema(Fields(told, "schema")).names
    ('age',)
    """
    columns = []
    for one in fields.each("columns"):
        kind = _KINDS[one.one_of("kind", _KINDS)]
        categories = () if kind is Kind.NUMBER else tuple(one.values("categories"))
        columns.append(Column(one.text("name"), kind, categories))
        one.done()
    told = fields.inner("target")
    classes = None if told.is_null("classes") else tuple(told.values("classes"))
    target = Target(told.text("name"), classes)
    told.done()
    fields.done()
    schema = Schema(tuple(columns), target)
    check_schema(schema)
    return schema


def plain_values(values: tuple[object, ...], said: str) -> list[Any]:
    """Categories or classes that a file can hold; `said` is the start of the sentence where it cannot.

    >>> plain_values((1, np.float64(1.5), "red", True), "Column 'colour' has a category")
    [1, 1.5, 'red', True]
    """
    plain: list[Any] = [value.item() if isinstance(value, np.generic) else value for value in values]
    for value in plain:
        if type(value) not in (str, bool, int, float) or value != value:
            raise KindError(
                f"{printable(said)} of the type {type(value).__name__}, which a model file cannot hold; "
                "use text, numbers or truth values and fit again."
            )
        if type(value) is int and value.bit_length() > MOST_BITS:
            raise KindError(f"{printable(said)} with too many digits for a model file; make it text, and fit again.")
    return plain
