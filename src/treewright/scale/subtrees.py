"""Subtrees of fetched rows: the rows of a node as codes, and the table that growth in memory takes.

In: codes, targets and weights of the rows of a node. Out: the same as a prepared part of the whole table, on which a
subtree is grown, and on which its candidates are found again. And where a node of one draft becomes the root of
another: what the draft knows of it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import Work
from treewright.data.dataset import Dataset
from treewright.data.fixed_point import Moments, Weights
from treewright.grow.plan import Plan
from treewright.grow.prepare import PartOfTable, Prepared, prepare
from treewright.scale.class_weights import TableWeights, number_units
from treewright.scale.engine import CellLayout
from treewright.scale.survey import Survey
from treewright.scale.worker import moments_of

Longs = NDArray[np.int64]
Rows = dict[str, Any]
"""The codes of some rows, (columns, rows), their targets, and their weights in units (None: one each)."""


class NodeFacts(NamedTuple):
    """What a draft knows of a node besides its rows.

    live    the columns that are searched
    bounds  of its predictions by monotonic constraints
    value   of a target that is a number; 0 for classes
    """

    depth: int
    rows: int
    weight: int
    stats: Longs
    impurity: float
    value: float
    bounds: tuple[float, float]
    live: NDArray[np.int32]


def read_facts(work: Work, node: int) -> NodeFacts:
    """The facts of a node that is about to be searched."""
    draft, first = work.draft, work.draft.live_start[node]
    bounds = (draft.bound_low[node], draft.bound_high[node]) if work.plan.monotone else (-np.inf, np.inf)
    return NodeFacts(
        int(draft.depth[node]),
        int(draft.rows[node]),
        int(draft.weight[node]),
        np.array(draft.stats[node]),
        float(draft.impurity[node]),
        0.0 if work.table.n_classes else float(draft.value[node]),
        bounds,
        np.array(draft.live[first : first + draft.live_len[node]]),
    )


def set_root(work: Work, facts: NodeFacts, root: tuple[float, float]) -> None:
    """Let the root of a draft be a node of another; its rows stay as they are.

    root  the weight and the impurity of the root of the other draft
    """
    draft = work.draft
    draft.depth[0], draft.rows[0], draft.weight[0] = facts.depth, facts.rows, facts.weight
    np.asarray(draft.stats)[0] = facts.stats
    draft.impurity[0] = facts.impurity
    if not work.table.n_classes:
        draft.value[0], draft.exact_impurity[0] = facts.value, facts.impurity
    if work.plan.monotone:
        draft.bound_low[0], draft.bound_high[0] = facts.bounds
    np.asarray(draft.live)[: len(facts.live)] = facts.live
    draft.live_start[0], draft.live_len[0], draft.n_live = 0, len(facts.live), len(facts.live)
    draft.root_weight, draft.root_impurity = root


def prepare_rows(
    survey: Survey, plan: Plan, missing: int, totals: TableWeights, rows: Rows, *, coded: bool
) -> Prepared:
    """Some rows of a source as growth in memory takes them; `coded` as in `prepare`."""
    values = survey.values_of(rows["codes"])
    target, moments = rows["target"], moments_of_rows(totals, rows)
    if moments is None:
        target = target.astype(np.int32)
    given = units_of_rows(rows).astype(np.float64) if totals.are_given else None
    dataset = Dataset(survey.schema, values, target, given)
    whole = Weights(rows["weight"], totals.unit, totals.one)
    part = PartOfTable(missing, whole, totals.total, totals.largest, moments)
    return prepare(dataset, replace(plan, max_bins=None), coded=coded, part=part)


def rows_by_slot(rows: Rows, first: int, end: int) -> Iterator[Rows]:
    """The rows of each of the slots `first` to `end` - 1, which were fetched together."""
    order = np.argsort(rows["slot"], kind="stable")
    ends = np.searchsorted(rows["slot"][order], np.arange(first, end + 1))
    for i in range(end - first):
        part = order[ends[i] : ends[i + 1]]
        weight = None if rows["weight"] is None else rows["weight"][part]
        yield {"codes": rows["codes"][:, part], "target": rows["target"][part], "weight": weight}


def units_of_rows(rows: Rows) -> Longs:
    """The weights of rows in units."""
    return np.ones(len(rows["target"]), np.int64) if rows["weight"] is None else rows["weight"]


def stats_of_rows(survey: Survey, totals: TableWeights, rows: Rows) -> Longs:
    """The weight of each class; of a number the weight and the sum of moments."""
    weights, moments = units_of_rows(rows), moments_of_rows(totals, rows)
    if moments is not None:
        return np.array([weights.sum(), moments.whole.sum()])
    return np.array([int(weights[rows["target"] == k].sum()) for k in range(survey.n_classes)], np.int64)


def moments_of_rows(totals: TableWeights, rows: Rows) -> Moments | None:
    """The moments of rows that have a number as the target."""
    if totals.moments is None:
        return None
    units = number_units(totals.moments, totals).as_dict()
    return Moments(moments_of(rows["target"], rows["weight"], units), totals.moments)


def use_cells(own: Work, row_codes: NDArray[Any], layout: CellLayout, *, has_surrogates: bool) -> None:
    """In a subtree, replace the rows beside each cut by cells with the same values."""
    draft, n = own.draft, own.draft.n_nodes
    column = np.asarray(draft.column)[:n]
    is_cut = (np.asarray(draft.kind)[:n] == codes.THRESHOLD) & (column >= 0)
    places = [(np.asarray(rows)[:n], column, is_cut) for rows in (draft.low_row, draft.high_row)]
    if has_surrogates:
        column = np.asarray(draft.surrogate_column)[: draft.n_surrogates]
        is_cut = np.asarray(draft.surrogate_low)[: draft.n_surrogates] >= 0
        both = draft.surrogate_low_row, draft.surrogate_high_row
        places += [(np.asarray(rows)[: draft.n_surrogates], column, is_cut) for rows in both]
    for rows, column, is_cut in places:
        cuts = np.flatnonzero(is_cut & (rows >= 0))
        code = row_codes[column[cuts], rows[cuts]].astype(np.int64)
        rows[cuts] = layout.offset[column[cuts]] + code * layout.n_classes
