"""Cross-validated cost-complexity pruning on sources: as in memory, if the folds there are the same."""

import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.scale.sources import encode, mixed_frame, number_frame
from tests.scale.test_query import shuffled, source_of
from treewright import CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor, prune
from treewright._core.codes import RAISED
from treewright.errors import InputError
from treewright.estimators.fitting import make_grower, prepare_growth, read_settings
from treewright.estimators.prediction import prediction_policy
from treewright.estimators.training_data import read_training_data
from treewright.prune.cross_validation import FoldSums
from treewright.prune.losses import sum_rows_at_nodes, total_of
from treewright.prune.method import PruningInput, weight_of_one_row
from treewright.scale import local, row_parts
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.lockstep import Lockstep

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
PRIME = 2**31 - 1
COSTS = [[0, 1, 5], [2, 0, 1], [1, 3, 0]]


def hash_of(codes, target):
    """The hash of a row, by integers of any size."""
    found = sum(int(code) * pow(48271, f + 1, PRIME) for f, code in enumerate([*codes, target]))
    for added in (0x2545F491, 0x1B873593):
        found = pow(found + added, 5, PRIME)
    return found


class HashFolds:
    """Cross-validation in memory with these folds; numbers are replaced by the highest values of their bins."""

    def __init__(self, model, rows, max_bins, moment_unit=None):
        settings = read_settings(model, has_validation=False)
        data = read_training_data(model, *rows).rows
        survey = encode(rows, max_bins)
        codes, values = np.empty(data.values.shape, int), np.empty(data.values.shape)
        for f, column in enumerate(survey.columns):
            place = np.searchsorted(column.values, data.values[:, f])
            codes[:, f] = np.where(np.isnan(data.values[:, f]), column.n_codes, place)
            values[:, f] = np.append(column.values, np.nan)[codes[:, f]]
        data.values[:] = values
        self.task = prepare_growth(model, settings, data)
        self.rows = self.task.rows
        self.grow = make_grower(model, self.task.growth, self.task.rule)
        target = data.target
        if moment_unit is not None:
            centre, unit = moment_unit
            target = np.rint((target - centre) / unit)
        self.hashes = np.array([hash_of(*one) for one in zip(codes, target, strict=True)])

    @property
    def total(self):
        return total_of(self.rows)

    def fold_sums(self, n_folds, how):
        for fold in range(n_folds):
            inside = self.hashes % n_folds == fold
            tree = self.grow(self.rows.take(np.flatnonzero(~inside)))
            yield FoldSums(tree, sum_rows_at_nodes(tree, self.rows.take(np.flatnonzero(inside)), *how))


def pruned_in_memory(model, rows, max_bins, method, moment_unit=None):
    folds = HashFolds(model, rows, max_bins, moment_unit)
    tree = folds.grow(folds.rows)
    rule = prediction_policy(tree, model.missing_predict, model.unseen_category).rule
    inputs = PruningInput(tree, unit=weight_of_one_row(folds.rows), cross_validation=folds, rule=rule)
    return method.prune_by(inputs)


def check_same(model, expected):
    """The same choice, and the same pruned tree but for thresholds, which depend on the values within bins."""
    found, path = model.pruning_report_.path, expected.report.path
    np.testing.assert_allclose(found.alphas, path.alphas, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.error, path.error, rtol=1e-9)
    np.testing.assert_allclose(found.standard_error, path.standard_error, rtol=1e-7)
    assert found.chosen == path.chosen
    assert len(path) > 4
    assert (model.tree_.column == expected.tree.column).all()
    np.testing.assert_allclose(model.tree_.stats, expected.tree.stats, rtol=1e-9)


def coarse(frame):
    """Columns with few values, which need no bins: a threshold is the same then, whatever is known of the values."""
    numbers = {name: frame[name].rank(pct=True).mul(25).round() for name in ("smooth", "skewed", "often zero")}
    return frame.assign(**numbers)


def write_parts(frame, folder):
    order = np.random.default_rng(0).permutation(len(frame))
    for i, part in enumerate(np.array_split(order, 3)):
        frame.iloc[part].astype({"flag": "boolean"}).to_parquet(folder / f"{i}.parquet", index=False)
    return str(folder)


def rows_of(frame, weighted):
    return frame.drop(columns=["target", "weight"]), frame["target"], frame["weight"] if weighted else None


CLASSIFIERS = {
    "surrogate": CARTClassifier(),
    "learned": CARTClassifier(missing="learned", min_samples_leaf=0.01, min_weight_fraction_leaf=0.02),
    "fractional": TreeClassifier(missing="fractional", pruning="cost_complexity"),
    "stop": TreeClassifier(missing="stop", pruning="cost_complexity", grouping="each"),
    "predicted by fractions": CARTClassifier(missing="learned", missing_predict="fractional"),
    "costs": CARTClassifier(missing="learned", cost_matrix=COSTS),
    "costs and priors": TreeClassifier(
        missing="branch", cost_matrix=COSTS, priors="equal", collapse=True, pruning="cost_complexity"
    ),
}
WEIGHTED = ("learned", "fractional", "costs and priors")


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classes(name, tmp_path):
    """In files, of which some nodes are counted and others are fetched."""
    frame, weighted = mixed_frame(500, missing=0.1), name in WEIGHTED
    frame = frame if name == "learned" else coarse(frame)
    if name == "fractional":
        frame["weight"] = frame["weight"] / 4
    model = CLASSIFIERS[name].set_params(max_bins=30, max_depth=6)
    expected = pruned_in_memory(model, rows_of(frame, weighted), 30, prune.CostComplexity())
    source = write_parts(frame if weighted else frame.drop(columns="weight"), tmp_path)
    for memory in (10**9, 500_000):
        found = fit_source(model, source, "target", "weight" if weighted else None, SourceOptions(memory))
        check_same(found, expected)
        assert len(found.notes_) == 1
        assert "10-fold cross-validation in which the fold of a row is a hash of it" in found.notes_[0]


@pytest.mark.parametrize("missing", ["surrogate", "learned", "fractional"])
def test_numbers(missing, tmp_path):
    frame, weighted = coarse(number_frame(400, missing=0.1)), missing != "surrogate"
    if missing == "fractional":
        frame["weight"] = frame["weight"] / 4
    model = TreeRegressor(missing=missing, pruning="cost_complexity", max_bins=30, max_depth=5)
    source = write_parts(frame if weighted else frame.drop(columns="weight"), tmp_path)
    units = []
    keep = local.LocalEngine.keep_moments
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local.LocalEngine, "keep_moments", lambda self, one: units.append(one) or keep(self, one))
        for memory in (10**9, 300_000):
            found = fit_source(model, source, "target", "weight" if weighted else None, SourceOptions(memory))
            unit = units[-1].centre, 2.0 ** -units[-1].scale
            check_same(found, pruned_in_memory(model, rows_of(frame, weighted), 30, prune.CostComplexity(), unit))


@pytest.mark.parametrize("backend", ["polars", "duckdb"])
def test_lazy_frames(backend, tmp_path):
    """The same folds as of files."""
    method = prune.CostComplexity(folds=2 if backend == "duckdb" else 3, standard_errors=0)
    names = ["smooth", "few", "city", "flag", "target", "weight"]
    for frame, model in (
        (mixed_frame(300, missing=0.1)[names], CARTClassifier(max_bins=20, max_depth=2, pruning=method)),
        (number_frame(200)[names], CARTRegressor(max_bins=20, max_depth=2, pruning=method)),
    ):
        (tmp_path / type(model).__name__).mkdir()
        files = fit_source(model, write_parts(frame, tmp_path / type(model).__name__), "target", "weight")
        path, tree = files.pruning_report_.path, files.tree_
        found = fit_source(model, source_of(backend, shuffled(frame, weighted=True)), "target", "weight")
        assert found.tree_ == tree
        np.testing.assert_array_equal(found.pruning_report_.path.error, path.error)
        np.testing.assert_array_equal(found.pruning_report_.path.standard_error, path.standard_error)


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    frame = number_frame(300, missing=0.1).astype({"flag": "boolean"})
    model = CARTRegressor(missing="learned", max_bins=20, max_depth=4)
    found = [fit_source(model, dd.from_pandas(frame, npartitions=n), "target", "weight") for n in (1, 3)]
    paths = [one.pruning_report_.path for one in found]
    np.testing.assert_array_equal(paths[0].error, paths[1].error)
    assert found[0].tree_ == found[1].tree_


RAISES = prune.ErrorBased()


@pytest.mark.parametrize(("before", "memory"), [(prune.MDL(), 2**30), (RAISES, 2**30), (RAISES, 1)])
def test_steps_before_it_prune_the_trees_of_folds(before, memory, tmp_path):
    """Branches are raised by the rows that the tree of a fold was grown on."""
    frame = coarse(mixed_frame(400)).drop(columns="weight")
    method = prune.Steps((before, prune.CostComplexity(folds=4)))
    model = CARTClassifier(missing="learned", max_bins=30, pruning=method)
    fit_source(model, write_parts(frame, tmp_path), "target", None, SourceOptions(memory))
    found = model.pruning_report_.steps[1].path
    folds = HashFolds(CARTClassifier(missing="learned"), rows_of(frame.assign(weight=1), False), 30)
    grow, n_raised = folds.grow, []

    def grow_and_prune(rows):
        pruned = before.prune(grow(rows), rows=rows)
        n_raised.append((pruned.report.verdict == RAISED).sum())
        return pruned.tree

    folds.grow = grow_and_prune
    whole = folds.grow(folds.rows)
    expected = method.methods[1].prune_by(PruningInput(whole, cross_validation=folds)).report.path
    np.testing.assert_allclose(found.error, expected.error, rtol=1e-12)
    assert sum(n_raised[1:]) > 0 or not before.needs


# --- folds and passes ---


def test_the_hash_is_that_of_integers_of_any_size():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 70_000, (40, 200)).astype(np.int32)
    part = {"codes": codes, "target": rng.integers(0, 5, 200).astype(np.int32)}
    expected = [hash_of(*one) for one in zip(codes.T, part["target"], strict=True)]
    assert row_parts.hash_rows(part, None).tolist() == expected
    part["codes"] = (codes % 60_000).astype(np.uint16)
    expected = [hash_of(*one) for one in zip(part["codes"].T, part["target"], strict=True)]
    assert row_parts.hash_rows(part, None).tolist() == expected


def test_folds_are_about_as_large():
    """Also of rows that differ in one column by one."""
    part = {"codes": np.arange(20_000, dtype=np.uint16)[None], "target": np.zeros(20_000, np.int32)}
    for n_folds in (2, 10):
        sizes = np.bincount(row_parts.hash_rows(part, None) % n_folds)
        assert abs(sizes - 20_000 / n_folds).max() < 4 * (20_000 / n_folds) ** 0.5


def test_all_folds_are_counted_in_one_pass(tmp_path, monkeypatch):
    """Each partition of codes is read once for a level of all trees."""
    frame = mixed_frame(600).drop(columns="weight")
    model = CARTClassifier(missing="learned", max_bins=30, max_depth=4, pruning=None)
    source, levels = write_parts(frame, tmp_path), []
    model.fit(source, y="target")
    n_read = []
    read = local.LocalEngine._read
    monkeypatch.setattr(local.LocalEngine, "_read", lambda self, i: n_read.append(i) or read(self, i))
    fit_source(model, source, "target", None, SourceOptions(1))
    alone = len(n_read)
    n_read.clear()
    model.set_params(pruning="cost_complexity")
    fit_source(model, source, "target", None, SourceOptions(1, levels.append))
    # the sizes of the folds, their levels, and the losses of the trees
    assert len(n_read) <= 2 * alone + 2 * 3
    in_folds = [one for one in levels if one.n_trees > 1]
    assert [one.depth for one in in_folds] == [0, 1, 2, 3]
    assert in_folds[0].n_trees == in_folds[0].n_nodes == 10
    assert in_folds[0].n_rows == 9 * 600


def test_where_rows_are_need_not_be_kept(tmp_path, monkeypatch):
    frame = mixed_frame(300, missing=0.1).drop(columns="weight")
    model = TreeClassifier(pruning=prune.CostComplexity(folds=3), max_bins=20)
    found = fit_source(model, write_parts(frame, tmp_path), "target", None, SourceOptions(10**5)).pruning_report_
    monkeypatch.setattr(local, "KEPT_BYTES", 0)
    again = fit_source(model, str(tmp_path), "target", None, SourceOptions(10**5)).pruning_report_
    np.testing.assert_array_equal(found.path.error, again.path.error)


def test_ctrl_c_stops_all_trees_and_leaves_nothing_behind(tmp_path, monkeypatch):
    frame = mixed_frame(300).drop(columns="weight")
    before, folders = threading.active_count(), []
    make = local.mkdtemp
    monkeypatch.setattr(local, "mkdtemp", lambda **how: folders.append(make(**how)) or folders[-1])

    def stop(level):
        if level.n_trees > 1 and level.depth == 1:
            raise KeyboardInterrupt

    model = CARTClassifier(missing="learned", max_bins=20)
    with pytest.raises(KeyboardInterrupt):
        fit_source(model, write_parts(frame, tmp_path), "target", None, SourceOptions(1, stop))
    assert threading.active_count() == before
    assert not Path(folders[0]).exists()
    assert not hasattr(model, "tree_")


def test_identical_rows_are_in_one_fold(tmp_path):
    """So a table of few different rows may have no folds."""
    frame = pd.DataFrame({"x": [1.0] * 50 + [2.0] * 50, "target": ["a"] * 50 + ["b"] * 50})
    frame.to_parquet(tmp_path / "a.parquet", index=False)
    hashes = [hash_of((code,), code) for code in range(2)]
    for n_folds in range(2, 12):
        model = CARTClassifier(pruning=prune.CostComplexity(folds=n_folds))
        if hashes[0] % n_folds == hashes[1] % n_folds:
            with pytest.raises(InputError, match="All rows are in one fold"):
                model.fit(str(tmp_path), y="target")
        else:
            assert model.fit(str(tmp_path), y="target").pruning_report_.path.error.tolist() == [1.0, 0.5 + 0.5]


# --- lockstep ---


class TestLockstep:
    """Tasks whose requests are found together, and which stop together."""

    def test_requests_are_found_together(self):
        batches = []

        def find(requests):
            batches.append(requests)
            return [2 * one for one in requests]

        def task(i, ask):
            return sum(ask(10 * i + step) for step in range(i + 1))

        assert Lockstep(find, 2).run(task, 3) == [0, 42, 126]
        assert batches == [[0, 10, 20], [11, 21], [22]]

    def test_one_task_computes_at_a_time(self):
        running, most = [0], [0]

        def task(i, ask):
            for _ in range(3):
                running[0] += 1
                most[0] = max(most[0], running[0])
                time.sleep(0.001)
                running[0] -= 1
                ask(i)

        Lockstep(lambda requests: requests).run(task, 5)
        assert most == [1]

    @pytest.mark.parametrize("place", ["task", "pass"])
    def test_an_error_stops_all(self, place):
        ended = []

        def find(requests):
            if place == "pass":
                raise KeyboardInterrupt
            return requests

        def task(i, ask):
            try:
                while True:
                    if ask(i) == 1 and place == "task":
                        raise ValueError("task 1")
            finally:
                ended.append(i)

        before = threading.active_count()
        with pytest.raises(ValueError if place == "task" else KeyboardInterrupt):
            Lockstep(find).run(task, 3)
        assert sorted(ended) == [0, 1, 2]
        assert threading.active_count() == before
