"""`treewright evaluate`: the scores of a model on a labelled table, also leaf by leaf."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright.cli.command import OUTPUT, language_option, option, subcommand
from treewright.cli.input_tables import LabelledRows, data_argument, open_rows, rows_options
from treewright.cli.models import model_argument, open_model, schema_of
from treewright.cli.terminal import Terminal, bold
from treewright.errors import InputError
from treewright.language import messages

if TYPE_CHECKING:
    from treewright.evaluate.score_report import LeafScore
    from treewright.evaluate.scores import Scores


@subcommand(
    examples=[
        "treewright evaluate golf.json golf.csv",
        "treewright evaluate golf.json golf.csv --leaves",
        "treewright evaluate golf.json golf.csv --json",
    ]
)
@model_argument
@data_argument
@option("--leaves", is_flag=True, group=OUTPUT, help="Also print the error of each leaf, largest first.")
@language_option
@rows_options()
def command(terminal: Terminal, model: str, data: str, leaves: bool, language: str, **options: Any) -> None:
    """Score a model on a labelled table.

    Prints accuracy, error rate, log loss, Brier score, confusion matrix, precision and recall of each class, and
    calibration; for regression RMSE, MAE and R². Columns are matched by name; other columns are ignored, and rows
    without a target value are left out.
    """
    found = open_model(model)
    rows = open_rows(schema_of(found), data, options)
    scores, by_leaf = evaluate_model(found, rows, leaves, "en" if terminal.as_json else language)
    if rows.n_left_out:
        n = rows.n_left_out
        terminal.note(
            messages(language).plural(
                "{n} row without a target value is left out.",
                "{n} rows without a target value are left out.",
                n,
                n=f"{n:,}",
            )
        )
    if terminal.as_json:
        more = {"leaves": [one.to_dict() for one in by_leaf]} if leaves else {}
        terminal.print_json(
            {"model": model, "data": data, "rows_left_out": rows.n_left_out, **scores.to_dict(), **more}
        )
    else:
        terminal.print(report_text(scores, by_leaf if leaves else None, language))


def report_text(scores: "Scores", leaves: "list[LeafScore] | None", language: str) -> str:
    """Return the printed report; `leaves` are the scores of the leaves, if they are wanted."""
    from treewright.evaluate.score_report import class_lines, confusion_lines, leaf_lines, score_lines
    from treewright.evaluate.scores import ClassScores

    _ = messages(language)
    parts = [score_lines(scores, language)]
    of_classes = isinstance(scores, ClassScores)
    if isinstance(scores, ClassScores):
        parts.append([bold(_("Confusion matrix")), *confusion_lines(scores, language)])
        parts.append([bold(_("Classes")), *class_lines(scores, language)])
        if scores.calibration is not None:
            table = replace(scores.calibration, language=language)
            parts.append([bold(_("Calibration")), *table.grid().lines()])
    if leaves is not None:
        parts.append([bold(_.context("table", "Leaves")), *leaf_lines(leaves, not of_classes, language)])
    return "\n\n".join("\n".join(lines) for lines in parts)


def evaluate_model(
    model: Any, rows: LabelledRows, leaves: bool, language: str = "en"
) -> "tuple[Scores, list[LeafScore]]":
    """Return the scores of the model on the rows, and those of its leaves if wanted."""
    import numpy as np

    from treewright.cli.predictor import make_predictor
    from treewright.data.dataset import Dataset
    from treewright.evaluate.score_report import leaf_scores
    from treewright.evaluate.scores import class_scores, number_scores
    from treewright.rules.rule_prediction import TreePredictor

    predictor = make_predictor(model)
    values, encoded_predictor = predictor.reader.table(rows.X), predictor.encoded_predictor
    scores: Scores
    if predictor.is_number:
        scores = number_scores(rows.codes, encoded_predictor.numbers(values), rows.weight)
    else:
        predicted, probabilities = encoded_predictor.class_codes(values), encoded_predictor.probabilities(values)
        scores = class_scores(tuple(predictor.classes), rows.codes, predicted, probabilities, rows.weight)
        tree = getattr(encoded_predictor, "tree", None)
        if tree is not None and tree.prediction_rule.costs is not None:
            scores = replace(scores, costs=np.array(tree.prediction_rule.costs))
    if not leaves:
        return scores, []
    if not isinstance(encoded_predictor, TreePredictor):
        raise InputError("Rules have no leaves; leave out --leaves, or use the model the rules come from.")
    dataset = Dataset(encoded_predictor.tree.schema, values, rows.codes, rows.weight)
    return scores, leaf_scores(encoded_predictor.tree, dataset, encoded_predictor.policy, language)
