"""The tables of the comparison.

In: the folder of sets.py (real tables) and mixed_table.py (the generated table "mix"), and a name. Out: a Table: its
rows as a frame, as numbers for scikit-learn, its classes as codes; and the parts it is trained and tested on.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

N_FOLDS = 10
N_TRAIN, N_TEST = 100_000, 50_000
"""The rows of the generated table."""
MIX = "mix"

Rows = NDArray[np.intp]
Part = tuple[Rows, Rows]
"""The rows to train on and those to test on."""


def open_loader(folder: Path, name: str) -> ModuleType:
    """A file of the folder as a module, or one sentence about its absence."""
    path = folder / f"{name}.py"
    if not path.is_file():
        raise SystemExit(f"There is no {name}.py in {folder}; give its folder with --shared.")
    module = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(path.read_bytes(), path, "exec"), module.__dict__)
    return module


@dataclass(frozen=True)
class Table:
    """Rows with their classes as codes; one table, three ways to write its categories."""

    frame: pd.DataFrame
    codes: NDArray[np.int64]
    n_classes: int

    @cached_property
    def numbers(self) -> NDArray[np.float32]:
        """Categories as the number of their level, NaN for what is missing."""
        columns = [
            self.frame[name].cat.codes.where(self.frame[name].notna(), np.nan)
            if isinstance(self.frame[name].dtype, pd.CategoricalDtype)
            else self.frame[name]
            for name in self.frame.columns
        ]
        return np.column_stack([np.asarray(column, dtype=np.float32) for column in columns])

    @cached_property
    def indicators(self) -> NDArray[np.float32]:
        """A column of 0 and 1 for each category, all 0 where it is missing."""
        return pd.get_dummies(self.frame, dtype=np.float32).to_numpy(dtype=np.float32)

    def written(self, form: str) -> Any:
        """The rows as `frame`, `numbers` or `indicators`."""
        return getattr(self, form)


def taken(X: Any, rows: Rows) -> Any:
    """Some rows of a frame or an array."""
    return X.iloc[rows].reset_index(drop=True) if isinstance(X, pd.DataFrame) else X[rows]


@lru_cache(maxsize=2)
def real(folder: Path, name: str) -> Table:
    """A table of sets.py without its classes of a single row, as its `folds` leaves them out."""
    X, y = open_loader(folder, "sets").load(name)
    keep = (y.map(y.value_counts()) >= 2).to_numpy()
    classes, codes = np.unique(y[keep].to_numpy(dtype=str), return_inverse=True)
    return Table(X[keep].reset_index(drop=True), codes.astype(np.int64), len(classes))


@lru_cache(maxsize=1)
def mix(folder: Path, seed: int, n_classes: int) -> Table:
    """The generated table as a frame: c0 to c7 are categories, x0 to x7 numbers."""
    numbers, categories, y, levels = open_loader(folder, "mixed_table").mixed(
        N_TRAIN, N_TEST, seed, n_classes=n_classes
    )
    columns: dict[str, Any] = {
        f"c{j}": pd.Categorical.from_codes(categories[:, j], categories=[f"l{k:02}" for k in range(n_levels)])
        for j, n_levels in enumerate(levels)
    }
    columns |= {f"x{j}": numbers[:, j] for j in range(numbers.shape[1])}
    return Table(pd.DataFrame(columns), y, n_classes)


def mix_part() -> Part:
    """The first rows train, the last ones test."""
    return np.arange(N_TRAIN), np.arange(N_TRAIN, N_TRAIN + N_TEST)


def folds(codes: NDArray[np.int64], n_folds: int, seed: int) -> Iterator[Part]:
    """Stratified folds; a class of fewer rows than folds makes scikit-learn warn, and is dealt as far as it goes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield from StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(np.zeros(len(codes)), codes)


@lru_cache(maxsize=2)
def parts(folder: Path, name: str, seed: int) -> tuple[Table, tuple[Part, ...]]:
    """A table by name with its parts: ten folds of a real one, one part of "mix" (where the seed makes the rows)."""
    if name == MIX:
        return mix(folder, seed, 2), (mix_part(),)
    table = real(folder, name)
    return table, tuple(folds(table.codes, N_FOLDS, seed))
