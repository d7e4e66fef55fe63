"""Fit report: what `fit` has to say about a model.

In: a table, an estimator fitted to it, its scores, how long it took. Out: lines for a terminal, or one JSON document.
"""

from collections.abc import Mapping
from typing import Any

from treewright.cli.about import algorithm_words, chosen_parameters, pairs, size_dict, size_words, tree_lines
from treewright.cli.terminal import bold
from treewright.evaluate.page import confusion_lines, error_words, percent
from treewright.evaluate.scores import ClassScores
from treewright.model.grid import Grid
from treewright.model.words import beginning, printable

MOST_COLUMNS = 30
"""Columns whose kinds are listed."""

LONGEST = 40
"""Characters of a column's name in the list."""


def as_lines(found: Mapping[str, Any], depth: int | None) -> list[str]:
    """Everything that is said about a fitted model."""
    estimator, table = found["estimator"], found["table"]
    tree, grown = estimator.tree_, estimator.grown_tree_
    source, target = printable(table.source), printable(table.target)
    n_rows, n_columns = table.X.shape
    size = f"{n_rows:,} row{'s' * (n_rows != 1)}, {n_columns:,} column{'s' * (n_columns != 1)}"
    head = f"{source}: {size}, target {target}"
    before = "" if grown.n_nodes == tree.n_nodes else f" (grown: {size_words(grown)})"
    lines = [bold(head), *column_lines(table.columns), ""]
    lines += [bold(f"{algorithm_words(estimator)}: {size_words(tree)}{before}"), "", *tree_lines(tree, depth), ""]
    lines += [*pairs(errors(found)), ""]
    training = found["scores"]["training"]
    if isinstance(training, ClassScores):
        name, shown = list(found["scores"].items())[-1]
        lines += [bold(f"Confusion matrix on the {name} rows"), *confusion_lines(shown), ""]
    kept = [] if found["model"] is None else [("model", printable(repr(found["model"])))]
    lines += pairs([*kept, ("fingerprint", tree.fingerprint()), ("time", f"{found['seconds']:.2f} s")])
    return lines


def errors(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The errors in words: in training, on validation rows, in cross-validation."""
    said = []
    for name, scores in found["scores"].items():
        said.append((f"{name} error", error_words(scores)))
        if isinstance(scores, ClassScores) and scores.mean_cost is not None:
            said.append((f"{name} cost", f"{scores.mean_cost:.5g} an answer"))
    if found["cross"] is not None:
        folds, scored = found["cross"]
        if scored.log_loss is None:
            r2 = "" if scored.r2 is None else f", R2 {scored.r2:.5g}"
            words = f"RMSE {scored.error**0.5:.5g}{r2} ({folds} folds)"
        else:
            words = f"{percent(scored.error)} ± {percent(scored.error_se)} ({folds} folds, one standard error)"
        said.append(("cross-validated error", words))
        if scored.cost is not None:
            said.append(("cross-validated cost", f"{scored.cost:.5g} ± {scored.cost_se:.2g} an answer"))
    return said


def column_lines(columns: Any) -> list[str]:
    """What the columns were taken for."""
    shown = [one for one in columns if one.kind != "target"]
    rows = [
        [
            "  " + beginning(printable(one.name), LONGEST),
            one.kind,
            _values(one.n_values),
            f"{one.n_missing:,} missing" if one.n_missing else "",
        ]
        for one in shown[:MOST_COLUMNS]
    ]
    below = [f"  … {len(shown) - MOST_COLUMNS:,} more columns"] if len(shown) > MOST_COLUMNS else []
    return Grid(rows[0], rows[1:], [False, False, True, True], below).lines() if rows else below


def _values(n: int | None) -> str:
    return "" if n is None else "1 value" if n == 1 else f"{n:,} values"


def as_document(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same as data that JSON can hold."""
    estimator, table, cross = found["estimator"], found["table"], found["cross"]
    names = ("name", "kind", "n_values", "n_missing", "why")
    scores = {name: scores.to_dict() for name, scores in found["scores"].items()}
    return {
        "model": found["model"],
        "fingerprint": estimator.tree_.fingerprint(),
        "table": {
            "source": table.source,
            "rows": len(table.y),
            "target": table.target,
            "columns": [{name: getattr(one, name) for name in names} for one in table.columns],
        },
        "estimator": type(estimator).__name__,
        "parameters": chosen_parameters(estimator),
        "tree": {**size_dict(estimator.tree_), "text": estimator.tree_.to_text()},
        "grown": size_dict(estimator.grown_tree_),
        "training": scores["training"],
        "validation": scores.get("validation"),
        "cross_validation": None if cross is None else cross_document(*cross),
        "seconds": found["seconds"],
    }


def cross_document(folds: int, scored: Any) -> dict[str, Any]:
    """A cross-validated error as data; for numbers the error is the mean squared one."""
    names = ("error", "error_se", "log_loss", "brier", "r2", "n_leaves", "depth")
    cost = {} if scored.cost is None else {"cost": scored.cost, "cost_se": scored.cost_se}
    return {"folds": folds, **{name: getattr(scored, name) for name in names}, **cost}
