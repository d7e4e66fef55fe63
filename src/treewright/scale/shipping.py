"""Functions by value: Dask and Spark send the code of `worker` and other modules to machines without Treewright.

cloudpickle sends the code of a function whose module cannot be imported, and the name of any other. So `worker`,
`reading`, `row_parts` and `remote` are executed once more under a name that no machine can import: whoever pickles the
functions, a driver, a scheduler or a worker, sends their code.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from treewright.errors import TreewrightError
from treewright.scale import reading, remote, row_parts, worker

NAME = "shipped_by_value"
"""The module of the functions, which no machine has."""
MERGES = {
    "survey_batches": "merge_surveys",
    "count_keys": "merge_key_counts",
    "count_slots": "add_counts",
    "tally_levels": "add_counts",
    "take_rows": "join_rows",
    "count_digits": "add_counts",
    "sum_distances": "add_counts",
    "total_slots": "merge_totals",
    "sum_losses": "add_counts",
    "sum_powers": "add_counts",
}
"""How the results of a task on several partitions become one."""


@cache
def copy_of(*modules: ModuleType) -> ModuleType:
    """Modules, in one, whose functions are shipped by value; what one imports from the next is that of the copy.

    >>> copy_of(reading, worker).walk.__module__
    'shipped_by_value'
    """
    made = ModuleType(NAME)
    for module in modules:
        spec = find_spec(module.__name__)
        assert spec is not None
        exec(spec.loader.get_code(module.__name__), made.__dict__)  # type: ignore[union-attr]
    return made


def ship(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of these modules that is shipped by value."""
    alone = [one for one in (remote, row_parts) if one.__name__ == function.__module__]
    shipped: Callable[..., Any] = getattr(copy_of(*(alone or (reading, worker))), function.__name__)
    return shipped


def ship_merge(task: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
    """The function that makes one result of the results of task(..., *args)."""
    if task is row_parts.run_requests:
        return partial(ship(row_parts.merge_requests), merges=[ship(merge_by_name(one["task"])) for one in args[0]])
    merge = ship(merge_by_name(task.__name__))
    return partial(merge, most=args[-1]) if task.__name__ == "survey_batches" else merge


def merge_by_name(task: str) -> Callable[..., Any]:
    """The function that makes one result of those of a task on several partitions."""
    merge: Callable[..., Any] = getattr(copy_of(reading, worker), MERGES[task])
    return merge


def gave_up(engine: str, doing: str, n_passes: int, error: Exception) -> TreewrightError:
    """The error for a pass that failed although the engine tried again.

    >>> print(gave_up("Dask", "counting level 3", 9, MemoryError("no room")))
    Dask gave up while counting level 3 (pass 9 over the rows): MemoryError: no room; see the logs of its workers.
    """
    place = f"{engine} gave up while {doing} (pass {n_passes} over the rows)"
    return TreewrightError(f"{place}: {reason_of(error)}; see the logs of its workers.")


def reason_of(error: Exception) -> str:
    """An error in one line; of an error that shows the traceback of a worker, the line behind this.

    >>> shown = "A worker failed: Traceback (most recent call last):\\n  File ...\\nKeyError: 'x'\\n at ..."
    >>> reason_of(RuntimeError(shown))
    "KeyError: 'x'"
    """
    shown = re.findall(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*(\S.*)", str(error))
    if shown:
        return str(shown[-1]).rstrip(". ")
    lines = [line.strip().rstrip(".") for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
