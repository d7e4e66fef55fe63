"""Real tables from a folder of CSV files with a schema.

In: the folder and a name. Out: a Table whose numbers are as they are and whose categories are codes; where there are
categories, the frame as well, in which they are strings with levels.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.tables import Table

NAMES = ("covtype", "adult", "flights", "letter")
SCHEMA = "schema.json"


def why_missing(folder: Path, name: str) -> str | None:
    """Why a table cannot be read, or None."""
    if not (folder / SCHEMA).is_file():
        return f"there is no {SCHEMA} in {folder}; give the folder with --data"
    return None if _file(folder, name).is_file() else f"there is no {name}.csv in {folder}"


def _file(folder: Path, name: str) -> Path:
    plain = folder / f"{name}.csv"
    return plain if plain.is_file() else folder / f"{name}.csv.gz"


def real(folder: Path, name: str, fraction: float = 1.0) -> Table:
    """One table; rows without a target are left out, and with a fraction below 1 only the first rows are read."""
    schema = json.loads((folder / SCHEMA).read_text(encoding="utf-8"))[name]
    frame = pd.read_csv(_file(folder, name), keep_default_na=False, na_values=[""], dtype=str)
    frame = frame.iloc[: max(int(len(frame) * fraction), 100)]
    columns = {c["name"]: _column(frame[c["name"]], c) for c in schema["columns"]}
    frame = pd.DataFrame(columns, index=frame.index)
    frame = frame[frame[schema["target"]].notna()].reset_index(drop=True)
    target = frame.pop(schema["target"])
    is_class = schema["task"] == "classification"
    return _table(frame, target.cat.codes.to_numpy(np.int64) if is_class else target.to_numpy(np.float64))


def _column(words: pd.Series, declared: dict[str, object]) -> pd.Series:
    if declared["type"] == "numeric":
        return pd.to_numeric(words)
    levels = declared.get("levels") or sorted(words.dropna().unique())
    return words.astype(pd.CategoricalDtype(levels))


def _table(frame: pd.DataFrame, y: np.ndarray) -> Table:
    """Codes for what has levels, NaN where a cell is empty."""
    is_category = [isinstance(dtype, pd.CategoricalDtype) for dtype in frame.dtypes]
    values = np.empty(frame.shape)
    for j, name in enumerate(frame.columns):
        if is_category[j]:
            codes = frame[name].cat.codes.to_numpy(np.float64)
            values[:, j] = np.where(codes < 0, np.nan, codes)
        else:
            values[:, j] = frame[name].to_numpy(np.float64)
    categories = tuple(int(j) for j in np.flatnonzero(is_category))
    return Table(values, y, categories, frame if categories else None)
