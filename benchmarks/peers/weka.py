"""Weka's J48, pruned as by default, beside our C4.5 with its pruning.

In: a table, written as ARFF. Out: the time to build the model as Weka reports it, on the clock.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.peers import program
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "Weka J48"
JARS = (Path("/usr/share/java/weka.jar"),)
"""Where the Debian package puts it."""


def _jar() -> Path | None:
    return next((jar for jar in JARS if jar.is_file()), None)


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    return program.why_missing("java") or (None if _jar() else f"there is no {JARS[0]}")


@cache
def version() -> str:
    """What was measured."""
    said = program.output(["java", "-cp", str(_jar()), "weka.core.Version"])
    found = re.search(r"\d+(\.\d+)+", said)
    return found[0] if found else ""


def n_leaves(model: Any) -> int | None:
    """The leaves of what was fitted."""
    return None if model is None else int(model)


def prepare(table: Table, setting: Setting) -> Fit | None:
    """Classes only; without and with pruning."""
    if setting.algorithm != "C4.5" or table.is_regression or setting.max_depth is not None or setting.grouping:
        return None
    data = program.new_file(".arff")
    data.write_text(arff(table), encoding="ascii")
    command = ["java", "-Xmx4g", "-XX:+UseSerialGC", "-cp", str(_jar()), "weka.classifiers.trees.J48"]
    command += [*([] if setting.pruned else ["-U"]), "-t", str(data), "-no-cv"]
    return lambda: program.read_report(
        program.output(command), r"Time taken to build model: ([0-9.]+)", r"Number of Leaves\s*:\s*(\d+)"
    )


def arff(table: Table) -> str:
    """The table as Weka reads it; empty cells are question marks."""
    lines = ["@relation t"]
    for j in range(table.values.shape[1]):
        kind = "numeric"
        if j in table.categories:
            codes = {int(v) for v in table.values[:, j] if v == v}
            kind = "{" + ",".join(f"c{code}" for code in sorted(codes)) + "}"
        lines.append(f"@attribute x{j} {kind}")
    classes = sorted(set(table.target.tolist()))
    lines += ["@attribute y {" + ",".join(map(str, classes)) + "}", "@data"]
    columns = [_cells(table.values[:, j].tolist(), j in table.categories) for j in range(table.values.shape[1])]
    rows = zip(*columns, map(str, table.target.tolist()), strict=True)
    return "\n".join([*lines, *map(",".join, rows)]) + "\n"


def _cells(values: list[float], is_category: bool) -> list[str]:
    return ["?" if v != v else f"c{int(v)}" if is_category else repr(v) for v in values]
