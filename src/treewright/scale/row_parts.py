"""Parts of the rows, such as the folds of cross-validation: which rows are in them, and several requests in one pass.

Functions of numpy alone, which engines ship to their workers by value, as those of `worker`; functions of `worker` are
passed to them.

A row is in a part by a hash of its codes and its target: a polynomial of these modulo a prime, mixed by fifth powers.
All products are below 2^62, so that databases compute the same hash with integers of 64 bits. It does not depend on the
order of the rows or on partitions, and identical rows are in the same parts.

A part is a dict:

    conditions  (modulus, low, high, inside): the hash modulo `modulus` is from `low` to `high` - 1; or, if not
                `inside`, it is not; all conditions must hold
    shift       weights are multiplied by 2^shift, so that rows can be divided more finely

A request is a dict: "task", a name of a function of `worker`; its "levels"; its other "args"; and its "part".
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

PRIME = 2**31 - 1
BASE = 48271
"""The polynomial has the code of column f times BASE^(f + 1), and the target as its last term."""
ADDED = (0x2545F491, 0x1B873593)
"""What is added to a hash before it is raised to the fifth power, which is a permutation of the residues."""
SMALL = 2**16
"""Codes below it need no remainder in each term: the sum of 2^15 of them times a residue is below 2^62."""

Part = dict[str, Any]
Entries = tuple[Any, Any, Any]
Task = Callable[..., Any]


def factors_of(n_columns: int) -> list[int]:
    """The factors of the columns and of the target."""
    found = [BASE]
    while len(found) <= n_columns:
        found.append(found[-1] * BASE % PRIME)
    return found


def hash_rows(partition: Part, units: Part | None) -> Any:
    """The hash of each row, from 0 to PRIME - 1; `units` has "centre" and "scale" of a target that is a number."""
    codes, target = partition["codes"], partition["target"]
    *factors, last = factors_of(len(codes))
    if units is not None:
        target = np.rint(np.ldexp(target - units["centre"], units["scale"]))
    found = target.astype(np.int64) % PRIME * last % PRIME
    is_small = codes.dtype.itemsize <= 2
    for own, factor in zip(codes, factors, strict=True):
        term = own.astype(np.int64) * factor
        found += term if is_small else term % PRIME
    found %= PRIME
    for added in ADDED:
        found = (found + added) % PRIME
        fourth = (found * found % PRIME) ** 2 % PRIME
        found = found * fourth % PRIME
    return found.astype(np.int32)


def rows_of(hashes: Any, part: Part) -> Any:
    """The rows of a part."""
    kept = np.ones(len(hashes), bool)
    for modulus, low, high, inside in part["conditions"]:
        digit = hashes % modulus
        kept &= ((digit >= low) & (digit < high)) == inside
    return np.flatnonzero(kept).astype(np.int32)


def entries_of(weight: Any, hashes: Any, part: Part) -> Entries:
    """The rows of a part at the root: row, slot and weight (None: one each)."""
    rows = rows_of(hashes, part)
    if weight is not None:
        weight = weight[rows] << part["shift"]
    elif part["shift"]:
        weight = np.full(len(rows), 1 << part["shift"], np.int64)
    return rows, np.zeros(len(rows), np.int32), weight


def run_requests(
    partition: Part, arrived: Entries, requests: list[Part], units: Part | None, step: Task, tasks: dict[str, Task]
) -> list[Any]:
    """The results of several tasks on the same partition, each on its own part of the rows that arrived at the root."""
    hashes, found, weight = hash_rows(partition, units), [], arrived[2]
    for one in requests:
        entries = entries_of(weight, hashes, one["part"])
        for level in one["levels"]:
            entries = step(partition["codes"], level, *entries)
        found.append(run_request(partition, entries, one, tasks))
    return found


def run_request(partition: Part, entries: Entries, request: Part, tasks: dict[str, Task]) -> Any:
    """The result of one of them, whose rows went down its levels."""
    if partition["weight"] is None and entries[2] is not None:
        partition = partition | {"weight": entries[2]}  # a task looks here whether rows have weights
    return tasks[request["task"]](partition, entries, *request["args"])


def merge_requests(results: Iterable[list[Any]], merges: list[Task]) -> list[Any]:
    """The same of several partitions; `merges` has a function for each request."""
    total: list[list[Any]] = [[] for _ in merges]
    for found in results:
        for waiting, one, merge in zip(total, found, merges, strict=True):
            waiting.append(one)
            if isinstance(one, np.ndarray):  # counts are added up at once; rows are joined at the end
                waiting[:] = [merge(waiting)]
    return [merge(waiting) for waiting, merge in zip(total, merges, strict=True)]

