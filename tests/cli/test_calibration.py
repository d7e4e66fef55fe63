"""What the command line says of shares: evaluate, cv and compare."""

import json

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, log_loss

import treewright
from tests.cli.running import run
from treewright import load


def asked(capsys, *words):
    said = run(capsys, *words, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)


@pytest.fixture
def noisy(folder, capsys):
    """A table whose answer depends on x by chance, one half to fit and one to judge by, with weights."""
    random = np.random.default_rng(5)
    x, weight = random.integers(0, 10, 300), random.integers(1, 4, 300)
    y = np.where(random.random(300) < x / 10, "yes", "no")
    for name, part in (("fit.csv", slice(0, 150)), ("judge.csv", slice(150, 300))):
        cells = zip(x[part], y[part], weight[part], strict=True)
        (folder / name).write_text("x,y,w\n" + "".join(f"{a},{b},{c}\n" for a, b, c in cells))
    assert run(capsys, "fit", "fit.csv", "-t", "y", "--ignore", "w", "--no-cv", "-q", "-o", "model.json").code == 0
    return folder


def test_evaluate_tells_how_good_the_shares_are(noisy, capsys):
    found = asked(capsys, "evaluate", "model.json", "judge.csv", "--weights", "w")
    X, y = treewright.read("judge.csv", "y")
    true, weight = y.to_numpy() == "yes", X["w"].to_numpy().astype(int)
    share = load("model.json").predict_proba(X.drop("w"))[:, 1]
    assert found["brier"] == pytest.approx(brier_score_loss(true, share, sample_weight=weight))
    both = np.column_stack([1 - share, share])
    assert found["log_loss"] == pytest.approx(log_loss(true, np.maximum(both, 1e-15), sample_weight=weight))
    bins = [one for one in found["calibration"]["bins"] if one["weight"]]
    observed, mean = calibration_curve(np.repeat(true, weight), np.repeat(share, weight), n_bins=10)
    assert [one["observed"] for one in bins] == pytest.approx(observed)
    assert [one["predicted"] for one in bins] == pytest.approx(mean)
    assert found["calibration"]["of"] == "yes"
    said = run(capsys, "evaluate", "model.json", "judge.csv", "--weights", "w").out
    assert f"Brier score  {found['brier']:.4f}" in said
    table = said.split("Calibration\n")[1].splitlines()
    assert table[0].split() == ["probability", "of", "yes", "rows", "predicted", "observed", "95%", "interval"]
    assert len([line for line in table if " to " in line]) == len(bins)
    assert f"expected calibration error: {found['calibration']['error']:.4f}" in table


def test_evaluate_of_several_classes_looks_at_the_answer(folder, capsys):
    words = ["iris.csv", "-t", "species", "--max-depth", "1", "--no-cv", "-q", "-o", "iris.json"]
    assert run(capsys, "fit", *words).code == 0
    found = asked(capsys, "evaluate", "iris.json", "iris.csv")
    assert found["calibration"]["of"] is None
    assert "probability of the predicted class" in run(capsys, "evaluate", "iris.json", "iris.csv").out


def test_evaluate_of_numbers_says_nothing_of_shares(folder, capsys):
    words = ["iris.csv", "-t", "petal_width", "--regression", "--ignore", "species", "--no-cv", "-q"]
    assert run(capsys, "fit", *words, "-o", "width.json").code == 0
    said = run(capsys, "evaluate", "width.json", "iris.csv").out
    assert "Brier" not in said
    assert "Calibration" not in said


def test_cv_and_compare_list_the_same_losses(noisy, capsys):
    words = ["fit.csv", "-t", "y", "--ignore", "w"]
    (scored,) = asked(capsys, "cv", *words, "-a", "c4.5", "--folds", "3", "--pruning", "mdl")["rows"]
    rows = asked(capsys, "compare", *words, "--folds", "3", "--pruning", "mdl")["compared"]
    (same,) = [row for row in rows if (row["algorithm"], row["pruning"]) == ("c4.5", "mdl")]
    assert (same["log_loss"], same["brier"]) == pytest.approx((scored["log_loss"], scored["brier"]))
    assert 0 < scored["brier"] < 0.25 < scored["log_loss"]
    said = run(capsys, "compare", *words, "--folds", "3", "--pruning", "mdl").out
    head, *lines = said.splitlines()
    assert "log loss" in head
    (line,) = [line.split() for line in lines if "c4.5" in line and "mdl" in line and "Recommended" not in line]
    assert f"{same['log_loss']:.3g}" in line


def test_compare_of_numbers_has_no_log_loss(folder, capsys):
    words = ["iris.csv", "-t", "petal_width", "--ignore", "species", "--folds", "3", "--pruning", "pessimistic"]
    assert "log loss" not in run(capsys, "compare", *words, "--regression").out
