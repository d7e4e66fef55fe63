"""A dataset and a plan -> the Work of the growth loop.

In: encoded columns and names of parts. Out: sorted lists, codes, whole weights and moments, and the plan as
numbers. Each number column is sorted here, once.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.sorting import sort_entries
from treewright.data.dataset import Dataset
from treewright.data.encode import refuse_missing
from treewright.data.schema import Kind
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
from treewright.errors import InputError
from treewright.grow.bins import Bins, find_bins, in_bins
from treewright.grow.coded import Coding, code_columns
from treewright.grow.monotonic import monotonic_fields
from treewright.grow.plan import Plan

CRITERION_CODES = {
    "entropy": codes.ENTROPY,
    "gini": codes.GINI,
    "twoing": codes.TWOING,
    "squared_error": codes.SQUARED_ERROR,
    "absolute_error": codes.ABSOLUTE_ERROR,
}
GROUPING_CODES = {
    "each": codes.EACH,
    "subset": codes.SUBSET,
    "greedy": codes.GREEDY,
    "least-loss": codes.LEAST_LOSS,
    "binary": codes.BINARY,
}
CHARGE_CODES = {"none": codes.NO_CHARGE, "cuts": codes.CUTS, "description": codes.DESCRIPTION}
FLOOR_CODES = {"none": codes.NO_FLOOR, "average": codes.AVERAGE, "description": codes.LENGTH}
MISSING_CODES = {
    "fractional": codes.FRACTIONAL,
    "surrogate": codes.SURROGATE,
    "stop": codes.STOP,
    "learned": codes.LEARNED,
    "branch": codes.BRANCH,
}
MAX_ROWS = 2**31
MAX_CELLS = 2**25
"""Most cells (categories times classes) that a column's contingency table may have."""
NO_LIMIT = 2**62
Missing = dict[int, NDArray[np.bool_]]
"""Column -> which rows are missing on it."""
FEW, MANY = 500.0, 1000.0
"""Training rows a class between which the description-length floor takes the place of the average gain."""
SHARED_BITS = 6
"""Labels are packed into entries when there is room for 2^6 times as many ids as rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What the threads share (`fields`), and what is needed to make a tree of the draft."""

    dataset: Dataset
    plan: Plan
    weights: Weights
    moments: Moments | None
    fields: dict[str, Any]
    most: int
    """The most categories a column has."""
    coding: Coding | None = None
    """The columns that have codes instead of sorted lists."""
    bins: dict[int, Bins] = field(default_factory=dict)
    """The bins of columns whose values were drawn together; the dataset has their highest values instead, unless the
    columns are coded."""


def prepare(dataset: Dataset, plan: Plan, *, coded: bool = False) -> Prepared:
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
    bins = find_bins(dataset, plan.max_bins)
    gone = _missing_cells(dataset)
    missing = _missing_code(dataset, plan, gone)
    if missing == codes.FRACTIONAL:
        bits = WEIGHT_BITS if dataset.schema.target.is_number else SHARE_BITS
        weights = weights_to_share(dataset.weight, dataset.n_rows, bits)
        plan = replace(plan, minimum="weight")
    else:
        weights = weights_in_units(dataset.weight)
    order = _order_of_rows(dataset)
    moments = None
    if dataset.schema.target.is_number:
        moments = moments_in_units(np.asarray(dataset.target, np.float64), weights, order)
    fields = _target_fields(dataset, weights, moments, shared=missing == codes.FRACTIONAL)
    fields["missing"] = missing
    coding = code_columns(dataset, plan, bins) if coded and missing == codes.WHOLE else None
    if bins and coding is None:
        dataset = in_bins(dataset, bins)
    fields |= _column_fields(dataset, order, fields, gone, coding)
    if missing:
        fields |= _missing_fields(dataset, fields, gone)
    fields |= _plan_fields(dataset, plan, weights, missing) | monotonic_fields(dataset.schema, plan.monotonic)
    searched = missing == codes.SURROGATE or plan.surrogates == "always"
    fields["max_surrogates"] = plan.max_surrogates if plan.missing == "surrogate" and searched else 0
    if plan.criterion == "entropy":
        counts = np.arange(dataset.n_rows + 2, dtype=np.float64)
        counts[1:] *= np.log2(counts[1:])
        fields["xlogx"] = counts
    most = max([c.n_categories for c in dataset.schema.columns if c.kind is Kind.CATEGORY], default=1)
    counted = plan.charge == "description" and plan.grouping in ("greedy", "least-loss")
    fields["log_ways"] = log_ways(min(most + 1, codes.MAX_GROUPED) if counted else 0)
    return Prepared(dataset, plan, weights, moments, fields, max(most, 2), coding, bins)


def _missing_cells(dataset: Dataset) -> Missing:
    """Which rows are missing, for each column where any is."""
    if not np.isnan(dataset.values.min(initial=0.0)):  # a minimum passes NaN on, and needs no memory
        return {}
    gone = {f: np.isnan(dataset.values[:, f]) for f in range(dataset.n_columns)}
    return {f: cells for f, cells in gone.items() if cells.any()}


def _missing_code(dataset: Dataset, plan: Plan, gone: Missing) -> int:
    """What the kernels do with missing cells; WHOLE when there are none but in columns without any value."""
    if gone and plan.missing == "error":
        refuse_missing(dataset.schema.columns, dataset.values)
    if all(cells.all() for cells in gone.values()):
        return codes.WHOLE
    return MISSING_CODES[plan.missing]


def _order_of_rows(dataset: Dataset) -> NDArray[np.intp]:
    """Rows by target, then weight: an order that does not depend on the one they came in."""
    if dataset.schema.target.is_number and dataset.weight is not None:
        return np.lexsort((dataset.weight, dataset.target))
    if not dataset.schema.target.is_number and dataset.schema.target.n_classes <= 2**15:
        return np.argsort(dataset.target.astype(np.int16), kind="stable")  # numpy sorts 16 bits by counting
    return np.argsort(dataset.target, kind="stable")


def _target_fields(
    dataset: Dataset, weights: Weights, moments: Moments | None, *, shared: bool
) -> dict[str, Any]:
    n_classes = dataset.schema.target.n_classes
    no_longs = np.zeros(1, np.int64)
    row_bits = (dataset.n_rows - 1).bit_length()
    label_bits = (n_classes - 1).bit_length() if n_classes else 0
    packed = row_bits + label_bits <= 31
    if shared:  # shares of rows have ids of their own: as many bits as there are
        packed = row_bits + SHARED_BITS + label_bits <= 31
        row_bits = 31 - label_bits if packed else 31
    fields: dict[str, Any] = {
        "n_rows": dataset.n_rows,
        "n_columns": dataset.n_columns,
        "n_classes": n_classes,
        "width": n_classes or 2,
        "weighted": weights.whole is not None,
        "weights": no_longs if weights.whole is None else weights.whole,
        "one": weights.one,
        "single": weights.one if dataset.is_counted or weights.whole is None else float(weights.whole.max()),
        "shift": row_bits,
        "row_mask": (1 << row_bits) - 1,
        "label_mask": (1 << label_bits) - 1 if packed else 0,
    }
    if moments is None:
        labels = np.ascontiguousarray(dataset.target, np.int32)
        return fields | {"labels": labels, "moments": no_longs, "y": np.zeros(1), "y_unit": 1.0, "y_centre": 0.0}
    return fields | {
        "labels": np.zeros(1, np.int32),
        "moments": moments.whole,
        "y": np.array(dataset.target, np.float64),
        "y_unit": moments.unit / weights.unit,
        "y_centre": moments.centre,
    }


def _column_fields(
    dataset: Dataset, order: NDArray[np.intp], target: dict[str, Any], gone: Missing, coding: Coding | None
) -> dict[str, Any]:
    columns = dataset.schema.columns
    byte_of = np.full(len(columns), -1, np.int32)
    if coding is not None:
        byte_of[coding.columns] = np.arange(len(coding.columns))
    numbers = [f for f, c in enumerate(columns) if c.kind is not Kind.CATEGORY and byte_of[f] < 0]
    categories = [f for f, c in enumerate(columns) if c.kind is Kind.CATEGORY]
    n_rows = dataset.n_rows
    lists = np.empty((len(numbers) + 1, n_rows), np.uint32)
    lists[-1] = order
    if target["label_mask"]:
        lists[-1] |= target["labels"][order].astype(np.uint32) << np.uint32(target["shift"])
    list_of = np.full(len(columns), -1, np.int32)
    code_of = np.full(len(columns), -1, np.int32)
    for i, f in enumerate(numbers):
        list_of[f] = i
        values = np.array(dataset.values[:, f], np.float64)
        if f in gone:
            values[gone[f]] = np.nan  # one form of NaN, which is sorted behind the highest value
        sort_entries(values.view(np.uint64), lists[-1], target["row_mask"], lists[i])
    code_rows = np.empty((len(categories), n_rows), np.int32)
    for i, f in enumerate(categories):
        code_of[f] = i
        cells = dataset.values[:, f]
        if f in gone:
            cells = np.where(gone[f], columns[f].n_categories, cells)
        code_rows[i] = cells
        _refuse_too_many(dataset, f)
    return {
        "holes": _holes(gone, len(columns)),
        "stride": n_rows,
        "lists": lists.reshape(-1),
        "n_lists": len(lists),
        "list_of": list_of,
        "code_of": code_of,
        "byte_of": byte_of,
        "has_coded": coding is not None,
        "codes": code_rows,
        "n_levels": np.array([c.n_categories for c in columns], np.int64),
    }


def _holes(gone: Missing, n_columns: int) -> NDArray[np.uint8]:
    holes = np.full(n_columns, codes.NO_HOLE, np.uint8)
    for f, cells in gone.items():
        holes[f] = codes.NO_VALUE if cells.all() else codes.SOME_HOLES
    return holes


def _missing_fields(dataset: Dataset, fields: dict[str, Any], gone: Missing) -> dict[str, Any]:
    absent = np.zeros((fields["n_lists"], dataset.n_rows), np.uint8)
    for f, cells in gone.items():
        if fields["list_of"][f] >= 0:
            absent[fields["list_of"][f]] = cells
    return {"absent": absent, "origin": np.arange(dataset.n_rows, dtype=np.int32)}


def _refuse_too_many(dataset: Dataset, f: int) -> None:
    column = dataset.schema.columns[f]
    cells = column.n_categories * max(dataset.schema.target.n_classes, 2)
    if cells > MAX_CELLS:
        raise InputError(
            f"Column {column.name!r} has {column.n_categories:,} categories, too many for "
            f"{dataset.schema.target.n_classes} classes ({cells:,} counts; at most {MAX_CELLS:,}): "
            "leave it out or group its values."
        )


def _plan_fields(dataset: Dataset, plan: Plan, weights: Weights, missing: int) -> dict[str, Any]:
    limits = plan.limits
    close = CLOSE if missing == codes.FRACTIONAL else 0.0
    wide = np.zeros(dataset.n_columns, np.uint8)
    total = dataset.n_rows if weights.whole is None else float(weights.whole.sum()) / weights.one
    if plan.wide is not None:
        for f, column in enumerate(dataset.schema.columns):
            wide[f] = column.kind is Kind.CATEGORY and column.n_categories >= plan.wide * total
    return {
        "criterion": CRITERION_CODES[plan.criterion],
        "by_ratio": plan.merit == "ratio",
        "floor": FLOOR_CODES[plan.floor],
        "average_part": average_part(plan, total / max(dataset.schema.target.n_classes, 1)),
        "grouping": GROUPING_CODES[plan.grouping],
        "charge": CHARGE_CODES[plan.charge],
        "side_share": plan.side == "release8",
        "count_weight": plan.minimum == "weight",
        "info_all": plan.info == "all",
        "least_share": LEAST_SHARE * weights.one,
        "close": close * weights.one,
        "slack": plan.slack,
        "min_info": plan.min_info,
        "max_depth": NO_LIMIT if limits.max_depth is None else limits.max_depth,
        "min_split": limits.min_split - close,
        "min_leaf": limits.min_leaf - close,
        "min_leaf_weight": limits.min_leaf_weight / weights.unit,
        "min_gain": limits.min_gain,
        "max_leaves": limits.max_leaves or 0,
        "wide": wide,
        "use_bound": plan.merit == "decrease" and plan.floor == "none" and plan.charge == "none",
        "xlogx": np.zeros(1),
    }


def average_part(plan: Plan, rows_a_class: float) -> float:
    """How much of the floor is the average gain: all of it up to 500 training rows a class, nothing from 1,000 on.

    >>> average_part(Plan(floor="description"), 750.0)
    0.5
    """
    if plan.floor != "description":
        return 1.0
    return min(1.0, max(0.0, (MANY - rows_a_class) / (MANY - FEW)))


def log_ways(most: int) -> NDArray[np.float64]:
    """log2 of the number of ways to make k groups of n things (Stirling numbers of the second kind): [n, k].

    >>> 2 ** log_ways(4)[4, 1:]
    array([1., 7., 6., 1.])
    """
    logs = np.full((most + 1, most + 1), -np.inf)
    logs[0, 0] = 0.0
    k = np.log2(np.arange(1, most + 1))
    for n in range(1, most + 1):  # S(n, k) = k S(n - 1, k) + S(n - 1, k - 1)
        logs[n, 1:] = np.logaddexp2(k + logs[n - 1, 1:], logs[n - 1, :-1])
    return logs
