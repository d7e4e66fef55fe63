"""`treewright fit --engine`: train a tree on files that are larger than memory.

In: a path or a pattern of files, and the name of an engine that counts their rows. Out: what `fit` prints and saves,
but without errors and cross-validation, which need the rows in memory.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.cli.algorithms import BY_CLASS, new_estimator
from treewright.cli.command import check_output
from treewright.cli.input_tables import split_names
from treewright.cli.models import chosen_parameters, size_dict
from treewright.cli.option_values import by_label, read_validation, read_value
from treewright.cli.terminal import Terminal
from treewright.errors import InputError, ParameterError
from treewright.extras import require
from treewright.language import messages

if TYPE_CHECKING:
    from treewright.scale.growth import LevelReport

ENGINES = ("local", "duckdb", "dask", "spark")

_IN_MEMORY = "needs the rows in memory; leave it out, or leave out --engine"
_TYPES = "cannot be used with --engine, which takes the columns as the files have them; convert the column"
_READER = "cannot be used with --engine, whose reader detects it; leave it out, or convert the files to Parquet"
REFUSED = {
    "folds": _IN_MEMORY,
    "numeric": _TYPES, "ordered": _TYPES, "date": _TYPES,
    "format": _READER, "delimiter": _READER, "encoding": _READER, "decimal": _READER, "missing_marker": _READER,
    "header": _READER, "schema": _READER,
}  # fmt: skip
"""Options that cannot be used, and why."""


class OpenSource(NamedTuple):
    """The rows for an engine, and what is called when they are no longer needed."""

    rows: Any
    close: Callable[[], None]


class SourceColumn(NamedTuple):
    """A column of the list that `fit` prints; missing values are not counted by column."""

    name: str
    kind: str
    n_values: int | None = None
    n_missing: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SourceFit:
    """A fitted estimator, and how it was grown.

    levels   the reports of the levels
    seconds  time of the fit
    path     the model file; None if it is not saved
    """

    estimator: Any
    options: Mapping[str, Any]
    levels: "list[LevelReport]"
    seconds: float
    path: str | None

    @property
    def columns(self) -> list[SourceColumn]:
        """The columns of the model."""
        columns = self.estimator.tree_.schema.columns
        kinds = ["category" if column.categories else "number" for column in columns]
        both = zip(columns, kinds, strict=True)
        return [SourceColumn(one.name, kind, one.n_categories or None) for one, kind in both]


def fit_files(options: dict[str, Any], terminal: Terminal) -> SourceFit:
    """Train a tree on the files that the options name, and save it."""
    refuse_options(options)
    _ = messages(terminal.language)
    path = check_output(options["output"], options["force"])
    categories = list(split_names(options["categorical"]))
    estimator = new_estimator(options)
    if categories:
        estimator.set_params(categorical_features=categories)
    from treewright.scale.public import fit_source, read_memory

    memory = read_memory(options["memory"] or "1GB")
    levels: list[LevelReport] = []

    def show(level: "LevelReport") -> None:
        levels.append(level)
        terminal.status(level_line(level, options["engine"], terminal.language))

    began = perf_counter()
    with ExitStack() as opened:
        source = open_files(options["engine"], options["data"])
        opened.callback(source.close)
        label_classes(estimator, source.rows, options["target"])
        validation: dict[str, Any] = {}
        given = None if options["validation"] is None else read_validation(options["validation"])
        if isinstance(given, str):
            other = open_files(options["engine"], given)
            opened.callback(other.close)
            validation = {"X_val": other.rows, "sample_weight_val": options["weights"]}
        elif given is not None:
            estimator.set_params(validation_fraction=given)
        fit_source(
            estimator, source.rows, options["target"], sample_weight=options["weights"], memory=memory,
            progress=show, checkpoint=options["checkpoint"], ignore=split_names(options["ignore"]), **validation,
        )  # fmt: skip
    seconds = perf_counter() - began
    if path is not None:
        estimator.save(path, ledgers=options["keep"] == "ledgers", overwrite=options["force"])
    else:
        terminal.note(_("the model is not saved; use -o FILE."))
    terminal.note(_("not scored and not cross-validated; use `treewright evaluate` with rows that fit in memory."))
    for note in estimator.notes_:
        terminal.note(note)
    return SourceFit(estimator, options, levels, seconds, None if path is None else str(path))


def refuse_options(options: Mapping[str, Any]) -> None:
    """Raise an error for the first option that cannot be used with --engine."""
    if options["data"] == "-":
        raise ParameterError("--engine reads files, not stdin; pass a path or a pattern such as 'data/*.parquet'.")
    if options["target"] is None:
        raise ParameterError("--target is required with --engine.")
    for name, why in REFUSED.items():
        if options[name] not in (None, (), False) or (name == "header" and options[name] is not None):
            raise ParameterError(f"--{name.replace('_', '-')} {why}.")
    if options["keep"] == "rows":
        raise ParameterError(f"--keep rows {_IN_MEMORY}.")


def label_classes(estimator: Any, rows: Any, target: str) -> None:
    """Replace class names in the parameters by labels: on a command line the class 1 is the text "1"."""
    from treewright.scale.engine import BOOLEAN, NUMBER
    from treewright.scale.source import open_engine

    given: dict[str, dict[Any, Any]] = {
        name: value for name in BY_CLASS if isinstance(value := getattr(estimator, name, None), dict)
    }
    if not given:
        return
    engine = open_engine(rows)
    try:
        kind = engine.kinds().get(target)
    finally:
        engine.close()
    if kind not in (NUMBER, BOOLEAN):
        return
    names = {name for value in given.values() for name in value} | {
        name for value in given.values() for row in value.values() if isinstance(row, dict) for name in row
    }
    labels = [{"False": False, "True": True}.get(name, name) if kind == BOOLEAN else read_value(name) for name in names]
    estimator.set_params(**{name: by_label(value, labels) for name, value in given.items()})


def level_line(level: "LevelReport", engine: str, language: str = "en") -> str:
    """Return the line about a level.

    >>> from treewright.scale.growth import LevelReport
    >>> level_line(LevelReport(2, 4, 1000000, 1, 5, 0.25), "local")
    'level 2: 4 nodes, 1,000,000 rows, 5 passes over the rows so far, 0.25 s'
    """
    _, n = messages(language), level.n_passes
    if engine == "duckdb":
        passes = _.plural("{n} statement so far", "{n} statements so far", n, n=f"{n:,}")
    else:
        passes = _.plural("{n} pass over the rows so far", "{n} passes over the rows so far", n, n=f"{n:,}")
    return _(
        "level {depth}: {nodes}, {rows}, {passes}, {seconds} s",
        depth=level.depth,
        nodes=_.plural("{n} node", "{n} nodes", level.n_nodes, n=f"{level.n_nodes:,}"),
        rows=_.plural("{n} row", "{n} rows", level.n_rows, n=f"{level.n_rows:,}"),
        passes=passes,
        seconds=f"{level.seconds:.2f}",
    )


# --- the engines ---


def open_files(engine: str, pattern: str) -> OpenSource:
    """Open files for an engine."""
    if engine == "local":
        return OpenSource(pattern, _do_nothing)
    open_of = {"duckdb": _open_duckdb, "dask": _open_dask, "spark": _open_spark}
    return open_of[engine](*_files_of(engine, pattern))


def _files_of(engine: str, pattern: str) -> tuple[list[str], str]:
    """The files that a pattern names, and their format: parquet or csv."""
    require({"spark": "pyspark"}.get(engine, engine), f"--engine {engine}")
    require("pyarrow", f"--engine {engine}")
    from treewright.scale.local import FORMATS, find_files

    files = [pattern] if "://" in pattern else find_files(pattern)
    forms = {FORMATS.get(Path(one).suffix.lower(), "other") for one in files}
    if len(forms) > 1 or not forms <= {"parquet", "csv"}:
        names = ", ".join(sorted({Path(one).suffix for one in files}))
        raise InputError(
            f"--engine {engine} reads files of one format, Parquet or CSV, got {names}; use --engine local."
        )
    return files, forms.pop()


def _open_duckdb(files: list[str], form: str) -> OpenSource:
    import duckdb

    from treewright.scale.local import MISSING_TEXTS

    connection: Any = duckdb.connect()
    try:
        rows: Any = connection.read_parquet(files) if form == "parquet" else None
        rows = connection.read_csv(files, na_values=MISSING_TEXTS) if rows is None else rows
    except duckdb.Error as error:
        connection.close()
        raise InputError(f"{files[0]!r} cannot be read: {error}") from None
    return OpenSource(rows, connection.close)


def _open_dask(files: list[str], form: str) -> OpenSource:
    import dask.dataframe as dd

    from treewright.scale.local import MISSING_TEXTS

    if form == "parquet":
        return OpenSource(dd.read_parquet(files), _do_nothing)
    mark = "\t" if Path(files[0]).suffix.lower() == ".tsv" else ","
    frame = dd.read_csv(files, sep=mark, na_values=MISSING_TEXTS, keep_default_na=False)
    return OpenSource(frame, _do_nothing)


def _open_spark(files: list[str], form: str) -> OpenSource:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    close = _do_nothing
    if session is None:
        try:
            builder = SparkSession.builder.master("local[*]").appName("treewright")
            session = builder.config("spark.ui.enabled", "false").getOrCreate()
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(f"Spark cannot be started: {reason.rstrip('.')}; it needs Java 17.") from None
        session.sparkContext.setLogLevel("ERROR")
        close = session.stop
    if form == "parquet":
        return OpenSource(session.read.parquet(*files), close)
    mark = "\t" if Path(files[0]).suffix.lower() == ".tsv" else ","
    return OpenSource(session.read.csv(files, header=True, inferSchema=True, sep=mark), close)


def _do_nothing() -> None:
    """Files that an engine opens need not be closed."""


# --- the report ---


def source_lines(found: SourceFit, depth: int | None, language: str = "en") -> list[str]:
    """Return the printed report of a fit on files."""
    from treewright.cli.fit import closing_lines, heading_lines, tree_part

    tree, options = found.estimator.tree_, found.options
    n_columns = tree.schema.n_columns
    return [
        *heading_lines(options["data"], (int(tree.count[0]), n_columns), options["target"], found.columns, language),
        *tree_part(found.estimator, depth, language),
        *closing_lines(tree, found.path, found.seconds, language),
    ]


def source_document(found: SourceFit) -> dict[str, Any]:
    """Return the report as data that JSON can hold: as that of `fit` in memory, without scores."""
    estimator, options = found.estimator, found.options
    tree = estimator.tree_
    columns = [{"name": one.name, "kind": one.kind, "n_values": one.n_values} for one in found.columns]
    table = {"source": options["data"], "rows": int(tree.count[0]), "target": options["target"], "columns": columns}
    return {
        "model": found.path,
        "fingerprint": tree.fingerprint(),
        "table": table,
        "engine": options["engine"],
        "estimator": type(estimator).__name__,
        "parameters": chosen_parameters(estimator),
        "tree": {**size_dict(tree), "text": tree.to_text()},
        "grown": size_dict(estimator.grown_tree_),
        "levels": [level._asdict() for level in found.levels],
        "notes": list(estimator.notes_),
        "seconds": found.seconds,
    }
