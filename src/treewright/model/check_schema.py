"""Check of a schema: the validator of names, kinds and categories.

In: a schema from a file, a pickle or a caller. Out: nothing, or a ModelFormatError. In one that passes, every name and
every category stands for one thing.
"""

from collections.abc import Sequence

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.refuse import refuse
from treewright.model.words import beginning

ALIKE = 1000
"""Categories that may have one hash; different numbers may, but only few do by chance."""


def check_schema(schema: Schema) -> None:
    """Refuse a schema that is no such thing, or in which a name or a category cannot be told from another one.

    >>> check_schema(Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes"))))
    """
    try:
        if not isinstance(schema, Schema) or not isinstance(schema.columns, tuple):
            refuse("schema", "is not a schema")
        for position, column in enumerate(schema.columns):
            _check_column(column, position)
        wrong = alike(schema.names)
        if wrong is not None:
            refuse("schema", f"has among the names of its columns {wrong}")
        target = schema.target
        if not isinstance(target, Target) or not isinstance(target.name, str):
            refuse("schema", "has no target with a name")
        if target.classes is not None and not (isinstance(target.classes, tuple) and target.classes):
            refuse("schema", f"gives the target {_shown(target.name)} no classes")
        _check_values(target.classes or (), f"the target {_shown(target.name)}")
    except AttributeError:
        # What was stored by hand may be an object of the right class without its fields.
        refuse("schema", "is only half there")


def _check_column(column: Column, position: int) -> None:
    if not isinstance(column, Column) or not isinstance(column.name, str):
        refuse("schema", f"has no column with a name at position {position}")
    if not isinstance(column.kind, Kind) or not isinstance(column.categories, tuple):
        refuse("schema", f"has no kind or categories for the column {_shown(column.name)}")
    if column.kind is Kind.NUMBER and column.categories:
        refuse("schema", f"gives categories to the number {_shown(column.name)}")
    _check_values(column.categories, f"the column {_shown(column.name)}")


def _check_values(values: tuple[object, ...], whose: str) -> None:
    wrong = alike(values)
    if wrong is not None:
        refuse("schema", f"gives {whose} {wrong}")


def alike(values: Sequence[object]) -> str | None:
    """Why values cannot be looked up, where they cannot; None where they can.

    Two values are one where they are equal: 1, 1.0 and True are.

    >>> alike((1, "1", 2)), alike((1, True))
    (None, 'the value True twice')
    """
    try:
        hashes = sorted(map(hash, values))
    except TypeError:
        return "a value that cannot be looked up"
    # Values of one hash are told apart one by one: a thousand of them are a file made to take for ever.
    if any(hashes[i] == hashes[i + ALIKE] for i in range(len(hashes) - ALIKE)):
        return "values that cannot be told apart in good time"
    if any(value != value for value in values):
        return "a value that is not equal to itself"
    seen: set[object] = set()
    for value in values:
        if value in seen:
            return f"the value {_shown(value)} twice"
        seen.add(value)
    return None


def _shown(value: object) -> str:
    return beginning(repr(value), 60)
