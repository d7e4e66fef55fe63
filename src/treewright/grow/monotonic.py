"""Monotone trees: which columns the predictions must rise or fall with.

In: a schema and 1, 0 or -1 for each of its columns. Out: fields of the workspace's plan; or an error where an order has
no meaning: for a category, whose values have none, and for three classes or more. The prediction that rises or falls is
the number, or the probability of the second of two classes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright.data.schema import Kind, Schema
from treewright.errors import InputError
from treewright.model.words import category_words


def monotonic_fields(schema: Schema, senses: Sequence[int]) -> dict[str, Any]:
    """What the kernels need; nothing is constrained where all senses are 0 or there are none.

    >>> from treewright.data.schema import Column, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> monotonic_fields(schema, (1,))["monotone"], monotonic_fields(schema, ())["monotone"]
    (True, False)
    """
    if not any(senses):
        return {"monotone": False}
    refuse_disorder(schema, senses)
    return {"monotone": True, "monotonic": np.array(senses, np.int8)}


def refuse_disorder(schema: Schema, senses: Sequence[int]) -> None:
    """Refuse constraints that have no meaning for this table."""
    if len(senses) != schema.n_columns:
        raise InputError(
            f"monotonic_cst has {len(senses)} entries, but the table has {schema.n_columns} columns; give one for "
            "each, or a dict of column names or positions."
        )
    for column, sense in zip(schema.columns, senses, strict=True):
        if sense and column.kind is Kind.CATEGORY:
            raise InputError(
                f"monotonic_cst constrains column {column.name!r}, whose categories have no order; set it to 0, or "
                f"declare the order of the categories: categorical_features={{{column.name!r}: [low, ..., high]}}."
            )
    classes = schema.target.classes
    if any(senses) and classes is not None and len(classes) > 2:
        words = ", ".join(category_words(one) for one in classes[:3])
        raise InputError(
            f"monotonic_cst is about the probability of the second of two classes, but the target has {len(classes)} "
            f"({words}{', ...' if len(classes) > 3 else ''}), of which not all can rise; make it two classes, or fit "
            "one tree for each class against the others."
        )
