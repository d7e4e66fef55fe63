"""`predict` and `predict_proba` on a source: predictions where the rows are.

In: a fitted estimator and a source of rows. Out: a frame of the same library, which has the columns of the source and
the predictions, and is computed when it is used; for files, the array of predictions.

    files, polars, Dask   the kernels of Treewright predict some rows at a time
    DuckDB, Ibis, Spark   the statement of `to_sql`, which the backend executes; see `sql_prediction`
"""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import Unseen
from treewright.data.schema import Column, Kind, input_names
from treewright.data.sources import FILES, library_of
from treewright.errors import InputError
from treewright.estimators.parameters import count_threads
from treewright.estimators.prediction import predict_table, warn_of_unseen
from treewright.export.scoring import common_type
from treewright.extras import require
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_numbers, predict_probabilities
from treewright.scale.local import FORMATS, LocalEngine

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

PREDICTION = "prediction"
LARGE = ("_kept", "_ledgers", "_counts")
"""Attributes of an estimator that predictions do not need."""
"""The name of the column of predictions."""
N_SHOWN = 8
"""Columns that an error names."""


@dataclass(frozen=True, slots=True, eq=False)
class PredictionTask:
    """What is predicted.

    model   the fitted estimator
    inputs  the columns of the source that it needs, in its order
    names   the new columns: of the predictions, and of the probability of each class if these are wanted
    """

    model: "BaseTreeEstimator"
    inputs: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def has_probabilities(self) -> bool:
        return len(self.names) > 1

    @property
    def classes(self) -> tuple[object, ...] | None:
        """The classes; None for a number."""
        return self.model._tree().schema.target.classes

    def __dask_tokenize__(self) -> tuple[object, ...]:
        """What the predictions depend on, by which Dask names its tasks."""
        policy = self.model._prediction_policy()
        return self.model._tree().fingerprint(), policy.rule.missing, policy.unseen, self.inputs, self.names

    def predict(self, frame: Any) -> tuple[dict[str, NDArray[Any]], tuple[Unseen, ...]]:
        """The new columns, with classes as codes, for a table that has the inputs in order; and unseen categories."""
        if not len(frame):
            return self.nothing(), ()
        if self.classes is None:
            predict = _predict_numbers
        else:
            predict = _predict_both if self.has_probabilities else _predict_codes
        run = partial(predict, n_threads=count_threads(self.model.n_jobs))
        found, unseen = predict_table(self.model._tree(), self.model._prediction_policy(), run, frame)
        return dict(zip(self.names, found, strict=True)), unseen

    def nothing(self) -> dict[str, NDArray[Any]]:
        """The new columns for no rows."""
        first = np.float64 if self.classes is None else np.int32
        return {name: np.zeros(0, np.float64 if i else first) for i, name in enumerate(self.names)}

    def warn(self, unseen: Sequence[Unseen]) -> None:
        """Warn of unseen categories, as `predict` does."""
        if unseen:
            warn_of_unseen(unseen, self.model._prediction_policy())


def predict_source(model: "BaseTreeEstimator", source: Any, *, probabilities: bool = False) -> Any:
    """Predict the rows of a source.

    >>> from tempfile import TemporaryDirectory
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "points.csv").write_text("id,x0\\n1,2.9\\n2,\\n")
    ...     predict_source(model, f"{folder}/*.csv").tolist()
    ['b', 'a']
    """
    task = PredictionTask(model, tuple(input_names(model._tree().schema.columns)), new_names(model, probabilities))
    library = library_of(source)
    if library == FILES:
        return _predict_files(task, source)
    if library == "polars":
        return _predict_polars(task, source)
    if library == "dask":
        return _predict_dask(task, source)
    from treewright.scale.sql_prediction import predict_by_sql

    return predict_by_sql(task, source, str(library))


def new_names(model: "BaseTreeEstimator", probabilities: bool) -> tuple[str, ...]:
    """The names of the new columns; classes that differ only in case get a number.

    >>> from treewright import CARTClassifier
    >>> new_names(CARTClassifier().fit([[1.0], [2.0]], ["yes", "Yes"]), True)
    ('prediction', 'probability_Yes', 'probability_yes_2')
    """
    names = [PREDICTION]
    taken = {PREDICTION}
    for label in (model._tree().schema.target.classes or ()) if probabilities else ():
        name, n = f"probability_{label}", 2
        while name.casefold() in taken:
            name, n = f"probability_{label}_{n}", n + 1
        names.append(name)
        taken.add(name.casefold())
    return tuple(names)


def check_columns(task: PredictionTask, names: Sequence[str], *, adds: bool = True) -> None:
    """Raise an error if a source lacks a column, has one twice, or has one with the name of a new one.

    adds  whether new columns are added
    """
    lacking = [repr(name) for name in task.inputs if name not in set(names)]
    if lacking:
        which = f"Column {lacking[0]}" if len(lacking) == 1 else f"Columns {_listed(lacking)}"
        raise InputError(
            f"{which} of the model not found in the source, which has {_listed(list(map(repr, names)))}; pass a source "
            "with the columns of the training table."
        )
    twice = next((name for name in names if names.count(name) > 1), None) if adds else None
    twice = twice or next((name for name in task.inputs if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"The column name {twice!r} occurs more than once in the source; rename one of these columns.")
    new = {name.casefold() for name in task.names}
    taken = next((name for name in names if name.casefold() in new), None) if adds else None
    if taken is not None:
        raise InputError(
            f"The source has a column {taken!r}, which is the name of a column of predictions; rename it or drop it."
        )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - N_SHOWN} more" if len(names) > N_SHOWN else ""
    return ", ".join(names[:N_SHOWN]) + more


# --- the kernels, as `predict_table` takes them ---


def _predict_codes(tree: Tree, rows: Any, rule: MissingPolicy, n_threads: int) -> list[NDArray[Any]]:
    return [predict_class_codes(tree, rows, rule, n_threads)]


def _predict_numbers(tree: Tree, rows: Any, rule: MissingPolicy, n_threads: int) -> list[NDArray[Any]]:
    return [predict_numbers(tree, rows, rule, n_threads)]


def _predict_both(tree: Tree, rows: Any, rule: MissingPolicy, n_threads: int) -> list[NDArray[Any]]:
    return [*_predict_codes(tree, rows, rule, n_threads), *predict_probabilities(tree, rows, rule, n_threads).T]


# --- files ---


def _predict_files(task: PredictionTask, path: Any) -> NDArray[Any]:
    """The predictions for the rows of files, or the probabilities; one array for all files, in their order."""
    require("pyarrow", "Predicting files in batches")
    import pyarrow as pa
    import pyarrow.dataset as ds

    parts: list[dict[str, NDArray[Any]]] = []
    unseen: list[Unseen] = []
    engine = LocalEngine(path)
    try:
        check_columns(task, engine.dataset.schema.names, adds=False)
        if FORMATS[Path(engine.files[0]).suffix.lower()] == "csv":
            schema = _text_schema(task, engine.dataset.schema)
            engine.dataset = ds.dataset(engine.files, format=engine.dataset.format, schema=schema)
        for batch in engine.batches(list(task.inputs)):
            found, new = task.predict(pa.Table.from_batches([batch]).select(list(task.inputs)))
            parts.append(found)
            unseen += new
    except pa.ArrowInvalid as error:
        raise InputError(f"{str(path)!r} cannot be read: {error}") from None
    finally:
        engine.close()
    task.warn(add_up(unseen))
    parts = [task.nothing(), *parts]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in task.names}
    if task.has_probabilities:
        return np.column_stack([joined[name] for name in task.names[1:]])
    codes = joined[PREDICTION]
    classes = getattr(task.model, "classes_", None)
    return codes if classes is None else classes.take(codes)


def _text_schema(task: PredictionTask, schema: Any) -> Any:
    """The types by which a text file is read: not as its own cells suggest, but as the model needs them."""
    import pyarrow as pa

    for column in task.model._tree().schema.columns:
        if column.source is None:
            kind = pa.float64() if column.kind == Kind.NUMBER else None
            if column.kind != Kind.NUMBER and common_type(column.categories) is str:
                kind = pa.string()
            if kind is not None:
                i = schema.get_field_index(column.name)
                schema = schema.set(i, pa.field(column.name, kind))
    return schema


def add_up(found: Iterable[Unseen]) -> list[Unseen]:
    """Unseen categories of several tables, each once with the number of all its rows.

    >>> [one.n_rows for one in add_up([Unseen("x", "a", 2), Unseen("x", "b", 1), Unseen("x", "a", 3)])]
    [5, 1]
    """
    total: dict[tuple[str, object], Unseen] = {}
    for one in found:
        before = total.get((one.column, one.value))
        n_rows = one.n_rows + (0 if before is None else before.n_rows)
        total[one.column, one.value] = Unseen(one.column, one.value, n_rows, similar=one.similar)
    return list(total.values())


# --- lazy frames of polars ---


def _predict_polars(task: PredictionTask, frame: Any) -> Any:
    """The LazyFrame with the new columns; they are elementwise, so polars streams it."""
    import polars as pl

    check_columns(task, frame.collect_schema().names())
    kinds = {str: pl.String, bool: pl.Boolean, int: pl.Int64, float: pl.Float64}
    types: dict[str, Any] = dict.fromkeys(task.names, pl.Float64)
    labels = None
    if task.classes is not None:
        labels = pl.Series(task.classes, dtype=kinds[class_type(task.classes)])
        types[PREDICTION] = labels.dtype
    def predict(rows: pl.Series) -> pl.Series:
        found, unseen = task.predict(rows.struct.unnest().select(task.inputs))
        task.warn(unseen)
        columns: dict[str, Any] = dict(found)
        if labels is not None:
            columns[PREDICTION] = labels.gather(found[PREDICTION])
        return pl.DataFrame(columns, schema=types).to_struct(rows.name)

    name = f"treewright_{token_hex(8)}"
    rows = pl.struct(list(task.inputs)).map_batches(predict, return_dtype=pl.Struct(types), is_elementwise=True)
    return frame.with_columns(rows.alias(name)).unnest(name)


def class_type(classes: Sequence[object]) -> type:
    """The type of a column of classes.

    >>> class_type(["a", "b"]), class_type([1, 2])
    (<class 'str'>, <class 'int'>)
    """
    found = common_type(classes)
    if found is None:
        raise InputError(
            "The classes of the target have different types, but a column of a frame has one type; predict a table in "
            "memory, or convert them to text before fit."
        )
    return int if found is float and all(isinstance(one, int) for one in classes) else found


# --- Dask ---


def _predict_dask(task: PredictionTask, frame: Any) -> Any:
    """The Dask DataFrame with the new columns; workers need Treewright."""
    import pandas as pd

    names = [str(name) for name in frame.columns]
    check_columns(task, names)
    places = [names.index(name) for name in task.inputs]
    labels = None if task.classes is None else pd.Series(task.classes)
    light = copy(task.model)
    light.__dict__ = {name: value for name, value in vars(light).items() if name not in LARGE}
    task = PredictionTask(light, task.inputs, task.names)
    meta = predict_partition(frame._meta.iloc[:0], task, places, labels)
    return frame.map_partitions(predict_partition, task, places, labels, meta=meta)


def predict_partition(part: Any, task: PredictionTask, places: list[int], labels: Any) -> Any:
    """A partition of a Dask DataFrame with the new columns; `labels` are the classes, as pandas keeps them."""
    found, unseen = task.predict(part.iloc[:, places].set_axis(list(task.inputs), axis=1))
    task.warn(unseen)
    columns: dict[str, Any] = dict(found)
    if labels is not None:
        columns[PREDICTION] = labels.take(found[PREDICTION]).set_axis(part.index)
    return part.assign(**columns)


def column_kind(column: Column) -> type | None:
    """The type of the values of a column of the model: float, str or bool; None if it has no values.

    >>> column_kind(Column("age", Kind.NUMBER)), column_kind(Column("city", Kind.CATEGORY, ("Oslo", "Rome")))
    (<class 'float'>, <class 'str'>)
    """
    return float if column.kind == Kind.NUMBER else common_type(column.categories)
