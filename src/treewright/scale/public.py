"""`treewright.fit_source`: `fit` on a source with the options that `fit` itself does not have."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import InputError, ParameterError
from treewright.estimators.training_data import LabelledRows
from treewright.scale.fitting import SourceOptions
from treewright.scale.fitting import fit_source as fit
from treewright.scale.growth import LevelReport

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

UNITS = {
    "": 1, "b": 1,
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip


def fit_source(  # noqa: PLR0913 (all options of a user)
    model: "BaseTreeEstimator",
    source: Any,
    y: str,
    *,
    sample_weight: str | None = None,
    memory: str | int = "1GB",
    progress: Callable[[LevelReport], None] | None = None,
    checkpoint: Any = None,
    ignore: Sequence[str] = (),
    X_val: Any = None,
    y_val: Any = None,
    sample_weight_val: Any = None,
    keep: str | int = "32MiB",
) -> Any:
    """Fit a classifier or a regressor on rows that are not in memory.

    `model.fit(source, y="column")` does the same with the defaults of `memory`, `progress` and `checkpoint`.

    Parameters
    ----------
    model : estimator
        The classifier or regressor to fit; regression by squared error.
    source : path, or a lazy frame of DuckDB, polars, Dask, Spark or Ibis
        The rows; a path may be a pattern such as "data/*.parquet". See docs/scale.md.
    y : str
        The column with the classes or numbers.
    sample_weight : str or None, default=None
        A column with the weight of each row.
    memory : str or int, default="1GB"
        Memory for counts and for rows that are fetched, such as "500MB" or "1.5GiB", or a number of bytes. A node whose
        rows fit is grown in memory. It does not limit what the engine itself uses.
    progress : callable or None, default=None
        Called after each level of the tree with a record of its `depth`, its open nodes (`n_nodes`), their rows
        (`n_rows`), the nodes whose rows were fetched (`n_fetched`), the passes over the rows or statements so far
        (`n_passes`), its `seconds`, and the number of trees it is of (`n_trees`): more than 1 in cross-validation.
    checkpoint : path or None, default=None
        A file that is written after each level and removed at the end. A fit that finds it goes on from there.
    ignore : sequence of str, default=()
        Columns that are not used.
    X_val, y_val, sample_weight_val : default=None
        Validation rows, by which the tree is pruned: another source with the columns of training, where `y_val` (by
        default `y`) and `sample_weight_val` are names of columns; or a table, a target and weights in memory.
    keep : str or int, default="32MiB"
        Memory for counts that the fitted model keeps, so that `why` does not need the rows: the top nodes come first.

    Returns
    -------
    estimator
        The model, fitted. Its attribute `notes_` says what was done otherwise than in memory.

    Raises
    ------
    InputError
        If a column is not found, or has a type that is not supported.
    ParameterError
        If a parameter of the model needs rows in memory.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from treewright import C45Classifier, fit_source
    >>> with TemporaryDirectory() as folder:
    ...     for part in range(3):
    ...         lines = [f"{i},{'high' if i > 14 else 'low'}" for i in range(10 * part, 10 * part + 10)]
    ...         _ = Path(folder, f"{part}.csv").write_text("\\n".join(["x,level", *lines]))
    ...     model = fit_source(C45Classifier(), f"{folder}/*.csv", "level", memory="100MB")
    >>> print(model.to_text())
    x <= 14: low (15)
    x > 14: high (15)
    """
    if progress is not None and not callable(progress):
        raise ParameterError(f"`progress` must be a function or None, got {progress!r}.")
    if not hasattr(model, "_read_growth"):
        raise InputError(f"model must be an estimator of Treewright, got {type(model).__name__}.")
    validation = None if X_val is None else LabelledRows(X_val, y_val, sample_weight_val)
    sizes = read_memory(memory), read_memory(keep, "keep")
    options = SourceOptions(sizes[0], progress, checkpoint, tuple(ignore), validation, sizes[1])
    return fit(model, source, y, sample_weight, options)


def read_memory(given: object, name: str = "memory") -> int:
    """Return a size in bytes; kB, MB and GB are powers of 1000, and KiB, MiB and GiB of 1024.

    >>> [read_memory(size) for size in ("500MB", "2 GB", "1.5GiB", "64k", 1000)]
    [500000000, 2000000000, 1610612736, 64000, 1000]
    """
    number: float = 0
    if isinstance(given, int) and not isinstance(given, bool):
        number = given
    elif isinstance(given, str):
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", given.strip().lower())
        unit = "" if found is None else found[2]
        unit = unit if unit in UNITS else f"{unit}b"
        if found is not None and unit in UNITS:
            number = float(found[1]) * UNITS[unit]
    if number < 1:
        raise ParameterError(f"`{name}` must be a size such as '500MB', '2GB' or '1.5GiB', got {given!r}.")
    return int(number)
