"""Splits of a tree written down by hand: its questions as columns.

In: a schema and the parts of the tree, level by level. Out: kind, column, threshold, tables and branches of every
node, and the surrogates.
"""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind, Schema
from treewright.errors import InputError
from treewright.model.branches import heaviest_branch
from treewright.model.specs import Spec, SplitSpec, SurrogateSpec
from treewright.model.surrogates import Surrogates
from treewright.model.tree import LEAF, TABLE, THRESHOLD

Entries = list[tuple[int, int]]


class _Codes:
    """Words of a schema to positions and codes; the categories of a column are listed once."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.positions = {column.name: position for position, column in enumerate(schema.columns)}
        self.codes: dict[str, dict[Any, int]] = {}

    def position(self, column: str) -> int:
        if column not in self.positions:
            raise InputError(f"There is no column {column!r}; the columns are {list(self.positions)!r}.")
        return self.positions[column]

    def kind(self, column: str) -> Kind:
        return self.schema.columns[self.position(column)].kind

    def of(self, column: str) -> dict[Any, int]:
        """The code of each category."""
        if column not in self.codes:
            categories = self.schema.columns[self.position(column)].categories
            self.codes[column] = {category: code for code, category in enumerate(categories)}
        return self.codes[column]

    def code(self, column: str, category: Any) -> int:
        codes = self.of(column)
        if category not in codes:
            raise InputError(
                f"{category!r} is no category of {column!r}; its categories are {list(codes)!r}."
            )
        return codes[category]

    def entries(self, column: str, groups: Iterable[tuple[Any, int]]) -> Entries:
        """(code, branch) of the categories of all groups, in order; a group is a category or a tuple of them."""
        listed = ((key if isinstance(key, tuple) else (key,), branch) for key, branch in groups)
        return sorted((self.code(column, c), branch) for group, branch in listed for c in group)


def split_columns(
    schema: Schema,
    specs: list[Spec],
    first_child: NDArray[np.int64],
    n_children: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> dict[str, NDArray[Any]]:
    """Kind, column, threshold, tables, other and missing branch of every node."""
    codes, n = _Codes(schema), len(specs)
    kind, column, other = np.full(n, LEAF), np.full(n, -1), np.full(n, -1)
    threshold = np.full(n, np.nan)
    missing_branch = heaviest_branch(first_child, n_children, weight)
    tables: list[Entries] = [[] for _ in specs]
    for i, spec in enumerate(specs):
        if not isinstance(spec, SplitSpec):
            continue
        column[i] = codes.position(spec.column)
        if spec.missing is not None:
            missing_branch[i] = spec.missing
        kind[i] = THRESHOLD
        if spec.kind is Kind.ORDERED:
            threshold[i] = codes.code(spec.column, spec.cut)
        elif spec.kind is Kind.CATEGORY:
            kind[i] = TABLE
            tables[i] = codes.entries(spec.column, ((group, b) for b, group in enumerate(spec.groups)))
            first, known = first_child[i], len(spec.children) - spec.has_own
            other[i] = known - 1 if spec.has_other else int(np.argmax(weight[first : first + known]))
        elif spec.cut == inf and codes.kind(spec.column) is Kind.CATEGORY:
            kind[i], tables[i], other[i] = TABLE, [(code, 0) for code in codes.of(spec.column).values()], 0
        else:
            threshold[i] = spec.cut
    start, code, branch = _joined(tables)
    return {
        "kind": kind,
        "column": column,
        "threshold": threshold,
        "other": other,
        "missing_branch": missing_branch,
        "table_start": start,
        "table_code": code,
        "table_branch": branch,
    }


def surrogates_written(schema: Schema, specs: list[Spec]) -> Surrogates | None:
    """The surrogates of all nodes; None when no split has any."""
    of_node = [spec.surrogates if isinstance(spec, SplitSpec) else () for spec in specs]
    written = [one for several in of_node for one in several]
    if not written:
        return None
    codes = _Codes(schema)
    parts = [_surrogate(codes, one) for one in written]
    start, code, branch = _joined([entries for _, _, entries in parts])
    return Surrogates(
        start=np.concatenate([[0], np.cumsum([len(several) for several in of_node])]),
        column=np.array([codes.position(one.column) for one in written]),
        threshold=np.array([cut for cut, _, _ in parts]),
        low=np.array([low for _, low, _ in parts]),
        agree=np.array([one.agree for one in written]),
        adjusted=np.array([one.adjusted for one in written]),
        table_start=start,
        table_code=code,
        table_branch=branch,
    )


def _surrogate(codes: _Codes, spec: SurrogateSpec) -> tuple[float, int, Entries]:
    """Threshold, low branch and table."""
    if isinstance(spec.cut, Mapping):
        return np.nan, -1, codes.entries(spec.column, spec.cut.items())
    if codes.kind(spec.column) is Kind.ORDERED:
        return codes.code(spec.column, spec.cut), spec.low, []
    return spec.cut, spec.low, []


def _joined(tables: list[Entries]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Offsets, codes and branches of tables one behind the other."""
    entries = np.array([entry for one in tables for entry in one], dtype=np.int64).reshape(-1, 2)
    return np.concatenate([[0], np.cumsum([len(one) for one in tables])]), entries[:, 0], entries[:, 1]
