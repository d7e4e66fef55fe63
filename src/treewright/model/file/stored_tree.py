"""A tree in a model file: its object among the fields, and a file that holds only a tree.

Only columns that do not follow from others are written: kinds of nodes follow from the schema, parents from children,
and the start of a table from the number of codes of each node. A tree that is read goes through the validator.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CLASS_CRITERIA, NUMBER_CRITERIA
from treewright.data.schema import Kind, Schema
from treewright.errors import ModelFormatError
from treewright.model.check_tree import check_children
from treewright.model.file.fields import LARGEST, Fields
from treewright.model.file.json_writer import dump
from treewright.model.file.model_file import (
    FIRST_VERSION,
    VERSION,
    file_header,
    naming_file,
    open_document,
    open_schema,
    read_bytes,
    write_model,
)
from treewright.model.file.stored_schema import schema_document
from treewright.model.formatting import printable, truncate
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule
from treewright.model.rule_faults import PROBABILITIES, find_fault, find_fault_for_target
from treewright.model.strategies import GROWTH_STRATEGIES
from treewright.model.surrogates import Surrogates
from treewright.model.tree import LEAF, TABLE, THRESHOLD, Tree

INT32 = 2**31 - 1
INT64 = 2**63 - 1


def prediction_rule_document(rule: PredictionRule) -> dict[str, Any]:
    """The prediction rule as an object of a file.

    >>> prediction_rule_document(PredictionRule("m-estimate", 2.0, costs=((0.0, 5.0), (1.0, 0.0))))["costs"].tolist()
    [0.0, 5.0, 1.0, 0.0]
    """
    lists = {"prior": rule.prior, "costs": rule.costs, "factors": rule.factors}
    return {
        "probability": rule.probability,
        "amount": rule.amount,
        **{name: None if given is None else np.array(given, np.float64).ravel() for name, given in lists.items()},
        "row_weight": rule.row_weight,
    }


def read_prediction_rule(fields: Fields | None, n_classes: int) -> PredictionRule:
    """Read a prediction rule and check it; None is the default rule, which is not written to files.

    >>> rule = PredictionRule("laplace", factors=(0.5, 1.5))
    >>> read_prediction_rule(Fields(prediction_rule_document(rule), "tree.answering"), 2) == rule
    True
    """
    if fields is None:
        return DEFAULT_RULE
    probability = fields.one_of("probability", PROBABILITIES)
    amount = fields.number("amount", 0.0)
    row_weight = fields.number("row_weight", 0.0)
    prior, costs, factors = (
        None if fields.is_null(name) else tuple(fields.floats(name, n, low=0.0, high=LARGEST).tolist())
        for name, n in (("prior", n_classes), ("costs", n_classes**2), ("factors", n_classes))
    )
    fields.done()
    table = None if costs is None else tuple(costs[i : i + n_classes] for i in range(0, len(costs), max(n_classes, 1)))
    given: dict[str, Any] = {
        "probability": probability,
        "amount": amount,
        "prior": prior,
        "costs": table,
        "factors": factors,
        "row_weight": row_weight,
    }
    fault = find_fault(SimpleNamespace(**given), n_classes)
    if fault is not None:
        fields.refuse(*fault)
    return PredictionRule(**given)


def version_for(*trees: Tree) -> int:
    """The first version of the format that can hold these trees: version 2 added the rule of regression trees.

    >>> from treewright.model.build import golf_example
    >>> version_for(golf_example())
    1
    """
    is_new = any(tree.schema.target.is_number and not tree.prediction_rule.is_default for tree in trees)
    return VERSION if is_new else FIRST_VERSION


def tree_document(tree: Tree) -> dict[str, Any]:
    """The tree as an object of a file, without its schema.

    >>> from treewright.model.build import golf_example
    >>> tree_document(golf_example())["n_children"].tolist()
    [3, 2, 0, 2, 0, 0, 0, 0]
    """
    surrogates = tree.surrogates
    # Only where it is not the default, so that other files are as they always were.
    rule = tree.prediction_rule
    document = {} if rule.is_default else {"answering": prediction_rule_document(rule)}
    return document | {
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
    """Read a tree from an object of a file, and check it.

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
    missing = fields.one_of("missing", GROWTH_STRATEGIES)
    surrogate_fields = fields.maybe("surrogates")
    surrogates = None if surrogate_fields is None else _read_surrogates(surrogate_fields, n, schema)
    rule_fields = fields.maybe("answering")
    if rule_fields is not None and is_number and fields.version == FIRST_VERSION:
        fields.refuse("answering", "must be absent in version 1, because the tree predicts a number")
    rule = read_prediction_rule(rule_fields, schema.target.n_classes)
    fault = find_fault_for_target(rule, is_number=is_number, n_classes=schema.target.n_classes)
    if fault is not None:
        fields.refuse(f"answering.{fault.field}", fault.why)
    fields.done()
    try:
        return Tree(
            schema=schema,
            criterion=criterion,
            missing=missing,
            surrogates=surrogates,
            prediction_rule=rule,
            **columns,
        )
    except ModelFormatError as error:
        raise ModelFormatError(f"In {fields.path}: {error}") from None


def _links(fields: Fields) -> dict[str, NDArray[Any]]:
    """Children, and the parents that follow."""
    first = fields.ints("first_child", None, -1, INT32)
    n = len(first)
    if n == 0:
        fields.refuse("first_child", "must not be empty")
    n_children = fields.ints("n_children", n, 0, n)
    try:
        inner, children = check_children(first, n_children)
    except ModelFormatError as error:
        raise ModelFormatError(f"In {fields.path}: {error}") from None
    parent = np.full(n, -1, np.int64)
    parent[children] = np.repeat(inner, n_children[inner])
    if np.count_nonzero(parent < 0) > 1:
        node = int(1 + (parent[1:] < 0).argmax())
        fields.refuse("first_child", f"must give every node one parent, but node {node} has none")
    return {"parent": parent, "first_child": first, "n_children": n_children}


def _splits(fields: Fields, schema: Schema) -> dict[str, NDArray[Any]]:
    """Columns, thresholds and tables of all nodes, and the kinds that follow."""
    column = fields.ints("column", None, -1, schema.n_columns - 1)
    n = len(column)
    is_table = _are_categories(column, schema)
    kind = np.where(column < 0, LEAF, np.where(is_table, TABLE, THRESHOLD)).astype(np.int8)
    found: dict[str, NDArray[Any]] = {"kind": kind, "column": column.astype(np.int32)}
    found["threshold"] = fields.floats("threshold", n, high=np.inf, nan=True)
    found |= _tables(fields, is_table)
    for name in ("other", "missing_branch"):
        found[name] = fields.ints(name, n, -1, INT32).astype(np.int32)
    return found


def _are_categories(column: NDArray[np.int64], schema: Schema) -> NDArray[np.bool_]:
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
        fields.refuse("n_codes", f"must sum to the length of table_code, {len(code)}, got {start[-1]}")
    wrong = (n_codes > 0) != has_one
    if np.count_nonzero(wrong):
        i = int(wrong.argmax())
        fields.refuse("n_codes", f"is invalid at index {i}: splits on categories, and no others, must have codes")
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
        fields.refuse("n_surrogates", f"must sum to the number of surrogates, {n}, got {start[-1]}")
    tables = _tables(fields, _are_categories(column, schema))
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


def tree_bytes(tree: Tree) -> bytes:
    """The bytes of a file that holds only a tree.

    >>> from treewright.model.build import golf_example
    >>> read_tree_file(open_document(tree_bytes(golf_example()))[1]) == golf_example()
    True
    """
    header = file_header("tree", version_for(tree))
    schema = schema_document(tree.schema)
    return dump(header | {"fingerprint": tree.fingerprint(), "schema": schema, "tree": tree_document(tree)})


def read_tree_file(fields: Fields) -> Tree:
    """Read the tree of a file that holds only a tree."""
    schema, mark = open_schema(fields)
    tree = read_tree(fields.inner("tree"), schema)
    fields.done()
    check_fingerprint(tree, mark)
    return tree


def read_estimator_tree(fields: Fields) -> Tree:
    """The tree of the estimator in a file; the other fields are not read."""
    schema, mark = open_schema(fields)
    number = fields.whole("tree", 0, 2**31)
    for i, one in enumerate(fields.each("trees")):
        if i == number:
            tree = read_tree(one, schema)
            check_fingerprint(tree, mark)
            return tree
    return fields.refuse("tree", f"must be the index of a tree, got {number}")


def save_tree(tree: Tree, path: object, *, overwrite: bool) -> None:
    """Write a file that holds only a tree."""
    write_model(path, lambda: tree_bytes(tree), overwrite=overwrite)


def load_tree(path: object) -> Tree:
    """Read the tree of a file: a tree alone, or that of an estimator."""
    with naming_file(path):
        kind, fields = open_document(read_bytes(path))
        if kind == "rules":
            raise ModelFormatError("Field kind is 'rules': the file holds rules, not a tree; use treewright.load.")
        return read_tree_file(fields) if kind == "tree" else read_estimator_tree(fields)


def check_fingerprint(tree: Tree, mark: str | None) -> None:
    """Refuse a tree whose fingerprint is not that of the file."""
    if mark is not None and mark != tree.fingerprint():
        raise ModelFormatError(
            f"Field fingerprint must be {tree.fingerprint()!r}, got {truncate(printable(mark), 70)!r}: the file was "
            "changed after it was written; fit and save the model again."
        )
