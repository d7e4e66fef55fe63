"""Prediction of a table in batches: what is read and written, the output formats, and a pipeline of three threads.

A `PredictionPlan` says which columns of a table a model reads, which are written again and what the new columns are
called. `run_pipeline` reads, predicts and writes at the same time. `write_rows` writes CSV, TSV or JSON Lines (also
compressed), Parquet or Arrow as the batches come, so that a table larger than memory passes through.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, BinaryIO, TypeVar, cast

import polars as pl

from treewright.cli.input_tables import find_model_columns, split_names
from treewright.cli.predictor import FramePredictor, Predictor
from treewright.data.files.cell_parsing import has_number_marker
from treewright.data.files.column_names import columns_named, known_columns
from treewright.data.files.model_rows import RowEncoder
from treewright.data.files.stream import Batch, ReadHints, Stream
from treewright.data.files.table_writer import format_from_name, safe_formulas
from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.extras import require

ALL, NONE = "all", "none"


@dataclass(frozen=True, slots=True, eq=False)
class PredictionPlan:
    """What is read, predicted and written.

    stream           the rows
    frame_predictor  predicts them
    read             columns that are read
    kept             columns that are written again
    used             columns of the model, in its order if they are matched by position
    renamed          new columns whose name was taken, and their names instead
    """

    stream: Stream
    frame_predictor: FramePredictor
    read: tuple[str, ...]
    kept: tuple[str, ...]
    used: tuple[str, ...]
    renamed: dict[str, str]

    def predict(self, batch: Batch) -> Batch:
        """Return a batch with its predictions."""
        frame = batch.frame
        found = self.frame_predictor.predict(frame.select(columns_named(self.used)))
        if batch.lines is not None:
            return Batch(pl.DataFrame([batch.lines.alias("\x1f"), *found]), unquoted=True)
        made = frame.select(columns_named(self.kept)).with_columns(found) if self.kept else pl.DataFrame(found)
        return Batch(made, batch.unquoted and self.frame_predictor.is_bare(self.stream.delimiter))

    def read_hints(self, form: str, safe: bool) -> ReadHints:
        """Return what makes reading faster: numbers as such, and whole lines if they are written unchanged."""
        if self.frame_predictor.encoder.decimal != "." or has_number_marker(self.stream.missing):
            return ReadHints()
        columns = self.frame_predictor.encoder.columns
        kinds = {column.name if column.source is None else column.source: column for column in columns}
        numbers = frozenset(
            name
            for name, column in zip(self.used, kinds.values(), strict=True)
            if column.kind == Kind.NUMBER and column.format is None and column.source is None
        )
        mark = DELIMITERS.get(form)
        whole = self.kept == self.stream.names and mark == self.stream.delimiter and not safe
        if whole and mark is not None and self.frame_predictor.is_bare(mark):
            # A marker of missing values may be a category of the training data.
            words = {word for column in self.frame_predictor.encoder.columns for word in column.categories}
            return ReadHints(
                numbers, self.used, () if words & {*self.stream.missing} else self.stream.missing
            )
        return ReadHints(numbers - {*self.kept})

    def types(self, safe: bool) -> dict[str, Any]:
        """Return the written columns and their types; `safe` is whether names that look like formulas are escaped."""
        types = {name: self.stream.types[name] for name in self.kept} | self.frame_predictor.types()
        made = pl.DataFrame(schema=types)
        return dict((escape_formulas(made) if safe else made).schema)


def plan_prediction(model: Predictor, stream: Stream, options: dict[str, Any]) -> PredictionPlan:
    """Return the plan for a table, from the options of `predict`."""
    reader, aside = model.reader, (options["target"] or model.target,)
    used, by_name = find_model_columns(reader.columns, reader.names is not None, stream, aside)
    chosen = options["columns"]
    kept = stream.names if chosen == ALL else () if chosen == NONE else _columns_named(chosen, stream.names)
    names = {"prediction": options["name"]}
    if options["proba"]:
        names |= {f"probability {i}": f"P({label})" for i, label in enumerate(model.classes)}
    if options["leaf"]:
        names["leaf"] = model.leaf_column
    if options["explain"]:
        names["explanation"] = "explanation"
    unique = make_unique(list(names.values()), kept)
    renamed = {old: new for old, new in zip(names.values(), unique, strict=True) if old != new}
    encoder = RowEncoder(reader.columns, by_name, reader.unseen, stream.missing, stream.decimal)
    predictor = FramePredictor(model, encoder, dict(zip(names, unique, strict=True)), options["language"])
    wanted = {*used, *kept}
    return PredictionPlan(
        stream, predictor, tuple(n for n in stream.names if n in wanted), kept, used, renamed
    )


def make_unique(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to those that are taken.

    >>> make_unique(["prediction", "leaf"], ["leaf", "leaf_2"])
    ['prediction', 'leaf_3']
    """
    used, found = set(taken), []
    for name in names:
        new, n = name, 2
        while new in used:
            new, n = f"{name}_{n}", n + 1
        used.add(new)
        found.append(new)
    return found


def _columns_named(chosen: str, names: Sequence[str]) -> tuple[str, ...]:
    return known_columns("columns", dict.fromkeys(split_names([chosen])), names)


T = TypeVar("T")
U = TypeVar("U")

QUEUE_SIZE = 1
"""Items that wait between two stages."""

POLL_SECONDS = 0.05
"""Seconds after which a waiting stage checks whether the pipeline was stopped."""


class PipelineStopped(Exception):
    """The pipeline was stopped while a stage was waiting."""


class _StageQueue:
    """The items between one stage and the next."""

    def __init__(self, stop: Event) -> None:
        self._queue: Queue[Any] = Queue(QUEUE_SIZE)
        self._stop = stop

    def put(self, item: object) -> None:
        while not self._stop.is_set():
            with suppress(Full):
                return self._queue.put(item, timeout=POLL_SECONDS)
        raise PipelineStopped

    def fill(self, items: Iterable[object]) -> None:
        """Put all items, and then the end marker."""
        for item in items:
            self.put(item)
        self.put(_END)

    def __iter__(self) -> Iterator[Any]:
        while not self._stop.is_set():
            with suppress(Empty):
                item = self._queue.get(timeout=POLL_SECONDS)
                if item is _END:
                    return
                yield item
                del item  # free it while waiting for the next one
        raise PipelineStopped


_END = object()


class _PipelineState:
    """What the threads share: whether to stop, whether all is done, and the first error."""

    def __init__(self) -> None:
        self.stop, self.done = Event(), Event()
        self.errors: list[BaseException] = []

    def start(self, act: Callable[[], None]) -> Thread:
        """Start a thread that runs a stage, and stops the others if it fails."""

        def stage() -> None:
            try:
                act()
            except PipelineStopped:
                pass
            except BaseException as error:
                self.errors.append(error)
                self.stop.set()
                self.done.set()

        thread = Thread(target=stage, daemon=True)
        thread.start()
        return thread


def run_pipeline(source: Iterable[T], work: Callable[[T], U], drain: Callable[[Iterator[U]], None]) -> None:
    """Read items from the source, process each, and pass the results to `drain`, each in its own thread.

    Items keep their order and only a few are held. An error in any stage, or Ctrl-C, stops all and is raised here.

    >>> found = []
    >>> run_pipeline(range(5), lambda n: n * n, found.extend)
    >>> found
    [0, 1, 4, 9, 16]
    """
    shared = _PipelineState()
    first, second = _StageQueue(shared.stop), _StageQueue(shared.stop)

    def take() -> None:
        drain(iter(second))
        shared.stop.set()  # also if it takes no more
        shared.done.set()

    threads: list[Thread] = []
    try:
        threads += [shared.start(lambda: second.fill(map(work, first))), shared.start(take)]
        # Reading is done in this thread: Ctrl-C ends its wait for stdin, but could not stop another thread.
        with suppress(PipelineStopped):
            first.fill(source)
        while not shared.done.wait(POLL_SECONDS):
            pass
    finally:
        shared.stop.set()
        for thread in threads:
            thread.join()
    if shared.errors:
        raise shared.errors[0]


NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
"""Text that is a number, and so not a formula though it may begin with a sign."""

DELIMITERS = {"csv": ",", "tsv": "\t"}
COMPRESSED = (".gz", ".zst")
GZIP_LEVEL, ZSTD_LEVEL = 6, 3
"""The default levels of the gzip and zstd programs."""


def output_format(path: Path) -> str:
    """Return the output format from a file name; only text formats may be compressed.

    >>> output_format(Path("out.csv.gz")), output_format(Path("OUT.parquet"))
    ('csv', 'parquet')
    """
    found = format_from_name(path)
    if found is None or (path.suffix.lower() in COMPRESSED and found in ("parquet", "arrow")):
        raise InputError(
            f"Unknown output format of {path.name!r}; use a name that ends in .csv, .tsv or .jsonl (also with "
            ".gz or .zst), .parquet or .arrow."
        )
    return found


def write_rows(
    batches: Iterator[Batch], file: BinaryIO, form: str, schema: dict[str, Any], mark: str = ""
) -> None:
    """Write all rows.

    schema  columns and types, also for a table without rows
    mark    the delimiter that cells of bare batches do not contain

    >>> import io
    >>> import polars as pl
    >>> out = io.BytesIO()
    >>> write_rows(iter([Batch(pl.DataFrame({"a": ["x"]}))] * 2), out, "csv", {"a": pl.String})
    >>> out.getvalue()
    b'a\\nx\\nx\\n'
    """
    if form in DELIMITERS:
        _write_delimited(batches, file, schema, DELIMITERS[form], mark)
    else:
        WRITERS[form]((batch.frame for batch in batches), file, schema)


def escape_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with an apostrophe before each text and name that a spreadsheet would run as a formula.

    Text that is a number is not changed: all columns of a CSV are read as text.

    >>> import polars as pl
    >>> escape_formulas(pl.DataFrame({"=a": ["-5", "-5+3"]})).to_dict(as_series=False)
    {"'=a": ['-5', "'-5+3"]}
    """
    safe = safe_formulas(frame)
    pairs = [
        (old, new)
        for old, new in zip(frame.columns, safe.columns, strict=True)
        if frame[old].dtype == pl.String
    ]
    number = [frame[old].alias("").str.contains(NUMBER).fill_null(value=False) for old, _ in pairs]
    return safe.with_columns(
        pl.when(is_number).then(frame[old]).otherwise(safe[new]).alias(new)
        for (old, new), is_number in zip(pairs, number, strict=True)
    )


@contextmanager
def compressing(file: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """Return the file, or a stream that compresses into it if the name ends in .gz or .zst; bytes are reproducible."""
    end = Path(name).suffix.lower()
    if end == ".gz":
        with gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif end == ".zst":
        require("zstandard", "A .zst file")
        from zstandard import ZstdCompressor

        maker = ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True)
        with maker.stream_writer(file, closefd=False) as packed:
            yield packed
    else:
        yield file


def _write_delimited(
    batches: Iterator[Batch], file: BinaryIO, schema: dict[str, Any], separator: str, mark: str
) -> None:
    """Write delimited text."""
    out = io.BytesIO()
    pl.DataFrame(schema=schema).write_csv(out, separator=separator)
    file.write(out.getbuffer())
    for frame, bare, _ in batches:
        # Checking every cell for quotes takes more time than the rest of writing.
        quotes: Any = "never" if bare and mark == separator else "necessary"
        out = io.BytesIO()
        frame.write_csv(out, separator=separator, include_header=False, quote_style=quotes)
        file.write(out.getbuffer())


def _write_json_lines(frames: Iterator[pl.DataFrame], file: BinaryIO, _: dict[str, Any]) -> None:
    for frame in frames:
        frame.write_ndjson(file)


def _write_json_document(frames: Iterator[pl.DataFrame], file: BinaryIO, _: dict[str, Any]) -> None:
    """Write all rows as one JSON document, batch by batch."""
    file.write(b'{"rows": [')
    between = b"\n"
    for frame in frames:
        lines = (
            frame.write_ndjson().rstrip("\n").replace("\n", ",\n")
        )  # JSON escapes line breaks within a line
        file.write(between + lines.encode("utf-8"))
        between = b",\n"
    file.write(b"\n]}\n")


def _sink_writer(method: str) -> Callable[[Iterator[pl.DataFrame], BinaryIO, dict[str, Any]], None]:
    """Return a writer of a columnar format: polars draws the frames and writes them batch by batch."""

    def write(frames: Iterator[pl.DataFrame], file: BinaryIO, schema: dict[str, Any]) -> None:
        from polars.io.plugins import register_io_source

        failed: list[BaseException] = []

        def draw(*_: object) -> Iterator[pl.DataFrame]:
            try:
                yield from frames
            except BaseException as error:  # an error of an earlier stage; polars would reword it
                failed.append(error)
                raise

        try:
            getattr(register_io_source(draw, schema=schema), method)(file)
        except Exception:
            if failed:
                raise failed[0] from None
            raise

    return write


WRITERS = {
    "jsonl": _write_json_lines,
    "json": _write_json_document,
    "parquet": _sink_writer("sink_parquet"),
    "arrow": _sink_writer("sink_ipc"),
}
