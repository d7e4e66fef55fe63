"""What an import takes beyond numpy and scikit-learn.

In: the options of the run. Out: a Row for each statement: the least of several fresh processes, in turns.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from tempfile import TemporaryDirectory

from benchmarks.choice import Choice
from benchmarks.rows import Row

SECTION = "import"
GOAL = 50.0
"""Milliseconds."""
N_PROCESSES = 9
STATEMENTS = ("import treewright", "from treewright import C45Classifier", "from treewright import CARTRegressor")
CLOCK = """
import numpy, sklearn.tree
from time import perf_counter
start = perf_counter()
{statement}
print(perf_counter() - start)
"""


def import_rows(choice: Choice) -> Iterator[Row]:
    """All statements."""
    if not choice.wants(SECTION):
        return
    least = dict.fromkeys(STATEMENTS, float("inf"))
    with TemporaryDirectory() as folder:  # compiled modules are kept, as on a user's machine, whatever is set here
        environment = os.environ | {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        for _ in range(N_PROCESSES if choice.fraction == 1 else 2):
            for statement in STATEMENTS:
                least[statement] = min(least[statement], seconds(statement, environment))
    for statement, found in least.items():
        value = found * 1e3
        yield Row(SECTION, statement, figures={"ms": value}, goal=GOAL, value=value)


def seconds(statement: str, environment: Mapping[str, str]) -> float:
    """One import in a process of its own."""
    command = [sys.executable, "-c", CLOCK.format(statement=statement)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)
