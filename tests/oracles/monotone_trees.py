"""Monotone trees of drawn tables, and their fingerprints: what threads, rows in another order and uncompiled kernels
have to give again.

In: a plan, a way with missing values and seeds. Out: datasets, plans and trees.
"""

import sys
from dataclasses import replace

import numpy as np

from treewright._core.grow import Work
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.grower import grow
from treewright.grow.plan import Plan

PLANS = {
    "gini": Plan(),
    "c4.5": Plan(criterion="entropy", merit="ratio", floor="average", grouping="each", minimum="weight"),
    "twoing": Plan(criterion="twoing"),
    "squared_error": Plan(criterion="squared_error"),
    "absolute_error": Plan(criterion="absolute_error"),
}
MISSING = ("error", "fractional", "surrogate", "learned", "branch", "stop")


def dataset_of(seed, plan, *, share_missing=0.0):
    """Two numbers, an ordered category and a category, and the plan with a sense for each of them."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(15, 60))
    values = np.column_stack(
        [draw.normal(size=n).round(1), draw.integers(0, 6, n), draw.integers(0, 3, n), draw.integers(0, 4, n)]
    ).astype(float)
    signal = values[:, 0] + values[:, 1] / 3 * (values[:, 3] - 1) + draw.normal(size=n)
    values[draw.random(values.shape) < share_missing] = np.nan
    values[0] = 0.0
    columns = (
        Column("a", Kind.NUMBER),
        Column("b", Kind.NUMBER),
        Column("size", Kind.ORDERED, ("S", "M", "L")),
        Column("town", Kind.CATEGORY, ("A", "B", "C", "D")),
    )
    target = signal.round(1) if plan.for_numbers else (signal > np.median(signal)).astype(np.int32)
    schema = Schema(columns, Target("y") if plan.for_numbers else Target("y", ("no", "yes")))
    senses = (*draw.choice([-1, 1], 2).tolist(), int(draw.integers(-1, 2)), 0)
    return Dataset(schema, values, target), replace(plan, monotonic=senses)


def trees(name, missing, seeds):
    """Datasets with missing cells, plans and their trees; ways that a plan cannot have are passed over."""
    plan = PLANS[name]
    if missing == "surrogate" and plan.grouping != "subset":
        return
    if missing == "branch" and plan.criterion == "twoing":
        return
    for seed in seeds:
        dataset, constrained = dataset_of(seed, plan, share_missing=0.0 if missing == "error" else 0.25)
        constrained = replace(constrained, missing=missing)
        yield dataset, constrained, grow(dataset, constrained)


def fingerprints():
    """One for each tree, in a fixed order."""
    return [tree.fingerprint() for name in PLANS for missing in MISSING for _, _, tree in trees(name, missing, [7])]


if __name__ == "__main__":
    sys.stdout.write("\n".join([sys.modules[Work.__module__].__file__, *fingerprints()]) + "\n")
