"""Evaluate: how right a model is on a table.

In: a model and a table with answers. Out: errors, the confusion matrix, precision and recall, how often shares came
true; on request each leaf.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright.cli.models import model_argument, open_model, schema_of
from treewright.cli.rows import Rows, open_rows
from treewright.cli.tables import data_argument, rows_options
from treewright.cli.terminal import Terminal, bold
from treewright.cli.verb import option, verb
from treewright.errors import InputError

if TYPE_CHECKING:
    from treewright.evaluate.leaves import LeafScore
    from treewright.evaluate.scores import Scores


@verb(
    examples=[
        "treewright evaluate golf.json golf.csv",
        "treewright evaluate golf.json golf.csv --leaves",
        "treewright evaluate golf.json golf.csv --json",
    ]
)
@model_argument
@data_argument
@option("--leaves", is_flag=True, group="Output", help="Also how right each leaf is, the worst one first.")
@rows_options()
def command(terminal: Terminal, model: str, data: str, leaves: bool, **options: Any) -> None:
    """How right a model is on a table.

    Prints accuracy and error, the log loss and the Brier score, the confusion matrix, precision and recall of each
    class, and how often shares came true; for numbers RMSE, MAE and R2. The columns are found by their names, and those
    that the model does not know are left out, as are rows without an answer.
    """
    from treewright.evaluate.page import class_lines, confusion_lines, score_lines
    from treewright.evaluate.scores import ClassScores

    found = open_model(model)
    rows = open_rows(schema_of(found), data, options)
    scores, by_leaf = evaluated(found, rows, leaves)
    if rows.n_out:
        terminal.note(f"note: {rows.n_out:,} row{'s' * (rows.n_out != 1)} without an answer left out.")
    if terminal.as_json:
        listed = {"leaves": [one.to_dict() for one in by_leaf]} if leaves else {}
        terminal.give({"model": model, "data": data, "rows_left_out": rows.n_out, **scores.to_dict(), **listed})
        return
    parts = [score_lines(scores)]
    if isinstance(scores, ClassScores):
        parts += [[bold("Confusion matrix"), *confusion_lines(scores)], [bold("Classes"), *class_lines(scores)]]
        if scores.calibration is not None:
            parts.append([bold("Calibration"), *scores.calibration.grid().lines()])
    if leaves:
        from treewright.evaluate.leaves import leaf_lines

        parts.append([bold("Leaves"), *leaf_lines(by_leaf, not isinstance(scores, ClassScores))])
    terminal.say("\n\n".join("\n".join(lines) for lines in parts))


def evaluated(model: Any, rows: Rows, leaves: bool) -> "tuple[Scores, list[LeafScore]]":
    """How right the model is on the rows, and each of its leaves; unseen categories are warned of."""
    import numpy as np

    from treewright.cli.asked import asked
    from treewright.data.dataset import Dataset
    from treewright.evaluate.leaves import leaf_scores
    from treewright.evaluate.scores import class_scores, number_scores
    from treewright.rules.answering import ByTree

    how = asked(model)
    values, answering = how.reader.table(rows.X), how.answering
    scores: Scores
    if how.is_number:
        scores = number_scores(rows.codes, answering.numbers(values), rows.weight)
    else:
        answers = answering.codes(values), answering.shares(values)
        scores = class_scores(tuple(how.classes), rows.codes, *answers, rows.weight)
        tree = getattr(answering, "tree", None)
        if tree is not None and tree.answering.costs is not None:
            scores = replace(scores, costs=np.array(tree.answering.costs))
    if not leaves:
        return scores, []
    if not isinstance(answering, ByTree):
        raise InputError("Rules that are asked in turn have no leaves; leave --leaves out, or give a tree.")
    dataset = Dataset(answering.tree.schema, values, rows.codes, rows.weight)
    return scores, leaf_scores(answering.tree, dataset, answering.asked)
