"""`treewright predict`: the rows of a table with the predictions of a model, in batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from treewright.cli.command import check_output, language_option, option, output_to, shown_text, subcommand
from treewright.cli.input_tables import data_argument, reading_options, text_options
from treewright.cli.models import model_argument, open_model
from treewright.cli.terminal import Progress, Terminal, binary_stdout
from treewright.errors import InputError
from treewright.language import messages

if TYPE_CHECKING:
    from pathlib import Path

    from treewright.cli.predict_stream import PredictionPlan
    from treewright.cli.predictor import FramePredictor
    from treewright.data.files.stream import Batch, Stream


@subcommand(
    examples=[
        "treewright predict golf.json new-days.csv -o predictions.csv",
        "treewright predict golf.json huge.csv.gz -o predictions.parquet --proba",
        "cat new-days.csv | treewright predict golf.json - --explain --columns day",
    ]
)
@model_argument
@data_argument
@option("--proba", is_flag=True, help="Add a column P(class) for each class: its probability.")
@option("--leaf", is_flag=True, help="Add a column with the number of the leaf, or of the rule.")
@option("--explain", is_flag=True, help="Add a column with the reason of each prediction.")
@option(
    "--columns",
    default="all",
    metavar="NAMES",
    help="Columns of DATA to write: all, none, or their names [all].",
)
@option(
    "--name", default="prediction", metavar="NAME", help="Name of the column of predictions [prediction]."
)
@option("--safe-formulas", is_flag=True, help="Put ' before text that a spreadsheet would run as a formula.")
@option("--batch-rows", type=click.IntRange(1), metavar="N", help="Maximum number of rows in a batch.")
@option(
    "-t",
    "--target",
    metavar="COLUMN",
    help="Target column of DATA, needed if columns are matched by position.",
)
@language_option
@reading_options
@output_to(
    "Write to this file: .csv, .tsv, .jsonl (also .gz, .zst), .parquet or .arrow. By default CSV on stdout."
)
def command(
    terminal: Terminal, model: str, data: str, output: str | None, force: bool, **options: Any
) -> None:
    """Add predictions to the rows of a table of any size.

    The table is read, predicted and written in batches, so it may be larger than memory. Its columns are written
    unchanged, followed by the predictions. The columns of the model are matched by name.
    """
    from treewright.cli.predict_stream import output_format, plan_prediction
    from treewright.cli.predictor import make_predictor
    from treewright.data.files.stream import open_stream

    _ = messages(terminal.language)
    if model == data == "-":
        raise InputError("MODEL and DATA cannot both be stdin; use a file for one of them.")
    path = check_output(output, force)
    form = "json" if path is None and terminal.as_json else "csv" if path is None else output_format(path)
    predictor = make_predictor(open_model(model))
    if options["proba"] and predictor.is_number:
        raise InputError("A regression model has no class probabilities; leave out --proba.")
    with open_stream(data, *text_options(options)) as stream:
        for note in stream.notes:
            terminal.note(shown_text(note, terminal.language))
        plan = plan_prediction(predictor, stream, options)
        for name, new in plan.renamed.items():
            terminal.note(
                _(
                    "the table already has a column {name}; the new column is {new}.",
                    name=repr(name),
                    new=repr(new),
                )
            )
        with _open_output(path, form, force) as file:
            _run(terminal, plan, file, form, options)
    _print_summary(terminal, plan.frame_predictor, path)


@contextmanager
def _open_output(path: Path | None, form: str, force: bool) -> Iterator[BinaryIO]:
    """Open the file to write to, which appears when it is complete; or stdout."""
    from treewright.cli.predict_stream import compressing
    from treewright.disk.atomic_write import open_atomic

    if path is None:
        yield (stdout := binary_stdout(form))
        stdout.flush()
        return
    with open_atomic(path, overwrite=force) as file, compressing(file, path.name) as stream:
        yield stream


def _run(
    terminal: Terminal, plan: PredictionPlan, file: BinaryIO, form: str, options: dict[str, Any]
) -> None:
    """Read, predict and write at the same time."""
    from treewright.cli.predict_stream import escape_formulas, run_pipeline, write_rows
    from treewright.data.files.stream import ROWS

    safe = options["safe_formulas"]
    source = plan.stream.batches(plan.read, options["batch_rows"] or ROWS, plan.read_hints(form, safe))
    with terminal.progress("rows predicted") as bar:
        types = plan.types(safe)
        write = partial(write_rows, file=file, form=form, schema=types, mark=plan.stream.delimiter)

        def work(batch: Batch) -> Batch:
            done = plan.predict(batch)
            _show_progress(bar, plan.stream, done.frame.height)
            return done._replace(frame=escape_formulas(done.frame)) if safe else done

        run_pipeline(source, work, write)


def _show_progress(bar: Progress, stream: Stream, n_rows: int) -> None:
    n_bytes = stream.n_bytes_read
    part = f" ({n_bytes / stream.n_bytes:.0%} of the file read)" if stream.n_bytes and n_bytes else ""
    bar.advance(n_rows, f"rows predicted{part}")


def _print_summary(terminal: Terminal, predicted: FramePredictor, path: Path | None) -> None:
    """Print a warning about unseen categories, and what was written."""
    from treewright.data.encode import unseen_message

    found = predicted.unseen_categories()
    if found:
        more = f" (and {predicted.more_unseen:,} other cells)" if predicted.more_unseen else ""
        effect = f"such a value {predicted.predictor.reader.words}{more}"
        terminal.status(f"warning: {unseen_message(found, effect)}")
    if path is not None:
        n = predicted.n_rows
        terminal.status(
            messages(terminal.language).plural(
                "{n} row with predictions written to {path}.",
                "{n} rows with predictions written to {path}.",
                n,
                n=f"{n:,}",
                path=repr(str(path)),
            )
        )
        unseen = [{"column": one.column, "value": str(one.value), "rows": one.n_rows} for one in found]
        terminal.print_json({"rows": predicted.n_rows, "output": str(path), "unseen": unseen})
