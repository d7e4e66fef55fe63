"""Whether a tree without a peer is the one it should be: it is grown several times, and all runs must give
the same bits.

In: a table, a setting, and models that were fitted already. Out: words, "same tree in 3 runs" or "DIFFERS ...".

The same data must give the same tree on one thread, on two, and with its rows in any other order: a kernel that loses a
row, reads a stale list or adds in another order fails at least one of these.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmarks.peers import ours
from benchmarks.peers.seam import Setting
from benchmarks.tables import Table


def same_in_three_runs(table: Table, setting: Setting, fitted: Mapping[int, Any]) -> str:
    """Compare what was fitted (by number of threads) with a fit on shuffled rows; what is not there yet is fitted."""
    trees = {f"{n} thread{'s' * (n > 1)}": model for n, model in fitted.items()}
    for n in {1, 2} - set(fitted):
        trees[f"{n} thread{'s' * (n > 1)}"] = _fit(table, replace(setting, n_jobs=n))
    trees["rows shuffled"] = _fit(table.shuffled(), replace(setting, n_jobs=1))
    return same({run: prints(model) for run, model in trees.items()})


def _fit(table: Table, setting: Setting) -> Any:
    return ours.make(table, setting).fit(table.given, table.target)


def prints(model: Any) -> tuple[str, str]:
    """What two models must share: the tree that was grown and what pruning left of it, bit for bit."""
    return model.grown_tree_.fingerprint(), model.tree_.fingerprint()


def same(found: Mapping[str, Any], what: str = "tree") -> str:
    """The verdict on one thing found in several runs.

    >>> same({"1 thread": "a", "2 threads": "a"})
    'same tree in 2 runs'
    >>> same({"1 thread": "a", "2 threads": "a", "rows shuffled": "b"})
    'DIFFERS with rows shuffled'
    """
    first = next(iter(found.values()))
    others = [run for run, one in found.items() if one != first]
    return f"DIFFERS with {', '.join(others)}" if others else f"same {what} in {len(found)} runs"
