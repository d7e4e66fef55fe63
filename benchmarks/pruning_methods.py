"""How well every pruning method does: `python -m benchmarks.pruning_methods --sets ../shared/bench`.

In: a folder with sets.py, which loads real tables (`load(name)`, `CV_SETS`). Out: for each table and method the
accuracy and the leaves in ten times ten-fold cross-validation, for the trees of C4.5 and CART, beside scikit-learn
(the full tree, and cost-complexity by its own cross-validation). All meet the same folds. Methods that prune by
validation rows hold 30 % of the training rows out; the others use all of them. Written as a page with --page.
"""

import argparse
import importlib.util
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from treewright import C45Classifier, CARTClassifier
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.folds import hold_out
from treewright.data.schema import Schema
from treewright.data.target import encode_classes
from treewright.estimators.fitting import make_grower
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import mean_loss
from treewright.prune.method import VALIDATION, PruningInput
from treewright.prune.registry import compared_methods

MOST_CELLS = 13_000
"""Tables up to this size take part: a hundred folds of each have to be done."""
N_REPEATS = 10
HELD_OUT = 0.3
N_ALPHAS = 12
"""How many of scikit-learn's alphas its own cross-validation tries, evenly over its path."""

SEQUENCES = ("error_based+global",)
"""Methods one after the other that take part besides every single one."""

Figures = dict[str, tuple[float, float]]


def open_sets(folder: Path) -> ModuleType:
    """The loader of the tables."""
    spec = importlib.util.spec_from_file_location("sets", folder / "sets.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"There is no sets.py in {folder}.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def split(codes: NDArray[Any], n_folds: int, seed: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Stratified folds; classes with fewer rows than folds make scikit-learn warn, and are dealt as far as they go."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield from StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(np.zeros(len(codes)), codes)


def ours(family: str, model: Any, training: Dataset, held_out: Dataset, methods: Sequence[str]) -> Figures:
    """These methods on the tree of one family: accuracy on the held-out rows, leaves."""
    grow, rule = make_grower(model), MissingPolicy()
    whole = PruningInput(grow(training), training, None, grow, rule, 1.0)
    part = None
    found: Figures = {f"{family} none": judge(whole.tree, held_out, rule)}
    for name in methods:
        method = model._read_method(name)
        grown = whole
        if VALIDATION in method.needs:
            if part is None:
                rows, validation = hold_out(training, HELD_OUT)
                part = PruningInput(grow(rows), rows, validation, grow, rule, 1.0)
            grown = part
        found[f"{family} {name}"] = judge(method.prune_by(grown).tree, held_out, rule)
    return found


def judge(tree: Tree, held_out: Dataset, rule: MissingPolicy) -> tuple[float, float]:
    """Accuracy and leaves."""
    return 1.0 - mean_loss(tree, held_out, rule), float(tree.n_leaves)


def theirs(X: NDArray[np.float32], y: NDArray[Any], train: NDArray[Any], held: NDArray[Any]) -> Figures:
    """scikit-learn's full tree, and its cost-complexity pruning by cross-validation (the alpha of most accuracy)."""
    full = DecisionTreeClassifier(random_state=0).fit(X[train], y[train])
    alphas = np.unique(full.cost_complexity_pruning_path(X[train], y[train]).ccp_alphas.clip(0))
    few = np.unique(alphas[np.linspace(0, len(alphas) - 1, N_ALPHAS).round().astype(int)])
    right = np.zeros(len(few))
    for rest, part in split(y[train], 10, 0):
        for k, alpha in enumerate(few):
            tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X[train[rest]], y[train[rest]])
            right[k] += np.count_nonzero(tree.predict(X[train[part]]) == y[train[part]])
    best = DecisionTreeClassifier(random_state=0, ccp_alpha=few[right.argmax()]).fit(X[train], y[train])
    return {
        name: (float(np.mean(tree.predict(X[held]) == y[held])), float(tree.get_n_leaves()))
        for name, tree in (("scikit-learn full", full), ("scikit-learn ccp by CV", best))
    }


def run_set(folder: Path, name: str, n_repeats: int, chosen: Sequence[str] | None = None) -> Figures:
    """Mean accuracy and leaves of every method on one table, or of those chosen, without scikit-learn."""
    methods = (*compared_methods(is_number=False), *SEQUENCES) if chosen is None else chosen
    X, y = open_sets(folder).load(name)
    keep = y.map(y.value_counts()) >= 2
    table = read_table(X[keep].reset_index(drop=True))
    target, codes = encode_classes(y[keep].to_numpy())
    rows = Dataset(Schema(table.columns, target), table.values, codes)
    numbers = table.values.astype(np.float32)
    found: list[Figures] = []
    for repeat in range(n_repeats):
        for train, held in split(codes, 10, repeat):
            training, held_out = rows.take(train), rows.take(held)
            figures = ours("C4.5", C45Classifier(), training, held_out, methods)
            figures |= ours("CART", CARTClassifier(), training, held_out, methods)
            found.append(figures if chosen is not None else figures | theirs(numbers, codes, train, held))
    return {
        method: (float(np.mean([r[method][0] for r in found])), float(np.mean([r[method][1] for r in found])))
        for method in found[0]
    }


def summary(found: Mapping[str, Figures]) -> list[str]:
    """A line for each method: mean accuracy, mean rank within all methods, median leaves."""
    methods = list(next(iter(found.values())))
    accuracy = pd.DataFrame({name: {m: f[m][0] for m in methods} for name, f in found.items()})
    leaves = pd.DataFrame({name: {m: f[m][1] for m in methods} for name, f in found.items()})
    rank = accuracy.round(6).rank(ascending=False).mean(axis=1)
    lines = ["| tree and pruning | mean accuracy % | mean rank | median leaves |", "|---|---|---|---|"]
    lines += [
        f"| {m} | {100 * accuracy.loc[m].mean():.2f} | {rank[m]:.2f} | {leaves.loc[m].median():.1f} |"
        for m in methods
    ]
    return lines


def by_set(found: Mapping[str, Figures], family: str) -> list[str]:
    """A line for each table: accuracy and leaves of the methods of one family."""
    methods = [m for m in next(iter(found.values())) if m.startswith(family)]
    heads = [m.removeprefix(family).strip().replace("_", " ") for m in methods]
    lines = ["| set | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for name, figures in found.items():
        cells = [f"{100 * figures[m][0]:.1f} ({figures[m][1]:.0f})" for m in methods]
        lines.append(f"| {name.replace('_', '-')} | " + " | ".join(cells) + " |")
    return lines


def page(found: Mapping[str, Figures], n_repeats: int, today: str) -> str:
    """The whole page of figures."""
    opening = (
        f"{len(found)} real tables of up to {MOST_CELLS:,} cells, {n_repeats} times ten-fold cross-validation, "
        f"{today}, by `python -m benchmarks.pruning_methods`. All methods prune the same trees on the same folds. "
        "`reduced_error` and `pre_pruning` need validation rows, so their trees are grown on 70 % of the training "
        "rows and pruned by the rest. scikit-learn sees categories as the numbers of their codes, and chooses among at "
        f"most {N_ALPHAS} alphas by ten-fold cross-validation. What the methods are stands in [pruning](pruning.md)."
    )
    lines = ["# Pruning methods compared", "", *wrap(opening, 120, break_on_hyphens=False), "", *summary(found), ""]
    for family in ("C4.5", "CART", "scikit-learn"):
        lines += [f"## {family}: accuracy % (leaves)", "", *by_set(found, family), ""]
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    """Run the tables side by side and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pruning_methods", description=__doc__)
    parser.add_argument("--sets", type=Path, required=True, help="the folder of sets.py")
    parser.add_argument("--repeats", type=int, default=N_REPEATS, help="how often the ten folds are drawn (default 10)")
    parser.add_argument("--jobs", type=int, default=2, help="tables at a time (default 2)")
    parser.add_argument("--only", nargs="*", help="these tables only")
    parser.add_argument("--methods", nargs="*", help="these methods only, without scikit-learn; a+b is b after a")
    parser.add_argument("--page", type=Path, help="write the page of figures here")
    parser.add_argument("--json", type=Path, help="write every figure here")
    given = parser.parse_args(words)
    sets = open_sets(given.sets)
    names = given.only or [n for n in sets.CV_SETS if sets.load(n)[0].size <= MOST_CELLS]
    jobs = (delayed(run_set)(given.sets, n, given.repeats, given.methods) for n in names)
    results = Parallel(given.jobs, verbose=5)(jobs)
    found = dict(zip(names, results, strict=True))
    print(*summary(found), sep="\n")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    if given.page:
        given.page.write_text(page(found, given.repeats, str(datetime.now(UTC).date())), encoding="utf-8")


if __name__ == "__main__":
    main()
