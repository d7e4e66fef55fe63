"""The arithmetic of `python -m benchmarks.best_tree`, with numbers worked out by hand."""

import json
from dataclasses import asdict
from math import inf, log, sqrt

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from benchmarks.best_tree.__main__ import main
from benchmarks.best_tree.ablation import cell
from benchmarks.best_tree.algorithms import cut_back
from benchmarks.best_tree.figures import difference, ranks, tally
from benchmarks.best_tree.judge import Score, columns, merged_leaves, score
from benchmarks.best_tree.record import lines, read_scores
from benchmarks.best_tree.report import by_seed, by_set, losses, report, summary, words_of
from benchmarks.best_tree.smoothing import measure
from benchmarks.best_tree.tables import Table, folds, open_loader, parts
from treewright import CARTClassifier, CARTRegressor


def scored(accuracy, n_leaves=3):
    return Score(accuracy, 0.5, n_leaves, n_leaves, 2.0)


def test_equal_values_share_the_mean_of_their_ranks():
    assert ranks({"a": 0.5, "b": 0.8, "c": 0.8, "d": 0.8, "e": 0.1}) == {"a": 4, "b": 2, "c": 2, "d": 2, "e": 5}


def test_the_standard_error_of_paired_differences():
    """Differences 1, 2, 3, 6: mean 3, sum of squared deviations 14, variance 14 / 3."""
    found = difference([1, 3, 5, 9], [0, 1, 2, 3], n_folds=10)
    assert found.mean == 3
    assert found.error == pytest.approx(sqrt(14 / 3 / 4))
    assert found.corrected == pytest.approx(sqrt(14 / 3 * (1 / 4 + 1 / 9)))
    assert found.in_errors == pytest.approx(3 / sqrt(7 / 6))


@pytest.mark.parametrize(("ours", "expected"), [([0.5, 0.5], 0.0), ([0.4, 0.4], -inf), ([0.6, 0.6], inf)])
def test_without_spread_any_difference_is_beyond_all_bounds(ours, expected):
    assert difference(ours, [0.5, 0.5]).in_errors == expected


def test_wins_losses_and_ties():
    assert tally([0.3, 0.1 + 0.2, 0.5, 0.9], [0.2, 0.3, 0.6, 0.8]) == (2, 1, 1)


def test_the_mean_over_sets_counts_each_set_once_and_folds_of_some_algorithms_are_left_out():
    scores = {
        (0, "small", 0): {"mdl": scored(0.6, 2), "c45": scored(0.8, 5)},
        (0, "small", 1): {"mdl": scored(0.8, 4), "c45": scored(1.0, 7)},
        (1, "large", 0): {"mdl": scored(0.5, 10), "c45": scored(0.3, 40)},
        (1, "large", 1): {"mdl": scored(0.9)},
    }
    found, n_left = by_set(scores, ["mdl", "c45"])
    assert n_left == 1
    line_of_mdl, line_of_c45 = summary(found, ["mdl", "c45"])[2:]
    # (0.7 + 0.5) / 2; ranks 2 and 1; leaves 3 and 10; 3 fits of 2 seconds.
    assert line_of_mdl == f"| {words_of('mdl')} | 0.6000 | 1.50 | 6.5 | 6.5 | 0.500 | 6.0 |"
    assert line_of_c45.split(" | ")[1:4] == ["0.6000", "1.50", "23.0"]


def test_the_mean_of_each_seed():
    scores = {
        (0, "a", 0): {"c45": scored(0.5)},
        (0, "b", 0): {"c45": scored(0.7)},
        (0, "b", 1): {"c45": scored(0.8)},
        (4, "a", 0): {"c45": scored(0.9)},
    }
    assert by_seed(scores, ["c45"])[2:] == ["| C4.5 Release 8 | 0.6250 | 0.9000 |"]
    assert by_seed(scores, ["c45"])[2] in report(scores, ["c45"], False)


def test_a_set_is_lost_beyond_two_standard_errors():
    """Differences -1, -2, -3 (in hundredths) are 2 / sqrt(1 / 3) = 3.5 standard errors; -3, 0, 0 are one."""
    lost = {(0, "lost", k): {"mdl": scored(0.8 - k / 100), "c45": scored(0.81)} for k in (1, 2, 3)}
    even = {(0, "even", k): {"mdl": scored(0.8 - 0.03 * (k == 0)), "c45": scored(0.8)} for k in range(3)}
    found, _ = by_set(lost | even, ["mdl", "c45"])
    assert list(losses(found, "mdl", "c45")) == ["lost"]
    assert any(line.startswith("| lost | C4.5 Release 8 |") for line in report(lost | even, ["mdl", "c45"], False))


def test_merged_leaves_are_shown_where_they_are_fewer():
    assert cell(0.5, 40.4, 39.6) == "0.5000 / 40"
    assert cell(0.87654, 40.0, 21.0) == "0.8765 / 40 (21)"


def test_sibling_leaves_of_one_decision_count_once():
    """Three siblings say 0, 0, 1: two leaves. When the third is inner and its leaves both say 0, all is one leaf."""
    assert merged_leaves([-1, 0, 0, 0], [0, 0, 0, 1]) == 2
    assert merged_leaves([-1, 0, 0, 0, 3, 3], [0, 0, 0, 1, 0, 0]) == 1
    assert merged_leaves([-1, 0, 0, 2, 2], [0, 0, 1, 0, 1]) == 3
    assert merged_leaves([-1], [0]) == 1


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(0)
    return rng.integers(0, 8, (120, 3)).astype(np.float32), rng.integers(0, 3, 120)


def test_both_kinds_of_tree_are_read_alike(noise):
    X, y = noise
    for tree, n_leaves in (
        ((theirs := DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)).tree_, theirs.get_n_leaves()),
        ((ours := CARTClassifier(max_depth=4, pruning=None).fit(X, y)).tree_, ours.tree_.n_leaves),
    ):
        parent, decision = columns(tree)
        assert merged_leaves(parent.tolist(), range(len(parent))) == n_leaves
        assert len(decision) == len(parent)


def test_cutting_further_gives_the_tree_of_a_fit_with_that_alpha(noise):
    X, y = noise
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    sizes = set()
    alphas = np.unique(tree.cost_complexity_pruning_path(X, y).ccp_alphas)
    for alpha in alphas[[2, len(alphas) // 2, -3]]:
        tree = cut_back(tree, alpha)
        at_once = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        assert np.array_equal(tree.tree_.threshold, at_once.tree_.threshold)
        assert np.array_equal(tree.predict(X), at_once.predict(X))
        sizes.add(tree.get_n_leaves())
    assert len(sizes) == 3


def test_the_score_of_answers():
    """One of three rows right; the class of the last row was not in training, so its probability counts as 1e-15."""

    class Stump:
        classes_ = np.array([0, 2])
        tree_ = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [0, 2]).tree_

        def predict(self, X):
            return np.array([2, 2, 0])

        def predict_proba(self, X):
            return np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])

    found = score(Stump(), None, np.array([2, 0, 1]), 3, 1.5)
    assert found.accuracy == pytest.approx(1 / 3)
    assert found.log_loss == pytest.approx(-(log(0.75) + log(0.5) + log(1e-15)) / 3)
    assert (found.n_leaves, found.n_merged, found.seconds) == (2, 2, 1.5)


def test_categories_are_written_as_numbers_and_as_indicators():
    size = pd.Categorical(["s", None, "l"], categories=["s", "m", "l"])
    frame = pd.DataFrame({"size": size, "age": [1.5, 2.0, None]})
    table = Table(frame, np.array([0, 1, 1]), 2)
    assert np.array_equal(table.numbers, [[0, 1.5], [np.nan, 2], [2, np.nan]], equal_nan=True)
    assert np.array_equal(table.indicators, [[1.5, 1, 0, 0], [2, 0, 0, 0], [np.nan, 0, 0, 1]], equal_nan=True)


def test_scores_are_read_as_written_and_half_a_line_is_passed_over(tmp_path):
    path = tmp_path / "scores.jsonl"
    first, second = {"c45": scored(0.5)}, {"c45": scored(0.7), "mdl": scored(0.9)}
    whole = lines((0, "iris", 3), first) + lines((0, "iris", 3), second) + lines((1, "iris", 0), first)
    path.write_text(whole + json.dumps({"seed": 1})[:-1], encoding="utf-8")
    assert read_scores(path) == {(0, "iris", 3): second, (1, "iris", 0): first}


@pytest.mark.parametrize("command", ["mix", "cross", "ablation"])
def test_without_the_folder_one_sentence_says_so(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"There is no \w+\.py in .*nowhere; give its folder with --shared\."):
        main([command, "--shared", str(tmp_path / "nowhere")])


def test_a_run_goes_on_where_it_stopped_on_the_folds_of_the_reference(shared, tmp_path, capsys):
    words = ["cross", "--shared", str(shared / "bench"), "--sets", "lymph", "--out", str(tmp_path / "out.jsonl")]
    main([*words, "--algorithms", "sklearn"])
    once = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    main([*words, "--algorithms", "sklearn", "c45"])
    twice = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert (once.count("\n"), twice.count("\n")) == (10, 20)
    assert twice.startswith(once)
    assert "| C4.5 Release 8 |" in capsys.readouterr().out


def test_the_folds_of_seed_0_are_those_of_the_reference(shared):
    _, y, theirs = open_loader(shared / "bench", "sets").folds("heart_c")
    table, ours = parts(shared / "bench", "heart_c", 0)
    assert len(table.codes) == len(y)
    for (train, held), (their_train, their_held) in zip(ours, theirs, strict=True):
        assert np.array_equal(train, their_train)
        assert np.array_equal(held, their_held)
    assert next(folds(table.codes, 10, 1))[1].tolist() != ours[0][1].tolist()


def test_the_page_is_made_of_the_files(tmp_path):
    rows = [
        {"n_classes": 2, "seed": seed, "algorithm": algorithm, **asdict(Score(accuracy, 0.5, 10, 8, seconds))}
        for seed, accuracy in ((1, 0.8), (2, 0.9))
        for algorithm, seconds in (("c45", 1.0), ("sklearn", 4.0))
    ]
    (tmp_path / "mix.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "cross.jsonl").write_text(lines((0, "iris", 0), {"c45": scored(0.7)}), encoding="utf-8")
    change = lines((1, "mix", 0), {"no penalty": Score(0.75, 0.5, 30, 20, 1.0)})
    (tmp_path / "ablation.jsonl").write_text(change, encoding="utf-8")
    files = [word for command, name in (("mix", "mix.json"), ("cross", "cross.jsonl"), ("ablation", "ablation.jsonl"))
             for word in (f"--{command}", str(tmp_path / name))]  # fmt: skip
    main(["page", *files, "--out", str(tmp_path / "page.md")])
    found = (tmp_path / "page.md").read_text(encoding="utf-8").splitlines()
    assert "| C4.5 Release 8 | 0.8500 | 10 | 8 | 0.5000 | 1.00 | 0.25 |" in found
    assert "| C4.5 Release 8 | 0.7000 | 1.00 | 3.0 | 3.0 | 0.500 | 2.0 |" in found
    assert "| no penalty | 0.7500 / 30 (20) |  |  |  |  |" in found
    assert max(map(len, (line for line in found if not line.startswith("|")))) <= 120


class OneTable:
    """A loader as more.py: a step with noise, so that the leaves of a full tree gain by shrinkage."""

    @staticmethod
    def load(_name):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, 2))
        return pd.DataFrame(X, columns=["a", "b"]), pd.Series((X[:, 0] > 0) * 2.0 + rng.normal(size=60))


def test_shrinkage_is_measured_on_all_held_out_rows():
    found = measure(OneTable, "step", lambda smoothing: CARTRegressor(pruning=None, smoothing=smoothing), [0])
    X, y = OneTable.load("step")
    errors = 0.0
    for training, test in KFold(10, shuffle=True, random_state=0).split(X):
        model = CARTRegressor(pruning=None, smoothing=5).fit(X.iloc[training], y[training])
        errors += ((model.predict(X.iloc[test]) - y[test]) ** 2).sum()
    assert found.r2["lambda 5"] == pytest.approx(1 - errors / ((y - y.mean()) ** 2).sum())
    assert found.r2["none"] < found.r2["lambda 5"] < found.r2["auto"]
    assert len(found.lambdas) == len(found.leaves) == 10
