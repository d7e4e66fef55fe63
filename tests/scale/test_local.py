"""Files in batches: the same tree as from the table in memory; exact bins; clear refusals."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

from tests.export.hostile import HOSTILE
from tests.scale.sources import in_memory, mixed_frame
from treewright import C45Classifier, CARTClassifier, MDLTreeClassifier, TreeClassifier
from treewright.errors import InputError
from treewright.grow.bins import bin_sorted_values, bins_below
from treewright.scale import local
from treewright.scale.engine import SurveyRequest
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.local import LocalEngine, find_files

WRITERS = {
    "parquet": pyarrow.parquet.write_table,
    "feather": pyarrow.feather.write_feather,
    "csv": pyarrow.csv.write_csv,
}


def write(frame, place):
    WRITERS[place.suffix[1:]](pa.Table.from_pandas(frame, preserve_index=False), str(place))


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("form", WRITERS)
def test_files_of_every_format(tmp_path, form, weighted, monkeypatch):
    monkeypatch.setattr(local, "BATCH_ROWS", 200)
    frame = mixed_frame(900, missing=0.1)
    if form == "csv":  # in which false is a text
        frame["flag"] = frame["flag"].map({True: "t", False: "f"})
    order = np.random.default_rng(0).permutation(900)
    for i, part in enumerate(np.array_split(order, 3)):
        write(frame.iloc[part], tmp_path / f"{i}.{form}")
    source = frame if weighted else frame.drop(columns="weight")
    if not weighted:
        for place in tmp_path.iterdir():
            place.unlink()
        for i, part in enumerate(np.array_split(order, 3)):
            write(source.iloc[part], tmp_path / f"{i}.{form}")
    for model in (C45Classifier(max_bins=50, pruning=None), MDLTreeClassifier(missing="learned", max_bins=50)):
        expected = in_memory(model, frame, weighted)
        for memory in (1, 300_000):
            fitted = fit_source(
                model, tmp_path / f"*.{form}", "target", "weight" if weighted else None, SourceOptions(memory)
            )
            assert fitted.grown_tree_ == expected


COLUMNS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(size=n) * 10.0 ** rng.integers(-200, 200, n),
    "denormal": lambda rng, n: rng.integers(-3000, 3000, n) * 5e-324,
    "whole": lambda rng, n: rng.integers(0, 1000, n).astype(float),
    "frequent": lambda rng, n: np.where(rng.random(n) < 0.5, 7.5, rng.normal(7.5, 1e-9, n)),
    "many frequent": lambda rng, n: np.where(rng.random(n) < 0.9, rng.integers(0, 30, n) * 0.1, rng.normal(size=n)),
    "one outlier": lambda rng, n: np.append(rng.normal(size=n - 1) * 1e-6, 1e300),
    "two values": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "zeros of both signs": lambda rng, n: np.where(rng.random(n) < 0.5, -0.0, rng.normal(size=n).round(2)),
    "with missing": lambda rng, n: np.where(rng.random(n) < 0.3, np.nan, rng.exponential(size=n)),
    "all missing": lambda rng, n: np.full(n, np.nan),
    "constant": lambda rng, n: np.full(n, 3.25),
}


@pytest.mark.parametrize("most_fetched", [2**20, 50], ids=["fetched", "refined"])
@pytest.mark.parametrize("max_bins", [255, 2])
def test_bins_are_exact(tmp_path, max_bins, most_fetched, monkeypatch):
    """As by sorting each column: see grow/bins.py."""
    monkeypatch.setattr("treewright.scale.partitions.MOST_FETCHED", most_fetched)
    monkeypatch.setattr(local, "BATCH_ROWS", 1700)
    rng, n = np.random.default_rng(max_bins), 6000
    frame = pd.DataFrame({name: make(rng, n) for name, make in COLUMNS.items()}).assign(y=rng.choice(["a", "b"], n))
    write(frame, tmp_path / "a.parquet")
    engine = LocalEngine(tmp_path / "a.parquet")
    facts = engine.survey(SurveyRequest(tuple(COLUMNS), frozenset(), "y", None, max_bins))
    engine.close()
    for name in COLUMNS:
        rising = np.sort(frame[name].to_numpy() + 0.0)
        expected, found = bin_sorted_values(rising, max_bins), facts.columns[name]
        assert found.n_missing == np.isnan(rising).sum()
        if expected is None:
            assert found.following is None
            assert np.array_equal(found.top, np.unique(rising[~np.isnan(rising)]))
        else:
            assert np.array_equal(found.top, expected.top), name
            assert np.array_equal(bins_below(found.top, found.following).edge, expected.edge), name


def test_hostile_names_and_categories(tmp_path):
    rng, n = np.random.default_rng(0), 400
    names = [name for name in HOSTILE if "\x00" not in name and name.isprintable()]
    frame = pd.DataFrame({name: rng.choice(names, n) for name in names})
    frame["target"] = np.where(frame[names[0]] < frame[names[1]], "no", "yes")
    frame["weight"] = 1
    write(frame.drop(columns="weight"), tmp_path / "a.parquet")
    model = CARTClassifier(pruning=None, missing="learned", max_bins=9)
    expected = in_memory(model, frame, weighted=False)
    assert model.fit(tmp_path / "a.parquet", "target").grown_tree_ == expected


def test_codes_are_removed_from_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "codes"))
    (tmp_path / "codes").mkdir()
    write(mixed_frame(100), tmp_path / "a.parquet")
    CARTClassifier(pruning=None, missing="learned").fit(tmp_path / "a.parquet", "target", "weight")
    assert list((tmp_path / "codes").iterdir()) == []


def test_files_are_found(tmp_path):
    with pytest.raises(InputError, match="No file is named"):
        find_files(tmp_path / "*.parquet")
    write(mixed_frame(50), tmp_path / "b.parquet")
    write(mixed_frame(50), tmp_path / "a.csv")
    assert find_files(tmp_path) == [str(tmp_path / "a.csv"), str(tmp_path / "b.parquet")]
    with pytest.raises(InputError, match="must be of one format"):
        LocalEngine(tmp_path)


def changed(**columns):
    return mixed_frame(60).drop(columns="weight").assign(**columns)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (changed(smooth=[np.inf, *[1.0] * 59]), "Column 'smooth' has an infinite value"),
        (changed(big=[2**53 + 1, *[1] * 59]), "Column 'big' has integers beyond 2"),
        (changed(when=pd.date_range("2024-01-01", periods=60)), "Column 'when' has the type timestamp"),
        (changed(target=[None, *["a", "b"] * 29, "a"]), "The target 'target' has 1 missing values"),
        (changed()[:0], "no rows"),
        (changed()[["target"]], "no column besides 'target'"),
    ],
)
def test_bad_columns_are_named(tmp_path, frame, words):
    write(frame, tmp_path / "a.parquet")
    with pytest.raises(InputError, match=words):
        CARTClassifier(pruning=None, missing="learned").fit(tmp_path / "a.parquet", "target")


@pytest.mark.parametrize(
    ("weight", "words"),
    [(-1.0, "have the negative value -1"), (np.inf, "have an infinite value"), (None, "have missing values")],
)
def test_bad_weights_are_named(tmp_path, weight, words):
    write(changed(w=[weight, *[1.0] * 59]), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=f"The weights 'w' {words}"):
        CARTClassifier(pruning=None, missing="learned").fit(tmp_path / "a.parquet", "target", "w")


def test_rows_of_weight_0_have_no_effect(tmp_path):
    frame = mixed_frame(300).assign(weight=[0, 1, 2] * 100)
    frame.loc[0, "city"] = "Nowhere"
    write(frame, tmp_path / "a.parquet")
    model = CARTClassifier(pruning=None, missing="learned", max_bins=30)
    assert model.fit(tmp_path / "a.parquet", "target", "weight").grown_tree_ == in_memory(model, frame, weighted=True)


def test_the_files_may_differ_in_the_width_of_a_column_or_lack_its_values(tmp_path):
    some, none = ["u", "v", "u", "u"], [None] * 4
    parts = [
        {"x": x, "word": word, "target": ["p", "q", "p", "q"]}
        for x, word in [([1, 2, 3, 4], none), ([1.5, 2.0, 3.0, 4.0], some), (none, some)]
    ]
    for i, part in enumerate(parts):
        pyarrow.parquet.write_table(pa.table(part), tmp_path / f"{i}.parquet")
    frame = pd.concat(map(pd.DataFrame, parts)).astype({"x": float})
    model = TreeClassifier(missing="learned", max_bins=255)
    expected = model.fit(frame[["x", "word"]], frame["target"]).tree_
    assert model.fit(tmp_path, "target").tree_ == expected

    pyarrow.parquet.write_table(pa.table({"x": some, "word": some, "target": some}), tmp_path / "3.parquet")
    with pytest.raises(InputError, match=r"'x' has the type string in '.*3.parquet' and double in the files before"):
        model.fit(tmp_path, "target")
