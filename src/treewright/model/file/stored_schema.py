"""The schema in a model file: columns, target, and the numpy type of the classes.

Categories and classes are strings, booleans and numbers; JSON has no form for other values, which are refused before
anything is written. The type of the array of classes is stored too, so that a loaded model predicts in the type of the
training target.
"""

import re
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import KindError, ModelFormatError
from treewright.model.check_schema import check_schema
from treewright.model.file.fields import Fields
from treewright.model.file.json_writer import MAX_BITS
from treewright.model.formatting import printable

COLUMN_KINDS = {Kind.NUMBER: "number", Kind.ORDERED: "ordered", Kind.CATEGORY: "category"}
"""The names of the kinds of column in a file."""

OPTIONAL = ("format", "source", "part")
"""Fields of a column of numbers that a file has only if they are set."""

_KINDS = {word: kind for kind, word in COLUMN_KINDS.items()}

CLASS_TYPES = re.compile(r"[|<>](b1|[iu][1248]|f[248]|O|U[0-9]{1,6})")
"""Types of the array of classes."""

MAX_WIDTH = 256
"""The widest string type that is kept when no class is as long."""


def schema_document(schema: Schema) -> dict[str, Any]:
    """The schema as an object of a file.

    >>> schema_document(Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes"))))["target"]
    {'name': 'buys', 'classes': ['no', 'yes']}
    """
    columns = []
    for column in schema.columns:
        found: dict[str, Any] = {"name": column.name, "kind": COLUMN_KINDS[column.kind]}
        found |= {key: value for key in OPTIONAL if (value := getattr(column, key)) is not None}
        if column.kind is not Kind.NUMBER:
            found["categories"] = plain_values(column.categories, f"Column {column.name!r} has a category")
        columns.append(found)
    target = schema.target
    classes = None
    if target.classes is not None:
        classes = plain_values(target.classes, f"The target {target.name!r} has a class")
    written = {} if target.format is None else {"format": target.format}
    return {"columns": columns, "target": {"name": target.name, "classes": classes, **written}}


def read_schema(fields: Fields) -> Schema:
    """Read a schema from an object of a file, and check it.

    >>> found = {"columns": [{"name": "age", "kind": "number"}], "target": {"name": "buys", "classes": None}}
    >>> read_schema(Fields(found, "schema")).names
    ('age',)
    """
    columns = []
    for one in fields.each("columns"):
        kind = _KINDS[one.one_of("kind", _KINDS)]
        categories = () if kind is Kind.NUMBER else tuple(one.values("categories"))
        more = {key: one.text(key) for key in OPTIONAL if kind is Kind.NUMBER and one.has(key)}
        columns.append(Column(one.text("name"), kind, categories, **more))
        one.done()
    found = fields.inner("target")
    classes = None if found.is_null("classes") else tuple(found.values("classes"))
    target = Target(found.text("name"), classes, found.text("format") if found.has("format") else None)
    found.done()
    fields.done()
    schema = Schema(tuple(columns), target)
    check_schema(schema)
    return schema


def plain_values(values: tuple[object, ...], subject: str) -> list[Any]:
    """Return categories or classes as JSON can hold them; `subject` begins the sentence of the error.

    >>> plain_values((1, np.float64(1.5), "red", True), "Column 'colour' has a category")
    [1, 1.5, 'red', True]
    """
    plain: list[Any] = [value.item() if isinstance(value, np.generic) else value for value in values]
    for value in plain:
        if type(value) not in (str, bool, int, float) or value != value:
            raise KindError(
                f"{printable(subject)} of the type {type(value).__name__}, which a model file cannot hold; "
                "use strings, numbers or booleans and fit again."
            )
        if type(value) is int and value.bit_length() > MAX_BITS:
            raise KindError(f"{printable(subject)} with too many digits for a model file; use a string and fit again.")
    return plain


def class_array(target: Target, class_type: str) -> NDArray[Any]:
    """Return the classes as an array of this type; an error where the type does not fit them.

    >>> class_array(Target("buys", ("no", "yes")), "<U3")
    array(['no', 'yes'], dtype='<U3')
    """
    classes = list(target.classes or ())
    if not CLASS_TYPES.fullmatch(class_type):
        _refuse_class_type(f"must be a numpy type of classes, got {class_type[:20]!r}")
    if class_type[1] == "U":
        longest = max(len(str(label)) for label in classes)
        if not longest <= int(class_type[2:]) <= max(longest, MAX_WIDTH):
            _refuse_class_type(f"must fit the longest class of {longest} characters, got {class_type!r}")
    array = np.empty(len(classes), dtype=class_type)
    try:
        array[:] = classes
    except (OverflowError, ValueError, TypeError):
        _refuse_class_type(f"must fit the classes, got {class_type!r}")
    if class_type[1] not in "UO" and array.tolist() != classes:
        _refuse_class_type(f"must fit the classes, got {class_type!r}")
    return array


def class_type_of(array: NDArray[Any]) -> str:
    """The type of the classes as it is written: that of the array, or the nearest one that a file can have.

    >>> class_type_of(np.array(["no", "yes"]))
    '<U3'
    """
    found, longest = array.dtype.str, max((len(str(label)) for label in array.tolist()), default=1)
    if array.dtype.kind == "U" and array.dtype.itemsize // 4 > max(longest, MAX_WIDTH):
        return f"{found[0]}U{longest}"
    return found if CLASS_TYPES.fullmatch(found) else "|O"


def _refuse_class_type(why: str) -> NoReturn:
    raise ModelFormatError(f"Field class_type {why}; the file is damaged: fit and save the model again.")
