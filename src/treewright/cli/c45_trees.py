"""The trees of Quinlan's C4.5 for the files of a stem, and their errors.

Columns, categories and classes are those that the .names file declares, in its order: the order decides ties, and the
number of classes how small a branch may be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.dataset import Dataset
from treewright.data.encode import encode_table
from treewright.data.files.column_names import columns_named
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.export.c45_text import Figures
from treewright.grow.grower import grow
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes
from treewright.presets import c45_release8
from treewright.prune.limits import Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from treewright.data.files.declared_table import DeclaredTable


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the program that change its tree: -g, -s, -m, -c (in percent)."""

    gain: bool = False
    subset: bool = False
    min_cases: int = 2
    confidence: float = 25.0


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """The tree before and after pruning.

    estimated  estimated errors of each node of the pruned tree as a leaf
    """

    grown: Tree
    pruned: Tree
    estimated: NDArray[np.float64]

    @property
    def estimate(self) -> float:
        """Estimated errors of the pruned tree, in percent of the rows."""
        total = float(self.pruned.weight[0])
        return 100.0 * float(self.estimated[self.pruned.is_leaf].sum()) / total

    def figures(self, rows: Dataset) -> tuple[Figures, Figures]:
        """Return size and errors of both trees on these rows."""
        before, after = (
            Figures(
                tree.n_nodes, int(np.count_nonzero(_predicted_codes(tree, rows) != rows.target)), rows.n_rows
            )
            for tree in (self.grown, self.pruned)
        )
        return before, after

    def confusion(self, rows: Dataset) -> list[list[int]]:
        """Return the rows by true class and class predicted by the pruned tree."""
        n = self.pruned.schema.target.n_classes
        counts = np.zeros((n, n), dtype=np.int64)
        np.add.at(counts, (rows.target.astype(np.intp), _predicted_codes(self.pruned, rows)), 1)
        found: list[list[int]] = counts.tolist()
        return found


def make_trees(rows: Dataset, options: Options) -> Trees:
    """Grow a tree on the rows and prune it, as the program does with these options."""
    confidence = options.confidence / 100.0
    model = c45_release8(
        gain=options.gain, subset=options.subset, min_cases=options.min_cases, confidence=confidence
    )
    grown = grow(rows, model.plan())
    pruned = model.pruning.prune(grown, rows=rows).tree  # type: ignore[union-attr]
    limit = Limit("release8", confidence)
    return Trees(grown, pruned, limit.estimates(pruned.weight, pruned.weight - pruned.stats.max(axis=1)))


def schema_of(table: DeclaredTable) -> Schema:
    """Return the columns that a tree may split on, and the classes."""
    target = table.target
    if target is None or target not in table.levels:
        raise InputError(
            f"The target of {table.name!r} is a number, but C4.5 predicts classes; use `treewright fit --regression`."
        )
    columns = [
        Column(name, Kind.NUMBER)
        if name in table.numeric
        else Column(name, Kind.CATEGORY, table.levels[name])
        for name in table.frame.columns
        if name in table.numeric or table.levels.get(name)
        if name != target and name not in table.ignored
    ]
    if not columns:
        raise InputError(f"All columns of {table.name!r} are ignored; at least one is needed.")
    return Schema(tuple(columns), Target(target, table.levels[target]))


def cases(table: DeclaredTable, schema: Schema) -> Dataset:
    """Return the rows of a table in the codes of a schema; an unknown category counts as missing."""
    if not table.frame.height:
        raise InputError(f"{table.name!r} has no rows; use a file with rows.")
    known = {name: code for code, name in enumerate(schema.target.classes or ())}
    codes = [known.get(name, -1) for name in table.frame[schema.target.name].to_list()]
    if -1 in codes:
        row = codes.index(-1)
        raise InputError(
            f"Row {row + 1} of {table.name!r} has an unknown class; correct it, or remove the row."
        )
    values = encode_table(table.frame.select(columns_named(schema.names)), schema.columns, unseen="missing").values
    return Dataset(schema, values, np.array(codes, dtype=np.int32), table.weights)


def _predicted_codes(tree: Tree, rows: Dataset) -> NDArray[np.intp]:
    return predict_class_codes(tree, rows.values, MissingPolicy("fractional"))
