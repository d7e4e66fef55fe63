"""Preparing a dataset and a plan for the growth loop: all that is done once before growth.

In: encoded columns and a plan. Out: `Prepared`: sorted lists, codes, weights and targets as whole numbers, and the plan
as numbers.
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
from treewright.data.column_ranges import has_missing
from treewright.data.dataset import Dataset
from treewright.data.encode import refuse_missing
from treewright.data.fixed_point import (
    FRACTION_BITS,
    SMALLEST_FRACTION,
    WEIGHT_BITS,
    WEIGHT_TOLERANCE,
    Moments,
    Weights,
    moments_in_units,
    weights_in_small_units,
    weights_in_units,
)
from treewright.data.schema import Kind
from treewright.errors import InputError, ParameterError
from treewright.fast_paths import is_used, kernel_bits, size_of
from treewright.grow.bins import Bins, find_bins, replace_by_bins
from treewright.grow.coded_columns import Coding, MissingCells, code_columns
from treewright.grow.column_layout import ColumnLayout, column_fields, lay_out_columns
from treewright.grow.plan import Plan, monotonic_fields
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
"""Training rows per class between which the description-length floor replaces the average gain."""
SHARED_BITS = 6
"""Labels are packed into entries when there is room for 2^6 times as many ids as rows."""

FEW_COUNTS = 2**12
"""n log2 n is cached for so many counts n: it is the same for every table."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What the threads share, and what is needed to make a tree from the draft.

    table    the fields of the workspace's table
    numbers  the plan as numbers: the fields of the workspace's plan
    """

    dataset: Dataset
    plan: Plan
    weights: Weights
    moments: Moments | None
    table: dict[str, Any]
    numbers: dict[str, Any]
    layout: ColumnLayout
    coding: Coding | None = None
    """The columns that have codes instead of sorted lists."""
    bins: dict[int, Bins] = field(default_factory=dict)
    """The bins of columns with too many values; the dataset has the highest value of each bin instead, unless the
    columns are coded."""

    @property
    def most(self) -> int:
        """The largest number of categories of a column, at least two."""
        return self.layout.most


@dataclass(frozen=True, slots=True, eq=False)
class PartOfTable:
    """What growth on some rows of a table has to know of the whole table.

    missing  the code of the strategy for missing values
    weights  of these rows, in the units of the table
    moments  the same of a numeric target; None for classes
    total    the weight of all rows, in rows of weight 1
    largest  the most units of weight that a single row has
    """

    missing: int
    weights: Weights
    total: float
    largest: float
    moments: Moments | None = None


def prepare(
    dataset: Dataset, plan: Plan, n_jobs: int = 1, *, coded: bool = False, part: PartOfTable | None = None
) -> Prepared:
    """Sort, code and count the table.

    coded  whether columns with few values may be coded instead of sorted: growth can use histograms, but a replay of
           growth needs all sorted lists
    part   if these are some rows of a larger table, on which a subtree is grown
    """
    if dataset.weight is not None and not dataset.weight.all():
        dataset = dataset.take(np.flatnonzero(dataset.weight))
    if dataset.n_rows >= MAX_ROWS:
        raise InputError(
            f"The table must have at most {MAX_ROWS - 1:,} rows, got {dataset.n_rows:,}; use a sample of the rows."
        )
    bins = find_bins(dataset, plan.max_bins, n_jobs)
    missing_cells = _missing_cells(dataset)
    missing = _missing_code(dataset, plan, missing_cells) if part is None else part.missing
    if missing == codes.FRACTIONAL:
        plan = replace(plan, minimum="weight")
    weights = _read_weights(dataset, missing) if part is None else part.weights
    is_number, moments = dataset.schema.target.is_number, None
    if is_number:
        order = _order_of_rows(dataset)
        moments = _moments(dataset, plan, weights, order) if part is None else part.moments
    table = table_fields(dataset, weights, moments, shared=missing == codes.FRACTIONAL)
    table["has_own_ids"] = missing == codes.FRACTIONAL
    coding = None
    if coded and (missing == codes.WHOLE or not bins):
        coding = code_columns(dataset, plan, missing, missing_cells, bins, n_jobs)
    table["has_coded"] = coding is not None
    if bins and coding is None:
        dataset = replace_by_bins(dataset, bins)
    layout = lay_out_columns(dataset, coding)
    lists = np.empty((layout.n_lists + 1, dataset.n_rows), np.uint32)
    if is_number:
        lists[-1] = order
    else:
        rows_by_class(table["labels"], table["n_classes"], table["shift"], table["label_mask"] > 0, lists[-1])
    table |= column_fields(dataset, layout, lists, table["row_mask"], missing_cells, n_jobs)
    if missing:
        table |= _missing_fields(dataset, table, missing_cells)
    total = None if part is None else part.total
    numbers = plan_fields(dataset, plan, weights, missing, layout, total)
    if part is not None:
        numbers["largest_row_weight"] = part.largest
    if numbers["criterion"] == codes.ENTROPY:
        n = dataset.n_rows + 2
        table["xlogx"] = _cached_count_logs() if n <= FEW_COUNTS else _count_logs(n)
    return Prepared(dataset, plan, weights, moments, table, numbers, layout, coding, bins)


def _read_weights(dataset: Dataset, missing: int) -> Weights:
    """The weights in units, which are small where rows are divided."""
    if missing != codes.FRACTIONAL:
        return weights_in_units(dataset.weight)
    bits = WEIGHT_BITS if dataset.schema.target.is_number else FRACTION_BITS
    return weights_in_small_units(dataset.weight, dataset.n_rows, bits)


def _moments(dataset: Dataset, plan: Plan, weights: Weights, order: NDArray[np.uint32]) -> Moments:
    """The numeric target, checked, as integers."""
    if plan.measured_by.by_deviance:
        _check_rates(dataset)
    return moments_in_units(np.asarray(dataset.target, np.float64), weights, order, plan.criterion)


def _check_rates(dataset: Dataset) -> None:
    """Raise an error for targets that are not numbers of events or rates."""
    name, low = dataset.schema.target.name, float(dataset.target.min())
    if low < 0:
        raise InputError(
            f"The target {name!r} must be at least 0 for criterion='poisson', got {low:g}; "
            "use criterion='squared_error'."
        )
    if not dataset.target.any():
        raise InputError(
            f"The target {name!r} is 0 in every row, so criterion='poisson' has no rate to compare; pass rows with "
            "events, or use criterion='squared_error'."
        )


def _count_logs(n: int) -> NDArray[np.float64]:
    """k log2 k of the counts k below n."""
    counts = np.arange(n, dtype=np.float64)
    counts[1:] *= np.log2(counts[1:])
    return counts


@cache
def _cached_count_logs() -> NDArray[np.float64]:
    return _count_logs(FEW_COUNTS)


def _missing_cells(dataset: Dataset) -> MissingCells:
    """Which rows are missing, for each column with missing values."""
    ranges = dataset.known_ranges
    if ranges is not None:
        return {f: np.isnan(dataset.values[:, f]) for f in ranges.has_missing.nonzero()[0].tolist()}
    if not has_missing(dataset.values):
        return {}
    missing_cells = {f: np.isnan(dataset.values[:, f]) for f in range(dataset.n_columns)}
    return {f: cells for f, cells in missing_cells.items() if cells.any()}


def _missing_code(dataset: Dataset, plan: Plan, missing_cells: MissingCells) -> int:
    """The code of the strategy for missing values; WHOLE if values are missing only in columns without any value."""
    if missing_cells and STRATEGIES[plan.missing].goes == REFUSED:
        refuse_missing(dataset.schema.columns, dataset.values)
    if all(cells.all() for cells in missing_cells.values()):
        return codes.WHOLE
    code = STRATEGIES[plan.missing].code
    if code is None or not knows_missing(code):
        raise ParameterError(
            f"missing={plan.missing!r} has the code {code}, which the kernels do not know; add it to knows_missing in "
            "_core/grow/missing.py, and compile the kernels again with `make setup`."
        )
    return code


def _order_of_rows(dataset: Dataset) -> NDArray[np.uint32]:
    """The rows by target, then weight: an order that does not depend on that of the table."""
    if dataset.weight is not None:
        return np.lexsort((dataset.weight, dataset.target)).astype(np.uint32)
    rows = np.arange(dataset.n_rows, dtype=np.uint32)
    order, room = np.empty_like(rows), np.empty((3, dataset.n_rows), np.uint64)
    sort_entries(np.array(dataset.target, np.float64).view(np.uint64), rows, ROW_MASK, order, room)
    return order & np.uint32(ROW_MASK)


def table_fields(
    dataset: Dataset, weights: Weights, moments: Moments | None, *, shared: bool
) -> dict[str, Any]:
    """The fields of the target and the weights; `shared`: whether rows are divided into parts with own ids."""
    n_classes = dataset.schema.target.n_classes
    row_bits = (dataset.n_rows - 1).bit_length()
    label_bits = (n_classes - 1).bit_length() if n_classes else 0
    packed = is_used("packed labels") and row_bits + label_bits <= 31
    if shared:  # fractions of rows have ids of their own: as many bits as possible
        packed = is_used("packed labels") and row_bits + SHARED_BITS + label_bits <= 31
        row_bits = 31 - label_bits if packed else 31
    fields: dict[str, Any] = {
        "n_rows": dataset.n_rows,
        "n_columns": dataset.n_columns,
        "n_classes": n_classes,
        "width": n_classes or 2,
        "weighted": weights.whole is not None,
        "has_row_counts": False,
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
        "y_unit": moments.units.unit,
        "y_step": moments.units.step,
        "y_centre": moments.units.centre,
    }


def _missing_fields(dataset: Dataset, table: dict[str, Any], missing_cells: MissingCells) -> dict[str, Any]:
    is_missing = np.zeros((table["n_lists"], dataset.n_rows), np.uint8)
    list_of = table["places"][0]
    for f, cells in missing_cells.items():
        if list_of[f] >= 0:
            is_missing[list_of[f]] = cells
    return {"is_missing": is_missing, "origin": np.arange(dataset.n_rows, dtype=np.int32)}


def plan_fields(
    dataset: Dataset,
    plan: Plan,
    weights: Weights,
    missing: int,
    layout: ColumnLayout,
    total: float | None = None,
) -> dict[str, Any]:
    """The plan as numbers; `total` is the weight of all rows in rows of weight 1, if these are not all."""
    if total is None:
        total = dataset.n_rows if weights.whole is None else float(weights.whole.sum()) / weights.one
    many_valued = layout.none_missing
    if plan.wide is not None:
        many_valued = layout.none_missing.copy()
        for f, column in enumerate(dataset.schema.columns):
            many_valued[f] = column.kind is Kind.CATEGORY and column.n_categories >= plan.wide * total
    part = average_part(plan, total / max(dataset.schema.target.n_classes, 1))
    close = WEIGHT_TOLERANCE if missing == codes.FRACTIONAL else 0.0
    searched = STRATEGIES[plan.missing].surrogates and (missing == codes.SURROGATE or plan.surrogates == "always")
    groupings = {}
    if plan.penalty == "description" and plan.grouping in ("greedy", "least-loss"):
        groupings["log2_groupings"] = log2_groupings(min(layout.most + 1, codes.MAX_GROUPED))
    numbers = _plan_numbers(plan, close, weights.one, weights.unit) | monotonic_fields(dataset.schema, plan.monotonic)
    return numbers | groupings | {
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
    """The largest weight of a row, in units."""
    return weights.one if dataset.is_counted or weights.whole is None else float(weights.whole.max())


@lru_cache(maxsize=64)
def _plan_numbers(plan: Plan, close: float, one: float, unit: float) -> dict[str, Any]:
    """The numbers of a plan that do not depend on the table.

    close      weights that differ by at most this, in rows, are equal
    one, unit  as in Weights
    """
    limits = plan.limits
    return {
        "criterion": criterion_code(plan.measured_by),
        "by_ratio": plan.merit == "ratio",
        "gain_floor": FLOOR_CODES[plan.floor],
        "grouping": GROUPING_CODES[plan.grouping],
        "penalty": PENALTY_CODES[plan.penalty],
        "release8_side": plan.side == "release8",
        "count_weight": plan.minimum == "weight",
        "missing_in_split_info": plan.info == "all",
        "least_fraction": SMALLEST_FRACTION * one,
        "tolerance": close * one,
        "floor_slack": plan.slack,
        "min_info": plan.min_info,
        "max_depth": NO_LIMIT if limits.max_depth is None else limits.max_depth,
        "min_split": limits.min_split - close,
        "min_leaf": limits.min_leaf - close,
        "min_leaf_weight": limits.min_leaf_weight / unit,
        "min_gain": limits.min_gain,
        "max_leaves": limits.max_leaves or 0,
        "use_bound": plan.merit == "decrease" and plan.floor == "none" and plan.penalty == "none",
    }


def criterion_code(criterion: Criterion) -> int:
    """The code of a criterion in the kernels; an error if they cannot compute it.

    >>> criterion_code(Plan(criterion="gini").measured_by) == codes.GINI
    True
    """
    if not has_compiled_form(criterion.code, PAIR):
        raise ParameterError(
            f"criterion={criterion.name!r} has the code {criterion.code}, which the kernels do not know; add it to "
            "impurity_of in _core/grow/impurity.py, and compile the kernels again with `make setup`."
        )
    return criterion.code


def average_part(plan: Plan, rows_per_class: float) -> float:
    """Which fraction of the floor is the average gain: 1 up to 500 training rows per class, 0 from 1,000 on.

    >>> average_part(Plan(floor="description"), 750.0)
    0.5
    """
    if plan.floor != "description":
        return 1.0
    return min(1.0, max(0.0, (MANY - rows_per_class) / (MANY - FEW)))


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
