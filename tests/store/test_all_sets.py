"""Every estimator on the reference tables: saved and loaded, it answers to the last bit as before."""

import warnings

import numpy as np
import pytest

from tests.golden.sets import load as load_set
from tests.golden.sets import schema_of
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    load,
)

CLASSIFIERS = {
    "id3": ID3Classifier(numeric="bisect"),
    "c45": C45Classifier(),
    "c45_grouped": C45Classifier(grouping="greedy"),
    "cart": CARTClassifier(pruning=None),
    "mdl": MDLTreeClassifier(),
    "general": TreeClassifier(missing="learned"),
}
REGRESSORS = {
    "cart": CARTRegressor(),
    "mdl": MDLTreeRegressor(),
    "general": TreeRegressor(missing="branch", max_depth=8),
}
SMALL = 8_000
"""Bytes of a table that is tried by default; larger ones are tried by `make check-long`."""
MOST_ROWS = 20_000
"""Rows of the largest tables that trees are grown on; all rows are answered."""


def files(shared, *, small):
    """The names of the tables."""
    names = []
    for name in schema_of(shared):
        file = shared / "data" / f"{name}.csv"
        is_small = file.exists() and file.stat().st_size < SMALL
        if is_small == small:
            names.append(name)
    return names


def with_gaps(table):
    """The table with every eleventh cell missing."""
    gaps = table.copy()
    for position, name in enumerate(gaps.columns):
        cells = gaps[name].astype(object) if gaps[name].dtype.kind in "iub" else gaps[name]
        gaps[name] = cells.mask(np.arange(len(gaps)) % 11 == position % 11)
    return gaps


def same_answers(model, again, rows):
    """That two models answer the same rows with the same bits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # categories that the first rows did not show
        first, second = model.predict(rows), again.predict(rows)
        assert first.dtype == second.dtype
        assert first.tolist() == second.tolist()
        assert np.array_equal(model.apply(rows), again.apply(rows))
        if hasattr(model, "predict_proba"):
            assert model.predict_proba(rows).tobytes() == again.predict_proba(rows).tobytes()
        else:
            assert first.tobytes() == second.tobytes()


def check(shared, name, folder):
    """Every estimator that fits a table; how many there were."""
    table, target = load_set(shared, name)
    estimators = CLASSIFIERS if schema_of(shared)[name]["task"] == "classification" else REGRESSORS
    for kind, estimator in estimators.items():
        model = estimator.fit(table.iloc[:MOST_ROWS], target.iloc[:MOST_ROWS])
        path = folder / f"{name}-{kind}.json.zst"
        model.save(path)
        again = load(path)
        assert type(again) is type(model)
        assert again.get_params() == model.get_params()
        assert again.tree_ == model.tree_
        assert again.grown_tree_ == model.grown_tree_
        assert str(again.pruning_report_) == str(model.pruning_report_)
        assert again.to_text() == model.to_text()
        same_answers(model, again, table)
        same_answers(model, again, with_gaps(table.iloc[:MOST_ROWS]))
        again.save(folder / "again.json.zst", overwrite=True)
        assert (folder / "again.json.zst").read_bytes() == path.read_bytes()
    return len(estimators)


@pytest.mark.parametrize("part", [0, 2, 4, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 3, 5))])
def test_small_tables(part, shared, tmp_path):
    names = files(shared, small=True)
    assert len(names) >= 25
    for name in names[part::6]:
        check(shared, name, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(12))
def test_large_tables(part, shared, tmp_path):
    for name in files(shared, small=False)[part::12]:
        check(shared, name, tmp_path)
