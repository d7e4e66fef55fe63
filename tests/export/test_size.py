"""The size of every export is at most linear in leaves times depth, also where rows go down several branches.

A tree that repeats what follows in every branch would double with each level: 2^20 times the size at depth 20.
"""

import pytest

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ExportError
from treewright.export.exported import TARGETS, write_export
from treewright.export.scoring import scoring
from treewright.export.sql_dialects import DIALECTS
from treewright.model.build import build, leaf, number, table

SQL = {f"sql {name}": ("sql", {"dialect": name}) for name in DIALECTS}
WRITTEN = SQL | {name: (name, {}) for name in TARGETS if name != "sql"}
SHAPES = [(10, 1), (20, 1), (20, 3)]
"""Levels, and the inner nodes beside the path at each of them."""


def deep(depth, width):
    """A path of `depth` levels on numbers and categories; beside it at each level `width` small trees."""
    columns = (
        Column("x", Kind.NUMBER),
        Column("y", Kind.NUMBER),
        Column("colour", Kind.CATEGORY, ("red", "blue", "green")),
    )
    spec = leaf({"no": 1, "yes": 2})
    for i in range(depth - 1, 0, -1):
        side = leaf({"no": 2})
        for j in range(width):
            side = number("y", (i + j) / 7, leaf({"yes": 1 + j, "no": i}), side)
        if i % 3:
            spec = number("x", i / 7, side, spec)
        else:
            spec = table("colour", {"red": spec, "blue": side, "green": leaf({"yes": i, "no": 1})})
    return build(Schema(columns, Target("t", ("no", "yes"))), spec)


@pytest.mark.parametrize("missing", ["fractional", "majority", "stop", "error"])
@pytest.mark.parametrize("name", list(WRITTEN))
def test_the_size_is_at_most_linear_in_leaves_times_depth(name, missing):
    (target, options), sizes = WRITTEN[name], []
    for depth, width in SHAPES:
        tree = deep(depth, width)
        assert tree.depth >= depth
        try:
            made = write_export(scoring(tree, missing), target, **options)
        except ExportError:  # ONNX cannot refuse rows
            assert (target, missing) == ("onnx", "error")
            return
        size = len(made) if isinstance(made, str) else made.ByteSize()
        sizes.append(size / (tree.n_leaves * tree.depth))
    assert max(sizes) <= 1.2 * sizes[0]
