"""A dataset and a plan -> the Work of the growth loop.

In: encoded columns and names of parts. Out: sorted lists, codes, whole weights and moments, and the plan as
numbers.
"""

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import has_compiled_form, knows_missing
from treewright._core.table import rows_by_class, sort_entries
from treewright.criteria.registry import Criterion
from treewright.data.dataset import Dataset
from treewright.data.encode import refuse_missing
from treewright.data.schema import Kind
from treewright.data.strange import has_hole
from treewright.data.units import (
    CLOSE,
    LEAST_SHARE,
    SHARE_BITS,
    WEIGHT_BITS,
    Moments,
    Weights,
    moments_in_units,
    weights_in_units,
    weights_to_share,
)
from treewright.errors import InputError, ParameterError
from treewright.fast_paths import is_used, kernel_bits, size_of
from treewright.grow.bins import Bins, find_bins, in_bins
from treewright.grow.coded import Coding, Missing, code_columns
from treewright.grow.columns import Layout, column_fields, lay_out
from treewright.grow.monotonic import monotonic_fields
from treewright.grow.plan import Plan
from treewright.model.strategies import REFUSED, STRATEGIES

GROUPING_CODES = {
    "each": codes.EACH,
    "subset": codes.SUBSET,
    "greedy": codes.GREEDY,
    "least-loss": codes.LEAST_LOSS,
    "binary": codes.BINARY,
}
PENALTY_CODES = {"none": codes.NO_PENALTY, "cuts": codes.CUTS, "description": codes.DESCRIPTION}
FLOOR_CODES = {"none": codes.NO_FLOOR, "average": codes.AVERAGE, "description": codes.LENGTH}
PAIR = np.ones((1, 2), np.int64)
"""A row of each of two classes."""
MAX_ROWS = 2**31
ROW_MASK = 2**31 - 1
"""The bits of an entry that can hold a row."""
NO_LIMIT = 2**62
FEW, MANY = 500.0, 1000.0
"""Training rows a class between which the description-length floor takes the place of the average gain."""
SHARED_BITS = 6
"""Labels are packed into entries when there is room for 2^6 times as many ids as rows."""

FEW_COUNTS = 2**12
"""n log2 n is kept for so many counts n: it is the same for every table."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What the threads share, and what is needed to make a tree of the draft.

    table    the fields of the workspace's table
    numbers  the plan as numbers: the fields of the workspace's plan
    """

    dataset: Dataset
    plan: Plan
    weights: Weights
    moments: Moments | None
    table: dict[str, Any]
    numbers: dict[str, Any]
    layout: Layout
    coding: Coding | None = None
    """The columns that have codes instead of sorted lists."""
    bins: dict[int, Bins] = field(default_factory=dict)
    """The bins of columns whose values were drawn together; the dataset has their highest values instead, unless the
    columns are coded."""

    @property
    def most(self) -> int:
        """The most categories a column has, at least two."""
        return self.layout.most


def prepare(dataset: Dataset, plan: Plan, n_jobs: int = 1, *, coded: bool = False) -> Prepared:
    """Sort, code and count: all that is done once.

    coded  whether numbers of few values may be coded instead of sorted: growth can tell what it needs from tallies,
           but who looks at the sorted lists needs them all
    """
    if dataset.weight is not None and not dataset.weight.all():
        dataset = dataset.take(np.flatnonzero(dataset.weight))
    if dataset.n_rows >= MAX_ROWS:
        raise InputError(
            f"The table has {dataset.n_rows:,} rows; growth in memory takes up to {MAX_ROWS - 1:,}: sample it."
        )
    bins = find_bins(dataset, plan.max_bins, n_jobs)
    gone = _missing_cells(dataset)
    missing = _missing_code(dataset, plan, gone)
    if missing == codes.FRACTIONAL:
        bits = WEIGHT_BITS if dataset.schema.target.is_number else SHARE_BITS
        weights = weights_to_share(dataset.weight, dataset.n_rows, bits)
        plan = replace(plan, minimum="weight")
    else:
        weights = weights_in_units(dataset.weight)
    is_number, moments = dataset.schema.target.is_number, None
    if is_number:
        order = _order_of_rows(dataset)
        moments = moments_in_units(np.asarray(dataset.target, np.float64), weights, order, plan.criterion)
    table = _target_fields(dataset, weights, moments, shared=missing == codes.FRACTIONAL)
    table["has_own_ids"] = missing == codes.FRACTIONAL
    coding = None
    if coded and (missing == codes.WHOLE or not bins):
        coding = code_columns(dataset, plan, missing, gone, bins, n_jobs)
    table["has_coded"] = coding is not None
    if bins and coding is None:
        dataset = in_bins(dataset, bins)
    layout = lay_out(dataset, coding)
    lists = np.empty((layout.n_lists + 1, dataset.n_rows), np.uint32)
    if is_number:
        lists[-1] = order
    else:
        rows_by_class(table["labels"], table["n_classes"], table["shift"], table["label_mask"] > 0, lists[-1])
    table |= column_fields(dataset, layout, lists, table["row_mask"], gone, n_jobs)
    if missing:
        table |= _missing_fields(dataset, table, gone)
    numbers = _plan_fields(dataset, plan, weights, missing, layout.none_missing)
    if numbers["criterion"] == codes.ENTROPY:
        n = dataset.n_rows + 2
        table["xlogx"] = _few_logs() if n <= FEW_COUNTS else _count_logs(n)
    if plan.charge == "description" and plan.grouping in ("greedy", "least-loss"):
        numbers["log2_groupings"] = log2_groupings(min(layout.most + 1, codes.MAX_GROUPED))
    return Prepared(dataset, plan, weights, moments, table, numbers, layout, coding, bins)


def _count_logs(n: int) -> NDArray[np.float64]:
    """k log2 k of the counts k below n."""
    counts = np.arange(n, dtype=np.float64)
    counts[1:] *= np.log2(counts[1:])
    return counts


@cache
def _few_logs() -> NDArray[np.float64]:
    return _count_logs(FEW_COUNTS)


def _missing_cells(dataset: Dataset) -> Missing:
    """Which rows are missing, for each column where any is."""
    ends = dataset.known_ends
    if ends is not None:
        return {f: np.isnan(dataset.values[:, f]) for f in ends.holes.nonzero()[0].tolist()}
    if not has_hole(dataset.values):
        return {}
    gone = {f: np.isnan(dataset.values[:, f]) for f in range(dataset.n_columns)}
    return {f: cells for f, cells in gone.items() if cells.any()}


def _missing_code(dataset: Dataset, plan: Plan, gone: Missing) -> int:
    """What the kernels do with missing cells; WHOLE when there are none but in columns without any value."""
    if gone and STRATEGIES[plan.missing].goes == REFUSED:
        refuse_missing(dataset.schema.columns, dataset.values)
    if all(cells.all() for cells in gone.values()):
        return codes.WHOLE
    code = STRATEGIES[plan.missing].code
    if code is None or not knows_missing(code):
        raise ParameterError(
            f"missing={plan.missing!r} has the code {code}, which growth does not know; add it to knows_missing in "
            "_core/grow/missing.py, and compile the kernels again with `make setup`."
        )
    return code


def _order_of_rows(dataset: Dataset) -> NDArray[np.uint32]:
    """Rows by number, then weight: an order that does not depend on the one they came in."""
    if dataset.weight is not None:
        return np.lexsort((dataset.weight, dataset.target)).astype(np.uint32)
    rows = np.arange(dataset.n_rows, dtype=np.uint32)
    order, room = np.empty_like(rows), np.empty((3, dataset.n_rows), np.uint64)
    sort_entries(np.array(dataset.target, np.float64).view(np.uint64), rows, ROW_MASK, order, room)
    return order & np.uint32(ROW_MASK)


def _target_fields(
    dataset: Dataset, weights: Weights, moments: Moments | None, *, shared: bool
) -> dict[str, Any]:
    n_classes = dataset.schema.target.n_classes
    row_bits = (dataset.n_rows - 1).bit_length()
    label_bits = (n_classes - 1).bit_length() if n_classes else 0
    packed = is_used("packed labels") and row_bits + label_bits <= 31
    if shared:  # shares of rows have ids of their own: as many bits as there are
        packed = is_used("packed labels") and row_bits + SHARED_BITS + label_bits <= 31
        row_bits = 31 - label_bits if packed else 31
    fields: dict[str, Any] = {
        "n_rows": dataset.n_rows,
        "n_columns": dataset.n_columns,
        "n_classes": n_classes,
        "width": n_classes or 2,
        "weighted": weights.whole is not None,
        "shift": row_bits,
        "row_mask": (1 << row_bits) - 1,
        "label_mask": (1 << label_bits) - 1 if packed else 0,
    }
    if weights.whole is not None:
        fields["weights"] = weights.whole
    if moments is None:
        labels = np.ascontiguousarray(dataset.target, np.int32)
        return fields | {"labels": labels, "y_unit": 1.0, "y_step": 0.0, "y_centre": 0.0}
    return fields | {
        "moments": moments.whole,
        "y": np.array(dataset.target, np.float64),
        "y_unit": moments.unit,
        "y_step": moments.step,
        "y_centre": moments.centre,
    }


def _missing_fields(dataset: Dataset, table: dict[str, Any], gone: Missing) -> dict[str, Any]:
    is_missing = np.zeros((table["n_lists"], dataset.n_rows), np.uint8)
    list_of = table["places"][0]
    for f, cells in gone.items():
        if list_of[f] >= 0:
            is_missing[list_of[f]] = cells
    return {"is_missing": is_missing, "origin": np.arange(dataset.n_rows, dtype=np.int32)}


def _plan_fields(
    dataset: Dataset, plan: Plan, weights: Weights, missing: int, nowhere: NDArray[np.uint8]
) -> dict[str, Any]:
    """The plan as numbers; `nowhere` has 0 for each column."""
    total = dataset.n_rows if weights.whole is None else float(weights.whole.sum()) / weights.one
    many_valued = nowhere
    if plan.wide is not None:
        many_valued = nowhere.copy()
        for f, column in enumerate(dataset.schema.columns):
            many_valued[f] = column.kind is Kind.CATEGORY and column.n_categories >= plan.wide * total
    part = average_part(plan, total / max(dataset.schema.target.n_classes, 1))
    close = CLOSE if missing == codes.FRACTIONAL else 0.0
    searched = STRATEGIES[plan.missing].surrogates and (missing == codes.SURROGATE or plan.surrogates == "always")
    return _plan_numbers(plan, close, weights.one, weights.unit) | monotonic_fields(dataset.schema, plan.monotonic) | {
        "missing": missing,
        "max_surrogates": plan.max_surrogates if searched else 0,
        "average_part": part,
        "many_valued": many_valued,
        "row_weight": weights.one,
        "largest_row_weight": _largest_weight(dataset, weights),
        "fast_paths": kernel_bits(),
        "skip_blocks_from": int(size_of("skipped blocks")),
    }


def _largest_weight(dataset: Dataset, weights: Weights) -> float:
    """The most units of weight that a single row has."""
    return weights.one if dataset.is_counted or weights.whole is None else float(weights.whole.max())


@lru_cache(maxsize=64)
def _plan_numbers(plan: Plan, close: float, one: float, unit: float) -> dict[str, Any]:
    """What does not depend on the table.

    close      weights that are as close, in rows, are equal
    one, unit  as in Weights
    """
    limits = plan.limits
    return {
        "criterion": criterion_code(plan.measured_by),
        "by_ratio": plan.merit == "ratio",
        "gain_floor": FLOOR_CODES[plan.floor],
        "grouping": GROUPING_CODES[plan.grouping],
        "penalty": PENALTY_CODES[plan.charge],
        "release8_side": plan.side == "release8",
        "count_weight": plan.minimum == "weight",
        "missing_in_split_info": plan.info == "all",
        "least_fraction": LEAST_SHARE * one,
        "tolerance": close * one,
        "floor_slack": plan.slack,
        "min_info": plan.min_info,
        "max_depth": NO_LIMIT if limits.max_depth is None else limits.max_depth,
        "min_split": limits.min_split - close,
        "min_leaf": limits.min_leaf - close,
        "min_leaf_weight": limits.min_leaf_weight / unit,
        "min_gain": limits.min_gain,
        "max_leaves": limits.max_leaves or 0,
        "use_bound": plan.merit == "decrease" and plan.floor == "none" and plan.charge == "none",
    }


def criterion_code(criterion: Criterion) -> int:
    """The number of a criterion in the kernels, if they can compute it.

    >>> criterion_code(Plan(criterion="gini").measured_by) == codes.GINI
    True
    """
    if not has_compiled_form(criterion.code, PAIR):
        raise ParameterError(
            f"criterion={criterion.name!r} has the code {criterion.code}, which has no compiled form; give it one in "
            "impurity_of of _core/grow/impurity.py, and compile the kernels again with `make setup`."
        )
    return criterion.code


def average_part(plan: Plan, rows_a_class: float) -> float:
    """How much of the floor is the average gain: all of it up to 500 training rows a class, nothing from 1,000 on.

    >>> average_part(Plan(floor="description"), 750.0)
    0.5
    """
    if plan.floor != "description":
        return 1.0
    return min(1.0, max(0.0, (MANY - rows_a_class) / (MANY - FEW)))


def log2_groupings(most: int) -> NDArray[np.float64]:
    """log2 of the number of ways to make k groups of n things (Stirling numbers of the second kind): [n, k].

    >>> 2 ** log2_groupings(4)[4, 1:]
    array([1., 7., 6., 1.])
    """
    logs = np.full((most + 1, most + 1), -np.inf)
    logs[0, 0] = 0.0
    k = np.log2(np.arange(1, most + 1))
    for n in range(1, most + 1):  # S(n, k) = k S(n - 1, k) + S(n - 1, k - 1)
        logs[n, 1:] = np.logaddexp2(k + logs[n - 1, 1:], logs[n - 1, :-1])
    return logs
