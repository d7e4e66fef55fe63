"""Predict: the rows of a table with the answers of a model, however many they are.

In: a model and a table, which is read in batches. Out: its columns and behind them the answers, on stdout or in a file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from treewright.cli.models import model_argument, open_model
from treewright.cli.output import check_output, output_to
from treewright.cli.tables import data_argument, layout_of, reading_options
from treewright.cli.terminal import Progress, Terminal
from treewright.cli.verb import option, verb
from treewright.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from treewright.cli.asked import Answerer
    from treewright.cli.predict_job import Job
    from treewright.data.files.stream import Batch, Stream


@verb(
    examples=[
        "treewright predict golf.json new-days.csv -o answers.csv",
        "treewright predict golf.json huge.csv.gz -o answers.parquet --proba",
        "cat new-days.csv | treewright predict golf.json - --explain --columns day",
    ]
)
@model_argument
@data_argument
@option("--proba", is_flag=True, help="A column P(class) for each class: its share.")
@option("--leaf", is_flag=True, help="A column with the number of the leaf, or of the rule.")
@option("--explain", is_flag=True, help="A column with the reason in words.")
@option("--columns", default="all", metavar="NAMES", help="Columns of DATA to write: all, none, or names [all].")
@option("--name", default="prediction", metavar="NAME", help="What the column of the answer is called [prediction].")
@option("--safe-formulas", is_flag=True, help="Put ' before text that a spreadsheet would take for a formula.")
@option("--batch-rows", type=click.IntRange(1), metavar="N", help="Rows that are read at a time, at most.")
@option("-t", "--target", metavar="COLUMN", help="A column of answers in DATA, where columns are met by place.")
@reading_options
@output_to("Write to this file: .csv, .tsv, .jsonl (also .gz, .zst), .parquet or .arrow; else CSV on stdout.")
def command(
    terminal: Terminal, model: str, data: str, output: str | None, force: bool, **options: Any
) -> None:
    """Answer the rows of a table, however large.

    The table is read, answered and written in batches, so that it may be larger than memory. Its columns are written as
    they were, the answer behind them. The columns of the model are found by their names; others do not matter.
    """
    from treewright.cli.asked import asked
    from treewright.cli.predict_file import written_as
    from treewright.cli.predict_job import make_job
    from treewright.data.files.stream import open_stream

    if model == data == "-":
        raise InputError("The model and the data cannot both come from standard input; give one of them as a file.")
    path = check_output(output, force)
    form = "json" if path is None and terminal.as_json else "csv" if path is None else written_as(path)
    model_asked = asked(open_model(model))
    if options["proba"] and model_asked.is_number:
        raise InputError("The model answers with numbers, which have no class shares; leave out --proba.")
    with open_stream(data, *layout_of(options)) as stream:
        for note in stream.notes:
            terminal.note(f"note: {note}")
        job = make_job(model_asked, stream, options)
        for given, made in job.renamed.items():
            terminal.note(f"note: the table has a column {given!r} already, so the answer is called {made!r}.")
        with _opened(path, force) as file:
            _run(terminal, job, file, form, options)
    _end(terminal, job.answerer, path)


@contextmanager
def _opened(path: Path | None, force: bool) -> Iterator[BinaryIO]:
    """The file to write into, which appears when all is written; or stdout."""
    from treewright.cli.predict_file import squeezing
    from treewright.disk.write import writing

    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with writing(path, overwrite=force) as file, squeezing(file, path.name) as stream:
        yield stream


def _run(terminal: Terminal, job: Job, file: BinaryIO, form: str, options: dict[str, Any]) -> None:
    """Read, answer and write at the same time."""
    from treewright.cli.predict_belt import run
    from treewright.cli.predict_file import harmless, write_rows
    from treewright.data.files.stream import ROWS

    safe = options["safe_formulas"]
    source = job.stream.batches(job.read, options["batch_rows"] or ROWS, job.wish(form, safe))
    with terminal.progress("rows answered") as bar:
        types = job.types(safe)
        write = partial(write_rows, file=file, form=form, schema=types, mark=job.stream.delimiter)

        def work(batch: Batch) -> Batch:
            made = job.answered(batch)
            _show(bar, job.stream, made.frame.height)
            return made._replace(frame=harmless(made.frame)) if safe else made

        run(source, work, write)


def _show(bar: Progress, stream: Stream, n_rows: int) -> None:
    part = f" ({stream.drawn / stream.n_bytes:.0%} of the file read)" if stream.n_bytes and stream.drawn else ""
    bar.advance(n_rows, f"rows answered{part}")


def _end(terminal: Terminal, answerer: Answerer, path: Path | None) -> None:
    """Say what was done, and which categories training never showed."""
    from treewright.data.unseen import unseen_words

    found = answerer.met()
    if found:
        more = f" (and {answerer.more_unseen:,} other cells)" if answerer.more_unseen else ""
        terminal.note(f"warning: {unseen_words(found, f'such a value {answerer.asked.reader.words}{more}')}")
    if path is not None:
        terminal.note(f"{answerer.n_rows:,} row{'s' * (answerer.n_rows != 1)} answered in {str(path)!r}.")
        unseen = [{"column": one.column, "value": str(one.value), "rows": one.n_rows} for one in found]
        terminal.give({"rows": answerer.n_rows, "output": str(path), "unseen": unseen})
