"""Rows for tests of growth from counts: a table, its tree in memory, and the simplest engine."""

import numpy as np
import pandas as pd
import pytest

from treewright import TreeClassifier, TreeRegressor
from treewright._core import codes
from treewright.data.schema import Kind
from treewright.estimators.fitting import make_grower, prepare_growth, read_settings
from treewright.estimators.parameters import resolve_limits
from treewright.estimators.training_data import read_training_data
from treewright.grow.bins import find_bins
from treewright.scale import fitting, worker
from treewright.scale.cells import lay_out_cells
from treewright.scale.class_weights import weigh_numbers, weigh_table
from treewright.scale.engine import WeightCounts
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.growth import Resources, grow, missing_code
from treewright.scale.partitions import PartitionEngine
from treewright.scale.survey import ColumnCodes, Survey

SOME_FETCHED = 300_000
"""Memory with which some subtrees of a few hundred rows are grown in memory."""


def mixed_frame(n, seed=0, missing=0.0):
    """Numbers (smooth, skewed, with a frequent value, few values), categories and booleans; a target of 3 classes."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "smooth": x,
            "skewed": np.round(np.exp(3 * x + rng.normal(size=n)), 3),
            "often zero": np.where(rng.random(n) < 0.4, 0.0, rng.normal(size=n).round(2)),
            "few": rng.integers(-3, 9, n).astype(float),
            "city": rng.choice(["Rome", "Oslo", "Bern", "Lima", "Kyiv", "Baku"], n),
            "word": rng.choice([f"w{i}" for i in range(60)], n),
            "flag": rng.random(n) < 0.3,
        }
    ).astype({"flag": object})
    score = x + (frame.city == "Oslo") * 1.5 + (frame.few > 3) + rng.normal(0, 0.8, n)
    for name in frame.columns:
        frame.loc[rng.random(n) < missing, name] = None
    return frame.assign(
        target=np.array(["no", "maybe", "yes"])[np.digitize(score, [0.0, 1.2])], weight=rng.integers(1, 4, n)
    )


def mixed_rows(n, seed=0, missing=0.0, weighted=False):
    """The same as a table, a target and weights."""
    frame = mixed_frame(n, seed, missing)
    X = frame.drop(columns=["target", "weight"])
    return X, frame["target"], frame["weight"] if weighted else None


def number_frame(n, seed=0, missing=0.0):
    """The same columns with a number as the target: rounded, skewed, often 0, and up to hundreds."""
    frame = mixed_frame(n, seed, missing)
    rng = np.random.default_rng(seed + 1)
    x = np.random.default_rng(seed).normal(size=n)
    target = np.exp(1.5 * x) + 3 * (frame.city == "Oslo") + rng.normal(0, 0.5, n)
    return frame.assign(target=np.where(rng.random(n) < 0.1, 0.0, target.round(3)))


def grown_task(model, rows):
    """What a fit in memory grows and prunes by."""
    settings = read_settings(model, has_validation=False)
    return prepare_growth(model, settings, read_training_data(model, *rows).rows)


def memory_tree(model, rows):
    """The grown tree of growth in memory."""
    task = grown_task(model, rows)
    return make_grower(model, task.growth, task.rule)(task.rows)


def in_memory(model, frame, weighted=False):
    """The grown tree of a frame with a target and weights."""
    rows = frame.drop(columns=["target", "weight"]), frame["target"], frame["weight"] if weighted else None
    return memory_tree(model, rows)


def fit(model, source, memory=SOME_FETCHED, engine=None, weighted=False):
    """The grown tree on a source; on a given engine, which a test has changed."""
    given = model.get_params(deep=False)
    model = type(model)(**given | {name: None for name in ("pruning", "ccp_alpha") if name in given})
    if engine is None:
        return fit_source(model, source, "target", "weight" if weighted else None, SourceOptions(memory)).grown_tree_
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "open_engine", lambda _: engine)
        return fit(model, source, memory, weighted=weighted)


def plan_of(model, rows):
    """The plan of a fit."""
    task = grown_task(model, rows)
    return resolve_limits(task.growth.plan, task.rows, task.growth.min_weight_fraction)


def encode(rows, max_bins):
    """The survey of a table in memory."""
    data = _read(rows)
    bins, columns = find_bins(data, max_bins), []
    for f, column in enumerate(data.schema.columns):
        values = data.values[:, f]
        lost = np.isnan(values)
        missing = codes.NONE_MISSING if not lost.any() else codes.ALL_MISSING if lost.all() else codes.SOME_MISSING
        known = np.unique(values[~lost])
        if column.kind is Kind.CATEGORY:
            known = np.arange(column.n_categories, dtype=float)
        columns.append(ColumnCodes(column, bins[f].top if f in bins else known, bins.get(f), missing))
    is_number = data.schema.target.is_number
    by_class = [data.row_weights[data.target == k] for k in range(data.schema.target.n_classes)]
    by_class = [data.row_weights] if is_number else by_class
    weights = tuple(WeightCounts(*np.unique(one, return_counts=True)) for one in by_class)
    ends = (data.target.min(), data.target.max()) if is_number else None
    return Survey(data.schema, tuple(columns), weights, data.n_rows, ends)


def _read(rows):
    is_number = np.asarray(rows[1]).dtype.kind in "fiu"
    return read_training_data(TreeRegressor() if is_number else TreeClassifier(), *rows).rows


class ArrayEngine(PartitionEngine):
    """Partitions of codes in memory."""

    name = "arrays"

    def __init__(self, parts, layout):
        super().__init__()
        self.parts, self.layout = parts, layout.as_dict()

    def kinds(self):
        raise NotImplementedError

    def read_batches(self, task, columns, *args):
        raise NotImplementedError

    encode_batches = read_batches

    def map_codes(self, task, levels, *args):
        return [task(part, worker.walk(part, levels), *args) for part in self.parts]


def array_engine(rows, survey, plan, n_parts=3, seed=0, units=None):
    """An engine on the codes of a table, in parts and in another order; `units` if classes have weights."""
    data = _read(rows)
    missing = missing_code(survey, plan) if plan.missing != "error" else codes.WHOLE
    cells = []
    for f, column in enumerate(survey.columns):
        place = np.searchsorted(column.values, data.values[:, f])
        cells.append(np.where(np.isnan(data.values[:, f]), column.n_codes, place))
    units = units or weigh_table(survey, missing).rows
    label = np.zeros(data.n_rows, int) if data.schema.target.is_number else data.target
    weight = None if units is None else units.of(data.row_weights, label)
    order = np.array_split(np.random.default_rng(seed).permutation(data.n_rows), n_parts)
    parts = [
        {
            "codes": np.array(cells, np.uint16)[:, rows],
            "target": data.target[rows],
            "weight": None if weight is None else weight[rows],
        }
        for rows in order
    ]
    return ArrayEngine(parts, lay_out_cells(survey))


def source_tree(model, rows, memory, n_parts=3, seed=0):
    """The tree grown from counts."""
    plan = plan_of(model, rows)
    survey = encode(rows, plan.max_bins or 255)
    engine = array_engine(rows, survey, plan, n_parts, seed)
    weights = weigh_table(survey, missing_code(survey, plan))
    if survey.schema.target.is_number:
        weights = weigh_numbers(engine, survey, weights, plan.criterion)
    return grow(engine, survey, plan, Resources(memory), weights)
