"""The reference data sets, read with their declared types and levels; rows without a target are left out."""

import json
from functools import cache

import pandas as pd


@cache
def schema_of(shared):
    return json.loads((shared / "data" / "schema.json").read_text(encoding="utf-8"))


def load(shared, name):
    """The table (words as categories in declared order) and the target of a data set, for the caller to keep."""
    frame, target = _read(shared, name)
    return frame.copy(), target.copy()


@cache
def _read(shared, name):
    declared = schema_of(shared)[name]
    file = shared / "data" / f"{name}.csv"
    if not file.exists():
        file = file.with_suffix(".csv.gz")
    table = pd.read_csv(file, keep_default_na=False, na_values=[""], dtype=str)
    table = table[table[declared["target"]].notna()].reset_index(drop=True)
    columns = {}
    for column in declared["columns"]:
        cells = table[column["name"]]
        if column["type"] == "numeric":
            columns[column["name"]] = pd.to_numeric(cells)
        else:
            levels = column.get("levels") or sorted(cells.dropna().unique())
            # A word that is not a declared level is missing, as in R's factor(): the "?" of anneal.
            columns[column["name"]] = pd.Categorical(cells.where(cells.isin(levels)), categories=levels)
    frame = pd.DataFrame(columns)
    target = frame.pop(declared["target"])
    return frame, (target.astype(str) if declared["task"] == "classification" else target)
