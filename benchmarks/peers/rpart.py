"""R's rpart without pruning, cross-validation and surrogates. Its deepest tree has 30 levels.

In: a table, written as a matrix of doubles. Out: the processor time of `rpart()` as R reports it.
"""

from functools import cache
from typing import Any

import numpy as np

from benchmarks.peers import program
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table
from benchmarks.timing import Fit

NAME = "rpart"
DEEPEST = 30
SCRIPT = """
library(rpart)
a <- commandArgs(TRUE); n <- as.integer(a[2]); p <- as.integer(a[3])
d <- as.data.frame(matrix(readBin(a[1], "double", n * (p + 1)), n, p + 1)); names(d)[p + 1] <- "y"
for (j in as.integer(strsplit(a[5], ",")[[1]])) if (j >= 0) d[[j + 1]] <- factor(d[[j + 1]])
if (a[6] == "class") d$y <- factor(d$y)
k <- rpart.control(cp = 0, minsplit = 2, minbucket = 1, maxdepth = as.integer(a[4]), xval = 0,
                   maxsurrogate = 0, maxcompete = 0, usesurrogate = 0)
t <- system.time(m <- rpart(y ~ ., data = d, method = a[6], control = k, model = FALSE, y = FALSE))
cat("seconds", t[1] + t[2], "leaves", sum(m$frame$var == "<leaf>"), "\\n")
"""


def missing() -> str | None:
    """Why this peer cannot take part, or None."""
    reason = program.why_missing("Rscript")
    if reason is None and version() == "":
        reason = "R has no package rpart"
    return reason


@cache
def version() -> str:
    """What was measured."""
    try:
        return program.output(["Rscript", "-e", 'cat(as.character(packageVersion("rpart")))'])
    except RuntimeError:
        return ""


def n_leaves(model: Any) -> int | None:
    """The leaves of what was fitted."""
    return None if model is None else int(model)


def prepare(table: Table, setting: Setting) -> Fit | None:
    """A tree by depth; categories of many values with more than two classes would take it for ever."""
    if setting.algorithm != "CART" or setting.max_leaves is not None or setting.max_bins is not None:
        return None
    if table.categories and not table.is_regression and table.target.max() > 1:
        return None
    data, script = program.new_file(".bin"), program.new_file(".R")
    both = np.column_stack([table.values, table.target.astype(np.float64)])
    np.asfortranarray(both).T.tofile(data)
    script.write_text(SCRIPT, encoding="utf-8")
    n_rows, n_columns = table.values.shape
    depth = setting.max_depth or DEEPEST
    words = [str(n_rows), str(n_columns), str(depth), ",".join(map(str, table.categories)) or "-1"]
    command = ["Rscript", str(script), str(data), *words, "anova" if table.is_regression else "class"]
    return lambda: program.read_report(program.output(command), r"seconds ([0-9.e-]+)", r"leaves (\d+)")
