"""Rows that go down side by side end where they end one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.missing_trees import HOLED, grown_trees
from tests.model.samples import every_kind
from tests.predict.kernel import routed, side_by_side
from treewright._core import _predict as compiled
from treewright._core.predict import routing_batch as uncompiled
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model import packed_tree as room
from treewright.model.build import build, leaf, number, surrogate, table
from treewright.model.packed_tree import make_batch_tables, pack_fallbacks
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import find_leaves

RULES = ("fractional", "surrogate", "learned", "branch", "majority", "stop")


@settings(max_examples=100)
@given(st.data(), grown_trees(), HOLED, st.sampled_from(["majority", "stop"]))
def test_rows_end_where_they_end_alone(data, tree, values, unseen):
    missing = data.draw(st.sampled_from([name for name in RULES if name != "surrogate" or tree.surrogates is not None]))
    n_codes = np.array([column.n_categories or np.inf for column in tree.schema.columns])
    codes = np.where((values >= n_codes) | ((values < 0) & (n_codes < np.inf)), -np.inf, values)  # and no other numbers
    many = np.tile(codes, (60 // len(values) + 1, 1))
    alone = routed(tree.packed, many, pack_fallbacks(tree, missing, unseen))[1]
    stopped = [row for row, node in enumerate(alone) if tree.n_children[node]]
    for module in (compiled, uncompiled):
        assert side_by_side(tree, many, (missing, unseen), module) == (alone, stopped)


@given(st.integers(0, 40), st.integers(0, 3))
def test_any_number_of_rows(n_rows, seed):
    random, tree = np.random.default_rng(seed), every_kind()
    values = np.stack([random.normal(8, 4, n_rows), *(random.integers(0, 2, (3, n_rows)))], axis=1)
    values[random.random(values.shape) < 0.1] = np.nan
    assert find_leaves(tree, values, MissingPolicy("stop")).tolist() == routed(tree.packed, values)[1]


def asked(n_codes: int):
    """A tree whose split has two surrogates; the first one knows two categories of many."""
    columns = (Column("a", Kind.NUMBER), Column("b", Kind.CATEGORY, tuple(range(n_codes))), Column("c", Kind.NUMBER))
    stand_ins = [surrogate("b", {0: 1, 2: 0}), surrogate("c", 5.0, low=1)]
    below = number("c", 1.0, leaf("no", 3), leaf("yes"))
    return build(Schema(columns, Target("t", ("no", "yes"))), number("a", 0, leaf("no"), below, surrogates=stand_ins))


@pytest.mark.parametrize(
    ("row", "end"),
    [
        ((-1, 1, 0), 1), ((np.nan, 0, 0), 3), ((np.nan, 2, 9), 1), ((np.nan, 1, 9), 1), ((np.nan, 1, 3), 4),
        ((np.nan, np.nan, 5), 4), ((np.nan, -np.inf, 6), 1), ((np.nan, np.nan, np.nan), 2), ((2, 1, np.nan), 2),
    ],
)  # fmt: skip
def test_surrogates_are_asked_in_turn_on_the_way(row, end):
    tree, rules = asked(3), ("surrogate", "majority")
    many = np.tile(np.array(row, float), (40, 1))
    alone = routed(tree.packed, many, pack_fallbacks(tree, *rules))[1]
    assert side_by_side(tree, many, rules)[0] == alone
    if end != 2:  # else the row ends below node 2, where its own value is missing too
        assert alone[0] == end


def test_tables_that_are_too_large_are_not_made(monkeypatch):
    tree = asked(100)
    assert make_batch_tables(tree, "surrogate", "stop") is not None
    monkeypatch.setattr(room, "MAX_BATCH_ENTRIES", 99)
    assert make_batch_tables(tree, "surrogate", "stop") is None
    assert make_batch_tables(tree, "stop", "stop") is not None
    values = np.tile([np.nan, 2, 9], (40, 1))
    assert find_leaves(asked(100), values, MissingPolicy("surrogate")).tolist() == [1] * 40


def test_a_node_may_have_more_branches_than_a_byte_has_numbers():
    schema = Schema((Column("a", Kind.CATEGORY, tuple(range(300))),), Target("t", ("no", "yes")))
    tree = build(schema, table("a", {i: leaf("no", i + 1) for i in range(300)}))
    values = np.arange(300.0)[:, None]
    lanes = make_batch_tables(tree, "stop", "stop")
    assert lanes is not None
    assert lanes.tables.dtype == np.int32
    assert find_leaves(tree, values, MissingPolicy("stop")).tolist() == list(range(1, 301))
    assert side_by_side(tree, values, ("stop", "stop"), uncompiled)[0] == list(range(1, 301))
