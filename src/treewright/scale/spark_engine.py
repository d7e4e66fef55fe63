"""A Spark DataFrame, also over Spark Connect: its rows are encoded once and cached.

In: a Spark DataFrame. Out: an engine. Everything is a `mapInArrow` of a function that is shipped by value, so workers
need numpy and pyarrow only; no RDD is used. A job for each pass sends the rows of every partition from the root through
all levels; the partitions are put together to one for each core, if that is known, and there is one result for each.
Many results are merged by Spark in a second stage.
Tasks are pure, so Spark repeats what was lost with a worker.
"""

import os
import sys
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from uuid import uuid4

from treewright.errors import InputError
from treewright.extras import require
from treewright.scale import remote, worker
from treewright.scale.engine import BOOLEAN, NUMBER, TEXT, Level
from treewright.scale.partitions import PartitionEngine
from treewright.scale.shipping import gave_up, ship, ship_merge

MOST_RESULTS = 32
"""Results that are sent to the driver; more are merged first."""
ROWS_OF_RESULTS = "number int, piece int, n_pieces int, data binary"


class SparkEngine(PartitionEngine):
    """Counts the rows of a Spark DataFrame."""

    name = "spark"

    def __init__(self, frame: Any) -> None:
        super().__init__()
        require("pyarrow", "Fitting on a Spark DataFrame")
        twice = next((name for name in frame.columns if frame.columns.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"The column name {twice!r} occurs more than once; rename one of these columns.")
        self.frame, self.session = frame, frame.sparkSession
        self._codes: Any = None
        self._n_results = 0
        use_this_python(self.session)

    def kinds(self) -> dict[str, str]:
        """The columns with their kinds."""
        return {field.name: kind_of(field.dataType) for field in self.frame.schema.fields}

    def read_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> Iterable[Any]:
        """The results of a task on all partitions."""
        rows = self._numbered(self.frame, columns)
        found = map_in_arrow(rows, partial(ship(remote.read_rows), ship(task), args, columns), ROWS_OF_RESULTS)
        return self._collect("reading the columns", found, ship_merge(task, args))

    def encode_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> None:
        """Cache the codes of all partitions."""
        rows = self._numbered(self.frame, columns)
        encode = partial(ship(remote.encode_rows), ship(task), args, columns)
        self._codes = map_in_arrow(rows, encode, "codes binary").persist()
        self._run("encoding the rows", self._codes.count)

    def map_codes(self, task: Callable[..., Any], levels: list[Level], *args: Any) -> Iterable[Any]:
        """The results of a task on all partitions of codes."""
        merge = ship_merge(task, args)
        fold = partial(ship(remote.fold_rows), ship(worker.walk), ship(task), merge, (levels, args))
        n_cores = count_cores(self.session)
        codes = self._codes.coalesce(n_cores) if n_cores else self._codes
        found = map_in_arrow(self._numbered(codes, ["codes"]), fold, ROWS_OF_RESULTS)
        doing = "fetching rows of" if task is worker.take_rows else "counting"
        return self._collect(f"{doing} level {len(levels)}", found, merge)

    @staticmethod
    def _numbered(frame: Any, columns: list[str]) -> Any:
        """Some columns, by plain names, and the number of the partition that each row is in."""
        named = [f"{quote(name)} AS column{i}" for i, name in enumerate(columns)]
        return frame.selectExpr(*named, "spark_partition_id() AS number")

    def _collect(self, doing: str, found: Any, merge: Callable[..., Any]) -> list[Any]:
        """The results in rows, merged in a second stage if the pass before had many."""
        if self._n_results > MOST_RESULTS:
            n = int(self._n_results**0.5)
            merged = partial(ship(remote.merge_rows), merge)
            found = map_in_arrow(found.repartition(n, "number"), merged, ROWS_OF_RESULTS)
        table = self._run(doing, found.toArrow)
        results = list(remote.unpack(table.to_batches(), []))
        self._n_results = max(self._n_results, len(results))
        return results

    def _run(self, doing: str, job: Callable[[], Any]) -> Any:
        """Run a job; Ctrl-C cancels it on the workers, too."""
        tag = f"treewright-{uuid4()}"
        self.session.addTag(tag)
        try:
            return job()
        except Exception as error:
            if was_interrupted(error):
                raise KeyboardInterrupt from error
            raise gave_up("Spark", doing, self.effort.n_passes, error) from error
        except BaseException:
            self.session.interruptTag(tag)
            raise
        finally:
            self.session.removeTag(tag)

    def close(self) -> None:
        """Remove the codes from the cache."""
        if self._codes is not None:
            self._codes.unpersist()
            self._codes = None


def count_cores(session: Any) -> int | None:
    """The cores of all executors; None over Spark Connect, which does not say."""
    context = getattr(session, "sparkContext", None)
    return None if context is None else int(context.defaultParallelism)


def was_interrupted(error: BaseException | None) -> bool:
    """Whether an error came after Ctrl-C: PySpark raises that its job was cancelled instead."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def map_in_arrow(frame: Any, function: Callable[..., Any], columns: str) -> Any:
    """The rows that a function makes of the batches of each partition; they do not go through pandas."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return frame.mapInArrow(function, columns)


def kind_of(kind: Any) -> str:
    """The kind of a Spark column."""
    from pyspark.sql import types

    if isinstance(kind, types.NumericType | types.NullType):
        return NUMBER
    if isinstance(kind, types.BooleanType):
        return BOOLEAN
    texts = types.StringType, types.CharType, types.VarcharType
    return TEXT if isinstance(kind, texts) else str(kind.simpleString())


def quote(name: str) -> str:
    """A column name as Spark's SQL takes it.

    >>> quote("a.b`c")
    '`a.b``c`'
    """
    doubled = name.replace("`", "``")
    return f"`{doubled}`"


def use_this_python(session: Any) -> None:
    """Let workers on this machine run this interpreter, which has numpy and pyarrow, unless one was chosen."""
    context = None if "PYSPARK_PYTHON" in os.environ else getattr(session, "sparkContext", None)  # none over Connect
    if context is not None and context.master.startswith("local"):
        context.pythonExec = sys.executable
