"""Checkpoints of growth on a source: after each level, all that a new process needs to go on.

In: the draft of the tree, the levels and the open nodes. Out: a file of arrays, written under another name first, so
that it is complete or the one before. The rows are not in it: they are surveyed and encoded again, and a checkpoint of
another table or plan is an error.
"""

from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from treewright._core.grow import Work
from treewright.disk.atomic_write import check_output_path, write_bytes
from treewright.errors import InputError
from treewright.grow.draft import Draft
from treewright.scale.engine import Level

NUMBERS = (
    "n_nodes", "n_pool", "n_live", "n_leaves", "n_ids", "n_surrogates", "n_surrogate_pool", "root_weight",
    "root_impurity",
)  # fmt: skip
"""What the draft of a workspace has besides its arrays."""


class Checkpoint:
    """A file with the state of growth.

    path  the file; it is removed when the tree is grown
    key   what the tree depends on: a checkpoint with another key is an error
    """

    def __init__(self, path: object, *parts: object) -> None:
        self.path = check_output_path(path)
        self.key = sha256("\n".join(map(repr, parts)).encode("utf-8", "surrogatepass")).hexdigest()

    def save(self, draft: Draft, work: Work, levels: list[Level], nodes: list[Any], n_counted: int) -> None:
        """Write the state: `nodes` are the open nodes, as numbers, the ones to be counted first."""
        arrays: dict[str, Any] = {"key": np.array(self.key), "nodes": np.array(nodes, np.int64)}
        arrays["numbers"] = np.array([getattr(work.draft, name) for name in NUMBERS], np.float64)
        arrays["n_counted"] = np.array(n_counted)
        for i, block in enumerate(draft.blocks):
            arrays[f"block {i}"] = block[:, : work.draft.n_nodes]
        for kind, found, n in parts_of(draft, work):
            for name, array in found.items():
                arrays[f"{kind} {name}"] = array[:n]
        arrays["live"] = draft.live["live"][: work.draft.n_live]
        for i, level in enumerate(levels):
            arrays |= {f"level {i} {name}": np.asarray(value) for name, value in level.items()}
        text = BytesIO()
        np.savez_compressed(text, **arrays)
        write_bytes(self.path, text.getvalue(), overwrite=True)

    def load(self, draft: Draft, work: Work) -> tuple[list[Level], list[list[int]], int] | None:
        """Restore the draft; the levels, the open nodes, and how many of them are counted. None without a file."""
        if not self.path.exists():
            return None
        try:
            with np.load(self.path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            key = str(arrays["key"])
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"{str(self.path)!r} is not a checkpoint; pass the name of a new file.") from error
        if key != self.key:
            raise InputError(
                f"The checkpoint {str(self.path)!r} is of another table or other parameters; remove it, or pass "
                "another name."
            )
        numbers = dict(zip(NUMBERS, arrays["numbers"].tolist(), strict=True))
        work.draft.clear()
        draft.make_room(work, int(numbers["n_nodes"]), int(numbers["n_pool"]))
        if draft.surrogates:
            draft.make_surrogate_room(work, int(numbers["n_surrogates"]), int(numbers["n_surrogate_pool"]))
        for i, block in enumerate(draft.blocks):
            block[:, : arrays[f"block {i}"].shape[1]] = arrays[f"block {i}"]
        for kind, found, _ in parts_of(draft, work):
            for name, array in found.items():
                array[: len(arrays[f"{kind} {name}"])] = arrays[f"{kind} {name}"]
        if len(arrays["live"]) + work.table.n_columns > len(draft.live["live"]):
            draft.live["live"] = np.resize(draft.live["live"], 2 * len(arrays["live"]) + work.table.n_columns)
        draft.live["live"][: len(arrays["live"])] = arrays["live"]
        work.draft.assign(draft.fields())
        for name, value in numbers.items():
            setattr(work.draft, name, value if name.startswith("root") else int(value))
        levels: list[Level] = []
        while f"level {len(levels)} column" in arrays:
            start = f"level {len(levels)} "
            levels.append({name.removeprefix(start): one for name, one in arrays.items() if name.startswith(start)})
        return levels, arrays["nodes"].tolist(), int(arrays["n_counted"])

    def remove(self) -> None:
        """Remove the file."""
        Path(self.path).unlink(missing_ok=True)


def parts_of(draft: Draft, work: Work) -> list[tuple[str, dict[str, Any], int]]:
    """The arrays of a draft besides its blocks and lists of columns: a name, the arrays, and how long they are."""
    now = work.draft
    return [
        ("own", draft.own, now.n_nodes),
        ("pool", draft.pool, now.n_pool),
        ("surrogates", draft.surrogates, now.n_surrogates),
        ("surrogate pool", draft.surrogate_pool, now.n_surrogate_pool),
    ]
