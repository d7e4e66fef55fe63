"""Columns: what the table and its target are called, for the page.

In: a tree. Out: names, kinds and categories as text; of columns that the tree does not ask for only the names, since a
page is passed on and should not tell what nobody needs.
"""

from typing import Any

import numpy as np

from treewright.data.schema import Kind, Schema
from treewright.model.tree import Tree
from treewright.model.words import category_words

KINDS = {Kind.NUMBER: "number", Kind.ORDERED: "ordered", Kind.CATEGORY: "category"}


def columns_part(tree: Tree) -> list[dict[str, Any]]:
    """A record for each column.

    >>> from treewright.model.build import golf_example
    >>> columns_part(golf_example())[0]
    {'name': 'outlook', 'kind': 'category', 'categories': ['sunny', 'overcast', 'rain']}
    """
    asked = set(np.unique(tree.column).tolist())
    if tree.surrogates is not None:
        asked |= set(np.unique(tree.surrogates.column).tolist())
    return [
        {
            "name": column.name,
            "kind": KINDS[column.kind],
            "categories": [category_words(one) for one in column.categories] if i in asked else [],
        }
        for i, column in enumerate(tree.schema.columns)
    ]


def target_part(schema: Schema) -> dict[str, Any]:
    """The target: its name and its classes; None for a number.

    >>> from treewright.model.build import golf_example
    >>> target_part(golf_example().schema)
    {'name': 'golf', 'classes': ["Don't Play", 'Play']}
    """
    classes = schema.target.classes
    return {
        "name": schema.target.name,
        "classes": None if classes is None else [category_words(one) for one in classes],
    }
