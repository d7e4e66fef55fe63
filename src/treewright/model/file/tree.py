"""Tree: the nodes of a tree in a model file.

In: a tree, or the object that was written of one. Out: the other. Only columns that do not follow from others are
written: kinds of node follow from the schema, parents from the children, and where a table starts from how many codes
each node has. What is read goes through the validator of the tree.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CLASS_CRITERIA, NUMBER_CRITERIA
from treewright.data.schema import Kind, Schema
from treewright.errors import ModelFormatError
from treewright.model.check import check_children
from treewright.model.file.answering import answering_document, read_answering
from treewright.model.file.fields import LARGEST, Fields
from treewright.model.strategies import GROWN
from treewright.model.surrogates import Surrogates
from treewright.model.tree import LEAF, TABLE, THRESHOLD, Tree

INT32 = 2**31 - 1
INT64 = 2**63 - 1


def tree_document(tree: Tree) -> dict[str, Any]:
    """The tree as an object of a file; its schema stands elsewhere.

    >>> from treewright.model.build import golf_example
    >>> tree_document(golf_example())["n_children"].tolist()
    [3, 2, 0, 2, 0, 0, 0, 0]
    """
    surrogates = tree.surrogates
    # Only where it says something, so that the file of a tree without it is what it always was.
    told = {} if tree.answering.is_plain else {"answering": answering_document(tree.answering)}
    return told | {
        "criterion": tree.criterion,
        "missing": tree.missing,
        "first_child": tree.first_child,
        "n_children": tree.n_children,
        "column": tree.column,
        "threshold": tree.threshold,
        "n_codes": np.diff(tree.table_start),
        "table_code": tree.table_code,
        "table_branch": tree.table_branch,
        "other": tree.other,
        "missing_branch": tree.missing_branch,
        "count": tree.count,
        "weight": tree.weight,
        "stats": tree.stats.ravel(),
        "value": tree.value.ravel(),
        "impurity": tree.impurity,
        "gain": tree.gain,
        "merit": tree.merit,
        "surrogates": None if surrogates is None else _surrogates_document(surrogates),
    }


def read_tree(fields: Fields, schema: Schema) -> Tree:
    """The tree that an object of a file holds, checked.

    >>> from treewright.model.build import golf_example
    >>> read_tree(Fields(tree_document(golf_example()), "tree"), golf_example().schema) == golf_example()
    True
    """
    columns = _links(fields) | _splits(fields, schema)
    n, is_number = len(columns["parent"]), schema.target.is_number
    most = np.inf if is_number else LARGEST  # squares of large numbers are infinite
    columns["count"] = fields.ints("count", n, 0, INT64)
    columns["weight"] = fields.floats("weight", n, low=0)
    for name, of_number in (("stats", 3), ("value", 1)):
        width, low = (of_number, -LARGEST) if is_number else (schema.target.n_classes, 0.0)
        columns[name] = fields.floats(name, n * width, low=low, high=most).reshape(n, width)
    columns["impurity"] = fields.floats("impurity", n, high=most)
    for name in ("gain", "merit"):
        columns[name] = fields.floats(name, n, high=most, nan=True)
    criterion = fields.one_of("criterion", NUMBER_CRITERIA if is_number else CLASS_CRITERIA)
    missing = fields.one_of("missing", GROWN)
    told = fields.maybe("surrogates")
    surrogates = None if told is None else _read_surrogates(told, n, schema)
    how = fields.maybe("answering")
    if how is not None and is_number:
        fields.refuse("answering", "is there, but the tree answers with a number")
    answering = read_answering(how, schema.target.n_classes)
    fields.done()
    try:
        return Tree(
            schema=schema,
            criterion=criterion,
            missing=missing,
            surrogates=surrogates,
            answering=answering,
            **columns,
        )
    except ModelFormatError as error:
        raise ModelFormatError(f"In {fields.path}: {error}") from None


def _links(fields: Fields) -> dict[str, NDArray[Any]]:
    """Children, and the parents that follow."""
    first = fields.ints("first_child", None, -1, INT32)
    n = len(first)
    if n == 0:
        fields.refuse("first_child", "is empty, but a tree has a root")
    n_children = fields.ints("n_children", n, 0, n)
    try:
        inner, children = check_children(first, n_children)
    except ModelFormatError as error:
        raise ModelFormatError(f"In {fields.path}: {error}") from None
    parent = np.full(n, -1, np.int64)
    parent[children] = np.repeat(inner, n_children[inner])
    if np.count_nonzero(parent < 0) > 1:
        node = int(1 + (parent[1:] < 0).argmax())
        fields.refuse("first_child", f"gives node {node} no parent, and another one two")
    return {"parent": parent, "first_child": first, "n_children": n_children}


def _splits(fields: Fields, schema: Schema) -> dict[str, NDArray[Any]]:
    """Columns, thresholds and tables of all nodes, and the kinds that follow."""
    column = fields.ints("column", None, -1, schema.n_columns - 1)
    n = len(column)
    looked_up = _looked_up(column, schema)
    kind = np.where(column < 0, LEAF, np.where(looked_up, TABLE, THRESHOLD)).astype(np.int8)
    found: dict[str, NDArray[Any]] = {"kind": kind, "column": column.astype(np.int32)}
    found["threshold"] = fields.floats("threshold", n, high=np.inf, nan=True)
    found |= _tables(fields, looked_up)
    for name in ("other", "missing_branch"):
        found[name] = fields.ints(name, n, -1, INT32).astype(np.int32)
    return found


def _looked_up(column: NDArray[np.int64], schema: Schema) -> NDArray[np.bool_]:
    """Which of these columns are categories, whose splits are tables; -1 is none."""
    return np.array([*(one.kind is Kind.CATEGORY for one in schema.columns), False])[column]


def _tables(fields: Fields, has_one: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """The category codes of tables with their branches, and where each table starts."""
    code = fields.ints("table_code", None, 0, INT32)
    branch = fields.ints("table_branch", len(code), 0, INT32)
    n_codes = fields.ints("n_codes", len(has_one), 0, len(code))
    start = np.zeros(len(n_codes) + 1, np.int64)
    np.cumsum(n_codes, out=start[1:])
    if start[-1] != len(code):
        fields.refuse("n_codes", f"sums to {start[-1]}, but table_code holds {len(code)}")
    wrong = (n_codes > 0) != has_one
    if np.count_nonzero(wrong):
        fields.refuse("n_codes", f"is wrong at place {int(wrong.argmax())}: those that ask for a category have codes")
    return {"table_start": start, "table_code": code.astype(np.int32), "table_branch": branch.astype(np.int32)}


def _surrogates_document(surrogates: Surrogates) -> dict[str, Any]:
    return {
        "n_surrogates": np.diff(surrogates.start),
        "column": surrogates.column,
        "threshold": surrogates.threshold,
        "low": surrogates.low,
        "agree": surrogates.agree,
        "adjusted": surrogates.adjusted,
        "n_codes": np.diff(surrogates.table_start),
        "table_code": surrogates.table_code,
        "table_branch": surrogates.table_branch,
    }


def _read_surrogates(fields: Fields, n_nodes: int, schema: Schema) -> Surrogates:
    column = fields.ints("column", None, 0, schema.n_columns - 1)
    n = len(column)
    n_surrogates = fields.ints("n_surrogates", n_nodes, 0, n)
    start = np.zeros(n_nodes + 1, np.int64)
    np.cumsum(n_surrogates, out=start[1:])
    if start[-1] != n:
        fields.refuse("n_surrogates", f"sums to {start[-1]}, but there are {n} of them")
    tables = _tables(fields, _looked_up(column, schema))
    found = Surrogates(
        start=start,
        column=column.astype(np.int32),
        threshold=fields.floats("threshold", n, nan=True),
        low=fields.ints("low", n, -1, 1).astype(np.int32),
        agree=fields.floats("agree", n),
        adjusted=fields.floats("adjusted", n),
        **tables,
    )
    fields.done()
    return found
